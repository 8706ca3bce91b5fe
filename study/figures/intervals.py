"""Box plots once more, on log scales: medians with their quartiles, so that all boxes can be compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from study.figures import rows as layout
from study.figures import style
from study.figures.boxes import IMPLIED, Boxes, box_table
from study.figures.efficiency import COST, INPUT, OUTPUT, TIME, Metric
from study.statistics.summary import levels

if TYPE_CHECKING:
    from study.records.dataset import Dataset

HOW_DRAWN = (
    "Marks: medians; thick lines: quartiles; thin lines: whiskers; upright strokes: means; dots: runs beyond "
    "the whiskers."
)


def efficiency_intervals(data: Dataset) -> Figure:
    """Time, cost and tokens of a dataset: medians, quartiles and means on log scales."""
    agents, conditions = levels(data.runs["agent"]), levels(data.runs["condition"])
    keys = pd.DataFrame([(a, c) for a in agents for c in conditions], columns=["agent", "condition"])
    tables = {m: box_table(data.runs, m.column, m.scale, keys) for m in (TIME, COST, INPUT, OUTPUT)}
    return draw_intervals(tables, style.Source.of(data), "efficiency_intervals", HOW_DRAWN)


def draw_intervals(tables: Mapping[Metric, Boxes], source: style.Source, stem: str, note: str) -> Figure:
    """One panel per metric, two in a row; the box plots of all agents and conditions on one log scale."""
    first = next(iter(tables.values())).table
    place = layout.Rows.of(first)
    lines = -(-len(tables) // 2)
    mean = Line2D([], [], color="black", marker="|", ms=7, mew=1.4, lw=0, label="mean")
    size = (style.DOUBLE, lines * (place.height + 0.5) + 0.1)
    legend = [*layout.mark_legend(place.agents), mean]
    with style.page(
        stem, "Time, cost and tokens per run, on log scales", source, note=note, size=size, legend=legend
    ) as figure:
        grid = figure.subplots(lines, 2, sharey=True, squeeze=False)
        for axes, (metric, boxes) in zip(grid.flat, tables.items(), strict=False):
            known = boxes.table[(boxes.table["n_runs"] > 0) & (boxes.table["whisker_low"] > 0)]
            axes.set_title(f"{metric.name}, n = {int(known['n_runs'].sum())}")
            if known.empty:
                style.not_enough(axes)
                continue
            _panel(axes, place, known, boxes.outliers)
            ends = pd.concat([known["whisker_low"], known["whisker_high"], *_ends(boxes.outliers)])
            style.log_axis(axes, f"{metric.label}, log scale", ends[ends > 0])
            place.label(axes)
        for axes in grid.flat[len(tables) :]:
            axes.set_visible(False)
    return figure


def _ends(outliers: pd.DataFrame) -> list[pd.Series]:
    return [outliers["low"].astype(float), outliers["high"].astype(float)]


def _panel(axes: Axes, place: layout.Rows, known: pd.DataFrame, outliers: pd.DataFrame) -> None:
    colours, marks = style.palette(place.agents), style.markers(place.agents)
    for _, box in known.iterrows():
        y, colour = place.y(box["agent"], box["condition"]), colours[box["agent"]]
        line: Any = {"color": colour, "solid_capstyle": "butt"}
        axes.plot([box["whisker_low"], box["whisker_high"]], [y, y], lw=0.6, **line)
        axes.plot([box["q1"], box["q3"]], [y, y], lw=2.6, alpha=0.6, **line)
        axes.plot([box["median"]], [y], marks[box["agent"]], ms=4.5, color=colour, zorder=4)
        axes.plot([box["mean"]], [y], "|", ms=7, mew=1.4, color="black", zorder=5)
    for _, run in outliers.iterrows():
        y, colour = place.y(run["agent"], run["condition"]), colours[run["agent"]]
        if run["visibility"] == IMPLIED:
            axes.plot([run["low"], run["high"]], [y, y], color=colour, lw=1)
            axes.plot([(run["low"] + run["high"]) / 2], [y], "^", ms=4, mfc="white", mec=colour, mew=0.8)
        else:
            mark = "o" if run["visibility"] == "drawn" else "^"
            size = 2.4 if mark == "o" else 4
            axes.plot(
                [run["low"]], [y], mark, ms=size, mfc="none" if mark == "o" else colour, mec=colour, mew=0.6
            )
