"""A smaller calibration: recommended methods hold, published ones fail where they must."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from study.calibration.check import calibrate, is_null, verdict
from study.calibration.generate import draw
from study.calibration.methods import METHODS
from study.calibration.model import StudyModel
from study.calibration.settings import SETTINGS
from study.calibration.store import COMMITTED, load, save
from study.cli import app
from study.schema import StudyError
from study.statistics.permutation import sign_flip_p

CANCEL_OUT = next(setting for setting in SETTINGS if setting.name == "effects that cancel out")


@pytest.fixture(scope="module")
def small() -> pd.DataFrame:
    return calibrate(100, [CANCEL_OUT], seed=5)


def test_recommended_methods_hold_and_published_ones_do_not(small: pd.DataFrame) -> None:
    recommended = small[small["standing"] == "recommended"]
    assert set(recommended["verdict"]) <= {"holds", ""}, recommended[["method", "verdict"]]
    runs = small.set_index("method").loc["signed-rank, runs as independent pairs"]
    assert runs["verdict"] == "too many errors" and runs["rejections_percent"] > 12


def test_results_follow_from_the_seed_alone(small: pd.DataFrame) -> None:
    again = calibrate(50, [CANCEL_OUT], seed=5, jobs=1)
    once_more = calibrate(50, [CANCEL_OUT], seed=5, jobs=2)
    pd.testing.assert_frame_equal(again, once_more)
    assert not again["rejections_percent"].equals(small["rejections_percent"])


def test_sign_flips_keep_their_level_exactly() -> None:
    """Many studies, for the primary test only: the rate is 5 % to within half a point."""
    means = draw(StudyModel(), 8000, 11).pairs("scenario").mean(axis=2)
    rejected = [sign_flip_p(row) < 0.05 for row in means]
    assert np.mean(rejected) == pytest.approx(0.05, abs=0.0075)


def test_what_counts_as_an_error() -> None:
    by_name = {method.name: method for method in METHODS}
    at_bound = next(setting for setting in SETTINGS if "bound" in setting.name)
    paper = next(setting for setting in SETTINGS if setting.name == "like the paper")
    assert is_null(by_name["equivalence within 10 points (TOST)"], at_bound)
    assert not is_null(by_name["sign flips over services"], at_bound)
    assert not is_null(by_name["agents: Friedman over services"], paper)
    assert is_null(by_name["sign flips over services"], CANCEL_OUT)


@pytest.mark.parametrize(
    ("null", "rejections", "coverage", "expected"),
    [
        (True, 5.5, None, "holds"),
        (True, 9.0, None, "too many errors"),
        (False, 80.0, None, ""),
        (False, None, 94.0, "holds"),
        (False, None, 90.0, "narrow"),
        (False, None, 99.5, "wide"),
    ],
)
def test_verdicts(null: bool, rejections: float | None, coverage: float | None, expected: str) -> None:
    row = {"null": null, "rejections_percent": rejections, "coverage_percent": coverage, "error_percent": 1.4}
    assert verdict(pd.Series(row, dtype=object).where(lambda s: s.notna(), float("nan"))) == expected


def test_the_committed_calibration() -> None:
    table = load()
    assert len(table) == len(METHODS) * len(SETTINGS) and set(table["kind"]) == {"simulated"}
    assert table["studies"].min() >= 500
    assert set(table.loc[table["standing"] == "recommended", "verdict"].fillna("")) <= {"holds", ""}
    assert set(table["method"]) == {method.name for method in METHODS}, "made before a method was changed"


def test_a_changed_or_missing_table_is_an_error(tmp_path: Path, small: pd.DataFrame) -> None:
    with pytest.raises(StudyError, match="study calibrate"):
        load(tmp_path)
    save(small, 5, tmp_path)
    assert len(load(tmp_path)) == len(small)
    (tmp_path / "calibration.csv").write_text((COMMITTED / "calibration.csv").read_text())
    with pytest.raises(StudyError, match="was changed"):
        load(tmp_path)


def test_command_line(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["calibrate", "--studies", "20", "--out", str(tmp_path / "c")])
    assert done.exit_code == 0 and len(load(tmp_path / "c")) == len(METHODS) * len(SETTINGS)
