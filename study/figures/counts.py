"""Stacked counts of runs: how they ended, and what their failures were caused by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from study.figures import style
from study.statistics.summary import causes, counts, levels, outcome_counts

if TYPE_CHECKING:
    from study.records.dataset import Dataset

_SHOWN_CAUSES = 5


def outcomes(data: Dataset) -> Figure:
    """Runs by outcome, per agent and condition; every run has exactly one outcome."""
    table = outcome_counts(data).drop(columns="total")
    return _stacked(data, table, "outcomes", "How the runs ended", "")


def failure_causes(data: Dataset) -> Figure:
    """Runs by what their failures were caused by: the commonest cause of each run."""
    label = causes(data)
    frequent = label.value_counts(sort=True).index.tolist()
    first = [name for name in ("as the reference",) if name in frequent]
    shown = [*first, *[name for name in frequent if name not in first][:_SHOWN_CAUSES]]
    grouped = label.where(label.isin(shown), "other causes")
    table = counts(data.runs.assign(cause=grouped), ["agent", "condition"], "cause").drop(columns="total")
    order = [name for name in (*shown, "other causes") if name in table.columns]
    note = (
        "The commonest cause among the failed tests of a run, or why its suite did not run; "
        "not_applicable: no test exists for the service in this scenario."
    )
    return _stacked(data, table[order], "failure_causes", "What the runs failed by", note)


def _stacked(data: Dataset, table: pd.DataFrame, stem: str, title: str, note: str) -> Figure:
    agents = levels(table.index.get_level_values("agent"))
    longest = max(map(len, agents), default=0)
    height = 0.19 * (len(table) + len(agents)) + 0.3
    totals = sorted(set(table.sum(axis=1)))
    note = f"{note} n = {int(table.to_numpy().sum())} runs; per row {' or '.join(map(str, totals))}.".strip()
    looks = _looks(list(table.columns))
    legend = [Patch(label=name, **look) for name, look in looks.items()]
    with style.page(
        stem, title, data, kinds=data.runs["kind"], size=(style.DOUBLE, height), note=note, legend=legend
    ) as figure:
        axes = figure.subplots()
        place, names = 0.0, []
        for agent in agents:
            for condition, row in table.loc[agent].iterrows():
                _bar(axes, place, row, looks)
                names.append((place, f"{agent}  {condition}" if longest < 40 else str(condition)))
                place += 1
            place += 0.6
        axes.set_yticks([y for y, _ in names], [name for _, name in names])
        axes.tick_params(axis="y", length=0)
        axes.set_ylim(place - 0.9, -0.7)
        axes.set_xlim(0, max([*totals, 1]))
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlabel("Runs")
    return figure


def _looks(names: list[str]) -> dict[str, dict[str, Any]]:
    plain = {"as the reference": style.LIGHT, "other causes": style.GREY}
    others = [name for name in names if name not in plain]
    colours = plain | style.palette(others)
    marks = dict.fromkeys(plain, "") | dict(zip(others, style.hatches(len(others)), strict=True))
    return {
        name: {
            "facecolor": colours[name],
            "hatch": marks[name],
            "edgecolor": "white",
            "lw": 0.5,
            "alpha": 0.85,
        }
        for name in names
    }


def _bar(axes: Axes, place: float, row: pd.Series, looks: dict[str, dict[str, Any]]) -> None:
    box = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none", "alpha": 0.85}
    left = 0
    for name, count in row.items():
        axes.barh(place, count, 0.8, left=left, **looks[str(name)])
        if count:
            axes.text(left + count / 2, place, f"{count}", ha="center", va="center_baseline", bbox=box)
        left += count
