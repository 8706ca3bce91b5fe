"""The published tables in the form from which the figures are drawn, as runs of a dataset give it too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from study.figures.boxes import ALL, IMPLIED, Boxes
from study.figures.quality import METRICS
from study.published.data import Paper
from study.published.drawings import bar_runs, implied_runs
from study.published.reader import Reader

FIGURES = {"time": "4", "cost": "5", "input_tokens": "6a", "output_tokens": "6b"}
"""Number of the figure with the box plots of a metric by agent and configuration."""
AGENT_FIGURE = "7"
SHORT = {"incremental": "Inc", "clean_state": "CS"}
_SUMMARY = ["n_runs", "whisker_low", "q1", "median", "q3", "whisker_high", "mean"]
_OUTLIERS = ["agent", "condition", "low", "high", "visibility"]


def boxes(paper: Paper, metric: str) -> Boxes:
    """Box plots of Figs. 4 to 6 with their outliers, and the runs that only the drawn mean implies.

    Parameters
    ----------
    paper : Paper
        The published tables.
    metric : str
        time, cost, input_tokens or output_tokens.
    """
    table = paper[f"boxplots_{metric}"].rename(columns={"configuration": "condition"})
    outliers = pd.concat([_outliers(paper, FIGURES[metric], metric), _implied(paper, metric)])
    return _boxes(paper, table, outliers)


def agent_boxes(paper: Paper, metric: str) -> Boxes:
    """Box plots of Fig. 7, with the runs that Figs. 4 and 5 imply; metric is time or cost."""
    table = paper["boxplots_agent"].query("metric == @metric").assign(condition=ALL)
    implied = _implied(paper, metric).assign(condition=ALL)
    return _boxes(paper, table, pd.concat([_outliers(paper, AGENT_FIGURE, metric), implied]))


def _boxes(paper: Paper, table: pd.DataFrame, outliers: pd.DataFrame) -> Boxes:
    """Boxes whose axis shows all that the paper's axis shows; of runs, the axis that `Boxes` chooses."""
    drawn = outliers.loc[outliers["visibility"] == "drawn", "high"]
    if table.empty and paper.from_runs:  # no run has a value: boxes without runs, of which the figure says so
        keys = paper["runs"][["agent", "configuration"]].drop_duplicates()
        keys = keys.rename(columns={"configuration": "condition"})
        table = keys.reindex(columns=table.columns).assign(n_runs=0)
    kept = table[["agent", "condition", *_SUMMARY]].reset_index(drop=True)
    highest = None if paper.from_runs else 1.05 * max([*table["whisker_high"], *table["mean"], *drawn])
    return Boxes(kept, outliers[_OUTLIERS].reset_index(drop=True), highest)


def _outliers(paper: Paper, figure: str, metric: str) -> pd.DataFrame:
    found = paper["boxplot_outliers"].query("figure == @figure and metric == @metric")
    return found.assign(condition=found["configuration"], low=found["value"], high=found["value"])


def _implied(paper: Paper, metric: str) -> pd.DataFrame:
    """Runs that no drawing shows, without which a drawn mean is impossible."""
    names = {"configuration": "condition", "value_low": "low", "value_high": "high"}
    runs = implied_runs(paper)
    found = runs[runs["metric"] == metric] if len(runs) else pd.DataFrame(columns=["agent", *names])
    return found.rename(columns=names).assign(visibility=IMPLIED)


def bars(paper: Paper) -> pd.DataFrame:
    """Bars of Fig. 3: heights from the drawing, labels as printed; columns as `quality.bar_heights`."""
    table = paper["code_quality"]
    labels = {
        f"{bar}_label": [
            "" if pd.isna(value) else f"{value:.0f}" if metric == "sloc" else f"{value:.1f}"
            for value, metric in zip(table[bar], table["metric"], strict=True)
        ]
        for bar in ("original", "generated")
    }
    return table.assign(
        n_runs=_bar_sizes(paper),
        grouping=table["grouping"].replace({"configuration": "condition"}),
        original=table["original_bar_height"],
        generated=table["generated_bar_height"],
        **labels,
    )


