"""The tables of a dataset for a paper, as LaTeX: one file each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from study.display import FORMATS, answer_rows, effort_rows
from study.files import write_atomically
from study.latex import latex
from study.statistics import questions
from study.statistics.summary import efficiency, outcome_counts, wide_pass_rates

if TYPE_CHECKING:
    from study.records.dataset import Dataset


def write_tables(data: Dataset, folder: Path) -> list[Path]:
    """Write the tables of a dataset as `NAME.tex`; those without rows are left out.

    Returns
    -------
    list of Path
        The files. The preamble needs the packages of `study.latex.PACKAGES`.
    """
    tables = {
        "outcomes": (outcome_counts(data), "Runs by outcome."),
        "pass_rates": (wide_pass_rates(data), "Mean pass rate (%)."),
        "efficiency": (effort_rows(efficiency(data)), "Time, cost and tokens per run."),
    }
    for name, ask, caption in (
        ("answer_correctness", questions.correctness, "Comparisons of pass rates (percentage points)."),
        ("answer_quality", questions.quality, "Comparisons of size and complexity (ratios)."),
        ("answer_efficiency", questions.efficiency, "Comparisons of time, cost and tokens (ratios)."),
    ):
        table = ask(data)
        family = f" {table['family'].iloc[0]}; 95 % intervals over services." if len(table) else ""
        tables[name] = (_written(answer_rows(table)), caption + family)
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, (frame, caption) in tables.items():
        if len(frame):
            paths.append(folder / f"{name}.tex")
            text = latex(frame, f"{caption} Dataset {data.name}.", data.kind, label=name)
            write_atomically(paths[-1], text)
    return paths


def _written(frame: pd.DataFrame) -> pd.DataFrame:
    """P values as texts, and their columns in words."""
    texts = {
        name: ["–" if pd.isna(value) else FORMATS[name](value) for value in frame[name]]
        for name in ("p", "p_holm")
        if name in frame
    }
    return frame.assign(**texts).rename(columns={"p_holm": "adjusted p"})
