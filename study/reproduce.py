"""The main job: run a design and everything after it, and say how it compares with the committed data."""

from __future__ import annotations

import time
from pathlib import Path

import pandas as pd
from rich.console import Console
from rich.table import Table

from study.experiment import run_experiment
from study.plan import Plan, resolve
from study.progress import RunProgress, describe_tally
from study.records.collect import collect
from study.records.compare import Comparison, compare
from study.records.dataset import RAW_DATA, Dataset, load_dataset, write_dataset

REPOSITORY = Path(__file__).parents[1]
_SHOWN = 10


def reproduce(design: str, results: Path | None, *, jobs: int | None, fresh: bool, console: Console) -> int:
    """Run, collect, compare, draw, report.

    Returns
    -------
    int
        Exit code: 0, or 1 if runs are broken or the tables differ from the committed dataset of the
        same name, or 130 if stopped by Ctrl-C.
    """
    started = time.monotonic()
    plan = resolve(design)
    folder = results or Path("results") / plan.design.name
    console.print(f"[bold]1/4 runs[/]: {plan.design.title}; results go to {folder}", soft_wrap=True)
    with RunProgress(plan.design.name, console) as bar:
        tally = run_experiment(plan, folder, redo=fresh, jobs=jobs, on_start=bar.start, on_done=bar.advance)
    console.print(describe_tally(tally, folder), soft_wrap=True, markup=False, highlight=False)
    if tally.exit_code:
        return tally.exit_code
    console.print("[bold]2/4 tables[/]")
    _collect(plan, folder, folder / "dataset")
    dataset = load_dataset(folder / "dataset")
    console.print("[bold]3/4 notebooks, figures and report[/]")
    figures = _figures_folder(plan.design.name, folder)
    report = write_outputs(str(folder / "dataset"), folder / "report", figures)
    console.print("[bold]4/4 summary[/]\n")
    for table in (outcome_table(dataset), rate_table(dataset)):
        console.print(table)
    differs = _print_comparison(dataset, console)
    console.print(
        f"\nTables {folder / 'dataset'}, figures {figures}, one folder per run in {folder}.\n"
        f"Look next at the report, {report}, or open the notebooks with `make lab`.\n"
        f"Done in {time.monotonic() - started:.0f} s.",
        soft_wrap=True,
        highlight=False,
    )
    return 1 if differs else 0


def _committed(name: str) -> bool:
    return (RAW_DATA / name / "runs.csv").is_file()


def _figures_folder(name: str, folder: Path) -> Path:
    """figures/ belongs to the committed datasets; the figures of other experiments stay with their runs."""
    return REPOSITORY / "figures" if _committed(name) else folder / "figures"


def collect_dataset(design: str, folder: Path, target: Path) -> None:
    """Collect the tables of an experiment from its run folders."""
    _collect(resolve(design, agents=False), folder, target)


def _collect(plan: Plan, folder: Path, target: Path) -> None:
    write_dataset(collect(plan.design, plan.projects, folder), target, plan.design.title)


def write_outputs(dataset: str, out_dir: Path, figures: Path) -> Path:
    """Execute the notebooks on a dataset, draw the figures, write the report; return its index page."""
    from study.notebooks import execute_all
    from study.report import write_report

    executed = execute_all(dataset, out_dir / "notebooks", figures)
    return write_report(load_dataset(dataset), executed, figures, out_dir)


def outcome_table(dataset: Dataset) -> Table:
    """Runs by outcome for each agent; the rows add up to the runs."""
    counts = pd.crosstab(dataset.runs["agent"], dataset.runs["outcome"])
    table = Table("agent", *counts.columns, "runs", title=f"Runs by outcome ({_kinds(dataset)})")
    for agent in dataset.runs["agent"].unique():
        row = counts.loc[agent]
        table.add_row(agent, *(str(count) for count in row), str(row.sum()))
    return table


def rate_table(dataset: Dataset) -> Table:
    """Mean pass rate per agent and condition, over services whose oracle sees the target."""
    runs = dataset.runs.merge(
        dataset.references[["project", "service", "scenario", "sees_target"]],
        on=["project", "service", "scenario"],
        validate="many_to_one",
    )
    seen = runs[runs["sees_target"].fillna(False).astype(bool)]
    means = seen.pivot_table("pass_rate_percent", "agent", "condition", aggfunc=["mean", "count"], sort=False)
    conditions = list(seen["condition"].unique())
    table = Table(
        "agent", *conditions, title=f"Mean pass rate in percent, n services in brackets ({_kinds(dataset)})"
    )
    for agent in seen["agent"].unique():
        cells = [
            f"{means.loc[agent, ('mean', c)]:.1f} ({means.loc[agent, ('count', c)]:.0f})" for c in conditions
        ]
        table.add_row(agent, *cells)
    blind = dataset.references[~dataset.references["sees_target"].fillna(False).astype(bool)]
    left_out = [f"{row['service']} ({row['scenario']})" for _, row in blind.iterrows()]
    table.caption = "left out, because the oracle is blind or does not apply: " + (
        ", ".join(left_out) or "none"
    )
    return table


def _kinds(dataset: Dataset) -> str:
    return ", ".join(kind.upper() for kind in sorted(dataset.kind))


def _print_comparison(dataset: Dataset, console: Console) -> bool:
    """Compare with the committed dataset of the same name, if there is one; True if they differ."""
    name = dataset.name
    if not _committed(name):
        console.print(f"There is no committed dataset raw_data/{name} to compare with.")
        return False
    comparison = compare(dataset, load_dataset(RAW_DATA / name))
    said = f"Compared with raw_data/{name}: {describe_comparison(comparison)}"
    console.print(said, soft_wrap=True, markup=False, highlight=False)
    return not comparison.equal


def describe_comparison(comparison: Comparison) -> str:
    """A few lines on what differs between two datasets."""
    lines = []
    if comparison.equal:
        lines.append(f"all {comparison.rows_compared} rows are equal in every column but wall-clock ones.")
    else:
        count = len(comparison.differences)
        lines.append(f"{count} cells differ, in {len(comparison.runs_affected)} runs; the first ones:")
        for _, row in comparison.differences.head(_SHOWN).iterrows():
            lines.append(f"  {row['table']}: {row['key']}: {row['column']}: {row['old']!r} -> {row['new']!r}")
    if comparison.flaky_left_out:
        lines.append(f"Left out as flaky: {', '.join(comparison.flaky_left_out)}.")
    return "\n".join(lines)
