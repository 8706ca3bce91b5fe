"""The report: one folder with an index page, the figures and the notebooks as HTML; it needs no network."""

from __future__ import annotations

import base64
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat
from jinja2 import Environment, PackageLoader, StrictUndefined
from nbconvert import HTMLExporter

from study import findings
from study.display import answers_text, banner_text, table_text
from study.explore import table_library
from study.files import write_atomically
from study.notebooks.execution import LIVE_ONLY
from study.report_tables import write_tables
from study.statistics import questions
from study.statistics.summary import (
    blind_oracles,
    outcome_counts,
    scored_runs,
    unreliable_tests,
    wide_pass_rates,
)

if TYPE_CHECKING:
    from study.records.dataset import Dataset

_FIRST_RUNS = 5
_TITLES = {
    "outcomes": "How the runs ended",
    "oracles": "What the oracles can see: floor and ceiling of each",
    "pass_rate_dots": "Pass rate by project, condition and agent, between floor and ceiling",
    "prompt_slopes": "Pass rate of every service by prompt",
    "answer_correctness": "RQ1: comparisons of pass rates",
    "failure_causes": "What the runs failed by",
    "fig3_complexity": "Size and complexity of originals and generated services (form of Fig. 3)",
    "complexity_ratio": "Size and complexity as a ratio to the original",
    "answer_quality": "RQ1: comparisons of size and complexity",
    "fig4_time": "Time per run (form of Fig. 4)",
    "fig5_cost": "Cost per run (form of Fig. 5)",
    "fig6a_input_tokens": "Input tokens per run (form of Fig. 6a)",
    "fig6b_output_tokens": "Output tokens per run (form of Fig. 6b)",
    "fig7_time_and_cost": "Time and cost per agent (form of Fig. 7)",
    "efficiency_dots": "Time, cost and tokens on log scales",
    "cost_against_pass_rate": "Cost against pass rate",
    "answer_efficiency": "RQ2: comparisons of time, cost and tokens",
    "robustness_curves": "What every defensible analysis says, by headline",
    "robustness_choices": "One headline: the analyses and their choices",
    "robustness_leave_one_out": "Every headline without one project, service, agent or condition",
    "trajectory_timeline": "What the agents did, and when (scripted model)",
    "trajectory_tools": "Tool calls per run by kind (scripted model)",
    "trajectory_tokens": "Input tokens from answer to answer (scripted model)",
    "calibration_coverage": "Do 95 % intervals hold the true value? Simulated studies",
    "calibration_errors": "Do tests keep their 5 % level? Simulated studies",
    "extend_power": "Planning: power by services and replicates, and the interval at equal cost",
}
"""Figures in the order of the report, and what they show."""
_OWN_KINDS = {
    "oracles": "measured",
    "extend_power": "simulated",
    "trajectory_timeline": "simulated",
    "trajectory_tools": "simulated",
    "trajectory_tokens": "simulated",
    "calibration_coverage": "simulated",
    "calibration_errors": "simulated",
}
"""Figures whose rows are not the dataset's runs: of the controls, and of simulated designs."""
_PAPER_TITLES = {
    "paper_table3_dots": "Table III on one scale",
    "paper_table3_slopes": "Table III from the minimal to the detailed prompt",
    "paper_fig3_complexity": "Fig. 3: size and complexity",
    "paper_fig3_ratio": "Fig. 3 as a ratio to the original",
    "paper_fig4_time": "Fig. 4: time per run",
    "paper_fig5_cost": "Fig. 5: cost per run",
    "paper_fig6a_input_tokens": "Fig. 6a: input tokens per run",
    "paper_fig6b_output_tokens": "Fig. 6b: output tokens per run",
    "paper_fig4_to_6_intervals": "Figs. 4 to 6 on log scales",
    "paper_fig7_time_and_cost": "Fig. 7: time and cost per agent",
    "paper_cost_against_pass_rate": "Cost against pass rate, from Table III and Fig. 5",
    "paper_robustness_curves": "What every defensible analysis of Table III says",
}
"""Figures of the paper, drawn by notebooks 5 and 11 from its published data, whatever the dataset."""


