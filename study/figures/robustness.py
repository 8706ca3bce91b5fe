"""Figures of robustness: specification curves, the choices behind them, and what one level left out does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from study.figures import style
from study.robustness.choices import DIMENSIONS
from study.robustness.curve import HIGHER, LOWER, NO_RESULT, UNDECIDED
from study.robustness.leave_out import NOTHING

_SAYS = {HIGHER: ("#0072B2", "^"), UNDECIDED: ("#999999", "o"), LOWER: ("#D55E00", "v")}
_READ = (
    "Each mark: one analysis, by its estimate. Higher or lower: two-sided p < 0.05, unadjusted; the analyses "
    "share their data, so their number is no evidence. Ring: the analysis of this package, with its 95 % "
    "interval."
)


def _source(table: pd.DataFrame, name: str) -> style.Source:
    kinds = sorted({kind for joined in table["kind"].dropna() for kind in str(joined).split(", ") if kind})
    return style.Source(name, tuple(kinds))


def _legend(present: Sequence[str]) -> list[Line2D]:
    return [
        Line2D([], [], color=colour, marker=mark, lw=0, ms=4, label=says)
        for says, (colour, mark) in _SAYS.items()
        if says in present
    ]  # fmt: skip


def specification_curves(table: pd.DataFrame, name: str, stem: str = "robustness_curves") -> Figure:
    """The curve of every headline, one panel each: estimates of all analyses in their order.

    Parameters
    ----------
    table : DataFrame
        From `study.robustness.curve.curves`.
    name : str
        Of the dataset.
    stem : str
        Name of the figure's files.
    """
    parts = list(table.groupby(["topic", "headline"], sort=False))
    lines = max(1, -(-len(parts) // 2))
    title = "What every defensible analysis says, by headline"
    size = (style.DOUBLE, 1.35 * lines)
    with style.page(stem, title, _source(table, name), size=size, note=_READ,
                    legend=_legend([*table["says"]])) as figure:  # fmt: skip
        grid = figure.subplots(lines, 2, squeeze=False)
        for axes, ((_, headline), part) in zip(grid.flat, parts, strict=False):
            known = part[part["says"] != NO_RESULT]
            axes.set_title(f"{headline}\n{len(known)} analyses", loc="left")
            if known.empty:
                style.not_enough(axes, "no analysis has a result")
                continue
            _curve(axes, known)
            axes.set_ylabel(_unit(part))
            axes.set_xticks([])
        for axes in grid.flat[len(parts) :]:
            axes.set_visible(False)
        if not parts:
            grid[0, 0].set_visible(True)
            style.not_enough(grid[0, 0], "nothing to compare")
    return figure


def _unit(part: pd.DataFrame) -> str:
    return "Difference (points)" if part["effect_unit"].iloc[0] == "points" else "Against original (%)"


def _curve(axes: Axes, known: pd.DataFrame) -> pd.DataFrame:
    """Draw the analyses of one headline in the order of their estimates, which is returned with places x."""
    ordered = known.sort_values("estimate", kind="stable").assign(x=np.arange(len(known)))
    axes.axhline(0, color="black", lw=0.6)
    for says, (colour, mark) in _SAYS.items():
        own = ordered[ordered["says"] == says]
        axes.plot(own["x"], own["estimate"], mark, color=colour, ms=2.2, mew=0)
    own = ordered[ordered["main"]]
    axes.vlines(own["x"], own["low"], own["high"], color="black", lw=0.8)
    axes.plot(own["x"], own["estimate"], "o", mfc="white", mec="black", ms=4.5, mew=1)
    axes.margins(x=0.02)
    return ordered


def specification_choices(table: pd.DataFrame, headline: str, name: str) -> Figure:
    """The curve of one headline, and below each analysis the choices that it takes.

    Parameters
    ----------
    table : DataFrame
        From `study.robustness.curve.curves`.
    headline : str
        Its name, as in the column headline.
    name : str
        Of the dataset.
    """
    part = table[table["headline"] == headline]
    known = part[part["says"] != NO_RESULT]
    levels = [(dimension, level) for dimension in DIMENSIONS for level in dict.fromkeys(part[dimension])]
    size = (style.DOUBLE, 1.5 + 0.145 * len(levels))
    note = _READ + " Below: a stroke where the analysis takes the choice, in the colour of what it says."
    with style.page("robustness_choices", f"{headline}: the analyses and their choices", _source(part, name),
                    size=size, note=note, legend=_legend([*part["says"]])) as figure:  # fmt: skip
        top, below = figure.subplots(2, 1, sharex=True, height_ratios=[1.5, 0.145 * max(1, len(levels))])
        if known.empty:
            style.not_enough(top, "no analysis has a result")
            below.set_visible(False)
            return figure
        ordered = _curve(top, known)
        top.set_title(f"{len(known)} analyses", loc="left")
        top.set_ylabel(_unit(part))
        for y, (dimension, level) in enumerate(levels):
            taken = ordered[ordered[dimension] == level]
            for says, (colour, _) in _SAYS.items():
                own = taken.loc[taken["says"] == says, "x"]
                below.plot(own, [y] * len(own), "|", color=colour, ms=5, mew=0.9)
        firsts = [y for y in range(1, len(levels)) if levels[y][0] != levels[y - 1][0]]
        for y in firsts:
            below.axhline(y - 0.5, color=style.LIGHT, lw=0.6, zorder=0)
        below.set_yticks(range(len(levels)), [f"{dimension}: {level}" for dimension, level in levels])
        below.set_ylim(len(levels) - 0.5, -0.5)
        below.set_xticks([])
        below.tick_params(axis="y", length=0)
        below.set_xlabel("Analyses, by estimate")
    return figure


def leave_one_out(table: pd.DataFrame, name: str) -> Figure:
    """The main analysis of every headline, whole and with one level of one factor left out.

    Parameters
    ----------
    table : DataFrame
        From `study.robustness.leave_out.influence`.
    name : str
        Of the dataset.
    """
    cases = list(dict.fromkeys(zip(table["factor"], table["left_out"], strict=True)))
    place = {case: y for y, case in enumerate(sorted(cases, key=_in_order))}
    parts = list(table.groupby(["topic", "headline"], sort=False))
    lines = max(1, -(-len(parts) // _ACROSS))
    size = (style.DOUBLE, lines * (0.125 * max(4, len(place)) + 0.85))
    note = (
        "Estimates with 95 % intervals, of the pairs that are left; the first row has all. Grey line: its "
        "estimate. Colour and mark: what the analysis says (p < 0.05, unadjusted). No row: its factor is "
        "the one compared, or nothing is left."
    )
    title = "Every headline without one level of one factor"
    with style.page("robustness_leave_one_out", title, _source(table, name), size=size, note=note,
                    legend=_legend([*table["says"]])) as figure:  # fmt: skip
        grid = figure.subplots(lines, _ACROSS, squeeze=False, sharey=True)
        for axes, ((_, headline), part) in zip(grid.flat, parts, strict=False):
            known = part.dropna(subset=["estimate"])
            axes.set_title(f"{style.wrap(str(headline), 20)}\nn = {int(part['n'].max())}", loc="left")
            axes.set_xlabel(_unit(part))
            _forest(
                axes, known.assign(y=[place[c] for c in zip(known["factor"], known["left_out"], strict=True)])
            )
            axes.set_yticks(range(len(place)), [_case(*case) for case in place])
            axes.set_ylim(len(place) - 0.5, -0.5)
            axes.tick_params(axis="y", length=0)
        for axes in grid.flat[len(parts) :]:
            axes.set_visible(False)
    return figure


_ACROSS = 4
"""Panels of the leave-one-out figure beside each other."""


def _in_order(case: tuple[str, str]) -> tuple[int, int]:
    order = [NOTHING, "project", "service", "agent", "scenario", "prompt"]
    return order.index(case[0]), 0


def _case(factor: str, level: str) -> str:
    return "all" if factor == NOTHING else f"without {level.rpartition('/')[2]}"


def _forest(axes: Axes, known: Any) -> None:
    axes.axvline(0, color="black", lw=0.6)
    whole = known[known["factor"] == NOTHING]
    for value in whole["estimate"]:
        axes.axvline(value, color=style.LIGHT, lw=1, zorder=0)
    for says, (colour, mark) in _SAYS.items():
        own = known[known["says"] == says]
        axes.hlines(own["y"], own["low"], own["high"], color=colour, lw=0.9)
        axes.plot(own["estimate"], own["y"], mark, color=colour, ms=3.2, mew=0)
