"""The figure that ends each research question: every comparison with its interval over services."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from study.figures import style

_LABEL = 34
"""Characters of a row's name in a line."""
_DECIDED, _OPEN = style.OKABE_ITO[0], style.GREY


def answer(table: pd.DataFrame, title: str, stem: str, source: style.Source) -> Figure:
    """Draw the rows of `study.statistics.questions`: one panel per measure, one row per comparison.

    Parameters
    ----------
    table : DataFrame
        One of its tables.
    title, stem : str
        Of the figure, and of its files.
    source : style.Source
        Name and kinds of the data.
    """
    measures = list(dict.fromkeys(table["measure"]))
    rows = list(dict.fromkeys(table["comparison"]))
    across = min(2, max(1, len(measures)))
    lines = max(1, -(-len(measures) // across))
    note = (
        "Mark: estimate over services; line: its 95 % interval (t over services). Filled: adjusted p < 0.05 "
        "within these comparisons (sign flips of services, Holm). Intervals are of single comparisons and "
        "by t, so the two can differ."
    )
    legend = [_mark(True, "decided"), _mark(False, "not decided")]
    height = 0.13 * sum(1 + style.wrap(name, _LABEL).count("\n") for name in rows) + 0.06 * len(rows)
    size = (style.DOUBLE, lines * (max(0.3, height) + 0.62))
    with style.page(stem, title, source, size=size, note=note, legend=legend) as figure:
        grid = figure.subplots(lines, across, squeeze=False, sharey=True)
        for axes, measure in zip(grid.flat, measures, strict=False):
            part = table[table["measure"] == measure]
            n, units = part["n"].dropna(), part["services"].dropna()
            counted = f"{_range(units)} services, {_range(n)} pairs" if len(n) else "no pairs"
            axes.set_title(f"{measure}: {counted}", loc="left")
            _panel(axes, part, rows)
        for axes in grid.flat[len(measures) :]:
            axes.set_visible(False)
        if not measures:
            grid[0, 0].set_visible(True)
            style.not_enough(grid[0, 0], "nothing to compare")
    return figure


def _range(counts: pd.Series) -> str:
    low, high = int(counts.min()), int(counts.max())
    return str(low) if low == high else f"{low} to {high}"


def _mark(filled: bool, label: str = "") -> Line2D:
    colour = _DECIDED if filled else _OPEN
    face = colour if filled else "white"
    return Line2D([], [], marker="o" if filled else "s", color=colour, mfc=face, lw=1, ms=4, label=label)


def _panel(axes: Axes, part: pd.DataFrame, rows: list[str]) -> None:
    ratio = (part["unit"] == "ratio").all()
    axes.axvline(1 if ratio else 0, color="black", lw=0.6)
    for row in part.dropna(subset=["estimate"]).itertuples():
        drawn: Any = row
        y, filled = rows.index(drawn.comparison), bool(drawn.p_holm < 0.05)
        mark = _mark(filled)
        if np.isfinite(drawn.low):
            axes.hlines(y, drawn.low, drawn.high, color=mark.get_color(), lw=1)
        axes.plot([drawn.estimate], [y], marker=mark.get_marker(), color=mark.get_color(),
                  mfc=mark.get_markerfacecolor(), ms=4)  # fmt: skip
    axes.set_yticks(range(len(rows)), [style.wrap(name, _LABEL) for name in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("Ratio, log scale" if ratio else "Difference (percentage points)")
    if ratio:
        axes.set_xscale("log")
        low, high = axes.get_xlim()
        axes.xaxis.set_major_locator(
            LogLocator(subs=(1.0, 2.0, 5.0) if high / low > 4 else tuple(range(1, 10)))
        )
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.xaxis.set_minor_formatter(NullFormatter())
