"""The row layout that several figures share: one row per condition and agent, dots per service, a mean."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from study.figures import style
from study.statistics.summary import levels, numeric

if TYPE_CHECKING:
    from study.records.dataset import Dataset

Interval = Callable[[pd.DataFrame], tuple[float, float, float]]
"""Estimate, low and high of the rows of one agent and condition; NaN where there is too little."""


@dataclass(frozen=True)
class Rows:
    """Vertical places of the rows: conditions from top to bottom, agents within each."""

    agents: list[str]
    conditions: list[str]

    @classmethod
    def of(cls, frame: pd.DataFrame) -> Rows:
        """The rows of the runs in a frame."""
        return cls(levels(frame["agent"]), levels(frame["condition"]))

    @property
    def height(self) -> float:
        """Inches that the rows need."""
        return max(0.9, 0.13 * len(self.conditions) * (len(self.agents) + 1) + 0.2)

    @property
    def step(self) -> int:
        return len(self.agents) + 1

    def y(self, agent: str, condition: str) -> float:
        """Place of one row."""
        return self.conditions.index(condition) * self.step + self.agents.index(agent)

    def band(self, condition: str) -> tuple[float, float]:
        """Top and bottom of the rows of one condition."""
        top = self.conditions.index(condition) * self.step
        return top - 0.6, top + len(self.agents) - 0.4

    def label(self, axes: Axes) -> None:
        """Name the conditions on the y axis, the first one on top."""
        middles = [sum(self.band(condition)) / 2 for condition in self.conditions]
        axes.set_yticks(middles, self.conditions)
        axes.tick_params(axis="y", length=0)
        axes.set_ylim(len(self.conditions) * self.step - 1 + 0.1, -1.1)

    def cells(self, frame: pd.DataFrame) -> Iterator[tuple[str, str, pd.DataFrame]]:
        """(agent, condition, rows) of every row that the frame has data for."""
        for (agent, condition), cell in frame.groupby(["agent", "condition"], sort=False):
            yield str(agent), str(condition), cell


def draw(axes: Axes, rows: Rows, frame: pd.DataFrame, value: str, interval: Interval) -> None:
    """Draw a small dot per row of the frame (hollow where its oracle is blind) and the estimate above."""
    colours, marks = style.palette(rows.agents), style.markers(rows.agents)
    for agent, condition, cell in rows.cells(frame):
        known = cell.dropna(subset=[value])
        if known.empty:
            continue
        y, colour = rows.y(agent, condition), colours[agent]
        spread = np.linspace(-0.28, 0.28, len(known)) if len(known) > 1 else np.zeros(1)
        fill = ["white" if blind else colour for blind in _blind(known)]
        axes.scatter(known[value], y + spread, s=5, c=fill, edgecolors=colour, linewidths=0.5, alpha=0.55)
        estimate, low, high = interval(known)
        if np.isfinite(low):
            axes.plot([low, high], [y, y], color=colour, lw=1.4, solid_capstyle="butt", zorder=3)
        face = "white" if _blind(known).any() else colour
        axes.plot([estimate], [y], marks[agent], ms=5, mfc=face, mec=colour, mew=1.1, zorder=4, clip_on=False)


def _blind(frame: pd.DataFrame) -> pd.Series:
    return frame["blind"] if "blind" in frame else pd.Series(False, index=frame.index)


def mark_legend(names: Sequence[str]) -> list[Artist]:
    """Legend handles of levels that are told apart by colour and marker."""
    colours, marks = style.palette(names), style.markers(names)
    return [Line2D([], [], color=colours[name], marker=marks[name], ms=5, lw=0, label=name) for name in names]


def metric_dots(data: Dataset, column: str, label: str) -> Figure:
    """Any one metric of the runs (a column of `data.runs`): every run a dot, the median a large mark."""
    known = numeric(data.runs, [column]).dropna(subset=[column])
    place = Rows.of(data.runs)
    note = f"Small dots: runs; large marks: medians. n = {len(known)} of {len(data.runs)} runs have a value."
    with style.page(
        f"explore_{column}", label, data, kinds=data.runs["kind"], size=(style.DOUBLE, place.height + 0.4),
        note=note, legend=mark_legend(place.agents),
    ) as figure:  # fmt: skip
        axes = figure.subplots()
        if known.empty:
            style.not_enough(axes)
        else:
            draw(axes, place, known, column, lambda cell: (float(cell[column].median()), np.nan, np.nan))
            axes.set_xlabel(label)
            place.label(axes)
    return figure
