"""Hours and money of planned runs: sums by hand, missing stays missing, limits cut, intervals cover."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from study.design import Limits
from study.planning.cost import costs, per_run
from study.schema import StudyError


def made(
    minutes: dict[str, list[float | None]], usd: dict[str, list[float | None]], kind: str = "measured"
) -> pd.DataFrame:
    """Runs of some agents, one of each service."""
    rows = [
        {"agent": agent, "project": "p", "service": f"s{i}", "kind": kind, "outcome": "completed",
         "time_min": time, "cost_usd": usd[agent][i]}
        for agent, times in minutes.items()
        for i, time in enumerate(times)
    ]  # fmt: skip
    return pd.DataFrame(rows)


TWO = made({"a": [30, 60, 90], "b": [6, 6, 6]}, {"a": [1, 2, 3], "b": [0.5, 0.5, 0.5]})


def test_totals_are_means_times_runs() -> None:
    table = costs(TWO, {"a": 10, "b": 20}, jobs=4).set_index("agent")
    assert table["hours"].to_dict() == pytest.approx({"a": 10, "b": 2, "all": 12})
    assert table["usd"].to_dict() == pytest.approx({"a": 20, "b": 10, "all": 30})
    assert table.loc["all", "wall_hours"] == pytest.approx(3)
    assert table.loc["all", "runs"] == 30
    assert table.loc["b", ["hours_low", "hours_high"]].tolist() == pytest.approx([2, 2])
    assert table.loc["a", "hours_low"] < 10 < table.loc["a", "hours_high"]
    assert set(table["kind"]) == {"measured"}


def test_what_no_run_reports_is_missing_and_so_is_the_sum() -> None:
    runs = made({"a": [30, 60], "b": [None, None]}, {"a": [1, 2], "b": [1, None]})
    table = costs(runs, {"a": 2, "b": 2, "new": 2}).set_index("agent")
    assert table["hours"].isna().to_dict() == {"a": False, "b": True, "new": True, "all": True}
    assert table["usd"].isna().to_dict() == {"a": False, "b": False, "new": True, "all": True}
    assert table.loc["b", "usd"] == 2
    assert (table.loc["b", "known_time"], table.loc["b", "known_cost"]) == (0, 1)
    assert table.loc["new", "note"] == "no runs of it to go by"
    assert table.loc["new", "kind"] == "unknown"
    without = costs(runs, {"a": 2, "new": 0}).set_index("agent")
    assert without.loc["all", "usd"] == 3


def test_a_new_limit_cuts_measured_runs() -> None:
    limits = Limits(agent_seconds=45 * 60)
    known = per_run(TWO, limits)
    assert known.loc[known["agent"] == "a", "minutes"].tolist() == [30, 45, 45]
    assert known.loc[known["agent"] == "a", "usd"].tolist() == pytest.approx([1, 1.5, 1.5])
    table = costs(TWO, {"a": 3}, limits=limits).set_index("agent")
    assert table.loc["a", "hours"] == 2
    assert "2 runs were longer than the new limit" in table.loc["a", "note"]


def test_a_limit_of_money_cuts_the_cost() -> None:
    known = per_run(TWO, Limits(agent_seconds=1e6, agent_usd=1.5))
    assert known.loc[known["agent"] == "a", "usd"].tolist() == [1, 1.5, 1.5]


def test_runs_that_an_earlier_limit_stopped_are_a_lower_bound() -> None:
    runs = TWO.assign(outcome=["timeout", *["completed"] * 5])
    note = costs(runs, {"a": 1}, limits=Limits(agent_seconds=60 * 60)).set_index("agent").loc["a", "note"]
    assert "1 runs were stopped by an earlier limit: the true cost is higher" in note


def test_made_up_times_meet_no_limit() -> None:
    runs = TWO.assign(kind="simulated")
    table = costs(runs, {"a": 3}, limits=Limits(agent_seconds=10)).set_index("agent")
    assert table.loc["a", "hours"] == 3
    assert "made up" in table.loc["a", "note"]


def test_runs_that_are_tried_again_do_not_count() -> None:
    runs = TWO.assign(outcome=["infrastructure_error", *["completed"] * 5])
    assert costs(runs, {"a": 2}).set_index("agent").loc["a", "hours"] == pytest.approx(2.5)


def test_the_interval_covers_the_total_of_new_runs() -> None:
    rng = np.random.default_rng(8)
    inside = 0
    for seed in range(150):
        service = rng.normal(0, 0.5, 40 + 12)
        time = np.exp(2 + service[:, None] + rng.normal(0, 0.4, (52, 4)))
        frame = made({"a": time[:40].ravel().tolist()}, {"a": [1.0] * 160})
        frame["service"] = np.repeat(np.arange(40), 4)
        row = costs(frame, {"a": 12}, resamples=400, seed=seed).iloc[0]
        inside += row["hours_low"] <= time[40:, 0].sum() / 60 <= row["hours_high"]
    assert 0.90 <= inside / 150 <= 0.99


def test_a_service_that_differs_widens_the_interval() -> None:
    even = made({"a": [10, 50] * 8}, {"a": [1.0] * 16}).assign(service=np.repeat(np.arange(8), 2))
    uneven = even.assign(service=np.tile(np.arange(2), 8))
    wide, narrow = (costs(frame, {"a": 200}).iloc[0] for frame in (uneven, even))
    assert wide["hours_high"] - wide["hours_low"] > 1.5 * (narrow["hours_high"] - narrow["hours_low"])


@pytest.mark.parametrize(
    ("planned", "jobs", "message"),
    [({"a": -1}, 1, "a: -1"), ({}, 1, "runs per agent: none"), ({"a": 1}, 0, "--jobs: 0")],
)
def test_impossible_plans_are_refused(planned: dict[str, int], jobs: int, message: str) -> None:
    with pytest.raises(StudyError, match=message):
        costs(TWO, planned, jobs=jobs)
