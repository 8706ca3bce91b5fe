"""Quantities with a limit, measured while the command runs."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable


def disk_usage(roots: Iterable[str]) -> int:
    """Bytes allocated below some folders. A folder that is listed itself is not counted twice."""
    total, waiting = 0, list(roots)
    listed = set(waiting)
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    total += entry.stat(follow_symlinks=False).st_blocks * 512
                    if entry.is_dir(follow_symlinks=False) and entry.path not in listed:
                        waiting.append(entry.path)
        except OSError:  # deleted, or made unreadable, in the meantime
            continue
    return total


class Gauge:
    """A quantity with a limit, measured now and then, and less often the longer that takes.

    Parameters
    ----------
    ended : str
        How the command ended if it exceeds the limit, see `study.agents.protocol.Ended`.
    limit : float
        What `measure` may return at most.
    unit : str
        Of the limit, for the message.
    every : float
        Seconds between two measurements, at least.
    """

    def __init__(
        self, ended: str, limit: float, unit: str, every: float, measure: Callable[[], float]
    ) -> None:
        self.ended, self.limit, self.unit, self.every, self.measure = ended, limit, unit, every, measure
        self.due = time.monotonic() + every

    def check(self) -> tuple[str, str] | None:
        """How the command ended, and a message, if the limit is exceeded."""
        start = time.monotonic()
        value = self.measure()
        now = time.monotonic()
        self.due = now + max(self.every, 20 * (now - start))
        return (self.ended, f"more than {self.limit:g} {self.unit}") if value > self.limit else None
