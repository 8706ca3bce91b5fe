"""Many runs: several at once, resumed after any stop, with a progress bar, and none stopping the others."""

from __future__ import annotations

import fcntl
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

from study.attempts import with_attempts
from study.budget import Budget
from study.design import Run
from study.exposure import check_readable
from study.plan import Plan
from study.records.stages import RunRecord
from study.records.store import EVALUATION, RUN, finished, open_folder
from study.rehearsal import rehearse_all
from study.run import DIGEST, RunContext, evaluate_run, finish
from study.schema import StudyError

Step = Callable[[RunContext], RunRecord]
Listener = Callable[[Run, RunRecord], None]


@dataclass
class Tally:
    """What one start of an experiment did."""

    already_done: int = 0
    done: list[RunRecord] = field(default_factory=list)
    not_started: int = 0
    """Runs that a Ctrl-C kept from starting or cut off; the next start goes on with them."""
    held_back: int = 0
    """Runs that were not started because a limit of the experiment was reached."""
    limit: str = ""
    """Which limit that was, and the way out."""

    @property
    def broken(self) -> list[RunRecord]:
        """Runs that ended in an infrastructure error: not scored, tried again by the next start."""
        return [record for record in self.done if record.generation.outcome == "infrastructure_error"]

    @property
    def exit_code(self) -> int:
        """Of the command: 130 after Ctrl-C, 3 at a limit of the experiment, 1 if runs are broken, else 0."""
        return 130 if self.not_started else 3 if self.held_back else 1 if self.broken else 0


class HeldBackError(Exception):
    """A limit of the experiment is reached."""


def all_runs(plan: Plan) -> list[Run]:
    """Controls first: they tell early if a project does not work on this machine."""
    return [*plan.design.control_runs(), *plan.design.runs()]


def select(runs: list[Run], only: list[str]) -> list[Run]:
    """Runs whose id matches one of the patterns (`*` and `?` as in a shell); all, if there is none.

    Raises
    ------
    StudyError
        If a pattern matches no run: it is most likely a typo.
    """
    if not only:
        return runs
    for pattern in only:
        if not any(fnmatchcase(run.run_id, pattern) for run in runs):
            raise StudyError(f"--only {pattern!r} matches no run; an id looks like {runs[-1].run_id}")
    return [run for run in runs if any(fnmatchcase(run.run_id, pattern) for pattern in only)]


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """One experiment process at a time in a results folder, so that no run is done twice."""
    try:
        stream = (folder / ".lock").open("w")
    except OSError as error:
        raise StudyError(f"{folder / '.lock'}: cannot be written ({error.strerror})") from None
    with stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise StudyError(f"{folder}: another `study` process is at work here; wait for it") from None
        yield


def run_experiment(
    plan: Plan,
    folder: Path,
    *,
    only: list[str] | None = None,
    redo: bool = False,
    jobs: int | None = None,
    on_start: Callable[[int, int], None] = lambda total, done: None,
    on_done: Listener = lambda run, record: None,
) -> Tally:
    """Do all runs of a design that are not done yet.

    Parameters
    ----------
    plan : Plan
        From `study.plan.resolve`.
    folder : Path
        Results folder; it is the only state, so any stop can be resumed.
    only : list of str, optional
        Patterns of run ids.
    redo : bool
        Do the selected runs again even if they are done.
    jobs : int, optional
        Runs at the same time; as many as there are processors by default.
    on_start, on_done : callable
        For a progress bar: (runs selected, runs done before), and (run, record) after each run.

    Raises
    ------
    StudyError
        If the folder belongs to another design, is in use, or holds runs of a design that has changed.
    """
    check_readable(plan, folder)
    rehearse_all(plan)
    open_folder(folder, plan.design.name)
    with locked(folder):
        _remove_drafts(folder)
        runs = select(all_runs(plan), only or [])
        todo = runs if redo else _todo(plan, folder, runs)
        on_start(len(runs), len(runs) - len(todo))
        cancel = threading.Event()
        contexts = [RunContext(plan, run, folder / run.run_id, cancel) for run in todo]
        budget = Budget(plan.design.limits, folder, all_runs(plan))
        if redo:
            for context in contexts:
                (context.folder / RUN).unlink(missing_ok=True)
                (context.folder / EVALUATION).unlink(missing_ok=True)
                # what was generated is no longer current, and stays to tell what it has cost
                (context.folder / DIGEST).unlink(missing_ok=True)
        step = _within(budget, with_attempts)
        return _pool(contexts, step, jobs, on_done, already_done=len(runs) - len(todo))


