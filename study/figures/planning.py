"""The figure of a plan: what services and what replicates add, at the same number of runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, NullFormatter, NullLocator

from study.figures import style

if TYPE_CHECKING:
    from study.planning.planned import Planned

STEM = "extend_power"


def power_curves(planned: Planned) -> Figure:
    """Power and half width of the interval against the number of runs; a line for each number of replicates.

    At the same number of runs (one place on the x axis), the line of fewer replicates has more services. The
    number of agents is the smallest of the plan.
    """
    question = planned.question
    title = f"Power to find {question.effect:+g} points of the {question.factor}, by number of runs"
    source = style.Source(f"{planned.name} ({', '.join(planned.kinds)} runs)", ("simulated",))
    if planned.grid.empty:
        note = "n = 0 simulated studies."
        with style.page(STEM, title, source, size=(style.SINGLE, 1.6), note=note) as figure:
            style.not_enough(figure.subplots(), "no plan from these runs")
        return figure
    agents = int(planned.grid["agents"].min())
    table = planned.grid[planned.grid["agents"] == agents]
    replicates = [str(r) for r in sorted(table["replicates"].unique())]
    colours, marks = style.palette(replicates), style.markers(replicates)
    legend = [
        Line2D([], [], color=colours[r], marker=marks[r], ms=4, label=f"{r} replicate{'s' if r != '1' else ''}")
        for r in replicates
    ]
    legend.append(Line2D([], [], color=style.GREY, ls=":", label=f"power asked for: {question.power:g}"))
    note = (
        f"Numbers at the marks: services. {agents} agent{'s' if agents != 1 else ''}. Marks: share of n = "
        f"{int(table['studies'].iloc[0])} simulated studies in which t over services finds the effect, with two Monte Carlo "
        "standard errors; lines: noncentral t. Right: mean half of the 95 % interval."
    )
    with style.page(STEM, title, source, size=(style.DOUBLE, 2.6), note=note, legend=legend) as figure:
        left, right = figure.subplots(1, 2)
        for r in replicates:
            own = table[table["replicates"] == int(r)].sort_values("services")
            look = {"color": colours[r], "marker": marks[r], "ms": 4.0}
            _power(left, own, look)
            right.plot(own["runs"], own["half_width_points"], **look)
            _name(right, own, "half_width_points")
        left.axhline(question.power, color=style.GREY, ls=":", lw=0.8, zorder=0)
        left.set_ylim(0, 1.06)
        left.set_ylabel("Power")
        right.set_ylim(0, table["half_width_points"].max() * 1.12)
        right.set_ylabel("Half width of the interval (points)")
        for axes in (left, right):
            _runs_axis(axes, table["runs"])
    return figure


def _power(axes: Axes, own: pd.DataFrame, look: dict[str, object]) -> None:
    axes.plot(own["runs"], own["power_theory"], color=look["color"], lw=1.0)  # type: ignore[arg-type]
    axes.errorbar(
        own["runs"], own["power_t"], yerr=own["error"], ls="", elinewidth=0.6, **look,  # type: ignore[arg-type]
    )  # fmt: skip
    _name(axes, own, "power_t")


def _name(axes: Axes, own: pd.DataFrame, column: str) -> None:
    """Write the number of services to each mark."""
    for _, row in own.iterrows():
        axes.annotate(
            str(row["services"]), (row["runs"], row[column]), xytext=(4, -8), textcoords="offset points",
            fontsize=style.POINTS, color=style.GREY,
        )  # fmt: skip


def _runs_axis(axes: Axes, runs: pd.Series) -> None:
    """Log axis: equal steps are equal factors of cost."""
    low, high = float(runs.min()), float(runs.max())
    steps = np.unique(np.round(low * 2.0 ** np.arange(0, np.ceil(np.log2(high / low)) + 1)))
    axes.set_xscale("log")
    axes.set_xlim(low / 1.25, high * 1.35)
    axes.xaxis.set_major_locator(FixedLocator(list(steps[steps <= high * 1.3])))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_xlabel("Runs (log scale)")
