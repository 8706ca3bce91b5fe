"""The figure of a plan: what services and what replicates add, at the same number of runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from study.figures import style
from study.planning.planned import CAUTIOUS

if TYPE_CHECKING:
    from study.planning.planned import Planned

STEM = "extend_power"


def power_curves(planned: Planned) -> Figure:
    """Power against services, and half width of the interval against runs; a line per number of replicates.

    At the same number of runs the line of fewer replicates has more services. The number of agents is the
    smallest of the plan.
    """
    question = planned.question
    title = f"Power to find {question.effect:+g} points of the {question.factor}; interval at equal cost"
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
        Line2D(
            [], [], color=colours[r], marker=marks[r], ms=4, label=f"{r} replicate{'s' if r != '1' else ''}"
        )
        for r in replicates
    ]
    legend.append(Line2D([], [], color=style.GREY, ls=":", label=f"power asked for: {question.power:g}"))
    wide = len(planned.cautious) > 0
    note = (
        f"{agents} agent{'s' if agents != 1 else ''}. Marks: share of n = {int(table['studies'].iloc[0])} "
        "simulated studies in which t over services finds the effect, with two Monte Carlo standard errors; "
        "lines: noncentral t. Right: mean half of the 95 % interval; where the lines meet, replicates are "
        "worth as much as services; where that of fewest replicates is lowest, services are worth more."
        + (f" Dashed: if the effect differs between services by {CAUTIOUS:g} points (sd)." if wide else "")
    )
    with style.page(STEM, title, source, size=(style.DOUBLE, 2.6), note=note, legend=legend) as figure:
        left, right = figure.subplots(1, 2, gridspec_kw={"wspace": 0.04})
        for r in replicates:
            own = table[table["replicates"] == int(r)].sort_values("services")
            look: Any = {"color": colours[r], "marker": marks[r], "ms": 4}
            left.plot(own["services"], own["power_theory"], color=colours[r])
            left.errorbar(own["services"], own["power_t"], yerr=own["error"], ls="", elinewidth=0.6, **look)
            right.plot(own["runs"], own["half_width_points"], **look)
            if wide:
                wider = planned.cautious[planned.cautious["replicates"] == int(r)].sort_values("services")
                right.plot(wider["runs"], wider["half_width_points"], ls="--", lw=0.8, **look | {"ms": 2})
        left.axhline(question.power, color=style.GREY, ls=":", lw=0.8, zorder=0)
        left.set_ylim(0, 1.06)
        left.set_ylabel("Power")
        widest = max(
            frame["half_width_points"].max() for frame in (table, planned.cautious if wide else table)
        )
        right.set_ylim(0, float(widest) * 1.12)
        right.set_ylabel("Half width of the interval (points)")
        _log_axis(left, table["services"], "Services (log scale)")
        _log_axis(right, table["runs"], "Runs of all services, agents and conditions (log scale)")
    return figure


def _log_axis(axes: Axes, values: pd.Series, label: str) -> None:
    """Log axis with ticks at doublings: equal steps are equal factors of cost."""
    low, high = float(values.min()), float(values.max())
    steps = low * 2.0 ** np.arange(0, np.floor(np.log2(high / low)) + 1)
    axes.set_xscale("log")
    axes.set_xlim(low / 1.25, high * 1.25)
    axes.xaxis.set_major_locator(FixedLocator(list(steps)))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.set_xlabel(label)
