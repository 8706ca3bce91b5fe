"""Limits of a whole experiment: what its records say is spent, and whether another run may start."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from study.design import Limits, Run
from study.records.stages import Attempt, Generation, RunRecord
from study.records.store import RUN, read_record

CONTROLS = {"absent", "reference"}


@dataclass(frozen=True)
class Spent:
    """Of one run, with the attempts before it."""

    usd: float
    hours: float
    """Of its processes: the agent's and the tests'."""
    untold: int
    """Attempts whose cost nobody knows; they are not in `usd`."""


def spent_by(record: RunRecord, agent_usd: float | None) -> Spent:
    """What one run has used up.

    A control costs nothing, and an infrastructure error without a figure is taken to have cost nothing. Any
    other attempt without a figure counts with `agent_usd`, the most that it may have cost, or is untold.
    """
    generation = record.generation
    attempts = [*generation.earlier, attempt_of(generation)]
    hours = (sum(attempt.wall_seconds for attempt in attempts) + record.evaluation.wall_seconds) / 3600
    if record.agent in CONTROLS:
        return Spent(0.0, hours, 0)
    costs = [
        attempt.cost_usd if attempt.cost_usd is not None else agent_usd
        for attempt in attempts
        if attempt.cost_usd is not None or attempt.outcome != "infrastructure_error"
    ]
    known = [cost for cost in costs if cost is not None]
    return Spent(sum(known), hours, len(costs) - len(known))


def attempt_of(generation: Generation) -> Attempt:
    """What is kept of an attempt when the run is generated again."""
    return Attempt(
        outcome=generation.outcome,
        reason=generation.reason,
        wall_seconds=generation.wall_seconds,
        cost_usd=generation.cost_usd,
    )


class Budget:
    """Adds up what the runs of an experiment use; may be asked from several threads.

    Parameters
    ----------
    limits : Limits
        Of the design; `experiment_usd` and `experiment_hours` are what counts here.
    folder : Path
        Results folder: what its records say is spent already.
    runs : iterable of Run
        All runs of the design.
    """

    def __init__(self, limits: Limits, folder: Path, runs: Iterable[Run]) -> None:
        self._limits, self._lock = limits, threading.Lock()
        self._spent: dict[str, Spent] = {}
        if limits.experiment_usd is None and limits.experiment_hours is None:
            return
        for run in runs:
            if record := read_record(folder / run.run_id / RUN, RunRecord):
                self.add(record)

    def add(self, record: RunRecord) -> None:
        """Count a run; a run that was counted before is counted as it is now."""
        with self._lock:
            self._spent[record.run_id] = spent_by(record, self._limits.agent_usd)

    def exhausted(self) -> str:
        """Why no further run may start, and the way out; empty if one may."""
        with self._lock:
            usd, hours, untold = (
                sum(getattr(spent, name) for spent in self._spent.values())
                for name in ("usd", "hours", "untold")
            )
        usd_limit, hours_limit = self._limits.experiment_usd, self._limits.experiment_hours
        if usd_limit is not None and usd >= usd_limit:
            return f"limits.experiment_usd: {usd:.2f} of {usd_limit:g} USD are spent; raise it to go on"
        if hours_limit is not None and hours >= hours_limit:
            return f"limits.experiment_hours: {hours:.2f} of {hours_limit:g} h are used; raise it to go on"
        if usd_limit is not None and untold:
            return (
                f"limits.experiment_usd: {untold} runs do not tell their cost, so the limit cannot be kept; "
                "set limits.agent_usd, which they then count with, or remove experiment_usd"
            )
        return ""
