"""Tables I to IV: the printed cells in the printed places, HTML that says what it is, LaTeX that compiles."""

from __future__ import annotations

import csv
import re
import shutil
import subprocess
from pathlib import Path

import pandas as pd
import pytest
from synthetic import make_dataset

from study import exhibit
from study.latex import escape, latex
from study.published import exhibits
from study.published.data import PAPER, Paper, load_paper
from study.statistics import forms

PACKAGES = r"\usepackage{booktabs,graphicx,multirow}"


@pytest.fixture(scope="module")
def paper() -> Paper:
    return load_paper()


def _rows(name: str) -> list[dict[str, str]]:
    with (PAPER / f"{name}.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_table_3_has_every_printed_cell_and_average(paper: Paper) -> None:
    table = exhibits.table3_pass_rates(paper)
    assert table.shape == (15, 6)
    for row in _rows("pass_rates"):
        cell = table.loc[(row["agent"], row["project"]), (row["scenario"], row["condition"])]
        assert f"{cell:.1f}" == row["pass_rate_percent"]
    for row in _rows("pass_rates_agent_average"):
        cell = table.loc[(row["agent"], forms.AVERAGE), (row["scenario"], row["condition"])]
        assert f"{cell:.1f}" == row["average_pass_rate_percent"]
    averages = table.xs(forms.AVERAGE, level="project")
    assert averages.xs(forms.BASELINE, axis=1, level=1).isna().all(axis=None)


def test_differences_are_worked_by_hand(paper: Paper) -> None:
    table = exhibits.table3_changes(paper)
    assert table.loc[("Codex", "TeamSync"), ("incremental", "P2 - P1")] == pytest.approx(-66.7)
    assert table.loc[("Code Qwen", "Train-Ticket"), ("clean_state", "P2 - P1")] == pytest.approx(63.7)
    assert table.loc[("Claude Code", "Train-Ticket"), ("clean_state", "P1 - baseline")] == pytest.approx(15.5)
    assert table.loc[("Codex", "Average"), ("incremental", "P2 - P1")] == pytest.approx(-25.6)


def test_table_4_prints_what_is_printed(paper: Paper) -> None:
    printed = exhibits.tables(paper)["table4_efficiency"].printed
    rows = _rows("efficiency")
    for column in forms.TIME_AND_COST:
        assert list(printed[exhibits.HEADINGS.get(column, column)]) == [row[column] for row in rows]


def test_tables_1_and_2_hold_every_row(paper: Paper) -> None:
    projects, agents = exhibits.table1_projects(paper), exhibits.table2_agents(paper)
    assert list(projects["project"]) == [row["project"] for row in _rows("projects")]
    assert list(projects["services"]) == [int(row["services"]) for row in _rows("projects")]
    assert list(agents["model"]) == [
        "claude-sonnet-4-20250514",
        "GPT-5 (high effort)",
        "qwen3-coder-480b-a35b",
    ]


def test_spread_is_that_of_figure_7(paper: Paper) -> None:
    row = exhibits.table4_spread(paper).query("agent == 'Codex' and metric == 'time (min)'").iloc[0]
    assert (row["median"], row["q3"]) == pytest.approx((12.6, 15.125))
    assert row["mean_over_median"] == pytest.approx(16.54375 / 12.6)


def test_html_names_kind_and_scope(paper: Paper) -> None:
    for name, table in exhibits.tables(paper).items():
        text = table.html()
        kind = "re-analysed" if name in ("table3_changes", "table4_spread") else "reproduced"
        assert f"Kind: published, {kind}." in text or f"Kind: {kind}, published." in text
        assert "<caption>" in text
        headings = re.findall(r"<th [^>]*class=\"(?:col|row)_heading[^>]*>", text)
        assert headings
        assert all('scope="' in heading for heading in headings)


def test_files_are_written_and_hold_both_forms(paper: Paper, tmp_path: Path) -> None:
    shown = exhibit.show(exhibits.tables(paper)["table4_efficiency"], tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {
        "paper_table4_efficiency.html",
        "paper_table4_efficiency.tex",
    }
    assert "<summary>LaTeX</summary>" in shown.data
    assert r"637.39 & 48 \\" in (tmp_path / "paper_table4_efficiency.tex").read_text()


NASTY = "\\ & % $ # _ { } ~ ^ < > | – [x] * ²"


def _sources(paper: Paper) -> list[str]:
    hard = pd.DataFrame({"a_b%": [NASTY, "[1] first", "* star"], "[c]": [1.25, None, 3.0]})
    return [
        *(table.latex() for table in exhibits.tables(paper).values()),
        latex(hard, NASTY, ["published"], label="hard"),
    ]


def test_every_row_has_as_many_cells_as_columns(paper: Paper) -> None:
    for source in _sources(paper):
        layout = re.search(r"\\begin{tabular}{(\w+)}", source)
        assert layout
        body = source.split(r"\toprule")[1].split(r"\bottomrule")[0]
        for line in body.strip().split("\n"):
            if not line.endswith(r"\\"):
                continue
            spans = [int(span) for span in re.findall(r"\\multicolumn{(\d+)}", line)]
            cells = len(re.findall(r"(?<!\\)&", line)) + 1 + sum(span - 1 for span in spans)
            assert cells == len(layout[1]), line
        assert source.count("{") - source.count(r"\{") == source.count("}") - source.count(r"\}")
        assert r"\toprule" in source and r"\caption{" in source and "Kind: " in source


def test_no_character_keeps_its_meaning() -> None:
    assert escape("50% of a_b & $x$ {y} #1") == r"50\% of a\_b \& \$x\$ \{y\} \#1"
    assert escape("[") == "{[}"


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no pdflatex here")
def test_latex_compiles(paper: Paper, tmp_path: Path) -> None:
    body = "\n".join(_sources(paper))
    (tmp_path / "t.tex").write_text(
        f"\\documentclass{{article}}{PACKAGES}\\begin{{document}}{body}\\end{{document}}", encoding="utf-8"
    )
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-draftmode", "t.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace")
    assert done.returncode == 0, done.stdout[-600:]
    assert "Overfull" not in done.stdout


def test_runs_fill_the_same_forms(tmp_path: Path) -> None:
    data = make_dataset(tmp_path / "toy", agents=["a", "b"])
    table = forms.rate_table(forms.rate_cells(data))
    assert list(table.columns.get_level_values(1)) == ["baseline", "minimal", "summary"] * 2
    own = data.runs.query("agent == 'a' and scenario == 'incremental' and prompt == 'minimal'")
    first = own["project"].iloc[0]
    expected = own[own["project"] == first]["pass_rate_percent"].astype(float).mean()
    assert table.loc[("a", first), ("incremental", "minimal")] == pytest.approx(expected)
    effort = forms.efficiency_table(data).set_index("agent")
    times = data.runs.query("agent == 'b'")["time_min"].astype(float)
    assert effort.loc["b", "avg_time_min"] == pytest.approx(times.mean())
    assert effort.loc["b", "total_time_h"] == pytest.approx(times.sum() / 60)
    assert list(forms.projects(data)["project"]) == list(dict.fromkeys(data.references["project"]))
    assert forms.agents(data)["runs"].sum() == len(data.runs)
