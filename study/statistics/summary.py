"""Descriptive tables of a dataset: pass rates with their frame of reference, outcomes, causes, oracles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, get_args

import pandas as pd

from study.agents.protocol import Outcome

if TYPE_CHECKING:
    from study.records.dataset import Dataset

SERVICE = ["project", "service"]
TARGET = [*SERVICE, "scenario"]
CELL = ["agent", *TARGET, "prompt"]
QUALITY = ["sloc", "cyclomatic", "cognitive"]
EFFICIENCY = ["time_min", "cost_usd", "input_tokens", "output_tokens"]
WORDS = {
    "sloc": "SLOC",
    "cyclomatic": "cyclomatic complexity",
    "cognitive": "cognitive complexity",
    "time_min": "time",
    "cost_usd": "cost",
    "input_tokens": "input tokens",
    "output_tokens": "output tokens",
}
"""Columns in a reader's words."""
_RATE = "pass_rate_percent"
_BLIND = "blind: floor equals ceiling"


def levels(values: Iterable[str]) -> list[str]:
    """Distinct values in the order of their first appearance, which is the order of the design."""
    return list(dict.fromkeys(values))


def numeric(frame: pd.DataFrame, columns: Sequence[str]) -> pd.DataFrame:
    """Copy of the frame in which the columns are plain floats and what is missing is NaN."""
    return frame.assign(**{column: pd.to_numeric(frame[column]).astype("float64") for column in columns})


def scored_runs(data: Dataset) -> pd.DataFrame:
    """The runs, with what is known of the oracle that scored them.

    Returns
    -------
    DataFrame
        The columns of `runs` and `sees_target` (boolean, missing where the oracle has no tests) and
        `blind` (True where the floor equals the ceiling).
    """
    runs = numeric(data.runs, [_RATE, "floor_percent", "ceiling_percent"])
    sight = data.references[[*TARGET, "sees_target"]]
    runs = runs.merge(sight, on=TARGET, how="left", validate="many_to_one")
    sees = runs["sees_target"].astype("boolean")
    return runs.assign(sees_target=sees, blind=(~sees).fillna(False).astype(bool))


def service_rates(data: Dataset) -> pd.DataFrame:
    """Pass rate of every agent, service and condition: the mean over its replicates."""
    runs = scored_runs(data)
    cells = runs.groupby([*CELL, "condition"], sort=False, dropna=False)
    return cells.agg(
        n_runs=("run_id", "size"),
        n_scored=(_RATE, "count"),
        pass_rate_percent=(_RATE, "mean"),
        floor_percent=("floor_percent", "first"),
        ceiling_percent=("ceiling_percent", "first"),
        blind=("blind", "first"),
        tests_passed=("tests_passed", "sum"),
        tests_reference=("tests_reference", "sum"),
    ).reset_index()


def pass_rates(
    data: Dataset, by: Sequence[str] = ("agent", "project", "scenario", "prompt", "condition")
) -> pd.DataFrame:
    """Pass rates as the paper averages them, and what is needed to judge them.

    Parameters
    ----------
    data : Dataset
        The tables.
    by : sequence of str
        Factors that make a cell.

    Returns
    -------
    DataFrame
        One row per cell. `pass_rate_percent` is the unweighted mean over services (every service counts
        alike); `seeing_percent` the same over the services whose oracle sees the target; `pooled_percent`
        passed over all tests (every test counts alike). `floor_percent` and `ceiling_percent` are means over
        the services that enter. `services` have a pass rate, `blind` of them have a blind oracle,
        `services_all` counts also those without one. Missing: no service of the cell has a pass rate.
    """
    rates = service_rates(data)
    entering = rates[_RATE].notna()
    rates = rates.assign(
        entering=entering,
        blind=rates["blind"] & entering,
        seeing=rates[_RATE].where(entering & ~rates["blind"]),
        floor_percent=rates["floor_percent"].where(entering),
        ceiling_percent=rates["ceiling_percent"].where(entering),
        tests_passed=pd.to_numeric(rates["tests_passed"]).astype("float64").where(entering),
        tests_reference=pd.to_numeric(rates["tests_reference"]).astype("float64").where(entering),
    )
    cells = rates.groupby(list(by), sort=False, dropna=False)
    table = cells.agg(
        services_all=("service", "size"),
        services=("entering", "sum"),
        blind=("blind", "sum"),
        runs=("n_runs", "sum"),
        floor_percent=("floor_percent", "mean"),
        pass_rate_percent=(_RATE, "mean"),
        seeing_percent=("seeing", "mean"),
        ceiling_percent=("ceiling_percent", "mean"),
        passed=("tests_passed", "sum"),
        tests=("tests_reference", "sum"),
    ).reset_index()
    pooled = 100 * table.pop("passed") / table.pop("tests").where(lambda tests: tests > 0)
    return table.assign(pooled_percent=pooled)


