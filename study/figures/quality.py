"""Figures of RQ1, code quality: size and complexity of generated code against the reference."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, NullFormatter, NullLocator

from study.figures import rows as layout
from study.figures import style
from study.statistics.estimates import ratio
from study.statistics.summary import levels, measured_pairs

if TYPE_CHECKING:
    from study.records.dataset import Dataset

METRICS: dict[str, tuple[str, str]] = {
    "sloc": ("SLOC", "source lines"),
    "cyclomatic": ("Cyclomatic complexity", "points"),
    "cognitive": ("Cognitive complexity", "points"),
}

_PAIR: tuple[tuple[str, dict[str, Any], float], ...] = (
    ("original", {"facecolor": style.LIGHT, "hatch": "////", "edgecolor": "#444444", "lw": 0.5}, -0.2),
    ("generated", {"facecolor": style.OKABE_ITO[0], "edgecolor": "#444444", "lw": 0.5}, 0.2),
)


def complexity_bars(data: Dataset) -> Figure:
    """Mean size and complexity, original and generated, by agent and by configuration (form of Fig. 3)."""
    pairs = measured_pairs(data)
    measured = int(pairs["sloc"].notna().sum())
    note = (
        f"Means over runs that left code (n = {measured} of {len(pairs)}; below each pair its own n); the "
        "original counts once for each of these runs. Runs without code are left out, not counted as 0."
    )
    with style.page(
        "fig3_complexity", "Size and complexity of the original and the generated services", data,
        kinds=data.runs["kind"], size=(style.DOUBLE, 3.7), note=note,
        legend=[Patch(label=label, **look) for label, look, _ in _PAIR],
    ) as figure:  # fmt: skip
        grid = figure.subplots(2, len(METRICS), sharey="col", squeeze=False)
        for line, factor in zip(grid, ("agent", "condition"), strict=True):
            for axes, metric in zip(line, METRICS, strict=True):
                _bars(axes, pairs, metric, factor, levels(data.runs[factor]))
        for axes, metric in zip(grid[0], METRICS, strict=True):
            axes.set_title(METRICS[metric][0])
    return figure


def _bars(axes: Axes, pairs: pd.DataFrame, metric: str, factor: str, names: list[str]) -> None:
    both = pairs.dropna(subset=[metric, f"{metric}_reference"])
    if both.empty:
        style.not_enough(axes)
        return
    means = both.groupby(factor)[[f"{metric}_reference", metric]].mean().reindex(names)
    sizes = both.groupby(factor).size().reindex(names, fill_value=0)
    x = np.arange(len(names))
    texts = [
        [style.compact(value) if np.isfinite(value) else "" for value in means[column]] for column in means
    ]
    turn = 90 if max(len(text) for line in texts for text in line) * len(names) > 11 else 0
    for column, line, (_, look, shift) in zip(means, texts, _PAIR, strict=True):
        bars = axes.bar(x + shift, means[column], 0.36, **look)
        axes.bar_label(bars, line, padding=1, rotation=turn)
    axes.set_xticks(x)
    style.name_ticks(axes, names, list(sizes), style.DOUBLE / len(METRICS) - 0.4)
    axes.set_ylim(0, (means.max().max() or 1) * (1.3 if turn else 1.15))
    axes.set_ylabel(f"Mean ({METRICS[metric][1]})")


def complexity_ratio(data: Dataset) -> Figure:
    """Generated over reference, service by service, on a log scale: 1 is as large as the reference."""
    pairs = measured_pairs(data)
    place = layout.Rows.of(data.runs)
    note = (
        "Small dots: runs; large marks: geometric mean over services with a 95 % t interval of the logs. "
        "Dashed: as the reference. n: runs with code and more than 0 points on either side; others have no "
        "ratio."
    )
    with style.page(
        "complexity_ratio", "Size and complexity as a ratio to the reference", data, kinds=data.runs["kind"],
        size=(style.DOUBLE, place.height + 0.55), note=note, legend=layout.mark_legend(place.agents),
    ) as figure:  # fmt: skip
        grid = figure.subplots(1, len(METRICS), sharey=True, squeeze=False)[0]
        for axes, metric in zip(grid, METRICS, strict=True):
            _ratio_panel(axes, place, pairs, metric)
    return figure


def _ratio_panel(axes: Axes, place: layout.Rows, pairs: pd.DataFrame, metric: str) -> None:
    positive = (pairs[metric] > 0) & (pairs[f"{metric}_reference"] > 0)
    known = pairs[positive].assign(ratio=lambda table: table[metric] / table[f"{metric}_reference"])
    axes.set_title(f"{METRICS[metric][0]}\nn = {len(known)}")
    if known.empty:
        style.not_enough(axes)
        return

    def interval(cell: pd.DataFrame) -> tuple[float, float, float]:
        row = ratio(cell, metric, f"{metric}_reference", ["agent"]).iloc[0]
        return float(row["estimate"]), float(row["low"]), float(row["high"])

    axes.axvline(1, color="black", lw=0.8, ls="--", zorder=0)
    layout.draw(axes, place, known, "ratio", interval)
    _octaves(axes, float(known["ratio"].min()), float(known["ratio"].max()))
    axes.set_xlabel("Generated / reference (log scale)")
    place.label(axes)


def _octaves(axes: Axes, low: float, high: float) -> None:
    """A log axis around 1 whose ticks mean the same in both directions: half and double."""
    reach = max(1.0, np.ceil(max(abs(np.log2(low)), abs(np.log2(high))) + 0.1))
    axes.set_xscale("log", base=2)
    axes.set_xlim(2**-reach, 2**reach)
    step = max(1, int(np.ceil(reach / 3)))
    axes.set_xticks([2.0**k for k in range(-int(reach), int(reach) + 1) if k % step == 0])
    fractions = FuncFormatter(lambda value, _: f"{value:g}" if value >= 1 else f"1/{1 / value:g}")
    axes.xaxis.set_major_formatter(fractions)
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_minor_formatter(NullFormatter())
