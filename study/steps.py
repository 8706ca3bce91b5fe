"""Show how far a job of equal steps is: a bar on a terminal, a line for each step elsewhere."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


class Steps:
    """A progress bar on stderr; use it as a context manager. Safe to advance from several threads."""

    def __init__(self, title: str, total: int, console: Console | None = None) -> None:
        self._console = console or Console(stderr=True)
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        last = TextColumn("{task.fields[last]}")
        self._bar = Progress(*columns, last, console=self._console, disable=not self._console.is_terminal)
        self._task = self._bar.add_task(title, total=total, last="")
        self._title, self._total, self._done = title, total, 0
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def advance(self, what: str) -> None:
        """Count one step, and tell which it was."""
        with self._lock:
            self._done += 1
            self._bar.update(self._task, completed=self._done, last=what)
            if not self._console.is_terminal:
                line = f"{self._title}: {self._done}/{self._total} {what}"
                self._console.print(line, highlight=False, markup=False, soft_wrap=True)
