"""What each oracle of a project sees: on the reference, without the target, and on an empty stub."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from study.agents.controls import code_files
from study.design import Limits
from study.evaluation.oracle import run_suite, suite_of
from study.evaluation.suites import Place, SuiteResult
from study.files import printable
from study.projects.loading import LoadedProject
from study.projects.manifest import Service, Suite
from study.schema import StudyError
from study.scratch import scratch_folder

AnyOracle = Literal["unit", "integration", "whole"]
Control = Literal["reference", "absent", "stub"]
ALL = "all"
"""In place of a target, where nothing is missing: the whole suite on the reference."""


@dataclass(frozen=True)
class Case:
    """One execution of one suite under one control."""

    service: Service
    """The target; where it is there, its own code is put back."""
    oracle: AnyOracle
    control: Control
    repeat: int
    suite: Suite

    @property
    def target(self) -> str:
        """Its name in the tables."""
        return ALL if (self.oracle, self.control) == ("whole", "reference") else self.service.name

    @property
    def label(self) -> str:
        return f"{self.target}.{self.oracle}.{self.control}.r{self.repeat}"


@dataclass(frozen=True)
class Seen:
    """What one case reported."""

    case: Case
    result: SuiteResult
    seconds: float | None
    """None if nothing was run."""


def cases(loaded: LoadedProject, repeats: int) -> list[Case]:
    """All executions that a verification of a project takes, the reference first."""
    project = loaded.project
    found: list[Case] = []
    if project.whole.files and project.targets:
        first = project.targets[0]
        found += [Case(first, "whole", "reference", n, project.whole) for n in range(1, repeats + 1)]
    oracles: tuple[AnyOracle, ...] = ("unit", "integration", "whole")
    for service in project.targets:
        for oracle in oracles:
            suite = project.whole if oracle == "whole" else suite_of(service, oracle)
            if not suite.files:
                continue
            if oracle != "whole":
                found += [Case(service, oracle, "reference", n, suite) for n in range(1, repeats + 1)]
            found.append(Case(service, oracle, "absent", 1, suite))
            if service.name in suite.live:
                found.append(Case(service, oracle, "stub", 1, suite))
    return found


def verify(
    loaded: LoadedProject,
    tree: Path,
    todo: list[Case],
    logs: Path,
    limits: Limits,
    jobs: int = 1,
    on_done: Callable[[Case, SuiteResult], None] = lambda case, result: None,
) -> Iterator[Seen]:
    """Run the cases and yield what each reported, in their order.

    Parameters
    ----------
    loaded, tree : LoadedProject, Path
        The project and its original files.
    todo : list of Case
        From `cases`.
    logs : Path
        Gets a folder for each case.
    limits : Limits
        Time for a suite and for one test, output, disk.
    jobs : int
        Cases at the same time. More than one makes durations longer and tests with deadlines less sure.
    on_done : callable
        For a progress bar; called from several threads.
    """
    cancel = threading.Event()

    def one(case: Case) -> Seen:
        seen = _run(loaded, tree, case, logs, limits, cancel)
        on_done(case, seen.result)
        return seen

    with ThreadPoolExecutor(jobs) as pool:
        try:
            yield from pool.map(one, todo)
        except BaseException:
            cancel.set()  # ends what is running; what has not started ends as soon as it does
            pool.shutdown(cancel_futures=True)
            raise


def _run(
    loaded: LoadedProject, tree: Path, case: Case, logs: Path, limits: Limits, cancel: threading.Event
) -> Seen:
    if cancel.is_set():
        raise CancelledError
    with scratch_folder() as room:
        generated = room / "generated"
        generated.mkdir()
        if case.control == "reference":
            _put_back(case.service, tree, generated)
        place = Place(logs / case.label, case.repeat, cancel)
        stub = case.control == "stub"
        try:
            ended, result = run_suite(
                loaded, case.service, case.suite, tree, generated, limits, place, stub=stub
            )
        except StudyError as error:
            return Seen(case, SuiteResult("not_evaluated", [], printable(str(error))), None)
    if ended.ended == "not_started":
        return Seen(case, SuiteResult("not_evaluated", [], ended.message), None)
    return Seen(case, result, ended.wall_seconds)


def _put_back(service: Service, tree: Path, generated: Path) -> None:
    for name in code_files(service, tree):
        target = generated / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(tree / service.directory / name, target)
