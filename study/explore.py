"""Look around in a dataset: a searchable table of runs, one run in detail, and widgets to choose with."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
from IPython.display import HTML, Image

from study.differences import service_diff
from study.display import html, mark, table_text
from study.figures.rows import metric_dots
from study.figures.style import show
from study.projects.loading import load_project
from study.schema import StudyError
from study.statistics.summary import QUALITY

if TYPE_CHECKING:
    from study.records.dataset import Dataset

METRICS = {
    "pass_rate_percent": "Pass rate (%)",
    "time_min": "Time (min)",
    "cost_usd": "Cost (USD)",
    "input_tokens": "Input tokens",
    "output_tokens": "Output tokens",
    "sloc": "SLOC (lines)",
    "cyclomatic": "Cyclomatic complexity (points)",
    "cognitive": "Cognitive complexity (points)",
}
"""What the explorer can show of every dataset, with its unit."""

_TABLE_COLUMNS = [
    "agent", "project", "service", "condition", "replicate", "outcome", "pass_rate_percent",
    "floor_percent", "failure_cause", "time_min", "cost_usd", *QUALITY, "kind", "run_id",
]  # fmt: skip
_LONGEST_DIFF = 400


def with_quality(data: Dataset) -> pd.DataFrame:
    """The runs and, beside them, size, complexity and the design's own metrics; missing without code."""
    own = data.metrics.pivot(index="run_id", columns="metric", values="value").reset_index()
    runs = data.runs.merge(data.quality[["run_id", *QUALITY]], on="run_id", how="left", validate="one_to_one")
    return runs.merge(own, on="run_id", how="left", validate="one_to_one")


def metric_names(data: Dataset) -> dict[str, str]:
    """Columns of `with_quality` that the explorer shows, and their labels; the design's own come last."""
    return METRICS | {name: name for name in sorted(set(data.metrics["metric"]))}


def metric_figure(data: Dataset, metric: str) -> Image:
    """Every run's value of one metric of `metric_names`, by condition and agent."""
    names = metric_names(data)
    if metric not in names:
        raise StudyError(f"no metric {metric!r}; there are {', '.join(names)}")
    return show(metric_dots(replace(data, runs=with_quality(data)), metric, names[metric]))


def table_library() -> HTML:
    """The script that makes tables sortable and searchable, from the installed package, not the network."""
    from itables import options
    from itables.javascript import generate_init_offline_itables_html

    return html(generate_init_offline_itables_html(options.dt_bundle))


def run_table(data: Dataset) -> HTML:
    """Table of all runs; sortable and searchable once `table_library` has been shown."""
    return html(run_table_text(with_quality(data), "runs"))


def run_table_text(runs: pd.DataFrame, table_id: str) -> str:
    """HTML of a searchable table of some runs."""
    from itables.javascript import to_html_datatable

    shown = runs[_TABLE_COLUMNS].astype(object).where(runs[_TABLE_COLUMNS].notna(), "")
    table = to_html_datatable(
        shown,
        connected=False,
        table_id=table_id,
        showIndex=False,
        scrollX=True,
        classes="display compact nowrap",
    )
    return f"<p>{len(runs)} runs. {mark(runs['kind'])}</p>{table}"


def example_run(data: Dataset) -> str:
    """A run worth a look: the first that completed and failed some tests; else the first."""
    runs = data.runs
    partly = runs[(runs["outcome"] == "completed") & (runs["pass_rate_percent"] < 100)]
    return str((partly if len(partly) else runs)["run_id"].iloc[0])


def run_page(data: Dataset, run_id: str) -> HTML:
    """One run from the tables: its outcome, failing tests and the complexity of each function."""
    return html(run_page_text(data, run_id))


