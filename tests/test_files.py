from __future__ import annotations

import os
from pathlib import Path

import pytest

from study.files import copy_tree, iter_files, matches, remove_tree, snapshot, write_atomically


@pytest.mark.parametrize(
    ("path", "glob", "expected"),
    [
        ("test_a.py", "**/test_*.py", True),
        ("a/b/test_a.py", "**/test_*.py", True),
        ("a/latest_a.py", "**/test_*.py", False),
        ("a.py", "*.py", True),
        ("a/b.py", "*.py", False),
        ("tests/a/b.py", "tests/**", True),
        ("mytests/a.py", "tests/**", False),
        ("a/tests/b.py", "**/tests/**", True),
        ("a.pyx", "**/*.py", False),
        ("a+b.py", "a+b.py", True),
        ("aab.py", "a+b.py", False),
    ],
)
def test_glob(path: str, glob: str, expected: bool) -> None:
    assert matches(path, [glob]) is expected


def test_copy_leaves_out_caches_links_and_globs(tmp_path: Path) -> None:
    source = tmp_path / "source"
    for name in ("a.py", "b.txt", ".git/config", "__pycache__/a.pyc", "sub/c.py"):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(name)
    (source / "link.py").symlink_to("/etc/hostname")
    (source / "linked_folder").symlink_to("/etc")
    copy_tree(source, tmp_path / "copy", leave_out=["*.txt"])
    copied = [path.relative_to(tmp_path / "copy").as_posix() for path in iter_files(tmp_path / "copy")]
    assert copied == ["a.py", "sub/c.py"]


def test_snapshot_sees_content_and_link_targets(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1")
    (tmp_path / "link").symlink_to("a")
    os.mkfifo(tmp_path / "pipe")
    first = snapshot(tmp_path)
    (tmp_path / "a").write_text("2")
    (tmp_path / "link").unlink()
    (tmp_path / "link").symlink_to("b")
    second = snapshot(tmp_path)
    assert first["a"] != second["a"]
    assert (first["link"], second["link"]) == ("link:a", "link:b")
    assert first["pipe"] == "special"


def test_atomic_write_keeps_the_old_file_if_it_fails(tmp_path: Path) -> None:
    path = tmp_path / "x" / "a.json"
    write_atomically(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_atomically(path, "new \ud800")
    assert path.read_text() == "old"


def make_deep(folder: Path, levels: int) -> None:
    """A tree deeper than Python's stack and than the longest path of the system."""
    folder.mkdir()
    here = os.open(folder, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)


def test_a_tree_of_any_depth_is_listed_and_removed(tmp_path: Path) -> None:
    make_deep(tmp_path / "deep", 3000)
    (tmp_path / "deep" / "d" / "a.py").write_text("x")
    assert [path.name for path in iter_files(tmp_path / "deep")] == ["a.py"]
    remove_tree(tmp_path / "deep")
    assert not (tmp_path / "deep").exists()


def test_a_tree_without_rights_is_removed(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "c").write_text("x")
    (tmp_path / "a" / "b").chmod(0)
    remove_tree(tmp_path / "a")
    assert not (tmp_path / "a").exists()


def test_order_is_files_first_then_folders_by_name(tmp_path: Path) -> None:
    for name in ("b/z", "a/y", "c", "a/b/x"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    assert [path.relative_to(tmp_path).as_posix() for path in iter_files(tmp_path)] == [
        "c",
        "a/y",
        "a/b/x",
        "b/z",
    ]
