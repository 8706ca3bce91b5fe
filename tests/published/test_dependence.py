"""A changed value changes the findings that read it, and no others."""

from __future__ import annotations

import shutil
from pathlib import Path

import pandas as pd
import pytest

from study.published.audit import Checked, audit, check_all
from study.published.claims import list_claims
from study.published.data import PAPER, Paper, load_paper
from study.published.reader import Cell

EVERY = {"pass_rates": 1, "pass_rates_agent_average": 1, "efficiency": 1, "code_quality": 5, "claims": 9,
         "boxplots_time": 7, "boxplots_cost": 11, "boxplots_input_tokens": 13, "boxplots_output_tokens": 13,
         "boxplots_agent": 5, "boxplot_outliers": 7, "statistics": 2, "projects": 2, "design": 3}  # fmt: skip
"""Every which number of a table is changed, one after the other."""


@pytest.fixture(scope="module")
def paper() -> Paper:
    return load_paper()


def findings(paper: Paper) -> dict[str, Checked]:
    # the statistics search over values per run, which takes seconds for changed data
    claims = [claim for claim in list_claims(paper) if not claim.check.startswith("statistic")]
    return {checked.claim.claim_id: checked for checked in check_all(paper, claims)}


def shown(checked: Checked) -> tuple[str, ...]:
    return checked.claim.printed, checked.finding.ours, checked.finding.verdict, checked.finding.why


def cells(paper: Paper, table: str) -> list[Cell]:
    frame = paper[table]
    numeric = [c for c in frame.columns if pd.api.types.is_numeric_dtype(frame[c])]
    numeric += ["low", "high"] if table == "claims" else []
    every = [Cell(table, row, column) for row in range(len(frame)) for column in numeric]
    return [cell for cell in every if pd.notna(frame.at[cell.row, cell.column])][:: EVERY[table]]


def change(paper: Paper, cell: Cell) -> Paper:
    frame = paper[cell.table].copy()
    old = frame.at[cell.row, cell.column]
    if isinstance(old, str):
        new: object = f"{float(old) + 7:g}"
    else:
        new = old - 9 if old >= 90 and cell.column.endswith("percent") else old + max(1, round(old / 10))
    frame.at[cell.row, cell.column] = new
    return Paper(paper.folder, {**paper.tables, cell.table: frame})


@pytest.mark.parametrize("table", EVERY)
def test_a_change_reaches_only_what_reads_it(paper: Paper, table: str) -> None:
    before = findings(paper)
    changed_something = 0
    for cell in cells(paper, table):
        after = findings(change(paper, cell))
        dependents = {name for name, checked in before.items() if cell in checked.reads}
        changed = {name for name in before if shown(before[name]) != shown(after[name])}
        assert changed <= dependents, (cell, changed - dependents)
        changed_something += bool(changed)
        if table in ("pass_rates", "pass_rates_agent_average", "efficiency"):
            assert any(name.startswith("T") for name in changed), cell
    assert changed_something > 0


@pytest.mark.parametrize(
    ("file", "old", "new", "verdicts"),
    [
        (
            "pass_rates_agent_average.csv",
            "Code Qwen,clean_state,P2,89.5",
            "Code Qwen,clean_state,P2,89.9",
            {"T3A.Code-Qwen.clean_state.P2": "disagrees"},
        ),
        ("claims.csv", "over incremental,34,34", "over incremental,31,31", {"C38": "agrees"}),
        ("claims.csv", "over agents,6,16,min", "over agents,8,17,min", {"C06": "agrees"}),
        (
            "efficiency.csv",
            "Code Qwen,7.6,6.10",
            "Code Qwen,7.6,6.11",
            {"T4.Code-Qwen.total_time_h": "agrees"},
        ),
        (
            "efficiency.csv",
            "2916,16.2,2.98,143.08",
            "2916,16.2,2.98,149.08",
            {
                "T4.Code-Qwen.avg_cost_usd": "partly",
                "T4.Code-Qwen.total_cost_usd": "disagrees",
                "C47": "partly",
                "C50": "partly",
            },
        ),
        (
            "boxplots_time.csv",
            "14.7,17.491667,1",
            "14.7,11.491667,1",
            {
                "F4.Codex.Inc-P1": "agrees",
                "T4.Codex.avg_time_min": "partly",
            },
        ),
    ],
)
def test_verdicts_that_a_change_flips(
    tmp_path: Path, file: str, old: str, new: str, verdicts: dict[str, str]
) -> None:
    copy = shutil.copytree(PAPER, tmp_path / "paper")
    text = (copy / file).read_text()
    assert text.count(old) == 1
    (copy / file).write_text(text.replace(old, new))
    before, after = (audit(folder).set_index("claim_id")["verdict"] for folder in (None, copy))
    flipped = {name: after[name] for name in after.index if after[name] != before[name]}
    assert {name: after[name] for name in verdicts} == verdicts
    reads = {
        c.claim.claim_id for c in check_all(load_paper()) if any(cell.table == file[:-4] for cell in c.reads)
    }
    assert set(flipped) <= reads
