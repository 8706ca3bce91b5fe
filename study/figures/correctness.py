"""Figures of RQ1, correctness: pass rates with their floor and ceiling, changes between prompts, oracles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from study.figures import rows as layout
from study.figures import style
from study.statistics.estimates import service_interval
from study.statistics.summary import levels, numeric, service_rates

if TYPE_CHECKING:
    from study.records.dataset import Dataset

_RATE = "pass_rate_percent"
_PANELS = 5


def pass_rate_dots(data: Dataset) -> Figure:
    """Pass rate of every service and the mean over services, per project and over all, on one scale.

    The grey band runs from the floor to the ceiling of the oracles: what they can tell apart.
    """
    rates = service_rates(data)
    scored = rates[_RATE].notna()
    note = (
        "Small dots: services (mean over replicates); large marks: mean over services with a pass rate; "
        "n = runs with a pass rate, of all runs. Lines: 95 % bootstrap interval over services, widened for "
        "their small number (none below 5). Grey: floor (target absent) to ceiling (reference), means over "
        "the same services. Hollow: the oracle is blind to the target, or a blind one enters the mean ("
        f"{int((rates['blind'] & scored).sum())} of {int(scored.sum())} service cells are blind, "
        f"{int((~scored).sum())} have no pass rate)."
    )
    band = Patch(facecolor=style.LIGHT, label="floor to ceiling")
    return draw_rates(rates, style.Source.of(data), "pass_rate_dots", note, band, mean_interval)


def draw_rates(
    rates: pd.DataFrame, source: style.Source, stem: str, note: str, frame: Artist, interval: layout.Interval
) -> Figure:
    """Pass rates as in `service_rates`, one panel per project and one for all of them.

    `frame` is the legend of what lies behind the dots: a band from floor to ceiling, or the ceiling alone
    where no floor is known. `interval` gives the estimate and interval of the rows of an agent and condition.
    """
    place, projects = layout.Rows.of(rates), levels(rates["project"])
    panels = [*projects, None]
    columns = min(_PANELS, len(panels))
    lines = -(-len(panels) // columns)
    size = (style.DOUBLE, lines * (place.height + 0.45) + 0.2)
    with style.page(
        stem, "Pass rate by project, condition and agent", source,
        note=note, size=size, legend=[*layout.mark_legend(place.agents), frame],
    ) as figure:  # fmt: skip
        grid = figure.subplots(lines, columns, sharex=True, sharey=True, squeeze=False)
        for axes, panel in zip(grid.flat, panels, strict=False):
            part = rates if panel is None else rates[rates["project"] == panel]
            scored_here = int(part["n_scored"].sum())
            name = "All projects" if panel is None else style.wrap(panel, 18)
            axes.set_title(f"{name}\nn = {scored_here} of {int(part['n_runs'].sum())}")
            _pass_rate_panel(axes, place, part, interval)
        for axes in grid.flat[len(panels) :]:
            axes.set_visible(False)
        for axes in grid[-1]:
            axes.set_xlabel("Pass rate (%)")
    return figure


def _pass_rate_panel(axes: Axes, place: layout.Rows, part: pd.DataFrame, interval: layout.Interval) -> None:
    if part[_RATE].notna().sum() == 0:
        axes.text(50, place.step * len(place.conditions) / 2 - 1, "no pass rate", ha="center", style="italic")
    for condition in levels(part["condition"]):
        cell = part[(part["condition"] == condition) & part[_RATE].notna()]
        low, high = cell["floor_percent"].mean(), cell["ceiling_percent"].mean()
        top, bottom = place.band(condition)
        if np.isfinite(low) and np.isfinite(high):
            axes.fill_betweenx([top, bottom], low, high, color=style.LIGHT, lw=0, zorder=0)
        for edge in filter(np.isfinite, (low, high)):
            axes.plot([edge, edge], [top, bottom], color=style.GREY, lw=0.7, zorder=1)
    layout.draw(axes, place, part, _RATE, interval)
    axes.set_xlim(-6, 106)
    axes.set_xticks([0, 50, 100])
    place.label(axes)


def mean_interval(cell: pd.DataFrame) -> tuple[float, float, float]:
    """Mean pass rate with its bootstrap interval over services."""
    return service_interval(cell, _RATE)


def prompt_slopes(data: Dataset) -> Figure:
    """How the pass rate of each service changes from prompt to prompt; one panel per scenario and agent."""
    note = (
        "One line per service (mean over replicates; lines that coincide are drawn side by side), black: "
        "mean over the services drawn, n of them. Hollow and dotted: the oracle is blind to the target."
    )
    return draw_slopes(service_rates(data), style.Source.of(data), "prompt_slopes", note, "service")


def draw_slopes(rates: pd.DataFrame, source: style.Source, stem: str, note: str, unit: str) -> Figure:
    """Pass rates as in `service_rates` from prompt to prompt, one line per project and service.

    `unit` is what a line stands for.
    """
    agents, scenarios = levels(rates["agent"]), levels(rates["scenario"])
    prompts, projects = levels(rates["prompt"]), levels(rates["project"])
    mean = Line2D([], [], color="black", lw=2.2, label=f"mean over {unit}s")
    columns = min(4, len(agents))
    lines = -(-len(agents) // columns)
    with style.page(
        stem, f"Pass rate per {unit} by prompt", source,
        size=(style.DOUBLE, 1.75 * lines * len(scenarios) + 0.2), note=note,
        legend=[*layout.mark_legend(projects), mean],
    ) as figure:  # fmt: skip
        grid = figure.subplots(lines * len(scenarios), columns, sharex=True, sharey=True, squeeze=False)
        for axes in grid.flat:
            axes.set_visible(False)
        for i, scenario in enumerate(scenarios):
            for j, agent in enumerate(agents):
                axes = grid[i * lines + j // columns, j % columns]
                axes.set_visible(True)
                part = rates[(rates["agent"] == agent) & (rates["scenario"] == scenario)]
                drawn = _slopes(axes, part, prompts, projects)
                axes.set_title(f"{style.wrap(agent, 28)}\n{scenario.replace('_', ' ')}, n = {drawn}")
                if j % columns == 0:
                    axes.set_ylabel("Pass rate (%)")
    return figure


def _slopes(axes: Axes, part: pd.DataFrame, prompts: list[str], projects: list[str]) -> int:
    """Draw the services of one panel and return how many there are."""
    wide = part.pivot(index=["project", "service"], columns="prompt", values=_RATE)
    wide = wide.reindex(columns=prompts).dropna()
    if len(prompts) < 2 or wide.empty:
        style.not_enough(axes, "not enough data: no service has a pass rate with two prompts")
        return len(wide)
    blind = part.groupby(["project", "service"])["blind"].any()
    colours, marks = style.palette(projects), style.markers(projects)
    x = np.arange(len(prompts))
    lines = [tuple(line) for line in wide.to_numpy(dtype=float)]
    for i, (key, line) in enumerate(zip(wide.index, lines, strict=True)):
        twins = lines.count(line)
        shift = (lines[:i].count(line) - (twins - 1) / 2) * min(1.5, 6 / twins)
        project, unseen = str(key[0]), bool(blind[key])
        axes.plot(
            x, np.array(line) + shift, ls=":" if unseen else "-", lw=0.9, color=colours[project], alpha=0.85,
            marker=marks[project], ms=3.2, mfc="white" if unseen else colours[project], clip_on=False,
        )  # fmt: skip
    axes.plot(x, wide.mean().to_numpy(), color="black", lw=2.2, marker="_", ms=9, mew=2.2, zorder=5)
    axes.set_xlim(-0.25, len(prompts) - 0.75)
    axes.set_ylim(-8, 112)
    axes.set_yticks([0, 25, 50, 75, 100])
    axes.set_xticks(x, [style.wrap(prompt, 14) for prompt in prompts])
    return len(wide)


def oracles(data: Dataset) -> Figure:
    """Floor and ceiling of every oracle: a suite that scores the same with the target absent is blind."""
    table = numeric(data.references, ["floor_percent", "ceiling_percent"])
    targets = table[["project", "service"]].drop_duplicates().reset_index(drop=True)
    scenarios = levels(table["scenario"])
    order = {(str(row.project), str(row.service)): i for i, row in enumerate(targets.itertuples())}
    note = (
        "Bar: from the pass rate without the target (floor) to that of the reference (ceiling); number: "
        "tests of the oracle. Crossed: blind, the floor equals the ceiling. "
        f"{len(table)} oracles; they are {', '.join(levels(table['kind']))}, whatever the kind of the runs."
    )
    size = (style.DOUBLE, 0.155 * len(targets) + 0.55)
    with style.page(
        "oracles", "What the oracles can see", data, kinds=table["kind"], note=note, size=size
    ) as figure:
        grid = figure.subplots(1, max(1, len(scenarios)), sharex=True, sharey=True, squeeze=False)
        for axes, scenario in zip(grid[0], scenarios, strict=False):
            part = table[table["scenario"] == scenario]
            for row in part.itertuples():
                _oracle(axes, order[(str(row.project), str(row.service))], row)
            axes.set_title(f"{scenario.replace('_', ' ')}: {' and '.join(levels(part['oracle']))} tests")
            axes.set_xlabel("Pass rate (%)")
            axes.set_xlim(-4, 118)
            axes.set_xticks([0, 25, 50, 75, 100])
            axes.set_yticks(
                range(len(targets)), [f"{row.project}: {row.service}" for row in targets.itertuples()]
            )
            axes.set_ylim(len(targets) - 0.4, -0.6)
    return figure


def _oracle(axes: Axes, y: int, row: object) -> None:
    floor, ceiling = getattr(row, "floor_percent"), getattr(row, "ceiling_percent")  # noqa: B009
    tests, sees = getattr(row, "tests_reference"), getattr(row, "sees_target")  # noqa: B009
    if not np.isfinite(ceiling):
        said = "no tests apply" if not pd.isna(tests) and tests == 0 else "not known"
        axes.text(0, y, said, va="center", style="italic", color=style.ALARM)
        return
    axes.text(104, y, "" if pd.isna(tests) else f"{tests}", va="center")
    if not pd.isna(sees) and not sees:
        axes.plot([ceiling], [y], "X", ms=6, mfc="white", mec=style.ALARM, mew=1.1, clip_on=False)
        return
    if np.isfinite(floor):
        axes.plot([floor, ceiling], [y, y], color=style.OKABE_ITO[0], lw=3, solid_capstyle="butt")
        axes.plot([floor], [y], "|", ms=8, mew=1.2, color="black")
    axes.plot([ceiling], [y], "|", ms=8, mew=1.2, color="black")
