from __future__ import annotations

import builtins
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from study.supervisor import processes
from study.supervisor.gauges import Gauge, disk_usage


@pytest.fixture
def child() -> Iterator[int]:
    with subprocess.Popen(["sleep", "60"]) as process:
        yield process.pid
        process.kill()


@pytest.fixture(params=["kernel with lists of children", "kernel without"])
def kernel(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "kernel without":
        real = builtins.open

        def refuse(name: Any, *arguments: Any, **options: Any) -> Any:
            if str(name).endswith("/children"):
                raise FileNotFoundError(name)
            return real(name, *arguments, **options)

        monkeypatch.setattr(builtins, "open", refuse)
        monkeypatch.setattr(os.path, "exists", lambda _: False)


@pytest.mark.usefixtures("kernel")
def test_children_are_found(child: int) -> None:
    assert child in processes.children_of(os.getpid())
    assert child in processes.living()
    assert processes.children_of(child) == []


def test_ended_process_is_a_descendant_but_not_living() -> None:
    with subprocess.Popen(["true"]) as process:
        end = time.monotonic() + 5
        while processes.stat_of(process.pid)[0] != "Z" and time.monotonic() < end:
            time.sleep(0.01)
        assert process.pid in processes.descendants()
        assert process.pid not in processes.living()
    assert processes.stat_of(process.pid) == []


def test_disk_usage_counts_each_file_once(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    before = disk_usage([str(tmp_path)])
    (tmp_path / "inner" / "file").write_bytes(b"x" * 100_000)
    (tmp_path / "link").symlink_to("/usr")
    with (tmp_path / "sparse").open("wb") as stream:
        stream.truncate(10**9)
    both = disk_usage([str(tmp_path), str(tmp_path / "inner"), str(tmp_path / "gone")])
    assert 100_000 <= both - before < 130_000
    assert both == disk_usage([str(tmp_path)])


def test_gauge_tells_what_exceeds_its_limit() -> None:
    value = 3.0
    gauge = Gauge("disk_limit", 3, "MB on disk", 0.5, lambda: value)
    assert gauge.check() is None
    value = 3.1
    assert gauge.check() == ("disk_limit", "more than 3 MB on disk")


def test_slow_gauge_is_read_less_often() -> None:
    gauge = Gauge("disk_limit", 1, "MB", 0.1, lambda: time.sleep(0.05) or 0.0)
    gauge.check()
    assert gauge.due - time.monotonic() > 0.9
