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


def bar_heights(data: Dataset) -> pd.DataFrame:
    """Mean size and complexity per agent and per condition, of the runs that left code.

    Returns
    -------
    DataFrame
        One row per pair of bars: grouping (`agent` or `condition`), level, metric, original, generated,
        their labels (`original_label`, `generated_label`; empty where there is no mean), n_runs.
    """
    pairs = measured_pairs(data)
    rows = []
    for grouping in ("agent", "condition"):
        for metric in METRICS:
            reference = f"{metric}_reference"
            both = pairs.dropna(subset=[metric, reference])
            for level in levels(data.runs[grouping]):
                own = both[both[grouping] == level]
                row: dict[str, object] = {
                    "grouping": grouping,
                    "level": level,
                    "metric": metric,
                    "n_runs": len(own),
                }
                bars = {"original": own[reference].mean(), "generated": own[metric].mean()}
                labels = {
                    f"{bar}_label": style.compact(v) if np.isfinite(v) else "" for bar, v in bars.items()
                }
                rows.append({**row, **bars, **labels})
    return pd.DataFrame(rows)


def complexity_bars(data: Dataset) -> Figure:
    """Mean size and complexity, original and generated, by agent and by configuration (form of Fig. 3)."""
    measured = int(measured_pairs(data)["sloc"].notna().sum())
    note = (
        f"Means over runs that left code (n = {measured} of {len(data.runs)}; below each pair its own n); "
        "the original counts once for each of these runs. Runs without code are left out, not counted as 0."
    )
    return draw_bars(bar_heights(data), style.Source.of(data), "fig3_complexity", note)


def draw_bars(heights: pd.DataFrame, source: style.Source, stem: str, note: str) -> Figure:
    """Pairs of bars as in `bar_heights`: one row of panels per grouping, one column per metric."""
    groupings = levels(heights["grouping"])
    with style.page(
        stem, "Size and complexity of the original and the generated services", source,
        size=(style.DOUBLE, 3.7), note=note, legend=[Patch(label=label, **look) for label, look, _ in _PAIR],
    ) as figure:  # fmt: skip
        grid = figure.subplots(len(groupings), len(METRICS), sharey="col", squeeze=False)
        for line, grouping in zip(grid, groupings, strict=True):
            for axes, metric in zip(line, METRICS, strict=True):
                own = (heights["grouping"] == grouping) & (heights["metric"] == metric)
                _bars(axes, heights[own], metric)
        for axes, metric in zip(grid[0], METRICS, strict=True):
            axes.set_title(METRICS[metric][0])
    return figure


def _bars(axes: Axes, heights: pd.DataFrame, metric: str) -> None:
    if not heights["n_runs"].any():
        style.not_enough(axes)
        return
    x = np.arange(len(heights))
    longest = max(len(text) for bar, _, _ in _PAIR for text in heights[f"{bar}_label"])
    turn = 90 if longest * len(heights) > 11 else 0
    for bar, look, shift in _PAIR:
        bars = axes.bar(x + shift, heights[bar], 0.36, **look)
        axes.bar_label(bars, list(heights[f"{bar}_label"]), padding=1, rotation=turn)
    axes.set_xticks(x)
    style.name_ticks(axes, list(heights["level"]), list(heights["n_runs"]), style.DOUBLE / len(METRICS) - 0.4)
    highest = heights[["original", "generated"]].max().max()
    axes.set_ylim(0, (highest or 1) * (1.3 if turn else 1.15))
    axes.set_ylabel(f"Mean ({METRICS[metric][1]})")


def level_ratios(data: Dataset) -> pd.DataFrame:
    """Generated over reference per agent and per condition: geometric mean over services, 95 % interval.

    Returns
    -------
    DataFrame
        One row per grouping, level and metric: estimate, low, high (missing: no interval), n_runs.
    """
    pairs = measured_pairs(data)
    rows = []
    for grouping in ("agent", "condition"):
        for metric in METRICS:
            table = ratio(pairs, metric, f"{metric}_reference", [grouping])
            table = table.rename(columns={grouping: "level", "n": "n_runs"})
            rows.append(table.assign(grouping=grouping, metric=metric))
    columns = ["grouping", "level", "metric", "estimate", "low", "high", "n_runs"]
    return pd.concat(rows, ignore_index=True)[columns]


def draw_level_ratios(ratios: pd.DataFrame, source: style.Source, stem: str, note: str) -> Figure:
    """Ratios as in `level_ratios`: agents and conditions on one log scale around the reference."""
    names = ratios[["grouping", "level"]].drop_duplicates().reset_index(drop=True)
    places = names.index + 0.6 * (names["grouping"] != names["grouping"].iloc[0])
    where = dict(zip(zip(names["grouping"], names["level"], strict=True), places, strict=True))
    with style.page(
        stem, "Size and complexity as a ratio to the reference", source, note=note,
        size=(style.DOUBLE, 0.2 * len(names) + 0.7),
    ) as figure:  # fmt: skip
        grid = figure.subplots(1, len(METRICS), sharey=True, squeeze=False)[0]
        for axes, metric in zip(grid, METRICS, strict=True):
            known = ratios[(ratios["metric"] == metric) & ratios["estimate"].notna()]
            axes.set_title(METRICS[metric][0])
            if known.empty:
                style.not_enough(axes)
                continue
            _levels(axes, known, where)
            axes.set_yticks(list(places), list(names["level"]))
            axes.set_ylim(max(places) + 0.6, -0.7)
            axes.set_xlabel("Generated / reference (log scale)")
    return figure


def _levels(axes: Axes, known: pd.DataFrame, where: dict[tuple[str, str], float]) -> None:
    axes.axvline(1, color="black", lw=0.8, ls="--", zorder=0)
    for _, row in known.iterrows():
        y, estimate = where[row["grouping"], row["level"]], float(row["estimate"])
        colour = style.OKABE_ITO[0 if row["grouping"] == known["grouping"].iloc[0] else 5]
        axes.plot([row["low"], row["high"]], [y, y], color=colour, lw=1.4, solid_capstyle="butt")
        axes.plot([estimate], [y], "o", ms=5, color=colour, zorder=5)
        box = {"facecolor": "white", "edgecolor": "none", "pad": 0.4}
        look: Any = {"xytext": (0, 4.5), "textcoords": "offset points", "ha": "center", "bbox": box}
        axes.annotate(f"{estimate:.2f}", (estimate, y), **look)
    ends = known[["estimate", "low", "high"]]
    _octaves(axes, float(ends.min().min()), float(ends.max().max()))


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
