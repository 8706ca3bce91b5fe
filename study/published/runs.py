"""Runs in the form of the published tables, so that all that is done with the paper is done with runs too.

The same columns, averages and box plots as in raw_data/published/paper, computed from a dataset: Table III
averages services and then projects; Table IV averages runs; a bar of Fig. 3 is the mean of the means of each
agent and configuration over the runs that left code; box plots have linear quartiles and whiskers up to the
last run within 1.5 box heights. Claims and printed statistics stay the paper's.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pandas as pd

from study.figures.boxes import ALL, box_table
from study.published.data import Paper, load_paper
from study.published.names import PROMPTS, paper_names
from study.published.run_design import agent_rows, design_rows, floor_rows, suite_rows, system_rows
from study.published.variants import SCENARIOS
from study.records.dataset import Dataset
from study.schema import StudyError
from study.statistics import forms
from study.statistics.summary import QUALITY, levels, measured_pairs, numeric

METRICS = {
    "time": ("4", "time_min", "min", 1.0),
    "cost": ("5", "cost_usd", "USD", 1.0),
    "input_tokens": ("6a", "input_tokens", "M tokens", 1e6),
    "output_tokens": ("6b", "output_tokens", "K tokens", 1e3),
}
"""Figure, column of the runs, unit of the drawing, and how many units of the column make one of it."""
AGENT_FIGURE = "7"
FROM_RUNS = frozenset(
    {"pass_rates", "pass_rates_agent_average", "efficiency", "code_quality", "boxplots_agent",
     "boxplot_outliers", "runs", *(f"boxplots_{name}" for name in METRICS)}
)  # fmt: skip
"""Tables whose every number comes from the runs."""
_SUMMARY = ["whisker_low", "q1", "median", "q3", "whisker_high", "mean"]
_RATE = "pass_rate_percent"


def runs_as_published(data: Dataset, *, for_claims: bool = False) -> Paper:
    """The published tables, computed from the runs of a dataset.

    Parameters
    ----------
    data : Dataset
        Runs of the scenarios incremental and clean_state with the prompts minimal and summary are used.
    for_claims : bool
        Whether agents and projects are called as in the paper, and those that it does not have left out
        where it has others of the dataset: so that its claims, also those on all agents, find their runs.
        For figures and tables the dataset keeps its own names and all of its levels.

    Raises
    ------
    StudyError
        If no run has a scenario and a prompt of the paper.
    """
    printed = load_paper()
    data, notes = _in_its_words(data, printed, for_claims)
    kinds = tuple(sorted(data.kind))
    runs = run_table(data)
    boxes = {name: _boxes(data, name) for name in METRICS}
    agent_boxes = {name: _boxes(data, name, whole=True) for name in ("time", "cost")}
    outliers = [part for _, part in (*boxes.values(), *agent_boxes.values())]
    cells = _cells(data)
    tables = {
        **printed.tables,
        "pass_rates": cells,
        "pass_rates_agent_average": _averages(cells),
        "efficiency": _efficiency(data),
        "code_quality": _bars(runs),
        **{f"boxplots_{name}": table for name, (table, _) in boxes.items()},
        "boxplots_agent": pd.concat([table for table, _ in agent_boxes.values()], ignore_index=True),
        "boxplot_outliers": pd.concat(outliers, ignore_index=True),
        "systems": system_rows(data, printed),
        "agents": agent_rows(data, printed),
        "design": design_rows(data, printed),
        "suites": suite_rows(data),
        "floors": floor_rows(data, printed),
        "runs": runs,
    }
    kind = ", ".join(kinds)
    for name in FROM_RUNS - {"runs"}:
        tables[name] = tables[name].assign(kind=kind)[["kind", *tables[name].columns.drop("kind", "ignore")]]
    return Paper(data.path, tables, name=data.name, kinds=kinds, printed=printed, notes=notes)


def _in_its_words(data: Dataset, printed: Paper, for_claims: bool) -> tuple[Dataset, tuple[str, ...]]:
    """The dataset with the paper's names, without what the paper's tables have no place for."""
    notes = []
    runs = data.runs
    kept = runs["scenario"].isin(SCENARIOS) & runs["prompt"].isin(list(PROMPTS))
    if not kept.any():
        raise StudyError(
            f"{data.path}: no run of the scenarios {' and '.join(SCENARIOS)} with the prompts "
            f"{' and '.join(PROMPTS)}, so there is nothing to compare with the paper"
        )
    if not kept.all():
        notes.append(f"{int((~kept).sum())} runs of other scenarios or prompts are left out.")
    renamed: dict[str, dict[str, str]] = {"agent": {}, "project": {}}
    for column, table in (("agent", "efficiency"), ("project", "pass_rates")):
        if not for_claims:
            break
        names = paper_names(runs.loc[kept, column], levels(printed[table][column]))
        renamed[column] = names
        others = [level for level in levels(runs.loc[kept, column]) if level not in names]
        if names and others:
            kept &= runs[column].isin(list(names))
            notes.append(f"Not in the paper, and left out: the {column}s {', '.join(others)}.")
        elif others:
            notes.append(f"Not in the paper: the {column}s {', '.join(others)}.")
        said = ", ".join(f"{theirs} is its {name}" for theirs, name in names.items() if theirs != name)
        if said:
            notes.append(f"Of the paper's {column}s, {said}.")
    return (
        replace(
            data,
            runs=runs[kept].replace(renamed).reset_index(drop=True),
            references=data.references.replace({"project": renamed["project"]}),
        ),
        tuple(notes),
    )


def run_table(data: Dataset) -> pd.DataFrame:
    """One row per run, with its size and complexity and those of its original.

    Returns
    -------
    DataFrame
        kind, run_id, agent, project, service, scenario, condition (P1, P2), configuration, replicate,
        pass_rate_percent, tests_passed, tests_reference, time_min, cost_usd, input_tokens, output_tokens,
        sloc, cyclomatic, cognitive (missing where a run left no code), and these with `_reference`.
    """
    pairs = measured_pairs(data)
    numbers = [_RATE, "tests_passed", "tests_reference", *(column for _, column, _, _ in METRICS.values())]
    values = numeric(data.runs, numbers)[["run_id", *numbers]]
    # files round rates; counts do not, and rank tests need exact ties
    exact = 100 * values["tests_passed"] / values["tests_reference"].where(values["tests_reference"] > 0)
    values[_RATE] = exact.where(values[_RATE].notna()).fillna(values[_RATE])
    pairs = pairs.rename(columns={"condition": "configuration"}).drop(columns="prompt")
    prompts = data.runs[["run_id", "prompt"]].assign(condition=data.runs["prompt"].map(PROMPTS))
    table = pairs.merge(prompts[["run_id", "condition"]], on="run_id").merge(values, on="run_id")
    keys = ["kind", "run_id", "agent", "project", "service", "scenario", "condition", "configuration"]
    sizes = [*QUALITY, *(f"{name}_reference" for name in QUALITY)]
    return table[[*keys, "replicate", *numbers, *sizes]]


def _cells(data: Dataset) -> pd.DataFrame:
    """Every cell of Table III in its order; a cell without a rated service is missing."""
    cells = forms.rate_cells(data).replace({"condition": PROMPTS})
    keys = ["agent", "project", "scenario", "condition"]
    names = [levels(data.runs["agent"]), levels(data.runs["project"])]
    scenarios = [name for name in SCENARIOS if name in set(cells["scenario"])]
    conditions = ["baseline", *(name for name in PROMPTS.values() if name in set(cells["condition"]))]
    wanted = pd.DataFrame(product(*names, scenarios, conditions), columns=keys)
    return wanted.merge(cells, on=keys, how="left", validate="one_to_one")


def _averages(cells: pd.DataFrame) -> pd.DataFrame:
    """Unweighted means over projects, as printed; missing if a project's cell is."""
    generated = cells[cells["condition"] != "baseline"]
    groups = generated.groupby(["agent", "scenario", "condition"], sort=False)[_RATE]
    means = groups.agg(lambda values: values.mean(skipna=False))
    return means.rename("average_pass_rate_percent").reset_index()


