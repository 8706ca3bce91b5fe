"""Verdicts are computed: a claim has parts, each of which holds, does not hold, or cannot be tested."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Verdict = Literal["agrees", "partly", "disagrees", "not testable"]
VERDICTS: tuple[Verdict, ...] = ("agrees", "partly", "disagrees", "not testable")
EPSILON = 1e-9


@dataclass(frozen=True)
class Part:
    """One part of a claim.

    Attributes
    ----------
    what : str
        The part and the numbers that decide on it, in words.
    holds : bool or None
        None: cannot be tested with the published data.
    """

    what: str
    holds: bool | None


@dataclass(frozen=True)
class Finding:
    """What a check found: our value, the parts that decide, and one sentence why."""

    ours: str
    parts: tuple[Part, ...]
    why: str
    tolerance: float | None = None

    @property
    def verdict(self) -> Verdict:
        """The verdict that follows from the parts; see `judge`."""
        return judge(self.parts)


def judge(parts: Sequence[Part]) -> Verdict:
    """All parts hold: agrees; none of the testable: disagrees; none testable: not testable; else partly."""
    known = [part.holds for part in parts if part.holds is not None]
    if not known:
        return "not testable"
    if not any(known):
        return "disagrees"
    return "agrees" if all(known) and len(known) == len(parts) else "partly"


def half_unit(printed: str) -> float:
    """Half a unit of the last printed digit: the most by which rounding can have changed a number.

    Examples
    --------
    >>> half_unit("73.7"), half_unit("144")
    (0.05, 0.5)
    """
    _, _, decimals = printed.partition(".")
    return 0.5 * float(10 ** -len(decimals))


def close(ours: float, printed: float, tolerance: float) -> bool:
    """Whether two numbers agree within a tolerance, bounds included."""
    return abs(ours - printed) <= tolerance + EPSILON


def list_parts(parts: Sequence[Part]) -> str:
    """One sentence on which parts hold and which do not."""
    groups = {
        "Holds": [part.what for part in parts if part.holds is True],
        "does not hold": [part.what for part in parts if part.holds is False],
        "cannot be tested": [part.what for part in parts if part.holds is None],
    }
    said = [f"{name}: {', '.join(words)}" for name, words in groups.items() if words]
    text = "; ".join(said)
    return f"{text[:1].upper()}{text[1:]}."