def run_page_text(data: Dataset, run_id: str) -> str:
    """HTML of `run_page`.

    Raises
    ------
    StudyError
        If the dataset has no such run.
    """
    found = data.runs[data.runs["run_id"] == run_id]
    if found.empty:
        raise StudyError(f"dataset {data.name!r} has no run {run_id!r}; its runs are listed in runs.csv")
    run = found.iloc[0]
    kind = [str(run["kind"])]
    facts = pd.DataFrame({"value": [_word(run[name]) for name in _FACTS]}, index=pd.Index(_FACTS))
    tests = data.tests[(data.tests["run_id"] == run_id) & (data.tests["status"] != "passed")]
    functions = data.functions[data.functions["run_id"] == run_id]
    planted = data.planted[data.planted["run_id"] == run_id]
    parts = [
        table_text(facts, f"Run {run_id}.", kind),
        table_text(tests[["test_id", "status", "cause", "flaky"]].reset_index(drop=True),
                   "Tests that did not pass.", kind),
        table_text(_function_table(data, run, functions),
                   "Complexity per function; the reference's function of the same name beside it.", kind),
    ]  # fmt: skip
    if len(planted):
        shown = planted[["defect", "place"]].reset_index(drop=True)
        parts.append(table_text(shown, "What the simulated agent planted.", kind))
    return "\n".join(parts)


_FACTS = [
    "outcome", "reason", "oracle", "suite", "tests_reference", "tests_passed", "pass_rate_percent",
    "pass_rate_adjusted_percent", "floor_percent", "ceiling_percent", "failure_cause", "files_written",
    "files_elsewhere", "test_edits", "time_min", "cost_usd", "input_tokens", "output_tokens",
]  # fmt: skip


def _word(value: object) -> str:
    if pd.isna(value):  # type: ignore[call-overload]
        return "–"
    if isinstance(value, str):
        return value
    return f"{value:,.2f}".rstrip("0").rstrip(".")


def _function_table(data: Dataset, run: pd.Series, functions: pd.DataFrame) -> pd.DataFrame:
    controls = data.controls
    same = (controls["agent"] == "reference") & (controls["replicate"] == 1)
    for factor in ("project", "service", "scenario"):
        same &= controls[factor] == run[factor]
    original = data.functions[data.functions["run_id"].isin(controls.loc[same, "run_id"])]
    columns = ["file", "function", "cyclomatic", "cognitive"]
    both = functions[columns].merge(
        original[columns], on=["file", "function"], how="outer", suffixes=("", "_reference"), sort=True
    )
    return both.reset_index(drop=True)


def stored_files(data: Dataset, run_id: str, results: Path | str) -> str:
    """HTML with the prompt of a run and the diff of its code against the reference, from its run folder."""
    folder = Path(results) / data.name / run_id
    if not (folder / "run.json").is_file():
        return (
            "<p>The prompt and the diff are in the run's folder, and there is no "
            f"<code>{escape(run_id)}</code> in <code>results/{escape(data.name)}/</code>. "
            f"<code>study reproduce</code> (or <code>study run {escape(data.name)}</code>) makes it.</p>"
        )
    prompt = (folder / "prompt.txt").read_text(encoding="utf-8", errors="replace")
    run = data.runs[data.runs["run_id"] == run_id].iloc[0]
    diff = _diff(run, folder / "generated")
    return (
        f"<details><summary>Prompt</summary><pre>{escape(prompt)}</pre></details>"
        f"<details open><summary>Diff against the reference</summary>{diff}</details>"
    )


def _diff(run: pd.Series, generated: Path) -> str:
    try:
        lines = service_diff(load_project(str(run["project"])), str(run["service"]), generated)
    except StudyError as error:
        return f"<p>No diff: {escape(str(error))}</p>"
    cut = lines[:_LONGEST_DIFF]
    more = f"\n... {len(lines) - len(cut)} more lines" if len(lines) > len(cut) else ""
    return f"<pre>{chr(10).join(map(_coloured, cut))}{more}</pre>" if lines else "<p>No difference.</p>"


def _coloured(line: str) -> str:
    colour = {"+": "#0072B2", "-": "#D55E00", "@": "#666666"}.get(line[:1])
    return f'<span style="color:{colour}">{escape(line)}</span>' if colour else escape(line)
