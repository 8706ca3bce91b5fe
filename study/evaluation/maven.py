"""Run a suite of JUnit classes with Maven, and tell why tests did not run if they did not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from study.agents.protocol import ProcessResult
from study.evaluation.maven_build import (
    MavenTools,
    class_of,
    environment_of,
    launch,
    maven_tools,
    module_of,
    test_arguments,
    write_reactor,
)
from study.evaluation.maven_cache import forget_origins, private_copy, ready_repository
from study.evaluation.maven_log import BuildLog, Trouble, read_log
from study.evaluation.needs import provide, runnable
from study.evaluation.pytest_suite import CLOCKS
from study.evaluation.suites import SuiteJob, SuiteResult
from study.evaluation.surefire import ReadReports, read_reports, write_without_output
from study.files import remove_tree
from study.records.stages import SuiteOutcome
from study.sandbox import isolates_files, run_confined
from study.schema import StudyError

_REPORTS = "target/surefire-reports/TEST-*.xml"


@dataclass(frozen=True)
class _Build:
    """What one suite runs."""

    job: SuiteJob
    tools: MavenTools
    files: list[str]
    """Test files that can run here."""

    @cached_property
    def modules(self) -> dict[str, list[str]]:
        """The test classes of each module.

        Modules are told by the original tree: the target's pom.xml may be missing now, and its tests must not
        turn into tests of the module above.
        """
        found: dict[str, list[str]] = {}
        for file in self.files:
            found.setdefault(module_of(self.job.tree, file), []).append(class_of(self.job.tree, file))
        return found

    @cached_property
    def absent(self) -> list[str]:
        """Modules without a pom.xml: nobody wrote one."""
        return [module for module in self.modules if not (self.job.system / module / "pom.xml").is_file()]

    def reports(self) -> Iterator[Path]:
        for module in self.modules:
            yield from (self.job.system / module).glob(_REPORTS)


def run_maven(job: SuiteJob) -> tuple[ProcessResult, SuiteResult]:
    """Run the suite's test classes, offline and in one build of the modules that hold them.

    Raises
    ------
    StudyError
        If the fault is not the generated code's: Maven, the JDK or the repository is missing, or a generated
        pom.xml asks for something new and no repository can be reached to get it. Nothing is scored then.
    """
    tools = maven_tools(job.loaded)
    repository = ready_repository(job.loaded, job.tree, tools)
    files, not_run = runnable(job.suite)
    build = _Build(job, tools, files)
    missing = [f"{module}/pom.xml: there is none, so nothing can be built" for module in build.absent]
    if not files or len(missing) == len(build.modules):
        why = "; ".join(missing) or "nothing that this machine can run is left of the suite"
        result = SuiteResult("not_compiled" if missing else "not_evaluated", [], why, not_run)
        return _nothing_started(job), result
    _prepare(build)
    provide(job.suite, job.home)
    if not isolates_files():
        repository = private_copy(repository, job.home / "m2")
    ended, log = _test(build, repository)
    if "artefact" in log.troubles and ended.ended == "exited":
        repository = _complete(build, repository, log)
        ended, log = _test(build, repository)
    result = _result(build, ended, log, missing)
    write_without_output(build.reports(), job.place.logs / "junit.xml")
    return ended, replace(result, not_run=not_run)


def _nothing_started(job: SuiteJob) -> ProcessResult:
    job.place.logs.mkdir(parents=True, exist_ok=True)
    logs = [job.place.logs / name for name in ("stdout.log", "stderr.log")]
    for log in logs:
        log.touch()
    return ProcessResult(
        ended="exited",
        exit_code=None,
        wall_seconds=0.0,
        confinement="bubblewrap" if isolates_files() else "plain",
        stdout=logs[0],
        stderr=logs[1],
        leftovers=0,
        message="there was nothing to start",
    )


def _prepare(build: _Build) -> None:
    """Take away build outputs that were generated, and write the reactor.

    Old class files would be taken for up to date, and old reports for results.
    """
    system, present = build.job.system, [name for name in build.modules if name not in build.absent]
    for module in build.modules:
        remove_tree(system / module / "target")
    shared = [Path(pom).parent.as_posix() for pom in environment_of(build.job.loaded).install]
    # A shared module is in the repository as the original; a target that is one is built from its new code.
    generated = [name for name in shared if f"{name}/".startswith(f"{build.job.service.directory}/")]
    write_reactor(system, list(dict.fromkeys([*generated, *present])))


def _test(build: _Build, repository: Path) -> tuple[ProcessResult, BuildLog]:
    job = build.job
    classes = [
        name for module, names in build.modules.items() if module not in build.absent for name in names
    ]
    index = (job.place.repeat - 1) % len(CLOCKS)
    ended = run_confined(
        launch(
            build.tools,
            test_arguments(classes, job.limits.single_test_seconds),
            repository=repository,
            home=job.home,
            environment={"TZ": CLOCKS[index]},
        ),
        workspace=job.system,
        home=job.home,
        logs=job.place.logs,
        seconds=job.limits.test_seconds,
        limits=job.limits,
        cancel=job.place.cancel,
        hidden=job.place.hidden,
    )
    return ended, read_log(ended.stdout, job.system)


def _complete(build: _Build, repository: Path, offline: BuildLog) -> Path:
    """Fetch what a generated pom.xml asks for beyond the reference's, into a copy of this run's own.

    The agent had the network and may use any library. Resolving runs no goal of the generated pom.xml, so no
    test or code generator sees the network.
    """
    job = build.job
    private = job.home / "m2"
    if repository != private:
        private_copy(repository, private)
    ended = run_confined(
        launch(
            build.tools,
            ["dependency:go-offline", "--fail-at-end"],
            repository=private,
            home=job.home,
            network=True,
        ),
        workspace=job.system,
        home=job.home,
        logs=job.place.logs / "resolve",
        seconds=job.limits.test_seconds,
        limits=job.limits,
        cancel=job.place.cancel,
        hidden=job.place.hidden,
    )
    log = read_log(ended.stdout, job.system)
    forget_origins(private)
    if log.unreachable or ended.ended != "exited":
        wanted = log.reason("artefact") or offline.reason("artefact")
        raise StudyError(
            f"the generated build asks for {wanted}, which is not in the repository of "
            f"{job.loaded.project.name}, and no repository can be reached to get it; score the run again "
            "with a network"
        )
    return private


def _result(build: _Build, ended: ProcessResult, log: BuildLog, missing: list[str]) -> SuiteResult:
    if ended.ended == "timeout":
        return SuiteResult("timeout", [], f"stopped after {ended.wall_seconds:.0f} s")
    if ended.ended != "exited":
        return SuiteResult("crashed", [], f"{ended.ended}: {ended.message}")
    read = read_reports(build.reports())
    outcome, reason = _outcome(build, ended, log, read, missing)
    return SuiteResult(outcome, read.tests, reason)


def _outcome(
    build: _Build, ended: ProcessResult, log: BuildLog, read: ReadReports, missing: list[str]
) -> tuple[SuiteOutcome, str]:
    """What became of the suite as a whole; tests that were reported count whatever it is."""
    if missing:
        return "not_compiled", "; ".join(missing)
    kinds: dict[Trouble, str] = {
        "main_code": "main code",
        "test_code": "the tests against it",
        "pom": "its pom.xml",
        "artefact": "it asks for what no repository has",
    }
    for kind, words in kinds.items():
        if why := log.troubles.get(kind):
            return "not_compiled", f"{words}: {why}"
    if "fork" in log.troubles:
        return "crashed", log.troubles["fork"]
    if read.broken_classes:
        return "not_collected", "; ".join(read.broken_classes)
    silent = [name for names in build.modules.values() for name in names if name not in read.reported]
    if ended.exit_code:
        return "crashed", log.reason("other") or f"Maven ended with exit code {ended.exit_code}"
    if not read.tests:
        return "no_tests", "the build ended well and reported no test"
    if silent:
        return "not_collected", f"no report of {', '.join(silent)}"
    return "ran", ""
