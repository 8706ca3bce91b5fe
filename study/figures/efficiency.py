"""Figures of RQ2, efficiency: box plots in the paper's form, log-scale dots, cost against pass rate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from study.figures import rows as layout
from study.figures import style
from study.figures.boxes import ALL, CUT, HOW_DRAWN, Boxes, box_table, draw, say_what_is_cut
from study.statistics.estimates import service_interval
from study.statistics.summary import levels, numeric, scored_runs

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
_LABELS = 4
RATE = "pass_rate_percent"


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
    keys = pd.DataFrame({"agent": levels(data.runs["agent"]), "condition": ALL})
    tables = {metric: box_table(data.runs, metric.column, metric.scale, keys) for metric in (TIME, COST)}
    return draw_agents(tables, style.Source.of(data), "fig7_time_and_cost", "n: runs that report it.")


def draw_agents(tables: Mapping[Metric, Boxes], source: style.Source, stem: str, counted: str) -> Figure:
    """Box plots per agent, one panel per metric (form of Fig. 7)."""
    names = " and ".join(metric.name for metric in tables).capitalize()
    with style.page(
        stem, f"{names} per agent", source, note=f"{HOW_DRAWN} {CUT} {counted}", size=(style.DOUBLE, 2.5)
    ) as figure:
        for axes, (metric, boxes) in zip(figure.subplots(1, len(tables)), tables.items(), strict=True):
            agents = levels(boxes.table["agent"])
            draw(axes, boxes, agents, list(style.palette(agents).values()), style.DOUBLE / len(tables) - 0.4)
            axes.set_ylabel(metric.label)
            axes.set_ylim(0, boxes.top)
            say_what_is_cut(axes, boxes, metric.unit, each=len(agents) <= _LABELS)
    return figure


def efficiency_dots(data: Dataset) -> Figure:
    """Time, cost and tokens on log scales: every run, and the geometric mean over services."""
    place = layout.Rows.of(data.runs)
    note = (
        "Small dots: runs; large marks: geometric mean over services with a 95 % bootstrap interval, widened "
        "for their small number (none below 5). Runs that report nothing, or 0, have no place on a log "
        "scale; n counts the others."
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
    mean, low, high = service_interval(cell.assign(log=np.log(cell["shown"])), "log")
    return float(np.exp(mean)), float(np.exp(low)), float(np.exp(high))


def _boxes(data: Dataset, metric: Metric, stem: str) -> Figure:
    agents, conditions = levels(data.runs["agent"]), levels(data.runs["condition"])
    keys = pd.DataFrame([(a, c) for a in agents for c in conditions], columns=["agent", "condition"])
    known = int(data.runs[metric.column].notna().sum())
    counted = f"n = {known} of {len(data.runs)} runs report it."
    boxes = box_table(data.runs, metric.column, metric.scale, keys)
    return draw_conditions(boxes, metric, style.Source.of(data), stem, counted)


def draw_conditions(boxes: Boxes, metric: Metric, source: style.Source, stem: str, counted: str) -> Figure:
    """Box plots by agent (panels) and condition, on one scale (form of Figs. 4 to 6)."""
    agents, conditions = levels(boxes.table["agent"]), levels(boxes.table["condition"])
    columns = min(4, len(agents))
    lines = -(-len(agents) // columns)
    with style.page(
        stem, f"{metric.name} per run by agent and configuration", source,
        note=f"{HOW_DRAWN} {CUT} {counted}", size=(style.DOUBLE, 2.3 * lines),
    ) as figure:  # fmt: skip
        grid = figure.subplots(lines, columns, sharey=True, squeeze=False)
        for axes, agent in zip(grid.flat, agents, strict=False):
            panel, colours = boxes.of(agent=agent), [style.palette(agents)[agent]] * len(conditions)
            draw(axes, panel, conditions, colours, style.DOUBLE / columns - 0.3)
            axes.set_ylim(0, boxes.top)
            say_what_is_cut(axes, panel, metric.unit, each=False)
            axes.set_title(agent, pad=26 if boxes.cuts else None)
        for axes in grid.flat[len(agents) :]:
            axes.set_visible(False)
        for line in grid:
            line[0].set_ylabel(metric.label)
    return figure


def cost_against_pass_rate(data: Dataset) -> Figure:
    """What a run costs against what it scores: one mark per agent and condition, faint dots are runs."""
    scored = numeric(scored_runs(data), ["cost_usd", RATE]).dropna(subset=[RATE])
    runs = scored[scored["cost_usd"] > 0]
    note = (
        f"Large marks, without intervals: mean pass rate (n = {len(scored)} runs with one) and geometric "
        "mean cost of those with a cost above 0, per agent (colour) and condition (shape); faint dots: the "
        f"n = {len(runs)} runs with both, hollow where the oracle is blind."
    )
    agents, conditions = levels(data.runs["agent"]), levels(data.runs["condition"])
    keys = pd.DataFrame([(a, c) for a in agents for c in conditions], columns=["agent", "condition"])
    logs = np.log(scored["cost_usd"].where(scored["cost_usd"] > 0))
    cells = scored.assign(cost_usd=logs).groupby(["agent", "condition"], sort=False)
    means = cells[["cost_usd", RATE]].mean().reset_index()
    means = keys.merge(means.assign(cost_usd=np.exp(means["cost_usd"])), how="left")
    return draw_cost(means, style.Source.of(data), "cost_against_pass_rate", note, runs)


def draw_cost(
    cells: pd.DataFrame, source: style.Source, stem: str, note: str, runs: pd.DataFrame | None = None
) -> Figure:
    """Cost against pass rate: one mark per agent and condition, above the runs if these are known.

    `cells` has agent, condition, cost_usd and pass_rate_percent; cells without runs are in the legend only.
    """
    agents, conditions = levels(cells["agent"]), levels(cells["condition"])
    colours, marks = style.palette(agents), style.markers(conditions)
    legend = [Line2D([], [], color=colours[agent], lw=4, label=agent) for agent in agents]
    hollow: Any = {"color": "white", "mec": "black", "mfc": "white", "ms": 5, "lw": 0}
    legend += [Line2D([], [], marker=marks[c], label=c, **hollow) for c in conditions]
    with style.page(
        stem, "Cost against pass rate", source, size=(style.SINGLE, 2.6), note=note, legend=legend
    ) as figure:
        axes = figure.subplots()
        known = cells.dropna(subset=["cost_usd", RATE])
        if known.empty:
            style.not_enough(axes)
            return figure
        if runs is not None:
            _runs(axes, runs, colours)
        for _, cell in known.iterrows():
            look: Any = {"color": colours[cell["agent"]], "mec": "black", "mew": 0.6, "ms": 7}
            axes.plot([cell["cost_usd"]], [cell[RATE]], marks[cell["condition"]], **look)
        costs = (known if runs is None else runs)["cost_usd"]
        style.log_axis(axes, "Cost per run (USD, log scale)", costs)
        axes.set_ylabel("Pass rate (%)")
        axes.set_ylim(-5, 105)
    return figure


def _runs(axes: Axes, runs: pd.DataFrame, colours: dict[str, str]) -> None:
    edges = [colours[agent] for agent in runs["agent"]]
    fill = ["white" if blind else edge for blind, edge in zip(runs["blind"], edges, strict=True)]
    axes.scatter(runs["cost_usd"], runs[RATE], s=6, c=fill, edgecolors=edges, lw=0.5, alpha=0.3)
