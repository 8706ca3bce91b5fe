from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

from study.evaluation.needs import EMBEDDED_MONGODB, find_program, provide, runnable
from study.projects.manifest import Suite
from study.schema import StudyError

SUITE = Suite(files=["a/A.java", "a/B.java"], needs={"mongod": ["a/B.java"]})


@pytest.fixture(autouse=True)
def bare_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing on the PATH but what a test puts there."""
    monkeypatch.delenv("STUDY_MONGOD", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))


def make_program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def test_files_that_need_what_is_missing_are_left_out_and_named() -> None:
    assert runnable(SUITE) == (["a/A.java"], ["a/B.java: needs mongod, which is not installed here"])


def test_with_the_program_all_files_run_and_it_is_handed_to_the_library(tmp_path: Path) -> None:
    make_program(tmp_path / "bin" / "mongod")
    assert runnable(SUITE) == (["a/A.java", "a/B.java"], [])
    provide(SUITE, tmp_path / "home")
    with tarfile.open(tmp_path / "home" / EMBEDDED_MONGODB) as archive:
        assert [(entry.name, entry.mode & 0o100) for entry in archive] == [("mongodb/bin/mongod", 0o100)]


def test_a_suite_without_needs_is_given_nothing(tmp_path: Path) -> None:
    make_program(tmp_path / "bin" / "mongod")
    provide(Suite(files=["a/A.java"]), tmp_path / "home")
    assert not (tmp_path / "home").exists()


def test_the_variable_comes_before_the_path_and_must_name_a_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_program(tmp_path / "bin" / "mongod")
    mine = make_program(tmp_path / "mine" / "mongod")
    monkeypatch.setenv("STUDY_MONGOD", str(mine))
    assert find_program("mongod") == mine
    monkeypatch.setenv("STUDY_MONGOD", str(tmp_path))
    with pytest.raises(StudyError, match="STUDY_MONGOD"):
        find_program("mongod")
