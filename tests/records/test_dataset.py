from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from study.records.collect import Tables
from study.records.compare import compare
from study.records.dataset import RAW_DATA, load_dataset, verify_checksums, write_dataset
from study.records.dictionary import compared_columns, data_dictionary
from study.records.tables import TABLES, ReferenceRow, RunRow, TestRow
from study.schema import StudyError

RUN = RunRow(
    run_id="a.p.s.incremental.minimal.r1",
    kind="simulated",
    agent="a",
    model=None,
    project="p",
    service="s",
    scenario="incremental",
    prompt="minimal",
    condition="Inc-P1",
    replicate=1,
    outcome="completed",
    reason='said, "well"\nand more',
    oracle="unit",
    suite="ran",
    tests_reference=3,
    tests_passed=2,
    tests_failed=1,
    tests_error=0,
    tests_skipped=0,
    tests_missing=0,
    pass_rate_percent=66.6667,
    pass_rate_executed_percent=66.6667,
    pass_rate_adjusted_percent=100.0,
    floor_percent=0.0,
    ceiling_percent=88.8889,
    failure_cause=None,
    test_edits=0,
    files_written=2,
    files_elsewhere=0,
    time_min=None,
    input_tokens=10,
    input_fresh_tokens=10,
    cache_read_tokens=None,
    cache_write_tokens=None,
    output_tokens=0,
    reasoning_tokens=None,
    cost_usd=0.1,
    wall_seconds=1.5,
    confinement="plain",
)
REFERENCE = ReferenceRow(
    project="p",
    service="s",
    scenario="incremental",
    oracle="unit",
    kind="measured",
    language="python",
    reference="reference_implementation",
    tests_reference=3,
    tests_adjusted=2,
    failing_tests=None,
    flaky_tests=None,
    repeats=3,
    floor_percent=0.0,
    ceiling_percent=88.8889,
    sees_target=True,
    sloc=100,
    cyclomatic=20,
    cognitive=10,
)


def row(test_id: str, status: str, flaky: bool = False) -> TestRow:
    values = {"run_id": RUN.run_id, "kind": "simulated", "test_id": test_id, "cause": None, "flaky": flaky}
    return TestRow.model_validate({**values, "status": status})


def tables(run: RunRow = RUN, reference: ReferenceRow = REFERENCE, *tests: TestRow) -> Tables:
    return Tables(runs=[run], references=[reference], tests=list(tests))


def write(folder: Path, content: Tables) -> Path:
    write_dataset(content, folder, "Test")
    return folder


def test_missing_stays_missing_and_text_stays_text(tmp_path: Path) -> None:
    data = load_dataset(write(tmp_path / "d", tables()))
    run = data.runs.iloc[0]
    assert run["reason"] == RUN.reason
    assert pd.isna(run["time_min"])
    assert pd.isna(run["cache_read_tokens"])
    assert run["output_tokens"] == 0
    assert data.runs["tests_passed"].dtype == "Int64"
    assert data.references["sees_target"].dtype == "boolean"
    assert data.kind == {"simulated"}


def test_writing_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    first, second = write(tmp_path / "a", tables()), write(tmp_path / "b", tables())
    assert {p.name: p.read_bytes() for p in first.iterdir()} == {
        p.name: p.read_bytes() for p in second.iterdir()
    }


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("66.6667", "166.6667", "line 2: pass_rate_percent"),
        ("completed", "compleated", "'compleated'"),
        ("run_id,", "runid,", "missing ['run_id'], unknown ['runid']"),
    ],
)
def test_a_wrong_cell_is_named(tmp_path: Path, old: str, new: str, expected: str) -> None:
    folder = write(tmp_path / "d", tables())
    text = (folder / "runs.csv").read_text()
    (folder / "runs.csv").write_text(text.replace(old, new, 1))
    with pytest.raises(StudyError, match="was changed since its checksum was taken"):
        load_dataset(folder)
    (folder / "SHA256SUMS").unlink()
    with pytest.raises(StudyError) as caught:
        load_dataset(folder)
    assert expected in str(caught.value)


def test_a_missing_table_is_named(tmp_path: Path) -> None:
    folder = write(tmp_path / "d", tables())
    (folder / "tests.csv").unlink()
    with pytest.raises(StudyError, match="tests.csv: is missing"):
        load_dataset(folder)


def test_a_failed_write_leaves_the_old_dataset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write(tmp_path / "d", tables())
    before = (folder / "runs.csv").read_bytes()

    def fail(title: str, tables: object) -> str:
        raise OSError("disk is full")

    monkeypatch.setattr("study.records.dataset.data_dictionary", fail)
    with pytest.raises(OSError, match="disk is full"):
        write(folder, tables(RUN.model_copy(update={"tests_passed": 1})))
    assert (folder / "runs.csv").read_bytes() == before
    verify_checksums(folder)


def test_equal_but_for_the_wall_clock(tmp_path: Path) -> None:
    later = RUN.model_copy(
        update={"wall_seconds": 99.0, "confinement": "bubblewrap", "reason": "other words"}
    )
    old, new = write(tmp_path / "a", tables()), write(tmp_path / "b", tables(later))
    assert compare(load_dataset(new), load_dataset(old)).equal


