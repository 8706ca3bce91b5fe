"""Descriptive tables, checked by counting a small artificial dataset by hand."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from synthetic import make_dataset

from study.statistics import summary


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory):
    return make_dataset(tmp_path_factory.mktemp("synthetic") / "toy", passed=7)


def test_every_service_without_a_rate_is_left_out_of_the_mean_and_counted(data) -> None:
    table = summary.pass_rates(data).set_index(["agent", "project", "condition"])
    cell = table.loc[("toy-agent-one", "toy-red", "CS-P1")]
    assert (cell["services_all"], cell["services"], cell["blind"]) == (3, 2, 0)
    assert cell["pass_rate_percent"] == 70
    assert cell["ceiling_percent"] == 100


def test_a_blind_oracle_is_marked_and_left_out_of_the_seeing_mean(tmp_path: Path) -> None:
    data = make_dataset(tmp_path / "toy", projects=["toy-grey"], scenarios=["clean_state"], seed=5)
    cell = summary.pass_rates(data).iloc[0]
    rates = summary.service_rates(data)
    first = rates[(rates["agent"] == cell["agent"]) & (rates["condition"] == cell["condition"])]
    assert cell["blind"] == 1
    assert cell["pass_rate_percent"] == pytest.approx(first["pass_rate_percent"].mean())
    assert cell["seeing_percent"] == pytest.approx(first.loc[~first["blind"], "pass_rate_percent"].mean())
    assert cell["floor_percent"] == pytest.approx((20 + 20 + 100) / 3)


def test_services_and_tests_can_be_averaged_apart(data) -> None:
    small = data.runs["service"] == "alpha-service"
    runs = data.runs.copy()
    runs.loc[small, ["tests_reference", "tests_passed", "pass_rate_percent"]] = [1, 0, 0.0]
    data = type(data)(**{**vars(data), "runs": runs})
    cell = summary.pass_rates(data).set_index(["agent", "project", "condition"]).loc[
        ("toy-agent-one", "toy-green", "Inc-P1")
    ]  # fmt: skip
    assert cell["pass_rate_percent"] == pytest.approx((0 + 70 + 70) / 3)
    assert cell["pooled_percent"] == pytest.approx(100 * 14 / 21)


def test_wide_table_has_the_form_of_table_three(data) -> None:
    table = summary.wide_pass_rates(data)
    assert list(table.columns[:5]) == [
        ("incremental", name) for name in ("floor", "minimal", "summary", "ceiling", "n")
    ]
    assert len(table) == 12
    assert table.loc[("toy-agent-one", "toy-red"), ("clean_state", "n")] == "2+1"
    assert table.loc[("toy-agent-one", "toy-grey"), ("clean_state", "minimal")] == "70.0 *"


def test_missing_rates_are_dashes_and_never_zero(tmp_path: Path) -> None:
    data = make_dataset(tmp_path / "toy", passed=-1, agents=["a"])
    assert summary.pass_rates(data)["pass_rate_percent"].isna().all()
    assert set(summary.wide_pass_rates(data)[("incremental", "minimal")]) == {"–"}


def test_outcomes_add_up_to_the_runs(data) -> None:
    table = summary.outcome_counts(data)
    assert table["total"].sum() == len(data.runs) == 144
    assert (table.drop(columns="total").sum(axis=1) == table["total"]).all()


def test_oracles_that_see_nothing_are_listed_with_the_reason(data) -> None:
    table = summary.blind_oracles(data)
    assert table[["project", "finding"]].to_numpy().tolist() == [
        ["toy-red", "no tests: nobody consumes the service"],
        ["toy-grey", "blind: floor equals ceiling"],
    ]


def test_flaky_tests_are_listed_by_name(data) -> None:
    table = summary.unreliable_tests(data)
    assert table["finding"].tolist() == ["flaky", "flaky"]
    assert set(table["test"]) == {"tests.test_toy.test_3"}


def test_failing_tests_are_counted_by_cause(data) -> None:
    table = summary.failing_tests(data)
    assert table.index.tolist() == ["failed: AssertionError"]
    assert table["total"].tolist() == [3 * (144 - 6)]


def test_efficiency_leaves_missing_values_out(data) -> None:
    runs = data.runs.copy()
    runs.loc[runs["agent"] == "toy-agent-one", "cost_usd"] = pd.NA
    table = summary.efficiency(type(data)(**{**vars(data), "runs": runs})).set_index(["agent", "metric"])
    assert table.loc[("toy-agent-one", "cost_usd"), "n"] == 0
    assert pd.isna(table.loc[("toy-agent-one", "cost_usd"), "mean"])
    assert table.loc[("toy-agent-two", "cost_usd"), "n"] == 48


def test_runs_without_code_have_no_complexity_rather_than_none(tmp_path: Path) -> None:
    data = make_dataset(tmp_path / "toy", passed=0, agents=["a"])
    pairs = summary.measured_pairs(data)
    assert len(pairs) == 48
    assert pairs["sloc"].isna().all()
    assert (pairs["sloc_reference"] == 200).all()
