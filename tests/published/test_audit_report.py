"""What readers get of the audit: counts, the ten, one claim, and files that other programs can read."""

from __future__ import annotations

import io
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

from study.cli import app
from study.published import show
from study.published.audit import audit
from study.published.data import PAPER, load_paper
from study.published.report import TOPICS, explain, how_to_read, render, summary, top_ten
from study.schema import StudyError


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    return audit()


def test_summary_adds_up(table: pd.DataFrame) -> None:
    counts = summary(table)
    assert counts.loc["all", "total"] == len(table)
    assert counts.loc["sentences", "total"] == 81
    assert counts.loc["Table III, cells", "total"] == 72
    assert (counts.drop(columns="total").sum(axis=1) == counts["total"]).all()
    text = how_to_read(table)
    assert f"Of 81 sentences {counts.loc['sentences', 'agrees']} agree" in text
    assert "serious study" in text


def test_the_ten_rest_on_claims_that_do_not_agree(table: pd.DataFrame) -> None:
    ten = top_ten(table)
    assert len(ten) == len(TOPICS) == 10
    assert ten["evidence"].str.len().min() > 40
    agreeing = table.assign(verdict="agrees")
    assert top_ten(agreeing).empty, "a matter that agrees is no matter"


def test_one_claim_is_explained_down_to_its_cells() -> None:
    text = explain(load_paper(), "c17")
    assert text.startswith("C17  AGREES")
    assert "study.published.sentences.correctness.average (reproduced" in text
    assert "pass_rates.csv line 40, pass_rate_percent: 0.0" in text
    line = (PAPER / "pass_rates.csv").read_text().splitlines()[39]
    assert line == "published,Codex,TeamSync,incremental,P2,0.0"
    with pytest.raises(StudyError, match="no claim 'C99'"):
        explain(load_paper(), "C99")


class _Ids(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.ids |= {found["id"]} if found.get("id") else set()
        self.links |= {(found["href"] or "")[1:]} if tag == "a" else set()


def test_formats(table: pd.DataFrame) -> None:
    read = pd.read_csv(io.StringIO(render(table, "csv")))
    assert list(read["verdict"]) == list(table["verdict"])
    page = _Ids()
    page.feed(render(table, "html"))
    assert set(table["claim_id"]) <= page.ids
    assert page.links <= page.ids
    assert len(page.links) > 10
    latex = render(table, "latex")
    assert latex.count(r"\begin{longtable}") == latex.count(r"\end{longtable}") == 1
    assert sum(line.endswith(r"\\") for line in latex.splitlines()) >= len(table)
    assert r"T4.\allowbreak{}Codex.\allowbreak{}runs &" in latex, "long ids may break at their dots"
    assert r"48.00 (projects x services" in latex, "and numbers do not"
    with pytest.raises(StudyError, match="--format: 'pdf'"):
        render(table, "pdf")


def test_a_changed_copy_is_named(tmp_path: Path) -> None:
    copy = shutil.copytree(PAPER, tmp_path / "paper")
    text = (copy / "claims.csv").read_text()
    (copy / "claims.csv").write_text(text.replace("over agents,6,16,min", "over agents,8,17,min"))
    assert "C06  AGREES" in explain(load_paper(copy), "C06")


def test_a_claim_that_does_not_exist_names_those_near_it() -> None:
    paper = load_paper()
    with pytest.raises(StudyError, match=r"no claim 't4.codex.time'; near it are .*T4.Codex.total_time_h"):
        explain(paper, "t4.codex.time")
    with pytest.raises(StudyError, match="no claim 'X'; ids are like C17, .*lists all 287"):
        explain(paper, "X")


def test_a_narrow_terminal_shows_a_list_without_broken_words(table: pd.DataFrame) -> None:
    lines = CliRunner().invoke(app, ["audit"], env={"COLUMNS": "50"}).stdout.splitlines()
    assert max(map(len, lines)) <= 50
    text = " ".join(" ".join(lines).split())
    assert "C01 agrees: number of generated services (Abstract; I; III-C5): printed 144; ours 144" in text
    for row in table[:81].to_dict("records"):
        assert f"{row['claim_id']} {row['verdict']}: {row['says']}" in text


def test_notebook_output_names_kind_and_replication(table: pd.DataFrame) -> None:
    shown = show.table(pd.DataFrame({"x": [1.0]}), "Numbers.", "re-analysed")
    assert "Numbers. [re-analysed] Kind: published." in shown.data
    assert "[reproduced]" in show.say(["Said & done."], "reproduced").data
    assert "Said &amp; done." in show.say(["Said & done."], "reproduced").data
    assert show.ten(table).data.count("<details>") == 10
    disagreeing = show.claims(table, "Some.", verdicts=["disagrees"], prefix="C").data
    assert "C06" in disagreeing
    assert "C01" not in disagreeing