def _bar_sizes(paper: Paper) -> list[int]:
    """Runs behind each pair of bars: those with code, or, of the paper, those of the design."""
    keys = paper["code_quality"][["grouping", "level", "metric"]].itertuples(index=False, name=None)
    if paper.from_runs:
        runs = paper["runs"]
        return [int(runs.loc[runs[grouping] == level, metric].count()) for grouping, level, metric in keys]
    counts = paper["design"].query("row_kind == 'count'").set_index("level")["count"]
    return [int(counts[f"per_{grouping}"]) for grouping, _, _ in keys]


def bars_with_runs_left_out(paper: Paper) -> dict[str, list[str]]:
    """Metrics, by level, of the bars whose height is a whole sum only if a mean leaves a run out."""
    reader, found = Reader(paper), dict[str, list[str]]()
    if paper.from_runs:  # which runs left no code is known, and needs no guess
        return found
    for _, row in paper["code_quality"].iterrows():
        if bar_runs(reader, row["level"], row["metric"]).left_out:
            found.setdefault(row["level"], []).append(row["metric"])
    return found


def bar_ratios(paper: Paper) -> pd.DataFrame:
    """Ratios of the means of Fig. 3; published means have no interval. Columns as `quality.level_ratios`."""
    table = bars(paper)
    table = table[table["metric"].isin(METRICS)]
    return table.assign(estimate=table["generated"] / table["original"], low=np.nan, high=np.nan)


def rates(paper: Paper) -> pd.DataFrame:
    """Cells of Table III, with the baseline as ceiling; columns as `summary.service_rates`."""
    table = paper["pass_rates"]
    keys = ["agent", "project", "scenario"]
    ceiling = table[table["condition"] == "baseline"].set_index(keys)["pass_rate_percent"]
    cells = table[table["condition"] != "baseline"].rename(columns={"condition": "prompt"})
    configurations = paper["design"].query("row_kind == 'configuration'")["level"]
    order = {condition: i for i, condition in enumerate(configurations)}
    cells = cells.join(ceiling.rename("ceiling_percent"), on=keys).assign(
        condition=[f"{SHORT[s]}-{p}" for s, p in zip(cells["scenario"], cells["prompt"], strict=True)],
        service="", floor_percent=np.nan, blind=False,
    )  # fmt: skip
    cells = cells.assign(**_cell_sizes(paper, cells))
    projects = list(dict.fromkeys(cells["project"]))
    ranks = cells["project"].map(projects.index) * len(order) + cells["condition"].map(order)
    return cells.iloc[np.argsort(ranks.to_numpy(), kind="stable")].reset_index(drop=True)


def _cell_sizes(paper: Paper, cells: pd.DataFrame) -> dict[str, Any]:
    """Runs of each cell, and those with a pass rate: of the paper, what its design says."""
    if not paper.from_runs:
        per_cell = paper["design"].query("level == 'per_cell_of_pass_rate_table'")["count"].iloc[0]
        return dict.fromkeys(("n_runs", "n_scored"), int(per_cell))
    keys = ["agent", "project", "configuration"]
    groups = paper["runs"].groupby(keys)["pass_rate_percent"].agg(n_runs="size", n_scored="count")
    wanted = pd.MultiIndex.from_frame(cells[["agent", "project", "condition"]], names=keys)
    found = groups.reindex(wanted, fill_value=0)
    return {name: found[name].to_numpy() for name in found}


def cost_cells(paper: Paper) -> pd.DataFrame:
    """Mean cost of Fig. 5 and average pass rate of Table III, per agent and configuration."""
    cost = paper["boxplots_cost"][["agent", "configuration", "mean"]]
    averages = paper["pass_rates_agent_average"]
    averages = averages.assign(
        configuration=averages["scenario"].replace(SHORT) + "-" + averages["condition"],
        pass_rate_percent=averages["average_pass_rate_percent"],
    )
    cells = cost.merge(averages[["agent", "configuration", "pass_rate_percent"]], validate="one_to_one")
    return cells.rename(columns={"configuration": "condition", "mean": "cost_usd"})
