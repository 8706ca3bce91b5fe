"""The published data are whole, documented, and wrong cells in a copy are named."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from study.published.data import PAPER, SUBJECTS, dictionary, load_paper
from study.published.tables import PAPER_TABLES, SUBJECT_TABLES
from study.schema import StudyError


def test_row_counts_and_kinds() -> None:
    paper = load_paper()
    counts = {name: len(frame) for name, frame in paper.tables.items()}
    assert counts == {
        "pass_rates": 72, "pass_rates_agent_average": 12, "efficiency": 3, "code_quality": 21,
        "boxplots_time": 12, "boxplots_cost": 12, "boxplots_input_tokens": 12, "boxplots_output_tokens": 12,
        "boxplots_agent": 6, "boxplot_outliers": 46, "projects": 5, "agents": 3, "design": 33,
        "statistics": 5, "claims": 81, "suites": 18, "floors": 10,
    }  # fmt: skip
    assert {kind for name in PAPER_TABLES for kind in paper[name]["kind"]} == {"published"}
    assert paper.changed == ()


def test_known_cells() -> None:
    rates = load_paper()["pass_rates"].set_index(["agent", "project", "scenario", "condition"])
    assert rates.loc[("Codex", "PiggyMetrics", "incremental", "P2"), "pass_rate_percent"] == 93.3
    assert rates.loc[("Code Qwen", "Train-Ticket", "clean_state", "P1"), "pass_rate_percent"] == 33.3


@pytest.mark.parametrize(("folder", "tables"), [(PAPER, PAPER_TABLES), (SUBJECTS, SUBJECT_TABLES)])
def test_dictionary_and_checksums_are_fresh(folder: Path, tables: dict) -> None:
    text = (folder / "DICTIONARY.md").read_text()
    title = text.split("\n")[0].removeprefix("# ").removesuffix(": data dictionary")
    assert text == dictionary(title, tables)
    assert {path.stem for path in folder.glob("*.csv")} == set(tables)
    listed = {line.split("  ")[1] for line in (folder / "SHA256SUMS").read_text().splitlines()}
    assert listed == {path.name for path in folder.iterdir()} - {"SHA256SUMS"}


def test_a_copy_may_differ_and_says_where(tmp_path: Path) -> None:
    copy = shutil.copytree(PAPER, tmp_path / "paper")
    table = copy / "efficiency.csv"
    table.write_text(table.read_text().replace("13.28", "13.29"))
    assert load_paper(copy).changed == ("efficiency.csv",)
    table.write_text(table.read_text().replace("13.29", "much"))
    with pytest.raises(StudyError, match=r"efficiency.csv: line 2: avg_cost_usd: .*'much'"):
        load_paper(copy)