def test_every_differing_cell_is_listed(tmp_path: Path) -> None:
    worse = RUN.model_copy(update={"tests_passed": 1, "outcome": "timeout"})
    old = write(tmp_path / "a", tables(RUN, REFERENCE, row("t1", "passed"), row("t2", "passed")))
    new = write(tmp_path / "b", tables(worse, REFERENCE, row("t1", "failed"), row("t3", "passed")))
    comparison = compare(load_dataset(new), load_dataset(old))
    cells = {(d.table, d.key, d.column, d.old, d.new) for d in comparison.differences.itertuples()}
    assert cells == {
        ("runs", RUN.run_id, "tests_passed", "2", "1"),
        ("runs", RUN.run_id, "outcome", "completed", "timeout"),
        ("tests", f"{RUN.run_id} t1", "status", "passed", "failed"),
        ("tests", f"{RUN.run_id} t2", "(row)", "present", "absent"),
        ("tests", f"{RUN.run_id} t3", "(row)", "absent", "present"),
    }
    assert comparison.runs_affected == [RUN.run_id]


def test_flaky_tests_and_what_depends_on_them_are_left_out(tmp_path: Path) -> None:
    flaky = REFERENCE.model_copy(update={"flaky_tests": "t2", "ceiling_percent": 77.7778})
    other = RUN.model_copy(update={"tests_passed": 1, "pass_rate_percent": 33.3333})
    old = write(tmp_path / "a", tables(RUN, REFERENCE, row("t1", "passed"), row("t2", "passed", True)))
    new = write(tmp_path / "b", tables(other, flaky, row("t1", "passed"), row("t2", "failed", True)))
    comparison = compare(load_dataset(new), load_dataset(old))
    assert comparison.flaky_left_out == ["t2"]
    assert set(comparison.differences["column"]) == {"flaky_tests"}, "that it became flaky is news"
    adjusted = other.model_copy(update={"pass_rate_adjusted_percent": 50.0})
    newer = write(tmp_path / "c", tables(adjusted, flaky))
    assert "pass_rate_adjusted_percent" in set(
        compare(load_dataset(newer), load_dataset(new)).differences["column"]
    )


def test_dictionary_lists_every_column_once() -> None:
    text = data_dictionary("Test")
    for name, model in TABLES.items():
        section = text.split(f"## {name}.csv")[1].split("\n## ")[0]
        listed = [line.split("|")[1].strip() for line in section.splitlines() if line.startswith("| ")][1:]
        assert listed == ([] if name == "controls" else list(model.model_fields))
    assert "wall_seconds" not in compared_columns(RunRow)
    assert "pass_rate_percent" in compared_columns(RunRow)


@pytest.mark.parametrize(
    "folder", sorted(path.parent for path in RAW_DATA.glob("*/runs.csv")), ids=lambda p: p.name
)
def test_committed_datasets_are_whole_and_documented(folder: Path) -> None:
    data = load_dataset(folder)
    assert data.runs["run_id"].is_unique
    dictionary = (folder / "DICTIONARY.md").read_text()
    title = dictionary.split("\n")[0].removeprefix("# ").removesuffix(": data dictionary")
    assert dictionary == data_dictionary(title, {path.stem for path in folder.glob("*.csv")})
    assert f"`{folder.name}/`" in (RAW_DATA / "README.md").read_text()


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (b"completed", b"\xe9", "is no CSV file in UTF-8"),
        (b"completed", b"x" * 200_000, "is no CSV file in UTF-8: field larger"),
        (b"simulated,", b"simulated,,", "(too many cells)"),
    ],
)
def test_a_damaged_file_is_named(tmp_path: Path, old: bytes, new: bytes, expected: str) -> None:
    folder = write(tmp_path / "d", tables())
    (folder / "SHA256SUMS").unlink()
    content = (folder / "runs.csv").read_bytes()
    (folder / "runs.csv").write_bytes(content.replace(old, new, 1))
    with pytest.raises(StudyError) as caught:
        load_dataset(folder)
    assert "runs.csv" in str(caught.value) and expected in str(caught.value)


def test_files_that_a_spreadsheet_saved_are_read(tmp_path: Path) -> None:
    folder = write(tmp_path / "d", tables())
    (folder / "SHA256SUMS").unlink()
    path = folder / "references.csv"
    text = path.read_text().replace("true", "True").replace("false", "False").replace("\n", "\r\n")
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert load_dataset(folder).references["sees_target"].tolist() == [REFERENCE.sees_target]


def test_rows_that_stand_twice_or_belong_to_no_run_are_named(tmp_path: Path) -> None:
    content = tables()
    content.runs *= 2
    with pytest.raises(StudyError, match=f"two rows for {RUN.run_id}"):
        load_dataset(write(tmp_path / "twice", content))
    with pytest.raises(StudyError, match=r"runs\.csv: holds no run"):
        load_dataset(write(tmp_path / "empty", Tables(references=[REFERENCE])))
    stray = row("a::b", "passed").model_copy(update={"run_id": "nobody"})
    with pytest.raises(StudyError, match="nobody is neither in runs.csv nor controls.csv"):
        load_dataset(write(tmp_path / "stray", tables(RUN, REFERENCE, stray)))


def test_only_a_dataset_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.tex").write_text("years of work")
    with pytest.raises(StudyError, match=r"holds 'chapter\.tex', which is no part of a dataset"):
        write(tmp_path / "thesis", tables())
    assert (tmp_path / "thesis" / "chapter.tex").read_text() == "years of work"
    with pytest.raises(StudyError, match="is a file"):
        write(tmp_path / "thesis" / "chapter.tex", tables())
