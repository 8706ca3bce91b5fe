"""A table of runs becomes a dataset; every wrong row is named, and then nothing is written."""

from __future__ import annotations

import csv
import hashlib
import json
from pathlib import Path

import pytest
import yaml
from awkward import MAPPING, PASSED, RUNS, write_mapping, write_table
from typer.testing import CliRunner

from study.cli import app
from study.importing.guess import guess_columns
from study.importing.runs import import_runs, show_columns
from study.importing.source import read_source
from study.records.dataset import load_dataset
from study.schema import StudyError


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return write_table(tmp_path / "theirs.csv")


@pytest.fixture
def mapping(tmp_path: Path) -> Path:
    return write_mapping(tmp_path / "mapping.yaml")


def test_every_value_arrives_in_the_unit_of_the_dataset(table: Path, mapping: Path, tmp_path: Path) -> None:
    report = import_runs(table, tmp_path / "out", mapping)
    assert report.runs == 144
    data = load_dataset(tmp_path / "out")
    runs = data.runs.set_index("run_id")
    for run in RUNS:
        row = runs.loc[run.run_id]
        assert (row["agent"], row["kind"], row["outcome"]) == (run.agent, "simulated", run.outcome)
        assert row["pass_rate_percent"] == pytest.approx(100 * run.passed / run.tests)
        assert row["time_min"] == pytest.approx(run.seconds / 60)
        assert (row["input_tokens"], row["output_tokens"]) == (run.input_tokens, run.output_tokens)
        assert row["cost_usd"] == pytest.approx(run.cents / 100)
        assert row["ceiling_percent"] == 95
    sizes = data.quality.set_index("run_id")["sloc"]
    assert {name: int(value) for name, value in sizes.items()} == {
        run.run_id: run.sloc for run in RUNS if run.sloc
    }
    assert set(data.references["sloc"]) == {400, 410, 420}
    assert data.runs["files_written"].isna().all()
    assert data.runs["wall_seconds"].isna().all()


def test_levels_stand_in_the_order_of_the_paper(table: Path, mapping: Path, tmp_path: Path) -> None:
    import_runs(table, tmp_path / "out", mapping)
    data = load_dataset(tmp_path / "out")
    assert list(dict.fromkeys(data.runs["condition"])) == ["Inc-P1", "Inc-P2", "CS-P1", "CS-P2"]


def test_the_source_is_named_with_its_digest(table: Path, mapping: Path, tmp_path: Path) -> None:
    import_runs(table, tmp_path / "out", mapping)
    text = (tmp_path / "out" / "PROVENANCE.md").read_text()
    assert hashlib.sha256(table.read_bytes()).hexdigest() in text
    assert "| time | Duration (sec) | s |" in text
    assert "Columns not used: remark." in text
    assert "2 runs have no size or 0 lines" in text
    assert "PROVENANCE.md" in (tmp_path / "out" / "SHA256SUMS").read_text()


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("passed", "12", r"line 7: passed: is more than 11 tests \(got '12'\)"),
        ("passed", "-1", r"line 7: passed: is below 0 \(got '-1'\)"),
        ("passed", "2.5", r"line 7: passed: is no whole number \(got '2.5'\)"),
        ("Duration (sec)", "1,200", r"line 7: Duration \(sec\): is no number .* \(got '1,200'\)"),
        ("Duration (sec)", "inf", r"line 7: Duration \(sec\): is no number"),
        ("Config", "Inc-P3", r"line 7: Config: is no scenario with a prompt.* \(got 'Inc-P3'\)"),
        ("Tool", "", r"line 7: Tool: is missing; without it a run has no name"),
        ("Tool", "claude-code", r"agent: 'Claude Code' and 'claude-code' are too alike"),
        ("original", "1.01", r"line 7: original: is a rate above 100 percent"),
        (
            "original",
            "0.9",
            r"original: differs from \d+ in line \d+, of the same target",
        ),
    ],
)
def test_a_wrong_cell_is_named_and_nothing_is_written(
    table: Path, mapping: Path, tmp_path: Path, column: str, value: str, message: str
) -> None:
    rows = list(csv.DictReader(table.read_text().splitlines(), delimiter=";"))
    rows[5][column] = value
    write_table(table, rows)
    with pytest.raises(StudyError, match=message):
        import_runs(table, tmp_path / "out", mapping)
    assert not (tmp_path / "out").exists()


def test_a_run_that_stands_twice_is_named(table: Path, mapping: Path, tmp_path: Path) -> None:
    lines = table.read_text().splitlines()
    table.write_text("\n".join([*lines, lines[1]]) + "\n")
    with pytest.raises(StudyError, match=r"line 146: the run .* is already in line 2; are they repeats"):
        import_runs(table, tmp_path / "out", mapping)


