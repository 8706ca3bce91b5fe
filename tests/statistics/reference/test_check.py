"""Every number of the three reference sets, and what the check says of wrong or unknown ones."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from study.cli import app
from study.schema import StudyError
from study.statistics.reference.check import check_files
from study.statistics.reference.tolerances import EXACT, FIT, tolerance_of

DATA = Path(__file__).parents[1] / "data"
RUNS = DATA / "reference_runs.csv"
SETS = {
    "short": (RUNS, DATA / "short_values.csv", 113),
    "long": (RUNS, DATA / "long_values.csv", 893),
    "labelled": (DATA / "labelled/reference_data.csv", DATA / "labelled/reference_values.csv", 885),
}


@pytest.mark.parametrize("name", SETS)
def test_every_row_is_met(name: str) -> None:
    data, values, numbers = SETS[name]
    table = check_files(data, values)
    assert len(table) == numbers
    missed = table[~table["ok"]]
    assert missed.empty, missed[["id", "item", "reference", "ours", "deviation"]].to_string()
    exact = table["tolerance"] == 1e-6
    assert exact.mean() > 0.7
    assert table.loc[~exact, "reason"].str.len().gt(10).all()


def _changed(path: Path, tmp_path: Path, **cells: str) -> Path:
    table = pd.read_csv(path, dtype=str, keep_default_na=False)
    for key, value in cells.items():
        row, column = key.split("__")
        table.loc[int(row), column] = value
    out = tmp_path / "values.csv"
    table.to_csv(out, index=False)
    return out


def test_a_number_beyond_tolerance_is_found(tmp_path: Path) -> None:
    values = _changed(SETS["short"][1], tmp_path, **{"0__value": "28.1135"})
    table = check_files(RUNS, values)
    assert table[~table["ok"]][["id", "item"]].to_numpy().tolist() == [["AD", "value"]]


def test_an_unknown_quantity_fails_and_says_so(tmp_path: Path) -> None:
    values = _changed(SETS["short"][1], tmp_path, **{"0__id": "XX"})
    row = check_files(RUNS, values).iloc[0]
    assert not row["ok"]
    assert np.isnan(row["ours"])
    assert "not known" in row["reason"]


def test_ours_come_from_the_data_and_not_from_the_values(tmp_path: Path) -> None:
    runs = pd.read_csv(RUNS)
    shuffled = runs.assign(pass_rate=runs["pass_rate"].sample(frac=1, random_state=1).to_numpy())
    shuffled["tests_passed"] = (shuffled["pass_rate"] / 100 * shuffled["tests_total"]).round()
    shuffled.to_csv(tmp_path / "runs.csv", index=False)
    table = check_files(tmp_path / "runs.csv", SETS["short"][1]).set_index(["id", "item"])
    assert not table.loc[("MD_scenario", "value"), "ok"]
    assert table.loc[("AD", "value"), "ok"]  # the same values in another order
    assert table.loc[("N_scenario", "value"), "ok"]


def test_command_prints_all_numbers_and_its_exit_code_tells(tmp_path: Path) -> None:
    runner = CliRunner()
    arguments = ["statistics", "check", str(RUNS), str(SETS["short"][1])]
    good = runner.invoke(app, arguments)
    assert good.exit_code == 0
    assert "113 of 113 numbers within tolerance" in good.output
    wrong = _changed(SETS["short"][1], tmp_path, **{"2__value": "47"})
    bad = runner.invoke(app, [*arguments[:3], str(wrong), "--format", "json"])
    assert bad.exit_code == 1
    rows = json.loads(bad.output)
    assert [row["id"] for row in rows if not row["ok"]] == ["NZ_scenario"]
    text = runner.invoke(app, [*arguments, "--format", "csv"]).output
    assert text.splitlines()[0].startswith("id,item,reference,ours,deviation,tolerance")


@pytest.mark.parametrize(
    ("data", "values", "message"),
    [
        (RUNS, RUNS, "is no file of reference values"),
        (RUNS, DATA / "absent.csv", "cannot be read"),
        (SETS["labelled"][0], SETS["short"][1], "no column 'replicate'"),
    ],
)
def test_wrong_files_are_one_message(data: Path, values: Path, message: str) -> None:
    with pytest.raises(StudyError, match=message):
        check_files(data, values)


def test_a_value_that_is_no_number_is_named(tmp_path: Path) -> None:
    values = _changed(SETS["short"][1], tmp_path, **{"1__value": "many"})
    with pytest.raises(StudyError, match="N_scenario: 'many' is not a number"):
        check_files(RUNS, values)


def test_tolerances() -> None:
    assert tolerance_of("scenario.md value") is EXACT
    assert tolerance_of("glmm.agq1.clean@R value") is FIT
    assert EXACT.deviation(1.0000005, 1.0, is_p=False) == pytest.approx(5e-7)
    assert EXACT.deviation(2e-7, 1e-7, is_p=True) == pytest.approx(1.0)  # small p values are compared too
    assert FIT.deviation(1e-19, 1.05e-19, is_p=True) < 1e-3 < FIT.deviation(1e-19, 2e-19, is_p=True)
