"""A changed value changes the findings that read it, and no others; and what is read can change a finding."""

from __future__ import annotations

import shutil
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

from study.published.audit import Checked, audit, check_all
from study.published.claims import list_claims
from study.published.data import PAPER, Paper, load_paper
from study.published.evidence import Effort
from study.published.reader import Cell

TINY = Effort(draws=60, steps=3, searched=0, others=2, stored=False)
"""The search of the statistics with a small budget, for the unchanged data too."""
EVERY = {"pass_rates": 1, "pass_rates_agent_average": 1, "efficiency": 1, "code_quality": 5, "claims": 9,
         "boxplots_time": 7, "boxplots_cost": 11, "boxplots_input_tokens": 13, "boxplots_output_tokens": 13,
         "boxplots_agent": 5, "boxplot_outliers": 7, "statistics": 1, "projects": 2, "design": 3,
         "suites": 4}  # fmt: skip
"""Every which number of a table is changed, one after the other."""
BOUNDED = {"C46", "C75"}
"""Claims on runs that are hidden, or longer than a limit: not every cell that bounds them moves them."""
SOME = 8
"""Every which of the cells that are read is changed to see that it matters to each claim that reads it."""


@pytest.fixture(scope="module")
def paper() -> Paper:
    return load_paper()


@pytest.fixture(scope="module")
def before(paper: Paper) -> dict[str, Checked]:
    return findings(paper)


def findings(paper: Paper, names: set[str] | None = None) -> dict[str, Checked]:
    claims = [claim for claim in list_claims(paper) if names is None or claim.claim_id in names]
    return {checked.claim.claim_id: checked for checked in check_all(paper, claims, TINY)}


def shown(checked: Checked) -> tuple[str, ...]:
    return checked.claim.printed, checked.finding.ours, checked.finding.verdict, checked.finding.why


def searched(checked: Checked) -> bool:
    return checked.claim.check.startswith("statistic")


def cells(paper: Paper, table: str) -> list[Cell]:
    frame = paper[table]
    numeric = [c for c in frame.columns if pd.api.types.is_numeric_dtype(frame[c]) and frame[c].dtype != bool]
    numeric += ["low", "high"] if table == "claims" else []
    every = [Cell(table, row, column) for row in range(len(frame)) for column in numeric]
    return [cell for cell in every if pd.notna(frame.at[cell.row, cell.column])][:: EVERY[table]]


def change(paper: Paper, cell: Cell, new: object) -> Paper:
    frame = paper[cell.table].copy()
    frame.at[cell.row, cell.column] = new
    return Paper(paper.folder, {**paper.tables, cell.table: frame})


def another(paper: Paper, cell: Cell) -> object:
    old = paper[cell.table].at[cell.row, cell.column]
    if isinstance(old, str):
        return f"{float(old) + 7:g}"
    if isinstance(old, bool) or paper[cell.table][cell.column].dtype == "boolean":
        return not old
    return old - 9 if old >= 90 and cell.column.endswith("percent") else old + max(1, round(old / 10))


@pytest.mark.parametrize("table", EVERY)
def test_a_change_reaches_only_what_reads_it(paper: Paper, before: dict[str, Checked], table: str) -> None:
    changed_something = 0
    quick = {name for name, checked in before.items() if not searched(checked)}
    for number, cell in enumerate(cells(paper, table)):
        # a search over values per run takes a while, and is made for every fifth cell of Table III
        names = quick if table == "pass_rates" and number % 5 else set(before)
        after = findings(change(paper, cell, another(paper, cell)), names)
        dependents = {name for name in names if cell in before[name].reads}
        changed = {name for name in names if shown(before[name]) != shown(after[name])}
        assert changed <= dependents, (cell, changed - dependents)
        changed_something += bool(changed)
        if table in ("pass_rates", "pass_rates_agent_average", "efficiency"):
            assert any(name.startswith("T") for name in changed), cell
    assert changed_something > 0


def other_values(paper: Paper, cell: Cell) -> Iterator[object]:
    """Small, large and very large changes: a maximum depends on the others only if they exceed it."""
    column = paper[cell.table][cell.column]
    old = column.at[cell.row]
    if isinstance(old, str) and cell.column not in ("low", "high"):
        yield from (value for value in column.dropna().unique() if value != old)
        yield {"p_printed": "= 0.5", "description": "0.5"}.get(cell.column, f"{old} changed")
    elif isinstance(old, str):
        yield from (f"{float(old) + 7:g}", f"{float(old) / 2:g}")
    elif column.dtype in ("bool", "boolean"):
        yield not old
    elif pd.api.types.is_integer_dtype(column):
        yield from (old + 3, max(old - 1, 1), 100 * old)
    elif cell.column.endswith("percent"):
        yield from (old - 9 if old >= 90 else old + max(1, old / 10), 0.9 * old, 100.0, 0.0)
    else:
        # a bar moved by this share of a unit is whole only without one of 12 runs
        yield from (1.1 * old, 0.85 * old, 100 * old, old / 100, old + 1 / 396, old + 1 / 528)


def group(paper: Paper, cell: Cell) -> list[Cell]:
    """Rows that say the same of one suite are changed together: one that does is enough for all three."""
    frame = paper[cell.table]
    if cell.column not in ("basis", "skips"):
        return [cell]
    suite = frame.loc[cell.row, ["project", "scenario"]]
    same = (frame[["project", "scenario"]] == suite).all(axis=1)
    return [Cell(cell.table, row, cell.column) for row in frame.index[same]]


def test_whatever_is_read_matters(paper: Paper, before: dict[str, Checked]) -> None:
    """Every declared dependency shows in value, evidence or verdict, for a sample of the cells."""
    readers: dict[Cell, set[str]] = defaultdict(set)
    for name, checked in before.items():
        for cell in checked.reads:
            if pd.notna(paper[cell.table].at[cell.row, cell.column]) and name not in BOUNDED:
                readers[cell].add(name)
    idle = {}
    for cell in sorted(readers)[::SOME]:
        left = set(readers[cell])
        for new in other_values(paper, cell):
            if not left:
                break
            changed = paper
            for same in group(paper, cell):
                changed = change(changed, same, new)
            after = findings(changed, left)
            left -= {name for name in left if shown(after[name]) != shown(before[name])}
        if left:
            idle[cell] = left
    assert idle == {}


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