def write_report(data: Dataset, notebooks: Sequence[Path], figures: Path, out_dir: Path) -> Path:
    """Write the report.

    Parameters
    ----------
    data : Dataset
        The tables.
    notebooks : sequence of Path
        Notebooks that were executed on this dataset.
    figures : Path
        The folder to which they wrote their figures; it is copied.
    out_dir : Path
        Folder of the report; what an earlier report left there is replaced.

    Returns
    -------
    Path
        `index.html` in that folder; `report.html` beside it is the same without links to other files, one
        page that can be sent; `latex/` has the tables for a paper.
    """
    tables = write_tables(data, out_dir / "latex")
    shown = _copy_figures(figures, out_dir / "figures", _TITLES, sorted(data.kind))
    of_paper = _copy_figures(figures, out_dir / "figures", _PAPER_TITLES, ["published"])
    pages = [_notebook_page(path, out_dir / "notebooks") for path in notebooks]
    environment = Environment(loader=PackageLoader("study"), undefined=StrictUndefined, autoescape=False)
    kinds = data.kind
    context: dict[str, Any] = {
        "data": data,
        "banner": banner_text(data),
        "outcome_sentences": findings.outcomes(data),
        "outcome_table": table_text(outcome_counts(data), "Runs by outcome.", kinds),
        "rate_sentences": findings.correctness(data),
        "rate_table": table_text(wide_pass_rates(data), "Mean pass rate (%).", kinds),
        "blind_table": table_text(
            blind_oracles(data),
            "Oracles that cannot tell the original from nothing.",
            data.references["kind"],
        ),
        "test_table": table_text(
            unreliable_tests(data), "Tests that fail or flicker on the original.", data.references["kind"]
        ),
        "figures": shown,
        "paper_figures": of_paper,
        "notebooks": pages,
        "first_runs": _first_runs(data),
        "answers": _answers(data),
        "oracle_sentences": findings.oracle_note(data),
        "tables": [path.name for path in tables],
    }
    template = environment.get_template("report.html.j2")
    index = out_dir / "index.html"
    write_atomically(index, template.render(**context, image=lambda stem: f"figures/{stem}.svg", alone=False))
    whole = template.render(
        **context, image=lambda stem: _inline(out_dir / "figures" / f"{stem}.svg"), alone=True
    )
    write_atomically(out_dir / "report.html", whole)
    return index


def _answers(data: Dataset) -> list[dict[str, Any]]:
    """Each research question's sentences and table."""
    return [
        {
            "title": title,
            "sentences": findings.answer(found),
            "table": answers_text(found, caption, data.kind),
        }
        for title, caption, found in (
            (
                "RQ1, correctness",
                "Comparisons of pass rates (percentage points).",
                questions.correctness(data),
            ),
            ("RQ1, code quality", "Comparisons of size and complexity (ratios).", questions.quality(data)),
            ("RQ2, efficiency", "Comparisons of time, cost and tokens (ratios).", questions.efficiency(data)),
        )
    ]


def _inline(path: Path) -> str:
    """A figure as part of the page."""
    return f"data:image/svg+xml;base64,{base64.b64encode(path.read_bytes()).decode()}"


def _copy_figures(
    source: Path, target: Path, titles: Mapping[str, str], kinds: list[str]
) -> list[dict[str, str]]:
    target.mkdir(parents=True, exist_ok=True)
    shown = []
    for stem, title in titles.items():
        files = [source / f"{stem}{suffix}" for suffix in (".svg", ".png")]
        if not all(path.is_file() for path in files):
            continue
        for path in files:
            if path.resolve() != (target / path.name).resolve():
                shutil.copyfile(path, target / path.name)
        kind = _OWN_KINDS.get(stem, ", ".join(kinds))
        shown.append({"stem": stem, "title": title, "kind": f"Kind: {kind.upper()}."})
    return shown


def _notebook_page(path: Path, folder: Path) -> dict[str, str]:
    """Write one notebook as a page that fetches nothing, and its file beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    notebook = nbformat.read(path, as_version=4)
    if path.resolve() != (folder / path.name).resolve():
        shutil.copyfile(path, folder / path.name)
    for cell in notebook.cells:
        if LIVE_ONLY in cell.metadata.get("tags", []):
            html = table_library().data
            cell.outputs = [nbformat.v4.new_output("display_data", {"text/html": html})]
        if cell.cell_type == "markdown":
            cell.source = re.sub(r"\]\((\w+)\.ipynb\)", r"](\1.html)", cell.source)
    exporter: Any = HTMLExporter(
        template_name="lab",
        mathjax_url="",
        require_js_url="",
        jquery_url="",
        mermaid_js_url="",
        mermaid_layout_elk_js_url="",
        widget_renderer_url="",
    )
    body, _ = exporter.from_notebook_node(notebook)
    page = f"{path.stem}.html"
    write_atomically(folder / page, body)
    heading = re.search(r"(?m)^# (.+)$", notebook.cells[0].source)
    return {"page": page, "file": path.name, "title": heading[1] if heading else path.stem}


def _first_runs(data: Dataset) -> list[str]:
    runs = scored_runs(data)
    seen = runs[(runs["outcome"] == "completed") & runs["sees_target"].fillna(False).astype(bool)]
    failing = seen[seen["pass_rate_percent"] < 100].sort_values("pass_rate_percent", kind="stable")
    return [str(run) for run in failing["run_id"].head(_FIRST_RUNS)]
