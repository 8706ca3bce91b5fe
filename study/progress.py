"""Show how far a long job is, with an estimate of the time left; on a terminal as a bar, else as lines."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from study.design import Run
from study.experiment import Tally
from study.records.stages import RunRecord

_SHOWN = 5
"""Runs of each kind of error that are named."""
_LINE_EVERY = 10.0
"""Seconds between two lines where there is no terminal, for instance in a log of CI."""


class RunProgress:
    """A progress bar over runs; use it as a context manager."""

    def __init__(self, title: str, console: Console | None = None) -> None:
        self._console = console or Console(stderr=True)
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            TextColumn("{task.fields[last]}"),
            console=self._console,
            disable=not self._console.is_terminal,
        )
        self._task = self._bar.add_task(title, total=None, last="")
        self._title = title
        self._total = self._done = self._before = 0
        self._started = self._said = time.monotonic()

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def start(self, total: int, done: int) -> None:
        """Tell how many runs there are, and how many an earlier start has done."""
        self._total, self._done, self._before = total, done, done
        self._started = time.monotonic()
        self._bar.update(self._task, total=total, completed=done)

    def advance(self, run: Run, record: RunRecord) -> None:
        """Count one run that ended."""
        self._done += 1
        self._bar.update(self._task, completed=self._done, last=f"{record.generation.outcome:.20}")
        now = time.monotonic()
        if not self._console.is_terminal and (now - self._said > _LINE_EVERY or self._done == self._total):
            self._said = now
            pace = (now - self._started) / max(1, self._done - self._before)
            left = pace * (self._total - self._done)
            self._console.print(
                f"{self._title}: {self._done}/{self._total} runs, about {left / 60:.1f} min left",
                highlight=False,
            )


def describe_tally(tally: Tally, folder: Path) -> str:
    """A few lines: what was done, what went wrong, where it went, how to go on."""
    controls = [record for record in tally.done if record.agent in {"absent", "reference"}]
    runs = [record for record in tally.done if record.agent not in {"absent", "reference"}]
    lines = [
        f"{len(runs)} runs done now ({_outcomes(runs)}) and {len(controls)} control runs, "
        f"{tally.already_done} before; in {folder}"
    ]
    if tally.not_started:
        lines.append(f"stopped: {tally.not_started} runs are left; the same command goes on with them")
    if tally.held_back:
        lines.append(f"{tally.held_back} runs are not started: {tally.limit}")
    for outcome, meaning in (
        ("infrastructure_error", "infrastructure error, will be tried again"),
        ("agent_error", "agent error, scored as it is"),
    ):
        found = [record for record in tally.done if record.generation.outcome == outcome]
        lines += [f"{meaning}: {record.run_id}: {record.generation.reason}" for record in found[:_SHOWN]]
        if len(found) > _SHOWN:
            lines.append(f"... and {len(found) - _SHOWN} more of them")
    wrong = [record for record in tally.done if record.generation.problems]
    lines += [f"log of {record.run_id}: {'; '.join(record.generation.problems)}" for record in wrong[:_SHOWN]]
    if len(wrong) > _SHOWN:
        lines.append(f"... and {len(wrong) - _SHOWN} more logs with such problems (table usage)")
    return "\n".join(lines)


def _outcomes(records: list[RunRecord]) -> str:
    counts = Counter(record.generation.outcome for record in records)
    return ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items())) or "nothing to do"
