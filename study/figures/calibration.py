"""Figures of the calibration: coverage of intervals and error rates of tests."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from study.calibration.check import ALPHA, COVERED
from study.figures import style
from study.statistics.summary import levels

_STANDING = {"recommended": 0, "companion": 1, "not recommended": 2, "as published": 3}


def calibration_coverage(table: pd.DataFrame) -> Figure:
    """How many of the 95 % intervals hold the true value: one row per method, one mark per setting."""
    known = table.dropna(subset=["coverage_percent"])
    note = (
        f"Grey band: {COVERED[0]:g} to {COVERED[1]:g} %. Each mark: {_studies(known)} simulated studies; "
        f"simultaneous Monte Carlo error: {known['error_percent'].min():.1f} points. Bold: recommended."
    )
    return _draw(known, "coverage_percent", "calibration_coverage",
                 "Coverage of 95 % intervals in simulated studies", "Intervals that hold the true value (%)",
                 COVERED, note)  # fmt: skip


def calibration_errors(table: pd.DataFrame) -> Figure:
    """How often p < 0.05 where there is no effect: one row per method, one mark per setting."""
    known = table[table["null"].astype(bool)].dropna(subset=["rejections_percent"])
    limit = 100 * ALPHA
    error = float(known["error_percent"].min())
    note = (
        f"Line: nominal {limit:g} %; grey band: up to nominal plus the simultaneous Monte Carlo "
        f"error ({error:.1f} points). Each mark: {_studies(known)} studies without an effect. Bold: "
        "recommended."
    )
    title = "Error rate of tests at the 5 % level in simulated studies"
    return _draw(known, "rejections_percent", "calibration_errors", title,
                 "Rejections without an effect (%)", (0.0, limit + error), note, line=limit)  # fmt: skip


def _studies(known: pd.DataFrame) -> str:
    counts = sorted(set(known["studies"]))
    return f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"


def _draw(
    known: pd.DataFrame, column: str, stem: str, title: str, label: str,
    band: tuple[float, float], note: str, line: float | None = None,
) -> Figure:  # fmt: skip
    settings = levels(known["setting"])
    # more settings than colours: the marks tell them apart
    colours, marks = style.palette(settings), dict(zip(settings, (*style.MARKERS, "<", ">"), strict=False))
    legend = [
        Line2D([], [], marker=marks[name], color=colours[name], lw=0, ms=4.5, label=name) for name in settings
    ]
    names = known.drop_duplicates("method").sort_values(
        "standing", key=lambda s: s.map(_STANDING), kind="stable"
    )
    height = 0.24 * len(names) + 0.45
    source = style.Source("calibration", tuple(sorted(set(known["kind"]))))
    with style.page(stem, title, source, size=(style.DOUBLE, height), note=note, legend=legend) as figure:
        axes = figure.subplots()
        axes.axvspan(*band, color=style.LIGHT, lw=0, zorder=0)
        if line is not None:
            axes.axvline(line, color=style.GREY, lw=0.8, zorder=1)
        for place, method in enumerate(names["method"]):
            own = known[known["method"] == method]
            _row(axes, place, own, column, colours, marks)
        _label(axes, names)
        axes.set_xlabel(label)
        axes.margins(x=0.03)
    return figure


def _row(
    axes: Axes, place: int, own: pd.DataFrame, column: str, colours: dict[str, str], marks: dict[str, str]
) -> None:
    count = len(own)
    for i, row in enumerate(own.to_dict("records")):
        look: Any = {"color": colours[row["setting"]], "marker": marks[row["setting"]]}
        shift = 0.5 * (i - (count - 1) / 2) / max(count, 1)
        axes.plot([row[column]], [place + shift], ms=4, lw=0, mec="white", mew=0.3, zorder=3, **look)


def _label(axes: Axes, names: pd.DataFrame) -> None:
    labels = [
        f"{name}  [{standing}]" for name, standing in zip(names["method"], names["standing"], strict=True)
    ]
    axes.set_yticks(range(len(names)), labels)
    for tick, standing in zip(axes.get_yticklabels(), names["standing"], strict=True):
        tick.set_fontweight("bold" if standing == "recommended" else "normal")
    axes.set_ylim(len(names) - 0.4, -0.6)
    for place in range(1, len(names)):
        axes.axhline(place - 0.5, color=style.LIGHT, lw=0.4, zorder=0)
