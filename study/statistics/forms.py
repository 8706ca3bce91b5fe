"""Tables I to IV of the paper as forms: the same functions fill them from published cells and from runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from study.statistics.summary import levels, numeric, pass_rates

if TYPE_CHECKING:
    from study.records.dataset import Dataset

BASELINE = "baseline"
AVERAGE = "Average"
TIME_AND_COST = {
    "avg_time_min": 1, "total_time_h": 2, "input_tokens_k": 0, "output_tokens_k": 1, "avg_cost_usd": 2,
    "total_cost_usd": 2, "runs": 0,
}  # fmt: skip
"""Columns of Table IV and their printed decimals."""


def projects(data: Dataset) -> pd.DataFrame:
    """The systems of a dataset (form of Table I): language and target services."""
    targets = data.references.drop_duplicates(["project", "service"])
    table = targets.groupby("project", sort=False).agg(
        language=("language", "first"), reference=("reference", "first"), target_services=("service", "size")
    )
    return table.reset_index()


def agents(data: Dataset) -> pd.DataFrame:
    """The agents of a dataset (form of Table II): model, kind and runs."""
    table = data.runs.groupby("agent", sort=False).agg(
        model=("model", "first"), kind=("kind", "first"), runs=("run_id", "size")
    )
    return table.reset_index()


def rate_cells(data: Dataset) -> pd.DataFrame:
    """Pass rates of a dataset in the columns of the published table, with the ceiling as baseline."""
    table = pass_rates(data)
    keys = ["agent", "project", "scenario"]
    ceilings = table.groupby(keys, sort=False)["ceiling_percent"].mean().reset_index()
    ceilings = ceilings.assign(condition=BASELINE, pass_rate_percent=ceilings["ceiling_percent"])
    prompts = table.assign(condition=table["prompt"])
    columns = [*keys, "condition", "pass_rate_percent"]
    return pd.concat([ceilings[columns], prompts[columns]], ignore_index=True)


def rate_table(cells: pd.DataFrame, averages: pd.DataFrame | None = None) -> pd.DataFrame:
    """Pass rates by agent and project (rows), scenario and condition (columns): the form of Table III.

    Parameters
    ----------
    cells : DataFrame
        agent, project, scenario, condition (`baseline` or a prompt), pass_rate_percent.
    averages : DataFrame, optional
        Printed averages: agent, scenario, condition, average_pass_rate_percent. If not given, the row of
        averages holds the unweighted means over projects.
    """
    columns = [
        (scenario, condition)
        for scenario in levels(cells["scenario"])
        for condition in levels(cells.loc[cells["scenario"] == scenario, "condition"])
    ]
    keys = ["agent", "scenario", "condition"]
    if averages is None:
        means = cells.groupby(keys, sort=False)["pass_rate_percent"].mean().reset_index()
    else:
        means = averages.rename(columns={"average_pass_rate_percent": "pass_rate_percent"})
    every = pd.concat([cells, means.assign(project=AVERAGE)])
    found = every.set_index(["agent", "project", "scenario", "condition"])["pass_rate_percent"].to_dict()
    names = [*levels(cells["project"]), AVERAGE]
    rows = pd.MultiIndex.from_product([levels(cells["agent"]), names], names=["agent", "project"])
    values = [[found.get((*row, *column), np.nan) for column in columns] for row in rows]
    return pd.DataFrame(values, index=rows, columns=pd.MultiIndex.from_tuples(columns), dtype="float64")


def rate_changes(table: pd.DataFrame) -> pd.DataFrame:
    """What Table III says in differences (percentage points): last prompt minus first, and to the baseline.

    Parameters
    ----------
    table : DataFrame
        As `rate_table` gives it.
    """
    changes = {}
    for scenario in levels(table.columns.get_level_values(0)):
        part = table[scenario]
        prompts = [column for column in part.columns if column != BASELINE]
        if len(prompts) > 1:
            changes[(scenario, f"{prompts[-1]} - {prompts[0]}")] = part[prompts[-1]] - part[prompts[0]]
        if BASELINE in part:
            for prompt in prompts:
                changes[(scenario, f"{prompt} - {BASELINE}")] = part[prompt] - part[BASELINE]
    return pd.DataFrame(changes).replace(-0.0, 0.0).round(6)


def efficiency_table(data: Dataset) -> pd.DataFrame:
    """Time, tokens and cost per agent in the form of Table IV, over the runs that report each of them."""
    runs = numeric(data.runs, ["time_min", "cost_usd", "input_tokens", "output_tokens"])
    groups = runs.groupby("agent", sort=False)
    table = pd.DataFrame(
        {
            "avg_time_min": groups["time_min"].mean(),
            "total_time_h": groups["time_min"].sum(min_count=1) / 60,
            "input_tokens_k": groups["input_tokens"].mean() / 1e3,
            "output_tokens_k": groups["output_tokens"].mean() / 1e3,
            "avg_cost_usd": groups["cost_usd"].mean(),
            "total_cost_usd": groups["cost_usd"].sum(min_count=1),
            "runs": groups.size(),
        }
    )
    return table.reset_index()


def spread(boxes: pd.DataFrame) -> pd.DataFrame:
    """What a table of averages leaves out: median, quartiles, and the mean as a multiple of the median.

    Parameters
    ----------
    boxes : DataFrame
        Rows as in `study.figures.boxes.Boxes.table`.
    """
    kept = boxes[["agent", "n_runs", "mean", "median", "q1", "q3"]]
    return kept.assign(mean_over_median=boxes["mean"] / boxes["median"]).reset_index(drop=True)