def wide_pass_rates(data: Dataset) -> pd.DataFrame:
    """The pass-rate table in the paper's form (Table III): agents and projects down, conditions across.

    Beside the prompts, each scenario shows its floor, its ceiling (the pass rate of the reference, the
    paper's baseline) and `n`, the services that enter and, after a plus sign, those without a pass rate.
    `*` marks means into which a blind oracle enters.
    """
    table = pass_rates(data)
    conditions = table[["scenario", "prompt"]].drop_duplicates()
    rows: dict[tuple[str, str], dict[tuple[str, str], str]] = {}
    for _, cell in table.iterrows():
        row = rows.setdefault((cell["agent"], cell["project"]), {})
        scenario = cell["scenario"]
        mark = " *" if cell["blind"] else ""
        row[(scenario, cell["prompt"])] = percent(cell["pass_rate_percent"]) + mark
        row[(scenario, "floor")] = percent(cell["floor_percent"])
        row[(scenario, "ceiling")] = percent(cell["ceiling_percent"])
        left_out = cell["services_all"] - cell["services"]
        row[(scenario, "n")] = f"{cell['services']}" + (f"+{left_out}" if left_out else "")
    columns = []
    for scenario in levels(conditions["scenario"]):
        prompts = levels(conditions.loc[conditions["scenario"] == scenario, "prompt"])
        columns += [(scenario, name) for name in ("floor", *prompts, "ceiling", "n")]
    index = pd.MultiIndex.from_tuples(list(rows), names=["agent", "project"])
    cells = [[row.get(column, "–") for column in columns] for row in rows.values()]
    return pd.DataFrame(cells, index=index, columns=pd.MultiIndex.from_tuples(columns))


def percent(value: float) -> str:
    """One decimal, or a dash for what is missing."""
    return "–" if pd.isna(value) else f"{value:.1f}"


def counts(frame: pd.DataFrame, row: Sequence[str], column: str) -> pd.DataFrame:
    """Cross table of counts in the order of first appearance, with a last column `total`."""
    known = frame.dropna(subset=[column])
    table = known.groupby([*row, column], sort=False).size().unstack(fill_value=0)
    wanted = pd.MultiIndex.from_frame(frame[list(row)].drop_duplicates())
    index = wanted if len(row) > 1 else wanted.get_level_values(0)
    table = table.reindex(index=index, columns=levels(known[column]), fill_value=0)
    return table.assign(total=table.sum(axis=1)).rename_axis(columns=None)


def outcome_counts(data: Dataset) -> pd.DataFrame:
    """Runs by outcome for each agent and condition; the rows add up to the runs."""
    table = counts(data.runs, ["agent", "condition"], "outcome")
    return table[[name for name in (*get_args(Outcome), "total") if name in table.columns]]


def causes(data: Dataset) -> pd.Series:
    """One label per run: `as the reference`, its failure cause, or why it has no pass rate."""
    runs = data.runs
    unscored = runs["pass_rate_percent"].isna()
    label = runs["failure_cause"].astype("object").where(runs["failure_cause"].notna(), "as the reference")
    return label.where(~unscored, runs["suite"].astype("object")).rename("cause").astype("str")


def failing_tests(data: Dataset) -> pd.DataFrame:
    """Tests of the agents' runs that did not pass, counted by agent, status and cause."""
    tests = data.tests.merge(data.runs[["run_id", "agent"]], on="run_id")
    failed = tests[~tests["status"].isin(["passed"])]
    label = failed["status"] + failed["cause"].map(lambda cause: "" if pd.isna(cause) else f": {cause}")
    if failed.empty:
        return pd.DataFrame(columns=["total"])
    table = counts(failed.assign(failure=label), ["failure"], "agent")
    return table.sort_values("total", ascending=False, kind="stable")


def blind_oracles(data: Dataset) -> pd.DataFrame:
    """Oracles that cannot tell the reference from nothing, or that have no tests at all.

    Of imported runs the floor is mostly not known; such an oracle may or may not see its target, and is not
    listed.
    """
    references = data.references
    sees = references["sees_target"].astype("boolean")
    empty = (references["tests_reference"] == 0).fillna(False)
    table = references[((~sees).fillna(False) | empty).to_numpy(dtype=bool)]
    why = empty[table.index].map({True: "no tests: nobody consumes the service", False: _BLIND})
    columns = [*TARGET, "oracle", "tests_reference", "floor_percent", "ceiling_percent", "finding"]
    return table.assign(finding=why)[columns].reset_index(drop=True)


def unreliable_tests(data: Dataset) -> pd.DataFrame:
    """Tests that fail on the reference in every repeat, and tests whose result differs between repeats."""
    rows = [
        {**{key: row[key] for key in (*TARGET, "oracle")}, "finding": finding, "test": test}
        for _, row in data.references.iterrows()
        for finding, column in (("fails on the reference", "failing_tests"), ("flaky", "flaky_tests"))
        if not pd.isna(row[column])
        for test in str(row[column]).split("; ")
    ]
    return pd.DataFrame(rows, columns=[*TARGET, "oracle", "finding", "test"])


def efficiency(data: Dataset, by: Sequence[str] = ("agent",)) -> pd.DataFrame:
    """Mean, median and total of time, cost and tokens, over the runs that report them (`n`)."""
    long = numeric(data.runs, EFFICIENCY).melt([*by], EFFICIENCY, var_name="metric", value_name="value")
    cells = long.groupby([*by, "metric"], sort=False)["value"]
    return cells.agg(n="count", mean="mean", median="median", total="sum").reset_index()


def measured_pairs(data: Dataset) -> pd.DataFrame:
    """One row per run: metrics of the generated code (missing where a run left none) and, with
    `_reference`, of the original.
    """
    runs = data.runs[["run_id", "kind", "agent", *TARGET, "prompt", "condition", "replicate"]]
    table = runs.merge(data.quality[["run_id", *QUALITY]], on="run_id", how="left", validate="one_to_one")
    reference = data.references[[*TARGET, *QUALITY]]
    table = table.merge(reference, on=TARGET, how="left", suffixes=("", "_reference"))
    return numeric(table, [*QUALITY, *(f"{name}_reference" for name in QUALITY)])
