"""Score one generated service by the tests of an oracle."""

from __future__ import annotations

from pathlib import Path

from study.agents.protocol import ProcessResult
from study.design import Limits
from study.evaluation.assembly import assemble
from study.evaluation.environments import python_of
from study.evaluation.maven import run_maven
from study.evaluation.maven_build import maven_tools
from study.evaluation.maven_cache import ready_repository
from study.evaluation.pytest_suite import run_pytest
from study.evaluation.suites import Place, Runner, SuiteJob, SuiteResult
from study.projects.loading import LoadedProject
from study.projects.manifest import MavenEnvironment, Project, Service, Suite
from study.records.stages import Evaluation, Oracle
from study.schema import StudyError
from study.scratch import scratch_folder


def suite_of(service: Service, oracle: Oracle) -> Suite:
    """The test files of an oracle."""
    return service.unit if oracle == "unit" else service.integration


def runner_of(project: Project) -> Runner:
    """What can run the tests of a project, by the tool of its environment."""
    return run_maven if isinstance(project.environment, MavenEnvironment) else run_pytest


def check_ready(loaded: LoadedProject, tree: Path) -> None:
    """Raise StudyError naming what this machine lacks to run a project's tests, before any run is started."""
    if isinstance(loaded.project.environment, MavenEnvironment):
        ready_repository(loaded, tree, maven_tools(loaded))
    else:
        python_of(loaded)


def evaluate(
    loaded: LoadedProject,
    service: Service,
    oracle: Oracle,
    tree: Path,
    generated: Path,
    limits: Limits,
    place: Place,
) -> Evaluation:
    """Score one generated service.

    Parameters
    ----------
    loaded : LoadedProject
        The manifest, which says what the tests run in.
    service : Service
        The target.
    oracle : {'unit', 'integration'}
        Which of its test suites.
    tree : Path
        The project's original files.
    generated : Path
        The generated code, relative to the target's directory; an empty folder if there is none.
    limits : Limits
        Of the design: time for the suite and for one test, output, disk.
    place : Place
        Where logs go, and which repeat this is.

    Returns
    -------
    Evaluation
        The status of every test that was reported. Rates are made later, against the reference's tests.
    """
    suite = suite_of(service, oracle)
    if not suite.files:
        why = service.untested if oracle == "unit" else ""
        reason = why or "no consumer of the target has tests"
        return Evaluation(oracle=oracle, suite="not_applicable", reason=reason)
    ended, result = run_suite(loaded, service, suite, tree, generated, limits, place)
    if ended.ended in {"broken", "not_started"}:  # the machine's fault: the run is tried again, not scored
        raise StudyError(f"the tests could not be run: {ended.message}")
    return Evaluation(
        oracle=oracle,
        suite=result.suite,
        reason=result.reason,
        not_run=result.not_run,
        tests=sorted(result.tests, key=lambda test: test.test_id),
        exit_code=ended.exit_code,
        wall_seconds=round(ended.wall_seconds, 3),
    )


def run_suite(
    loaded: LoadedProject,
    service: Service,
    suite: Suite,
    tree: Path,
    generated: Path,
    limits: Limits,
    place: Place,
    stub: bool = False,
) -> tuple[ProcessResult, SuiteResult]:
    """Run any suite of a project once, on a fresh copy of it with other code in the target's place.

    The arguments are those of `evaluate`, but that `suite` must have files, and `stub` starts an empty
    service that answers health checks in the target's place.
    """
    with scratch_folder() as room:
        assemble(service, tree, generated, room / "system", loaded.project.reset)
        (room / "home").mkdir()
        job = SuiteJob(loaded, service, suite, tree, room / "system", room / "home", limits, place, stub)
        return runner_of(loaded.project)(job)
