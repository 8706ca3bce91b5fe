"""What a box plot says about its runs: which means, which hidden runs and which counts beyond a limit fit it.

The runs of a box plot, sorted, are unknown integers in steps of the source data. Its quartiles (linearly
interpolated), whisker ends, outliers and mean are linear conditions on them. Bounds that follow from all of
them together are solutions of small integer programs (scipy's HiGHS).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

from study.schema import StudyError

READING_ERROR = 2e-6


@dataclass(frozen=True)
class Box:
    """A drawn box plot.

    Attributes
    ----------
    outliers : tuple of float
        The points beyond the whiskers that can be seen; there may be others above the drawing.
    step : float
        Step of the source data: every run is a multiple of it.
    """

    n: int
    whisker_low: float
    q1: float
    median: float
    q3: float
    whisker_high: float
    mean: float
    outliers: tuple[float, ...] = ()
    step: float = 0.1

    @property
    def total(self) -> float:
        """Sum of all runs, from the drawn mean."""
        return self.n * self.mean

    def hiding(self, count: int) -> Box:
        """The same box with `count` further runs above all that is drawn."""
        return replace(self, outliers=(*self.outliers, *([float("inf")] * count)))


@dataclass(frozen=True)
class Interval:
    """Smallest and largest value that fit."""

    low: float
    high: float

    def holds(self, value: float, error: float = 0.0) -> bool:
        """Whether a value lies inside, its reading error allowed for."""
        return self.low - error <= value <= self.high + error


@lru_cache(maxsize=4096)
def drawn_sum(box: Box) -> Interval | None:
    """Bounds of the sum of the runs that are drawn, whatever the mean; None if no runs fit the box."""
    low, high = (_extreme(box, np.ones(box.n), sign, use_mean=False) for sign in (1, -1))
    return None if low is None or high is None else Interval(low, high)


def drawn_mean(box: Box) -> Interval | None:
    """Bounds of the mean if there are no other runs than the drawn ones."""
    bounds = drawn_sum(box)
    return None if bounds is None else Interval(bounds.low / box.n, bounds.high / box.n)


def mean_fits(box: Box) -> bool:
    """Whether the drawn mean can be the mean of runs that fit box, whiskers and visible outliers."""
    bounds = drawn_sum(box)
    return bounds is not None and bounds.holds(box.total, box.n * READING_ERROR + box.step * 1e-3)


def hidden_run(box: Box) -> Interval | None:
    """Bounds of one run above the drawing that closes the gap between the drawn mean and the drawn runs.

    None if the mean needs no such run, or if one run cannot close the gap.
    """
    if mean_fits(box):
        return None
    bounds = drawn_sum(box.hiding(1))
    if bounds is None:
        return None
    total = round(box.total / box.step) * box.step
    found = Interval(round(total - bounds.high, 6), round(total - bounds.low, 6))
    return found if found.low > box.whisker_high else None


@lru_cache(maxsize=4096)
def runs_beyond(box: Box, limit: float) -> tuple[int, int]:
    """Smallest and largest number of runs longer than a limit that fit the box and its mean.

    Hidden runs (`Box.hiding`) count as longer than any limit.
    """
    return _count_beyond(box, limit, sign=1), _count_beyond(box, limit, sign=-1)


def without(box: Box, runs: Iterable[float]) -> float:
    """Mean of a box plot without some of its runs."""
    left_out = tuple(runs)
    return (box.total - sum(left_out)) / (box.n - len(left_out))


def _count_beyond(box: Box, limit: float, sign: int) -> int:
    """Runs beyond the limit even when as short as possible (sign 1), or when as long as possible (-1)."""
    first, last = 0, box.n  # the first sorted run beyond the limit is among these positions
    while first < last:
        middle = (first + last) // 2
        unit = np.zeros(box.n)
        unit[middle] = 1
        extreme = _extreme(box, unit, sign, use_mean=not np.isinf(box.outliers).any())
        if extreme is None:
            raise StudyError(f"no {box.n} runs in steps of {box.step:g} fit the box plot {box}")
        if extreme > limit + box.step * 1e-3:
            last = middle
        else:
            first = middle + 1
    return box.n - first


def _extreme(box: Box, weights: Any, sign: int, *, use_mean: bool) -> float | None:
    """Minimum (sign 1) or maximum (-1) of weights x sorted runs; hidden runs weigh nothing."""
    below = sorted(value for value in box.outliers if value < box.whisker_low)
    above = sorted(value for value in box.outliers if value > box.whisker_high)
    known = {
        **dict(enumerate(below)),
        len(below): box.whisker_low,
        box.n - len(above) - 1: box.whisker_high,
        **{box.n - len(above) + i: value for i, value in enumerate(above)},
    }
    hidden = {i for i, value in known.items() if np.isinf(value)}
    if hidden & set(np.flatnonzero(weights).tolist()) and len(np.flatnonzero(weights)) == 1:
        return float("inf")
    highest = max([box.whisker_high, *(value for value in above if np.isfinite(value))])
    low, high = np.full(box.n, box.whisker_low), np.full(box.n, box.whisker_high)
    for i, value in known.items():
        low[i] = high[i] = highest if i in hidden else value
    rows, targets, slack = [*_quartile_rows(box.n)], [box.q1, box.median, box.q3], [READING_ERROR] * 3
    if use_mean:
        rows.append(np.ones(box.n))
        targets.append(box.total)
        slack.append(box.n * READING_ERROR + box.step * 1e-3)
    weights = np.where([i in hidden for i in range(box.n)], 0.0, weights)
    order = np.eye(box.n, k=1)[:-1] - np.eye(box.n)[:-1]
    scaled = 1 / box.step
    target, error = np.asarray(targets) * scaled, np.asarray(slack) * scaled
    solved = milp(
        sign * weights,
        integrality=np.ones(box.n),
        bounds=Bounds(np.round(low * scaled), np.round(high * scaled)),
        constraints=[
            LinearConstraint(np.asarray(rows), target - error, target + error),
            LinearConstraint(order, 0, np.inf),
        ],
    )
    return round(float(sign * solved.fun * box.step), 6) if solved.success else None


def _quartile_rows(n: int) -> list[Any]:
    """Weights of the sorted runs in each linearly interpolated quartile."""
    rows = []
    for share in (0.25, 0.5, 0.75):
        place = share * (n - 1)
        row = np.zeros(n)
        row[int(place)] += 1 - place % 1
        if place % 1:
            row[int(place) + 1] += place % 1
        rows.append(row)
    return rows
