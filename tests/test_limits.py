"""A time limit replayed on runs counted by hand."""

from __future__ import annotations

from dataclasses import replace as changed
from io import StringIO

import pandas as pd
import pytest
from typer.testing import CliRunner

from study.cli import app
from study.limits import replay
from study.records.dataset import Dataset, load_dataset
from study.schema import StudyError


@pytest.fixture(scope="module")
def demo() -> Dataset:
    return load_dataset("demo")


def of(demo: Dataset, *runs: tuple[float | None, float | None, str]) -> Dataset:
    """A dataset of runs of one agent: (minutes, pass rate, outcome)."""
    table = demo.runs.head(len(runs)).copy()
    table["time_min"] = pd.array([run[0] for run in runs], dtype="Float64").to_numpy(
        "float64", na_value=float("nan")
    )
    table["pass_rate_percent"] = [float("nan") if run[1] is None else run[1] for run in runs]
    table["outcome"] = [run[2] for run in runs]
    table["agent"] = "a"
    return changed(demo, runs=table)


def test_two_readings_of_what_is_cut_off(demo: Dataset) -> None:
    data = of(
        demo, (5, 100, "completed"), (15, 50, "completed"), (15.1, 80, "completed"), (90, None, "completed")
    )
    row = replay(data, [15]).iloc[0]
    assert (row["fewest"], row["most"], row["runs"], row["share_percent"]) == (2, 2, 4, 50.0)
    # (100 + 50 + 80) / 3; (100 + 50 + 0) / 3; (100 + 50 + 100) / 3: the run without an oracle has no rate
    assert row["pass_rate_percent"] == pytest.approx(230 / 3)
    assert row["if_zero_percent"] == row["low_percent"] == pytest.approx(50)
    assert row["high_percent"] == pytest.approx(250 / 3)
    assert row["lost_points"] == pytest.approx(80 / 3)


def test_nobody_knows_of_runs_without_a_time_or_stopped_earlier(demo: Dataset) -> None:
    data = of(demo, (None, 60, "completed"), (10, 20, "timeout"), (30, 40, "timeout"), (1, 100, "completed"))
    row = replay(data, [20]).iloc[0]
    assert (row["fewest"], row["most"]) == (1, 3)
    assert row["if_zero_percent"] == pytest.approx((60 + 20 + 0 + 100) / 4)
    assert (row["low_percent"], row["high_percent"]) == (25.0, 100.0)
    assert replay(data, [9]).iloc[0]["fewest"] == 2, "a shorter limit would have stopped both"


def test_the_embedded_dataset(demo: Dataset) -> None:
    found = replay(demo)
    assert list(found["limit_min"]) == [15.0] * 3 + [20.0] * 3
    assert set(found["kind"]) == {"simulated"}
    assert found["runs"].sum() == 2 * len(demo.runs)
    assert found["fewest"].sum() == sum(int((demo.runs["time_min"] > limit).sum()) for limit in (15, 20))


@pytest.mark.parametrize("limit", [0, -1, float("nan"), float("inf")])
def test_no_limit(demo: Dataset, limit: float) -> None:
    with pytest.raises(StudyError, match="is no time limit"):
        replay(demo, [limit])


def test_the_command_prints_the_frame(demo: Dataset) -> None:
    said = CliRunner().invoke(app, ["limits", "demo", "--minutes", "17", "--format", "csv"])
    assert said.exit_code == 0
    read = pd.read_csv(StringIO(said.output))
    pd.testing.assert_frame_equal(read, replay(demo, [17]), check_dtype=False)
    said = CliRunner().invoke(app, ["limits", "demo"])
    assert "of 48" in said.output
    assert "simulated" in said.output
