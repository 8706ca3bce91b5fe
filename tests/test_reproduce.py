"""The main job on the toy project: everything but the size of the embedded experiment."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

import study.reproduce
from study.records.dataset import load_dataset
from study.reproduce import reproduce


def run(design: Path, results: Path) -> tuple[int, str]:
    said = io.StringIO()
    console = Console(file=said, width=200)
    return reproduce(str(design), results, jobs=2, fresh=False, console=console), said.getvalue()


def test_from_runs_to_report_and_again(
    toy_design: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = tmp_path / "toy-design"
    code, said = run(toy_design(), results)
    assert code == 0, said
    for words in (
        "2 runs done now (2 completed) and 6 control runs",
        "Runs by outcome (SIMULATED)",
        "50.0 (1)",
        "There is no committed dataset",
        "Look next at the report",
    ):
        assert words in said
    assert "SIMULATED" in (results / "report" / "index.html").read_text()
    assert len(list((results / "figures").glob("*.svg"))) >= 10
    first = {path.name: path.read_bytes() for path in (results / "figures").iterdir()}

    # as if a dataset had been committed that says something else about one run
    committed = tmp_path / "raw_data" / "toy-design"
    committed.parent.mkdir()
    (results / "dataset").rename(committed)
    (committed / "SHA256SUMS").unlink()
    runs = (committed / "runs.csv").read_text()
    assert runs.count(",Inc-P1,1,completed,") == 1
    (committed / "runs.csv").write_text(runs.replace(",Inc-P1,1,completed,", ",Inc-P1,1,agent_error,"))
    monkeypatch.setattr(study.reproduce, "RAW_DATA", tmp_path / "raw_data")
    monkeypatch.setattr(study.reproduce, "REPOSITORY", tmp_path)
    code, said = run(toy_design(), results)
    assert code == 1
    assert "0 runs done now (nothing to do) and 0 control runs, 8 before" in said
    assert "1 cells differ, in 1 runs" in said
    assert "scripted.toy.greeter.incremental.minimal.r1: outcome: 'agent_error' -> 'completed'" in said
    assert load_dataset(results / "dataset").runs["outcome"].tolist() == ["completed", "completed"]
    assert {path.name: path.read_bytes() for path in (tmp_path / "figures").iterdir()} == first
