from __future__ import annotations

from pathlib import Path

import pytest

from study.evaluation.maven_log import BuildLog, read_log

OFFLINE = (
    "[ERROR] Failed to execute goal on project cart: Could not resolve dependencies for project "
    "shop:cart:jar:1: Cannot access central (https://repo.example.org) in offline mode and the artifact "
    "com.example:thing:jar:3.0 has not been downloaded from it before. -> [Help 1]"
)


def classified(tmp_path: Path, *lines: str) -> BuildLog:
    log = tmp_path / "log.txt"
    log.write_text("[INFO] Scanning for projects...\n" + "\n".join(lines) + "\n")
    return read_log(log, tmp_path / "system")


@pytest.mark.parametrize(("goal", "kind"), [("compile", "main_code"), ("testCompile", "test_code")])
def test_a_compiler_error_is_told_with_its_file_and_line(tmp_path: Path, goal: str, kind: str) -> None:
    said = classified(
        tmp_path,
        "[ERROR] COMPILATION ERROR : ",
        f"[ERROR] {tmp_path}/system/cart/src/Cart.java:[12,7] cannot find symbol",
        "[INFO] 1 error",
        "[ERROR] Failed to execute goal org.apache.maven.plugins:maven-compiler-plugin:3.8.1:"
        f"{goal} (default-{goal}) on project cart: Compilation failure",
        f"[ERROR] {tmp_path}/system/cart/src/Cart.java:[12,7] cannot find symbol",
        "[ERROR]   symbol:   method total()",
    )
    assert said.troubles == {kind: "cart/src/Cart.java:12: cannot find symbol"}


def test_a_compiler_that_breaks_is_told_by_its_message(tmp_path: Path) -> None:
    said = classified(
        tmp_path,
        "[ERROR] Failed to execute goal org.apache.maven.plugins:maven-compiler-plugin:3.8.1:compile "
        "(default-compile) on project cart: Fatal error compiling: NoSuchFieldError: qualid -> [Help 1]",
    )
    assert said.troubles == {"main_code": "Fatal error compiling: NoSuchFieldError: qualid -> [Help 1]"}


def test_an_artefact_that_is_not_in_the_repository(tmp_path: Path) -> None:
    said = classified(tmp_path, OFFLINE)
    assert said.troubles == {"artefact": "com.example:thing:jar:3.0"}
    assert not said.unreachable


@pytest.mark.parametrize(
    ("line", "wanted", "unreachable"),
    [
        (
            "[ERROR] Could not find artifact com.example:thing:jar:9 in central (https://x)",
            "com.example:thing:jar:9",
            False,
        ),
        (
            "[ERROR] Non-resolvable parent POM for shop:cart:1: Could not transfer artifact "
            "a.b:parent:pom:2 from/to central (https://x): Unknown host x",
            "a.b:parent:pom:2",
            True,
        ),
        (
            "[ERROR] Plugin a.b:c-plugin:1.0 or one of its dependencies could not be resolved: "
            "Connection refused",
            "a.b:c-plugin:1.0",
            True,
        ),
        (
            "[ERROR] The following artifacts could not be resolved: a.b:c:jar:1, a.b:d:jar:1: ...",
            "a.b:c:jar:1",
            False,
        ),
    ],
)
def test_what_could_not_be_resolved_is_named(
    tmp_path: Path, line: str, wanted: str, unreachable: bool
) -> None:
    said = classified(tmp_path, line)
    assert said.reason("artefact") == wanted
    assert said.unreachable == unreachable


def test_a_pom_that_is_wrong_is_no_missing_artefact(tmp_path: Path) -> None:
    said = classified(
        tmp_path,
        "[ERROR] [ERROR] Some problems were encountered while processing the POMs:",
        "[ERROR] 'dependencies.dependency.version' for a.b:c:jar is missing. @ line 3, column 27",
    )
    assert list(said.troubles) == ["pom"]
    assert "'dependencies.dependency.version' for a.b:c:jar is missing" in said.reason("pom")


def test_a_process_that_dies_and_anything_else(tmp_path: Path) -> None:
    died = "The forked VM terminated without properly saying goodbye. VM crash or System.exit called?"
    assert classified(tmp_path, f"[ERROR] {died}").troubles == {"fork": died}
    assert classified(tmp_path, "[ERROR] No goals have been specified").troubles == {
        "other": "No goals have been specified"
    }
    assert classified(tmp_path).troubles == {}
    assert (
        classified(tmp_path, "[ERROR] ", "[ERROR] There are test failures.").reason("main_code", "pom") == ""
    )
