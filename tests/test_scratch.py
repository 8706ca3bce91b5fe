from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from study.scratch import scratch_folder


@pytest.fixture
def parent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def grow_old(folder: Path) -> None:
    os.utime(folder, (time.time() - 3600,) * 2)


def test_folder_is_private_and_removed(parent: Path) -> None:
    with scratch_folder() as folder:
        assert folder.parent == parent
        assert folder.stat().st_mode & 0o077 == 0
        (folder / "a" / "b").mkdir(parents=True)
        (folder / "a" / "b").chmod(0)
        (folder / "a").chmod(0o500)
    assert list(parent.iterdir()) == []


def test_links_are_removed_and_not_followed(parent: Path) -> None:
    kept = parent / "kept"
    kept.mkdir(mode=0o755)
    with scratch_folder() as folder:
        (folder / "link").symlink_to(kept)
    assert list(parent.iterdir()) == [kept]
    assert kept.stat().st_mode & 0o777 == 0o755


def test_folder_of_a_killed_process_is_removed_by_the_next(parent: Path) -> None:
    script = (
        "import os, tempfile; tempfile.tempdir = os.environ['PARENT']\n"
        "from study.scratch import scratch_folder\n"
        "with scratch_folder(): os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", script], env={**os.environ, "PARENT": str(parent)}, check=False)
    (left,) = parent.iterdir()
    with scratch_folder():
        assert left.exists()  # it might be about to be locked
    grow_old(left)
    with scratch_folder():
        assert not left.exists()


def test_folder_half_removed_by_a_killed_process_is_removed(parent: Path) -> None:
    left = parent / "study-scratch-half"
    (left / "home").mkdir(parents=True)
    grow_old(left)
    with scratch_folder():
        assert not left.exists()


def test_folder_in_use_is_left_alone(parent: Path) -> None:
    with scratch_folder() as used:
        grow_old(used)
        script = (
            "import os, tempfile; tempfile.tempdir = os.environ['PARENT']\n"
            "from study.scratch import scratch_folder\n"
            "with scratch_folder(): pass"
        )
        subprocess.run([sys.executable, "-c", script], env={**os.environ, "PARENT": str(parent)}, check=True)
        with scratch_folder():
            assert used.exists()
