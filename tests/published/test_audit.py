"""Every claim has a row, verdicts equal a list typed by other people, and each inconsistency comes out."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from study.published.audit import COLUMNS, audit
from study.published.data import load_paper
from study.published.verdicts import VERDICTS

DIFFERENT = {
    "C13": "typed as not testable, but that normality is rejected follows from the printed A2 and the cells",
    "C23": "typed as disagrees, but 19.7 and 20.5 percent round to 20 and 21, which is in the printed range",
    "C41": "typed as agrees, but the mean of Fig. 4 is 7.748, which rounds to 7.7; printed is 7.8",
}
"""Verdicts that differ from the typed list, and why ours is right."""


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    return audit().set_index("claim_id")


def test_every_row_is_complete(table: pd.DataFrame) -> None:
    assert table.index.is_unique
    assert ["claim_id", *table.columns] == list(COLUMNS)
    assert set(table["verdict"]) == set(VERDICTS)
    assert set(table["kind"]) == {"published"}
    assert set(table["replication"]) == {"reproduced", "re-analysed"}
    for column in ("says", "ours", "why", "check", "section"):
        assert (table[column].str.len() > 0).all(), column
    assert (table["reads"] > 0).all()
    assert "cannot be computed" not in set(table["ours"])


def test_every_printed_number_has_a_claim(table: pd.DataFrame) -> None:
    paper = load_paper()
    count = table.index.str.split(".").str[0].value_counts()
    assert count["T3"] == len(paper["pass_rates"]) == 72
    assert count["T3A"] == len(paper["pass_rates_agent_average"]) == 12
    assert count["T4"] == 7 * len(paper["efficiency"]) == 21
    assert count["F3"] == 2 * len(paper["code_quality"]) == 42
    assert sum(count[f] for f in ("F4", "F5", "F6a", "F6b", "F7")) == 54
    for row in paper["pass_rates"].itertuples():
        name = f"T3.{row.agent}.{row.project}.{row.scenario}.{row.condition}".replace(" ", "-")
        assert table.loc[name, "printed"] == f"{row.pass_rate_percent:.1f}"
    assert {f"S{i}" for i in range(1, 6)} | {f"C{i:02}" for i in range(1, 82)} <= set(table.index)


def test_verdicts_equal_the_typed_list(table: pd.DataFrame) -> None:
    typed = pd.read_csv(Path(__file__).parent / "data" / "typed_verdicts.csv", index_col="claim_id")[
        "verdict"
    ]
    assert len(typed) == 81
    differ = {name for name in typed.index if table.loc[name, "verdict"] != typed[name]}
    assert differ == set(DIFFERENT)


@pytest.mark.parametrize(
    ("number", "claim", "verdict", "numbers"),
    [
        (1, "C06", "disagrees", ["7.60", "16.60"]),
        (2, "T4.Codex.avg_time_min", "partly", ["16.544", "16.562"]),
        (2, "T4.Codex.total_time_h", "partly", ["13.2350"]),
        (2, "T4.Code-Qwen.total_time_h", "partly", ["6.1067"]),
        (3, "F4.Codex.Inc-P1", "disagrees", ["11.30 to 11.67", "17.49", "84.5 to 87.6"]),
        (3, "F7.Codex.time", "partly", ["16.5437", "two or more runs are not drawn"]),
        (4, "C23", "partly", ["19.7", "17.6", "4.9", "20.5", "no bar is of one agent in one configuration"]),
        (4, "C05", "agrees", ["Code Qwen cyclomatic -30.7", "Code Qwen cognitive -33.0"]),
        (5, "C38", "disagrees", ["30.8", "25.6", "36.0"]),
        (6, "C77", "disagrees", ["60.1", "66.7", "53.6"]),
        (6, "C78", "disagrees", ["90.9", "92.3", "89.6", "95.1"]),
        (7, "C67", "disagrees", ["77.8", "93.3"]),
        (7, "C68", "disagrees", ["33.3", "178", "has 48"]),
        (8, "C66", "partly", ["-8.4", "-12.5", "-11.3", "-13.6", "+13.7", "+7.3", "+0.1", "+0.9"]),
        (9, "C72", "partly", ["81.50 against 55.40", "89.67 against 89.83", "81.58 against 89.83"]),
        (10, "C63", "partly", ["713", "2.1 K"]),
        (10, "C79", "partly", ["713", "2.1 K"]),
        (11, "C33", "partly", ["+63.7", "7.6", "-33.3"]),
        (11, "C80", "partly", ["+63.7", "7.6"]),
        (12, "C73", "partly", ["Codex, Project-Management -5.0", "Claude Code, TeamSync +0.0"]),
        (12, "C03", "agrees", ["better in 7, equal in 2 and worse in 3"]),
        (13, "S2", "partly", ["4.29", "4.90", "24 pairs"]),
        (13, "S3", "partly", ["4.436", "rank-sum"]),
        (13, "S2", "partly", ["3.715", "72 pairs of services"]),
        (14, "C32", "partly", ["2 runs left out", "Inc-P1", "CS-P1", "Code Qwen"]),
    ],
)
def test_known_inconsistencies_come_out(
    table: pd.DataFrame, number: int, claim: str, verdict: str, numbers: list[str]
) -> None:
    row = table.loc[claim]
    assert row["verdict"] == verdict
    text = f"{row['ours']} {row['why']}"
    assert [said for said in numbers if said not in text] == []


def test_only_one_drawn_cell_contradicts_its_mean(table: pd.DataFrame) -> None:
    drawn = table[table["check"].isin(["box_mean", "agent_box_mean"])]
    assert list(drawn.index[drawn["verdict"] != "agrees"]) == ["F4.Codex.Inc-P1", "F7.Codex.time"]


@pytest.mark.parametrize(
    ("claim", "verdict", "said"),
    [
        ("T3.Claude-Code.PiggyMetrics.incremental.P1", "agrees", "12/14, 18/18, 14/16"),
        ("T3.Codex.PiggyMetrics.incremental.P1", "agrees", "14/14, 18/18, 13/16"),
        ("T3.Code-Qwen.PiggyMetrics.incremental.P2", "agrees", "12/14, 12/18, 16/16"),
        ("T3.Codex.PiggyMetrics.incremental.P2", "disagrees", "93.15 and 93.39"),
        ("T3.Codex.TeamSync.incremental.P2", "agrees", "0/1, 0/1, 0/1"),
        ("T3.Codex.TeamSync.incremental.P2", "agrees", "reach 4 of the 1001 values"),
        ("T3.Code-Qwen.PiggyMetrics.incremental.P1", "not testable", "tests nothing"),
        ("T3.Codex.PiggyMetrics.incremental.baseline", "not testable", "whatever the numbers of tests"),
        ("T3.Codex.PiggyMetrics.incremental.P1", "agrees", "855 of the 1001"),
        ("T3.Codex.Project-Management.incremental.P2", "disagrees", "46.67 and 48.33"),
        ("T3.Codex.Project-Management.clean_state.baseline", "partly", "12/13"),
        ("T3.Codex.Train-Ticket.incremental.P2", "not testable", "inferred"),
        ("T3.Codex.TeamSync.clean_state.P1", "not testable", "not known"),
    ],
)
def test_granularity_of_cells(table: pd.DataFrame, claim: str, verdict: str, said: str) -> None:
    assert table.loc[claim, "verdict"] == verdict
    assert said in f"{table.loc[claim, 'ours']} {table.loc[claim, 'why']}"
