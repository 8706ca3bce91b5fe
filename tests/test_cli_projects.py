"""The commands `study projects ...`, as their user calls them; counts are counted by hand in toy/."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from study.cli import app
from study.schema import StudyError

TOY = Path(__file__).parent / "toy.yaml"


@pytest.fixture(autouse=True)
def narrow_and_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUDY_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("STUDY_MIRROR", raising=False)
    monkeypatch.setattr("study.cli_projects.out.width", 80, raising=False)


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_list_shows_whole_names_in_80_columns() -> None:
    said = CliRunner().invoke(app, ["projects", "list"]).output
    table, _, below = said.partition("Public systems")
    assert "…" not in table
    assert max(map(len, table.splitlines())) <= 80
    for name in (
        "project-management-microservice",
        "ts-verification-code-service",
        "interlibrary-loan-service",
    ):
        assert name in table
    assert "sa4s-serc/microservices, branch train-ticket; licence: Apache-2.0" in below
    assert "study projects fetch teamsync" in below  # nothing is fetched in an empty cache


def test_verify_writes_floor_and_ceiling(tmp_path: Path) -> None:
    out = tmp_path / "v.csv"
    command = [
        "projects",
        "verify",
        str(TOY),
        "--repeats",
        "2",
        "--out",
        str(out),
        "--logs",
        str(tmp_path / "l"),
    ]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0
    table = result.output.partition("table: ")[0]
    assert "…" not in table
    found = {(row["oracle"], row["control"]): row for row in rows(out)}
    assert {key: (row["tests"], row["passed"], row["missing"]) for key, row in found.items()} == {
        ("unit", "reference"): ("4", "4", "0"),
        ("unit", "absent"): ("4", "0", "4"),
        ("integration", "reference"): ("2", "2", "0"),
        ("integration", "absent"): ("2", "1", "0"),
    }
    assert found["unit", "absent"]["suite"] == "not_collected"
    assert found["unit", "absent"]["reference_percent"] == "0.0"
    assert found["unit", "absent"]["executed_percent"] == ""  # nothing ran: no rate, and not 0
    by_test = rows(tmp_path / "v_tests.csv")
    assert sum(row["control"] == "reference" for row in by_test) == 2 * (4 + 2)
    assert {row["status"] for row in by_test if row["control"] == "reference"} == {"passed"}


def test_verify_says_which_oracle_is_blind(tmp_path: Path) -> None:
    shutil.copytree(TOY.parent / "toy", tmp_path / "toy")
    (tmp_path / "toy" / "tests" / "test_ring.py").write_text("def test_nothing(): pass\n")
    shutil.copy(TOY, tmp_path)
    command = ["projects", "verify", str(tmp_path / "toy.yaml"), "--logs", str(tmp_path / "l")]
    said = CliRunner().invoke(app, command).output
    assert "greeter, integration: BLIND." in said
    assert "greeter, unit: BLIND." not in said


def test_an_oracle_that_passes_nothing_on_the_reference_is_not_called_blind(tmp_path: Path) -> None:
    shutil.copytree(TOY.parent / "toy", tmp_path / "toy")
    (tmp_path / "toy" / "tests" / "test_ring.py").write_text("def test_broken(): assert False\n")
    shutil.copy(TOY, tmp_path)
    command = ["projects", "verify", str(tmp_path / "toy.yaml"), "--logs", str(tmp_path / "l")]
    assert "BLIND" not in CliRunner().invoke(app, command).output


def test_verify_of_one_service_refuses_a_wrong_name(tmp_path: Path) -> None:
    result = CliRunner().invoke(
        app, ["projects", "verify", str(TOY), "--service", "nobody", "--logs", str(tmp_path / "l")]
    )
    assert isinstance(result.exception, StudyError)
    assert "nobody" in str(result.exception)
    assert "greeter" in str(result.exception)  # what there is
    assert not (tmp_path / "l").exists()


def test_fetch_without_network_or_mirror_is_one_clear_message(tmp_path: Path) -> None:
    mirror = tmp_path / "mirror"
    mirror.mkdir()
    result = CliRunner().invoke(app, ["projects", "fetch", "teamsync", "--mirror", str(mirror)])
    assert isinstance(result.exception, StudyError)
    assert "teamsync" in str(result.exception)
    assert "sa4s-serc/microservices" in str(result.exception)


def test_check_without_the_files_is_no_success(tmp_path: Path) -> None:
    text = TOY.read_text()
    assert "services/greeter" in text
    broken = TOY.parent / "toy-nowhere"  # never made: the manifest points to a folder that is not there
    manifest = tmp_path / "bad.yaml"
    manifest.write_text(text.replace("path: toy", f"path: {broken}"))
    result = CliRunner().invoke(app, ["projects", "check", str(manifest)])
    assert isinstance(result.exception, StudyError)
    assert "toy-nowhere" in str(result.exception)
    assert "rehearsed" not in result.output


def test_check_of_a_public_system_that_is_not_fetched_says_what_it_left_out() -> None:
    result = CliRunner().invoke(app, ["projects", "check", "teamsync"])
    assert "the files and the preparations are not checked" in result.output
    assert "(3 targets, 0 preparations rehearsed)" in result.output


def test_check_rehearses_both_preparations() -> None:
    result = CliRunner().invoke(app, ["projects", "check", str(TOY)])
    assert result.exit_code == 0
    assert "toy: no problem found (1 targets, 2 preparations rehearsed)" in result.output


@pytest.mark.parametrize("part", [None, "Service"])
def test_explain_tells_the_fields(part: str | None) -> None:
    result = CliRunner().invoke(app, ["projects", "explain", *([part] if part else [])])
    assert "aliases" in result.output


def test_explain_of_no_part_says_which_there_are() -> None:
    result = CliRunner().invoke(app, ["projects", "explain", "CleanStateEdit"])
    assert isinstance(result.exception, StudyError)
    assert "Service" in str(result.exception)
