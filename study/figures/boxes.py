"""Box plots from their summaries: computed from runs or read from a published drawing, drawn by one code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.cbook import boxplot_stats

from study.figures import style
from study.statistics.summary import numeric

ALL = "all"
"""Level of `condition` of a box plot over all conditions."""
IMPLIED = "implied"
CUT = "Triangle: the axis is cut here, with the largest run and the number of runs above."
HOW_DRAWN = (
    "Boxes: quartiles (linear); whiskers: last run within 1.5 box heights; dashed: mean; dots: runs beyond."
)
_SUMMARY = ("whisker_low", "q1", "median", "q3", "whisker_high", "mean")
_KEYS = ("whislo", "q1", "med", "q3", "whishi", "mean")


@dataclass(frozen=True)
class Boxes:
    """The box plots of one metric.

    Attributes
    ----------
    table : DataFrame
        One row per box: agent, condition, n_runs, whisker_low, q1, median, q3, whisker_high, mean; a box
        without runs has n_runs 0 and no numbers.
    outliers : DataFrame
        One row per run beyond the whiskers: agent, condition, low, high, visibility. `low` and `high` are
        equal where the run is known; they bound it where it is only `implied` by other numbers.
    axis_end : float, optional
        Where the axis ends; a little above the highest whisker or mean, if not given.
    """

    table: pd.DataFrame
    outliers: pd.DataFrame
    axis_end: float | None = None

    def of(self, **keys: str) -> Boxes:
        """The boxes in which all keys match, with the same axis."""
        parts = [
            frame[(frame[list(keys)] == pd.Series(keys)).all(axis=1)] for frame in (self.table, self.outliers)
        ]
        return Boxes(parts[0], parts[1], self.top)

    @property
    def top(self) -> float:
        """End of the axis."""
        if self.axis_end is not None:
            return self.axis_end
        ends = np.nanmax(self.table[["whisker_high", "mean"]].to_numpy(dtype=float), initial=-np.inf)
        highest = max([ends, *self.table["whisker_high"].dropna(), *self.outliers["high"]])
        return (min(1.15 * float(ends), 1.05 * float(highest)) or 1.0) if np.isfinite(ends) else 1.0

    @property
    def cuts(self) -> bool:
        """Whether runs lie above the axis."""
        return bool((self.outliers["high"] > self.top).any())


def box_table(runs: pd.DataFrame, column: str, scale: float, keys: pd.DataFrame) -> Boxes:
    """The box plots of a column of runs.

    Parameters
    ----------
    runs : DataFrame
        One row per run.
    column : str
        What is drawn; runs without a value are left out.
    scale : float
        How many units of the column make one of the drawing.
    keys : DataFrame
        The boxes, in order: `agent`, and `condition` or `ALL`.
    """
    values = numeric(runs, [column])
    boxes, outliers = [], []
    for agent, condition in keys[["agent", "condition"]].itertuples(index=False):
        chosen = (values["agent"] == agent) & ((condition == ALL) | (values["condition"] == condition))
        group = (values.loc[chosen, column].dropna() / scale).to_numpy()
        (found,) = boxplot_stats(group)
        key = {"agent": agent, "condition": condition}
        numbers = (found[name] for name in _KEYS)
        boxes.append({**key, "n_runs": len(group), **dict(zip(_SUMMARY, numbers, strict=True))})
        outliers += [{**key, "low": run, "high": run, "visibility": "drawn"} for run in found["fliers"]]
    columns = ["agent", "condition", "low", "high", "visibility"]
    return Boxes(pd.DataFrame(boxes), pd.DataFrame(outliers, columns=columns))


def draw(axes: Axes, boxes: Boxes, names: Sequence[str], colours: Sequence[str], inches: float) -> None:
    """Draw the boxes side by side in the order of their table, and name them on the x axis."""
    if not boxes.table["n_runs"].any():
        style.not_enough(axes)
        return
    drawn = axes.bxp(
        [_statistics(row, boxes.outliers) for _, row in boxes.table.iterrows()],
        widths=0.55, patch_artist=True, showmeans=True, meanline=True, shownotches=False,
        medianprops={"color": "black", "lw": 1.3},
        meanprops={"color": "black", "ls": (0, (2, 1.2)), "lw": 1.1},
        flierprops={"marker": "o", "ms": 2.6, "mfc": "none", "mew": 0.6}, boxprops={"lw": 0.7},
        whiskerprops={"lw": 0.7}, capprops={"lw": 0.7},
    )  # fmt: skip
    for patch, colour in zip(drawn["boxes"], colours, strict=True):
        patch.set(facecolor=colour, alpha=0.55)
    style.name_ticks(axes, names, [int(n) for n in boxes.table["n_runs"]], inches)


def _statistics(row: pd.Series, outliers: pd.DataFrame) -> dict[str, object]:
    own = _own(row, outliers)
    known = own.loc[own["visibility"] != IMPLIED, "low"].to_numpy(dtype=float)
    numbers = {key: row[name] for key, name in zip(_KEYS, _SUMMARY, strict=True)}
    return {**numbers, "fliers": known}


def _own(row: pd.Series, outliers: pd.DataFrame) -> pd.DataFrame:
    return outliers.query("agent == @row.agent and condition == @row.condition")


def say_what_is_cut(axes: Axes, boxes: Boxes, unit: str, *, each: bool) -> None:
    """Mark the runs above the axis, and write the largest one, for each box or for all of a panel.

    A full triangle is a run; an open one with its bounds a run that other numbers imply.
    """
    top = axes.get_ylim()[1]
    beyond = [
        own[own["low"] > top] for own in (_own(row, boxes.outliers) for _, row in boxes.table.iterrows())
    ]
    largest = max([0.0, *boxes.outliers["low"]])
    for place, runs in enumerate(beyond, start=1):
        implied = runs[runs["visibility"] == IMPLIED]
        known = runs.drop(implied.index)
        beside = 0.3 if len(known) and len(implied) else 0.0
        for _, run in implied.iterrows():
            bounds = f"implied\n{run['low']:.1f}–{run['high']:.1f}"
            _mark(axes, place - beside, "white", "" if beside else bounds, right=0.35)
        if known.empty:
            continue
        count = len(runs) if each else sum(map(len, beyond))
        label = f"max. {known['low'].max():.3g} {unit}\n({count} above)"
        _mark(axes, place, "black", label if each or known["low"].max() == largest else "")


def _mark(axes: Axes, place: float, face: str, label: str, right: float | None = None) -> None:
    """A triangle and its label, centred, or ending `right` of the triangle so as to leave room beside it."""
    top = axes.get_ylim()[1]
    axes.plot([place], [top], "^", color="black", mfc=face, ms=3.5, clip_on=False)
    if label:
        side, lines = ("center", "center") if right is None else ("right", "left")
        where = (place + (right or 0), top)
        axes.annotate(label, where, (0, 4), textcoords="offset points", ha=side, va="bottom", ma=lines)
