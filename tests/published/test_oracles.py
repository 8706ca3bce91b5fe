"""Floors of the real systems and what stands beside them; prices and caching."""

from __future__ import annotations

import pytest

from study.published import economy, oracles
from study.published.data import load_paper


def test_floor_equals_ceiling_where_the_suites_were_run() -> None:
    table = oracles.floors(load_paper())
    run = table[table["basis"] == "run"]
    assert len(run) == 3
    assert (run["kind"] == "measured").all()
    assert (run["floor_percent"] == run["ceiling_percent"]).all()
    assert not run["sees_target"].any()
    assert table.loc[table["basis"] == "read", "sees_target"].isna().all(), "reading is not running"


def test_clean_state_cells_beside_floors() -> None:
    table = oracles.floors_beside_cells(load_paper()).set_index("project")
    assert table.loc["Project-Management", "oracles_blind"] == 3
    assert table.loc["TeamSync", "oracles_without_test"] == 3
    assert table.loc["TeamSync", ["lowest_percent", "highest_percent"]].tolist() == [100, 100]
    text = " ".join(oracles.sentences(load_paper()))
    assert "the lowest published cell, 63.0, is below the measured floor of 100.0" in text


def test_cells_above_the_baseline() -> None:
    table = oracles.above_baseline(load_paper()).set_index(["project", "scenario"])
    assert table["above"].to_dict() == {
        ("Train-Ticket", "clean_state"): 5,
        ("Project-Management", "clean_state"): 4,
    }


def test_teamsync_passes_all_or_nothing() -> None:
    table = oracles.all_or_nothing(load_paper())
    assert table["project"].tolist() == ["TeamSync", "TeamSync"]
    assert table["values"].tolist() == ["0.0, 33.3, 66.7", "100.0"]


def test_prices_tokens_per_line_and_caching() -> None:
    paper = load_paper()
    table = economy.prices(paper).set_index("agent")
    assert table["tokens_per_line"].round(1).to_dict() == {
        "Claude Code": 2.5,
        "Codex": 40.8,
        "Code Qwen": 22.8,
    }
    assert table["largest_residual_usd"].max() < 2e-5
    assert set(economy.cached(paper)["order"]) == {"Claude Code > Codex > Code Qwen"}
    shares = economy.order_changes(paper).set_index(["agent", "cheaper_agent"])["cached_share"]
    # 13.279 - 0.9 x 13.247 s = 5.921, with 4.4156 M tokens at 3 USD
    assert shares["Claude Code", "Codex"] == pytest.approx((13.279 - 5.921) / (0.9 * 13.247), abs=1e-3)
    assert "change" not in economy.sentences(paper)[1].split(";")[0]
