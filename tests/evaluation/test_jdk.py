from __future__ import annotations

from pathlib import Path

import pytest

from study.evaluation import jdk
from study.evaluation.jdk import choose_jdk, find_jdks, release_of
from study.projects.manifest import JdkOverride, MavenEnvironment
from study.schema import StudyError

OVERRIDE = JdkOverride(from_release=17, to_release=20, why="for a test")


@pytest.fixture(autouse=True)
def bare_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No JDK but those that a test makes."""
    monkeypatch.setattr(jdk, "INSTALLED", (f"{tmp_path}/jvm/*",))
    monkeypatch.setenv("PATH", "/usr/bin-that-is-not-there")
    for name in ("JAVA_HOME", "STUDY_JDK_8", "STUDY_JDK_11", "STUDY_JDK_17", "STUDY_JDK_25"):
        monkeypatch.delenv(name, raising=False)


def make_jdk(folder: Path, said: str, to: str = "stdout") -> Path:
    compiler = folder / "bin" / "javac"
    compiler.parent.mkdir(parents=True)
    redirect = " >&2" if to == "stderr" else ""
    compiler.write_text(f"#!/bin/sh\necho '{said}'{redirect}\n")
    compiler.chmod(0o755)
    return folder


def test_the_release_is_what_the_compiler_says(tmp_path: Path) -> None:
    assert release_of(make_jdk(tmp_path / "a", "javac 1.8.0_504", "stderr")) == 8
    assert release_of(make_jdk(tmp_path / "b", "javac 17.0.15")) == 17
    assert release_of(make_jdk(tmp_path / "c", "javac 25")) == 25
    assert release_of(make_jdk(tmp_path / "d", "segmentation fault")) is None
    assert release_of(tmp_path) is None, "a runtime alone, or anything else"


def test_the_named_jdk_comes_before_the_installed_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_jdk(tmp_path / "jvm" / "jdk-17", "javac 17.0.1")
    make_jdk(tmp_path / "jvm" / "jdk-8", "javac 1.8.0_1")
    mine = make_jdk(tmp_path / "mine", "javac 17.0.9")
    monkeypatch.setenv("STUDY_JDK_17", str(mine))
    assert [(found.release, found.home.name) for found in find_jdks()] == [
        (8, "jdk-8"),
        (17, "mine"),
        (17, "jdk-17"),
    ]
    assert choose_jdk(MavenEnvironment(tool="maven", jdk=17)).jdk.home == mine


def test_another_release_needs_an_override(tmp_path: Path) -> None:
    make_jdk(tmp_path / "jvm" / "jdk-25", "javac 25.0.1")
    make_jdk(tmp_path / "jvm" / "jdk-17", "javac 17.0.1")
    chosen = choose_jdk(MavenEnvironment(tool="maven", jdk=8, overrides=[OVERRIDE]))
    assert (chosen.jdk.release, chosen.override) == (17, OVERRIDE)
    make_jdk(tmp_path / "jvm" / "jdk-8", "javac 1.8.0_1")
    chosen = choose_jdk(MavenEnvironment(tool="maven", jdk=8, overrides=[OVERRIDE]))
    assert (chosen.jdk.release, chosen.override) == (8, None)


def test_no_jdk_that_does_is_an_error_that_says_what_is_there(tmp_path: Path) -> None:
    make_jdk(tmp_path / "jvm" / "jdk-25", "javac 25.0.1")
    with pytest.raises(StudyError) as caught:
        choose_jdk(MavenEnvironment(tool="maven", jdk=8, overrides=[OVERRIDE]))
    assert "asks for JDK 8, or 17 to 20 with an override; found here: 25" in str(caught.value)
    assert "set STUDY_JDK_8" in str(caught.value)


@pytest.mark.parametrize(("said", "why"), [("javac 17.0.1", "is JDK 17"), ("nothing", "is no JDK")])
def test_a_variable_that_names_something_else_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str, why: str
) -> None:
    monkeypatch.setenv("STUDY_JDK_8", str(make_jdk(tmp_path / "odd", said)))
    with pytest.raises(StudyError, match=why):
        find_jdks()
