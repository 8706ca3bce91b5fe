"""A toy of three Maven modules, built for real; skipped where Maven, a JDK or the network is missing."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from study.design import Limits
from study.evaluation.maven_build import class_of, maven_tools, module_of
from study.evaluation.maven_cache import fill_repository, ready_repository
from study.evaluation.oracle import evaluate
from study.evaluation.suites import Place
from study.projects import check_tree, load_project
from study.projects.loading import LoadedProject
from study.records.stages import Evaluation, Oracle
from study.schema import StudyError

MANIFEST = Path(__file__).parent / "maven_toy.yaml"
ORIGINAL = Path(__file__).parent / "maven_toy" / "greeter"
GREETER = "src/main/java/toy/greeter/Greeter.java"


def load() -> LoadedProject:
    return load_project("maven-toy", MANIFEST)


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LoadedProject]:
    """The toy with a Maven repository that is filled once for all tests."""
    patch = pytest.MonkeyPatch()
    patch.setenv("STUDY_CACHE", str(tmp_path_factory.mktemp("cache")))
    loaded = load()
    try:
        fill_repository(loaded, check_tree(loaded))
    except StudyError as error:
        pytest.skip(str(error))
    yield loaded
    patch.undo()


def score(
    loaded: LoadedProject, tmp_path: Path, oracle: Oracle = "unit", *, seconds: float = 300, **files: str
) -> Evaluation:
    """Score the original greeter with some files replaced."""
    generated = tmp_path / "generated"
    shutil.copytree(ORIGINAL, generated, ignore=shutil.ignore_patterns("test"))
    for name, text in files.items():
        (generated / {"code": GREETER, "pom": "pom.xml"}[name]).write_text(text)
    return score_tree(loaded, tmp_path, generated, oracle, seconds)


def score_tree(
    loaded: LoadedProject, tmp_path: Path, generated: Path, oracle: Oracle = "unit", seconds: float = 300
) -> Evaluation:
    return evaluate(
        loaded,
        loaded.service("greeter"),
        oracle,
        check_tree(loaded),
        generated,
        Limits(test_seconds=seconds),
        Place(tmp_path / "logs"),
    )


def pom_with(group: str, artefact: str, version: str) -> str:
    """The original pom.xml with one more dependency."""
    wanted = (
        f"<dependency><groupId>{group}</groupId><artifactId>{artefact}</artifactId>"
        f"<version>{version}</version></dependency>"
    )
    return (ORIGINAL / "pom.xml").read_text().replace("<dependencies>", f"<dependencies>{wanted}")


def statuses(evaluation: Evaluation) -> dict[str, str]:
    return {test.test_id: test.status for test in evaluation.tests}


def test_modules_and_classes_are_found_in_the_tree() -> None:
    tree = check_tree(load())
    file = "greeter/src/test/java/toy/greeter/GreeterTest.java"
    assert module_of(tree, file) == "greeter"
    assert class_of(tree, file) == "toy.greeter.GreeterTest"


def test_maven_that_is_missing_is_said_before_anything_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(StudyError, match="no `mvn` on the PATH"):
        maven_tools(load())


def test_a_repository_that_is_not_filled_is_said(
    filled: LoadedProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STUDY_CACHE", str(tmp_path))
    with pytest.raises(StudyError, match="study projects fetch maven-toy"):
        ready_repository(filled, check_tree(filled), maven_tools(filled))


def test_the_original_passes(filled: LoadedProject, tmp_path: Path) -> None:
    done = score(filled, tmp_path)
    assert (done.suite, done.reason) == ("ran", "")
    assert statuses(done) == {
        "toy.greeter.GreeterTest#greets": "passed",
        "toy.greeter.GreeterTest#trims(String)[1]": "passed",
        "toy.greeter.GreeterTest#trims(String)[2]": "passed",
        "toy.greeter.GreeterTest#waves": "skipped",
    }
    assert (tmp_path / "logs" / "junit.xml").is_file()


def test_code_that_is_wrong_fails_its_tests(filled: LoadedProject, tmp_path: Path) -> None:
    code = (ORIGINAL / GREETER).read_text().replace("Name.clean(name)", "name")
    done = score(filled, tmp_path, code=code)
    assert done.suite == "ran"
    assert [test for test, status in statuses(done).items() if status == "failed"] == [
        "toy.greeter.GreeterTest#trims(String)[1]",
        "toy.greeter.GreeterTest#trims(String)[2]",
    ]
    assert {test.cause for test in done.tests if test.status == "failed"} == {"AssertionFailedError"}


def test_code_that_does_not_compile_is_no_failed_test(filled: LoadedProject, tmp_path: Path) -> None:
    done = score(
        filled, tmp_path, code="package toy.greeter;\n\npublic class Greeter {\n    int x = nothing;\n}\n"
    )
    assert (done.suite, done.tests) == ("not_compiled", [])
    assert done.reason.startswith(f"main code: greeter/{GREETER}:4: cannot find symbol")


def test_code_that_lacks_what_its_tests_call(filled: LoadedProject, tmp_path: Path) -> None:
    done = score(filled, tmp_path, code="package toy.greeter;\n\npublic class Greeter {}\n")
    assert done.suite == "not_compiled"
    assert done.reason.startswith("the tests against it: greeter/src/test/java/toy/greeter/GreeterTest.java:")


def test_nothing_generated_is_not_compiled(filled: LoadedProject, tmp_path: Path) -> None:
    (tmp_path / "nothing").mkdir()
    done = score_tree(filled, tmp_path, tmp_path / "nothing")
    assert (done.suite, done.reason) == (
        "not_compiled",
        "greeter/pom.xml: there is none, so nothing can be built",
    )


def test_the_consumer_is_built_without_the_target(filled: LoadedProject, tmp_path: Path) -> None:
    (tmp_path / "nothing").mkdir()
    done = score_tree(filled, tmp_path, tmp_path / "nothing", "integration")
    assert statuses(done) == {
        "toy.porch.PorchTest#rings": "passed",
        "toy.porch.PorchTest#failsOnTheOriginalToo": "failed",
    }


def test_a_broken_pom_is_not_compiled(filled: LoadedProject, tmp_path: Path) -> None:
    done = score(filled, tmp_path, pom="<project><modelVersion>4.0.0</modelVersion>")
    assert done.suite == "not_compiled"
    assert done.reason.startswith("its pom.xml: ")


def test_reports_and_classes_that_were_generated_do_not_count(filled: LoadedProject, tmp_path: Path) -> None:
    generated = tmp_path / "generated"
    report = generated / "target" / "surefire-reports" / "TEST-toy.greeter.GreeterTest.xml"
    report.parent.mkdir(parents=True)
    case = '<testcase name="greets" classname="toy.greeter.GreeterTest"/>'
    report.write_text(f"<testsuite>{case}</testsuite>")
    (generated / GREETER).parent.mkdir(parents=True)
    (generated / GREETER).write_text("package toy.greeter;\n\npublic class Greeter {}\n")
    shutil.copyfile(ORIGINAL / "pom.xml", generated / "pom.xml")
    assert score_tree(filled, tmp_path, generated).tests == []


def test_an_artefact_that_nobody_has_is_the_builds_own_fault(filled: LoadedProject, tmp_path: Path) -> None:
    pom = pom_with("org.junit.jupiter", "junit-jupiter", "0.0.0-none")
    done = score(filled, tmp_path, pom=pom)
    assert done.suite == "not_compiled"
    assert done.reason == (
        "it asks for what no repository has: org.junit.jupiter:junit-jupiter:jar:0.0.0-none"
    )


def test_an_artefact_beyond_the_references_is_fetched_for_this_run_alone(
    filled: LoadedProject, tmp_path: Path
) -> None:
    repository = ready_repository(filled, check_tree(filled), maven_tools(filled))
    before = sorted(repository.rglob("*"))
    pom = pom_with("org.apiguardian", "apiguardian-api", "1.1.1")
    done = score(filled, tmp_path, pom=pom)
    assert (done.suite, len(done.tests)) == ("ran", 4)
    assert sorted(repository.rglob("*")) == before


def test_a_suite_that_hangs_is_stopped(filled: LoadedProject, tmp_path: Path) -> None:
    code = (ORIGINAL / GREETER).read_text().replace("return", "while (name != null) {}\n        return")
    done = score(filled, tmp_path, code=code, seconds=10)
    assert (done.suite, done.tests) == ("timeout", [])
