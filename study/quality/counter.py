"""What a language must bring to be measured: a counter of one file, and what other tools say of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol


class NotSourceError(Exception):
    """A file that is no valid source text of its language; the message is the reason, with the line."""


@dataclass
class FunctionCounts:
    """One function, method or constructor; increments belong to the innermost one around them."""

    name: str
    """Qualified by the classes and functions around it: `Desk.lend`, `outer.inner`."""
    line: int
    cyclomatic: int = 0
    cognitive: int = 0


@dataclass(frozen=True)
class FileCounts:
    """One file. The complexities are the sums over `functions` plus the code outside them."""

    sloc: int
    cyclomatic: int
    cognitive: int
    functions: list[FunctionCounts] = field(default_factory=list)


@dataclass(frozen=True)
class PeerCounts:
    """What other tools say of the same file; None where a tool fails on it or has no such number."""

    radon_sloc: int | None = None
    radon_cyclomatic: int | None = None
    lizard_sloc: int | None = None
    lizard_cyclomatic: int | None = None
    lizard_cognitive: int | None = None
    complexipy_cognitive: int | None = None


class Counter(Protocol):
    """How to measure one language; register an instance in `study.quality.COUNTERS`."""

    endings: tuple[str, ...]
    """Endings of the names of its source files, with the dot; the globs choose among these files only."""

    def count(self, source: bytes) -> FileCounts:
        """Measure one file, given as UTF-8.

        Raises
        ------
        NotSourceError
            If it is no valid source text.
        """
        ...

    def peers(self, file: str, source: bytes) -> PeerCounts:
        """What other tools count in the same file; never raises."""
        ...