def _efficiency(data: Dataset) -> pd.DataFrame:
    """Table IV; a total is missing if a run does not report its part."""
    table = forms.efficiency_table(data)
    for total, column in (("total_time_h", "time_min"), ("total_cost_usd", "cost_usd")):
        known = data.runs.groupby("agent", sort=False)[column].count().reindex(table["agent"]).to_numpy()
        table[total] = table[total].where(known == table["runs"])
    return table


def _bars(runs: pd.DataFrame) -> pd.DataFrame:
    """Fig. 3: means of the means by agent and configuration; original: mean of the targets of all runs."""
    rows = []
    cells = runs.groupby(["agent", "configuration"], sort=False)
    means = cells[[*QUALITY, *(f"{name}_reference" for name in QUALITY)]].mean()
    for grouping in ("agent", "configuration"):
        for level in levels(runs[grouping]):
            own = means.xs(level, level=grouping)
            for metric in QUALITY:
                old, new = own[f"{metric}_reference"].mean(), own[metric].mean()
                place = {"grouping": grouping, "level": level, "metric": metric}
                heights = {"original_bar_height": old, "generated_bar_height": new}
                rows.append({**place, "original": old, "generated": new, **heights})
    return pd.DataFrame(rows)


def _boxes(data: Dataset, metric: str, *, whole: bool = False) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Box plots by agent and configuration, or by agent, with outliers; none where no run has a value."""
    figure, column, unit, scale = METRICS[metric]
    agents, conditions = levels(data.runs["agent"]), levels(data.runs["condition"])
    keys = pd.DataFrame(
        product(agents, [ALL] if whole else _ordered(conditions)), columns=["agent", "condition"]
    )
    found = box_table(data.runs, column, scale, keys)
    number = AGENT_FIGURE if whole else figure
    table = found.table[found.table["n_runs"] > 0].rename(columns={"condition": "configuration"})
    place = {"figure": number, "metric": metric, "unit": unit}
    counts = found.outliers.groupby(["agent", "condition"]).size().to_dict()
    drawn = [counts.get(key, 0) for key in zip(table["agent"], table["configuration"], strict=True)]
    table = table.assign(**place, outliers_drawn=drawn)
    first = ["figure", "metric", "agent"] if whole else ["figure", "agent", "configuration"]
    outliers = found.outliers.rename(columns={"condition": "configuration", "low": "value"}).assign(**place)
    names = ["figure", "metric", "agent", "configuration", "value", "unit", "visibility"]
    return table[[*first, "unit", "n_runs", *_SUMMARY, "outliers_drawn"]], outliers[names]


def _ordered(conditions: list[str]) -> list[str]:
    known = ["Inc-P1", "Inc-P2", "CS-P1", "CS-P2"]
    return sorted(conditions, key=lambda name: known.index(name) if name in known else len(known))
