"""Figures of RQ2, efficiency: time, cost and tokens; box plots in the paper's form, and log-scale dots."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from study.figures import rows as layout
from study.figures import style
from study.statistics.estimates import cluster_interval
from study.statistics.summary import levels, numeric

if TYPE_CHECKING:
    from study.records.dataset import Dataset


class Metric(NamedTuple):
    """One measure of efficiency: its column, its name, its unit, and how many column units make one."""

    column: str
    name: str
    unit: str
    scale: float = 1.0

    @property
    def label(self) -> str:
        return f"{self.name} ({self.unit})"


TIME = Metric("time_min", "Time", "min")
COST = Metric("cost_usd", "Cost", "USD")
INPUT = Metric("input_tokens", "Input tokens", "million", 1e6)
OUTPUT = Metric("output_tokens", "Output tokens", "thousand", 1e3)
_CUT = "Triangle: the axis is cut here, with the largest run and the number of runs above."
_LABELS = 4
_BOXES = (
    "Boxes: quartiles (linear); whiskers: last run within 1.5 box heights; dashed: mean; dots: runs beyond."
)


def time_boxes(data: Dataset) -> Figure:
    """Time per run by agent and configuration (form of Fig. 4)."""
    return _boxes(data, TIME, "fig4_time")


def cost_boxes(data: Dataset) -> Figure:
    """Cost per run by agent and configuration (form of Fig. 5)."""
    return _boxes(data, COST, "fig5_cost")


def input_token_boxes(data: Dataset) -> Figure:
    """Input tokens per run by agent and configuration (form of Fig. 6a)."""
    return _boxes(data, INPUT, "fig6a_input_tokens")


def output_token_boxes(data: Dataset) -> Figure:
    """Output tokens per run by agent and configuration (form of Fig. 6b)."""
    return _boxes(data, OUTPUT, "fig6b_output_tokens")


def time_and_cost(data: Dataset) -> Figure:
    """Time and cost per agent, all configurations; the axis is cut above the whiskers (form of Fig. 7)."""
    agents = levels(data.runs["agent"])
    note = f"{_BOXES} {_CUT} n: runs that report it."
    with style.page(
        "fig7_time_and_cost", "Time and cost per agent", data, kinds=data.runs["kind"], note=note,
        size=(style.DOUBLE, 2.5),
    ) as figure:  # fmt: skip
        for axes, metric in zip(figure.subplots(1, 2), (TIME, COST), strict=True):
            groups = [_values(data.runs[data.runs["agent"] == agent], metric) for agent in agents]
            colours = style.palette(agents)
            _box_panel(axes, groups, agents, [colours[agent] for agent in agents], style.DOUBLE / 2 - 0.4)
            axes.set_ylabel(metric.label)
            axes.set_ylim(0, _cut_at(groups))
            _say_what_is_cut(axes, groups, metric.unit, each=len(groups) <= _LABELS)
    return figure


def efficiency_dots(data: Dataset) -> Figure:
    """Time, cost and tokens on log scales: every run, and the geometric mean over services."""
    place = layout.Rows.of(data.runs)
    note = (
        "Small dots: runs; large marks: geometric mean with a 95 % bootstrap interval over services (none "
        "below 5). Runs that report nothing, or 0, have no place on a log scale; n counts the others."
    )
    size = (style.DOUBLE, 2 * (place.height + 0.5) + 0.1)
    with style.page(
        "efficiency_dots", "Time, cost and tokens per run", data, kinds=data.runs["kind"], size=size,
        note=note, legend=layout.mark_legend(place.agents),
    ) as figure:  # fmt: skip
        grid = figure.subplots(2, 2, sharey=True, squeeze=False)
        for axes, metric in zip(grid.flat, (TIME, COST, INPUT, OUTPUT), strict=True):
            known = numeric(data.runs, [metric.column])
            known = known.assign(shown=known[metric.column] / metric.scale)
            known = known[known["shown"] > 0]
            axes.set_title(f"{metric.name}, n = {len(known)}")
            if known.empty:
                style.not_enough(axes)
                continue
            layout.draw(axes, place, known, "shown", _geometric_interval)
            style.log_axis(axes, f"{metric.label}, log scale", known["shown"])
            place.label(axes)
    return figure


def _geometric_interval(cell: pd.DataFrame) -> tuple[float, float, float]:
    logs = np.log(cell["shown"].to_numpy())
    low, high, _ = cluster_interval(logs, (cell["project"] + "\0" + cell["service"]).to_numpy())
    return float(np.exp(logs.mean())), float(np.exp(low)), float(np.exp(high))


def _values(frame: pd.DataFrame, metric: Metric) -> np.ndarray:
    return (numeric(frame, [metric.column])[metric.column].dropna() / metric.scale).to_numpy()


def _boxes(data: Dataset, metric: Metric, stem: str) -> Figure:
    agents, conditions = levels(data.runs["agent"]), levels(data.runs["condition"])
    known = int(data.runs[metric.column].notna().sum())
    note = f"{_BOXES} {_CUT} n = {known} of {len(data.runs)} runs report it."
    lines = -(-len(agents) // 4)
    with style.page(
        stem, f"{metric.name} per run by agent and configuration", data, kinds=data.runs["kind"], note=note,
        size=(style.DOUBLE, 2.3 * lines),
    ) as figure:  # fmt: skip
        columns = min(4, len(agents))
        grid = figure.subplots(lines, columns, sharey=True, squeeze=False)
        groups = [
            [_values(part[part["condition"] == condition], metric) for condition in conditions]
            for part in (data.runs[data.runs["agent"] == agent] for agent in agents)
        ]
        every = [values for panel in groups for values in panel]
        top = _cut_at(every)
        crowded = any(values.max(initial=0) > top for values in every)
        for axes, agent, panel in zip(grid.flat, agents, groups, strict=False):
            colours = [style.palette(agents)[agent]] * len(conditions)
            _box_panel(axes, panel, conditions, colours, style.DOUBLE / columns - 0.3)
            axes.set_ylim(0, top)
            _say_what_is_cut(axes, panel, metric.unit, each=False)
            axes.set_title(agent, pad=26 if crowded else None)
        for axes in grid.flat[len(agents) :]:
            axes.set_visible(False)
        for line in grid:
            line[0].set_ylabel(metric.label)
    return figure


def _box_panel(
    axes: Axes, groups: list[np.ndarray], names: list[str], colours: list[str], inches: float
) -> None:
    if not any(map(len, groups)):
        style.not_enough(axes)
        return
    boxes = axes.boxplot(
        groups, widths=0.55, patch_artist=True, showmeans=True, meanline=True,
        medianprops={"color": "black", "lw": 1.3},
        meanprops={"color": "black", "ls": (0, (2, 1.2)), "lw": 1.1},
        flierprops={"marker": "o", "ms": 2.6, "mfc": "none", "mew": 0.6}, boxprops={"lw": 0.7},
        whiskerprops={"lw": 0.7}, capprops={"lw": 0.7},
    )  # fmt: skip
    for patch, colour in zip(boxes["boxes"], colours, strict=True):
        patch.set(facecolor=colour, alpha=0.55)
    style.name_ticks(axes, names, [len(group) for group in groups], inches)


def _cut_at(groups: list[np.ndarray]) -> float:
    """End of the axis: a little above the highest whisker and mean, or the largest run if that is lower."""
    filled = [group for group in groups if len(group)]
    if not filled:
        return 1.0
    tops = []
    for group in filled:
        low, high = np.percentile(group, [25, 75])
        tops.append(max(group[group <= high + 1.5 * (high - low)].max(), group.mean()))
    return min(1.15 * max(tops), 1.05 * max(group.max() for group in filled)) or 1.0


def _say_what_is_cut(axes: Axes, groups: list[np.ndarray], unit: str, *, each: bool) -> None:
    """Write the largest run above the axis, for each group or for all of a panel."""
    top = axes.get_ylim()[1]
    above = [int((group > top).sum()) for group in groups]
    for place, (group, count) in enumerate(zip(groups, above, strict=True), start=1):
        if not count:
            continue
        axes.plot([place], [top], "^", color="black", ms=3.5, clip_on=False)
        largest = max(other.max() for other in groups if len(other))
        if each or group.max() == largest:
            label = f"max. {group.max():.3g} {unit}\n({count if each else sum(above)} above)"
            axes.annotate(label, (place, top), (0, 4), textcoords="offset points", ha="center", va="bottom")