def test_all_wrong_rows_are_told_at_once(table: Path, mapping: Path, tmp_path: Path) -> None:
    rows = list(csv.DictReader(table.read_text().splitlines(), delimiter=";"))
    for row in rows[:30]:
        row["passed"] = "many"
    write_table(table, rows)
    with pytest.raises(StudyError) as raised:
        import_runs(table, tmp_path / "out", mapping)
    assert str(raised.value).count("passed: is no number") == 20
    assert str(raised.value).endswith("and 10 more of such lines")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "guessed"}, r"mapping.yaml: kind: .*published"),
        ({"columns": {**MAPPING["columns"], "pasrate": "x"}}, r"no field 'pasrate'; known are agent, model"),
        (
            {"columns": {**MAPPING["columns"], "time": "Duration (sec)"}},
            r"time: say its unit, one of ms, s, min",
        ),
        ({"columns": {**MAPPING["columns"], "cost": {"column": "cents", "unit": "EUR"}}}, r"no unit 'EUR'"),
        ({"columns": {**MAPPING["columns"], "cost": "price"}}, r"has no column 'price'; it has 'Tool'"),
        ({"columns": {"agent": "Tool"}}, r"no column for project, service, scenario, prompt"),
    ],
)
def test_a_wrong_mapping_is_one_message(
    table: Path, tmp_path: Path, change: dict[str, object], message: str
) -> None:
    path = tmp_path / "mapping.yaml"
    path.write_text(yaml.safe_dump({**MAPPING, **change}))
    with pytest.raises(StudyError, match=message):
        import_runs(table, tmp_path / "out", path)


def test_headings_are_guessed_with_their_units(tmp_path: Path) -> None:
    path = tmp_path / "plain.tsv"
    path.write_text(
        "Agent\tproject\tService\tscenario\tPrompt\tPass rate\ttime_s\tinputTokens [K]\tCost ($)\tduration\n"
        "a\tp\ts\tClean State\tP2\t0.5\t90\t1.5\t2\t3\n"
    )
    guess = guess_columns(read_source(path))
    found = {name: (given.column, given.unit) for name, given in guess.columns.items()}
    assert found == {
        "agent": ("Agent", None), "project": ("project", None), "service": ("Service", None),
        "scenario": ("scenario", None), "prompt": ("Prompt", None), "pass_rate": ("Pass rate", "fraction"),
        "cost": ("Cost ($)", "USD"), "input_tokens": ("inputTokens [K]", "K"),
    }  # fmt: skip
    assert guess.remarks == ["time: 'time_s' and 'duration' both look like it; say which in a mapping"]
    report = import_runs(path, tmp_path / "out", kind="measured")
    run = load_dataset(tmp_path / "out").runs.iloc[0]
    assert run["run_id"] == "a.p.s.clean_state.summary.r1"
    assert (run["pass_rate_percent"], run["input_tokens"], run["kind"]) == (50, 1500, "measured")
    assert "pass_rate: column 'Pass rate', in fraction" in report.guessed
    with pytest.raises(StudyError, match="--kind published"):
        import_runs(path, tmp_path / "other")


def test_what_is_shown_is_a_mapping(table: Path, tmp_path: Path) -> None:
    shown = show_columns(table)
    assert "'Duration (sec)': " in shown
    mapping = yaml.safe_load(shown)
    assert mapping["columns"]["time"] == {"column": "Duration (sec)", "unit": "s"}
    assert mapping["columns"]["agent"] == "Tool"


def test_json_lines_and_missing_values(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    run = {"agent": "a", "project": "p", "service": "s", "scenario": "CS", "prompt": "P1"}
    rows = [
        run | {"passed": 3, "tests": 4, "time_min": None},
        run | {"prompt": "P2", "passed": "NA", "tests": 4},
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    import_runs(path, tmp_path / "out", kind="measured")
    runs = load_dataset(tmp_path / "out").runs
    assert runs["pass_rate_percent"].tolist()[0] == 75
    assert runs["pass_rate_percent"].isna().tolist() == [False, True]
    assert runs["suite"].tolist() == ["ran", "not_evaluated"]
    assert runs["time_min"].isna().all()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("runs.xlsx", b"PK", "is no known format; save the table as .csv"),
        ("runs.csv", b"", "holds no row"),
        ("runs.csv", b"a,a\n1,2\n", "two columns are called 'a'"),
        ("runs.csv", b"a,b\n1,2,3\n", "line 2: 3 cells, but the heading has 2"),
        ("runs.csv", b"\xff\xfe", "is not UTF-8 text"),
        ("runs.jsonl", b"[1]\n", "line 1: is no JSON object"),
    ],
)
def test_a_file_that_is_no_table_is_one_message(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(StudyError, match=message):
        import_runs(path, tmp_path / "out", kind="measured")


def test_the_command(table: Path, mapping: Path, tmp_path: Path) -> None:
    run = CliRunner().invoke
    done = run(app, ["import", "runs", str(table), "--mapping", str(mapping), "--out", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    assert "144 runs imported" in done.output
    shown = run(app, ["import", "runs", str(table), "--show-columns"])
    assert "tests_passed: passed" in shown.output
    assert sum(PASSED.values()) == load_dataset(tmp_path / "out").runs["tests_passed"].sum()