def again(
    plan: Plan,
    folder: Path,
    stage: str,
    *,
    only: list[str] | None = None,
    jobs: int | None = None,
    on_start: Callable[[int, int], None] = lambda total, done: None,
    on_done: Listener = lambda run, record: None,
) -> Tally:
    """Score (`evaluate`) or measure (`measure`) generated services again, without generating again."""
    open_folder(folder, plan.design.name)
    with locked(folder):
        runs = [r for r in select(all_runs(plan), only or []) if finished(folder, r.run_id)]
        on_start(len(runs), 0)
        cancel = threading.Event()
        contexts = [RunContext(plan, run, folder / run.run_id, cancel) for run in runs]
        return _pool(contexts, _evaluate_again if stage == "evaluate" else _measure_again, jobs, on_done)


def _remove_drafts(folder: Path) -> None:
    """Files that a killed process was about to write."""
    for draft in [*folder.glob(".*.draft"), *folder.glob("*/.*.draft")]:
        if draft.is_file():
            draft.unlink()


def _todo(plan: Plan, folder: Path, runs: list[Run]) -> list[Run]:
    """Runs that are not done; those done under another design or project are an error."""
    todo: list[Run] = []
    stale: list[str] = []
    for run in runs:
        record = finished(folder, run.run_id)
        if record is None:
            todo.append(run)
        elif record.digest != plan.digest(run):
            stale.append(run.run_id)
    if stale:
        raise StudyError(
            f"{folder}: {len(stale)} runs were made before the design, a prompt or a project changed, for "
            f"instance {stale[0]}; do them again with --redo --only, or use another --results folder"
        )
    return todo


def _within(budget: Budget, step: Step) -> Step:
    """The step, unless a limit of the experiment is reached; what is at work then is finished."""

    def bounded(context: RunContext) -> RunRecord:
        if limit := budget.exhausted():
            raise HeldBackError(limit)
        record = step(context)
        budget.add(record)
        return record

    return bounded


def _pool(
    contexts: list[RunContext], step: Step, jobs: int | None, on_done: Listener, already_done: int = 0
) -> Tally:
    """Run a step for every context on threads; their work is in processes of their own."""
    tally = Tally(already_done=already_done)
    with ThreadPoolExecutor(jobs or os.cpu_count() or 1) as pool:
        waiting = {pool.submit(step, context): context for context in contexts}
        try:
            while waiting:
                ended, _ = wait(waiting, return_when=FIRST_COMPLETED)
                for future in ended:
                    run = waiting.pop(future).run
                    try:
                        record = future.result()
                    except HeldBackError as limit:
                        tally.held_back, tally.limit = tally.held_back + 1, str(limit)
                        continue
                    tally.done.append(record)
                    on_done(run, record)
        except KeyboardInterrupt:
            _stop(waiting)
            tally.not_started = len(waiting)
    return tally


def _stop(waiting: dict[Future[RunRecord], RunContext]) -> None:
    """End the processes of the runs at work, and keep the others from starting."""
    for future, context in waiting.items():
        future.cancel()
        context.cancel.set()


def _evaluate_again(context: RunContext) -> RunRecord:
    generation = _record_of(context).generation
    return finish(context, generation, evaluate_run(context, generation))


def _measure_again(context: RunContext) -> RunRecord:
    record = _record_of(context)
    return finish(context, record.generation, record.evaluation)


def _record_of(context: RunContext) -> RunRecord:
    record = finished(context.folder.parent, context.run.run_id)
    if record is None:
        raise StudyError(f"{context.folder / RUN}: is no longer there; was it deleted meanwhile?")
    return record
