from __future__ import annotations

import csv
import io
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from study.cli import app
from study.records.dataset import RAW_DATA

VERBS = [
    "design",
    "agents",
    "plan",
    "prompt",
    "prepare",
    "run",
    "evaluate",
    "measure",
    "collect",
    "compare",
    "report",
    "reproduce",
    "audit",
    "statistics",
    "limits",
    "calibrate",
    "projects",
    "import",
    "show",
    "export",
]


def study(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "study", *arguments], capture_output=True, text=True, check=False
    )


def test_help_names_every_verb() -> None:
    text = study("--help").stdout
    assert all(f" {verb} " in text for verb in VERBS)
    names = {
        command.name or command.callback.__name__ for command in app.registered_commands if command.callback
    }
    names |= {str(group.name) for group in app.registered_groups}
    assert names == set(VERBS)


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help(verb: str) -> None:
    done = study(verb, "--help")
    assert done.returncode == 0
    assert "Usage" in done.stdout


@pytest.mark.parametrize(("extra", "rows"), [([], 144), (["--controls"], 144 + 96)])
def test_design_as_csv(extra: list[str], rows: int) -> None:
    done = study("design", "show", "paper", "--format", "csv", *extra)
    table = list(csv.reader(io.StringIO(done.stdout)))
    assert table[0][0] == "run_id"
    assert len(table) == 1 + rows
    assert table[1][0] == "claude-code.piggymetrics.account-service.incremental.minimal.r1"


@pytest.mark.parametrize("name", ["paper", "demo"])
def test_design_list_and_check(name: str) -> None:
    assert name in study("design", "list").stdout
    assert study("design", "check", name).stdout == f"{name}: valid, 144 runs\n"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["design", "show", "nothing"], "no design 'nothing'"),
        (["design", "show", "demo", "--format", "xml"], "--format: 'xml'"),
        (["run", "nothing.yaml"], "nothing.yaml"),
        (["run", "paper", "--results", "unused"], "study projects fetch"),
        (["compare", "demo", "nothing"], "no dataset 'nothing'"),
        (["prompt", "show", "demo", "x.y"], "no run 'x.y'"),
        (["audit", "--claim", "C99"], "no claim 'C99'"),
        (["audit", "--claim", "t4.codex.time"], "near it are F7.Codex.time"),
        (["audit", "--claim", "C06", "--format", "html"], "leave --format out"),
        (["audit", "--format", "pdf"], "--format: 'pdf'"),
        (["audit", "--data", "nowhere"], "is neither a copy of raw_data"),
    ],
)
def test_a_mistake_is_one_message(
    arguments: list[str], expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STUDY_CACHE", str(tmp_path))  # in which nothing is fetched
    done = study(*arguments)
    assert done.returncode == 2
    assert expected in done.stderr
    assert "Traceback" not in done.stderr
    assert not Path("unused").exists()


def test_prompts_are_listed_and_a_mistyped_run_gets_a_hint() -> None:
    assert {"minimal", "summary"} <= set(study("prompt", "list").stdout.split())
    right = "simulated-codex.library-desk.loan-service.incremental.minimal.r1"
    said = study("prompt", "show", "demo", right.replace("service", "servise")).stderr
    assert f"did you mean {right}?" in said


def test_prompts_are_shown_as_sent() -> None:
    run = "simulated-codex.library-desk.loan-service.incremental"
    minimal = study("prompt", "show", "demo", f"{run}.minimal.r1").stdout
    summary = study("prompt", "show", "demo", f"{run}.summary.r1").stdout
    assert "loan-service" in minimal
    assert "docs/requirements.md" in minimal
    assert "# Implementation summary" not in minimal
    assert "# Implementation summary" in summary
    # P2 is P1 with the summary put in, and nothing else
    before, after = minimal.split("# Instructions")
    assert summary.startswith(before)
    assert summary.endswith("# Instructions" + after)


def test_prepare_shows_what_the_agent_sees(toy_design: Callable[..., Path], tmp_path: Path) -> None:
    target = tmp_path / "workspace"
    run = "scripted.toy.greeter.clean_state.minimal.r1"
    done = study("prepare", str(toy_design()), run, str(target))
    assert done.returncode == 0, done.stderr
    assert "2 files of the target removed, 2 test files hidden, 2 files edited" in done.stdout
    assert (target / "README.md").is_file()
    again = study("prepare", str(toy_design()), run, str(target))
    assert (again.returncode, "exists already" in again.stderr) == (2, True)


def test_run_collect_compare(toy_design: Callable[..., Path], tmp_path: Path) -> None:
    design, results = str(toy_design()), str(tmp_path / "results")
    assert study("collect", design, "--results", results).returncode == 2, "nothing has been run yet"
    assert not (tmp_path / "results" / "dataset").exists()
    ran = study("run", design, "--results", results)
    assert ran.returncode == 0, ran.stderr
    assert "2 runs done now (2 completed) and 6 control runs" in ran.stdout
    assert "8/8 runs" in ran.stderr
    for name in ("a", "b"):
        assert study("collect", design, "--results", results, "--out", str(tmp_path / name)).returncode == 0
    equal = study("compare", str(tmp_path / "a"), str(tmp_path / "b"))
    assert (equal.returncode, "are equal" in equal.stdout) == (0, True)


def test_audit_prints_every_claim_and_explains_one(tmp_path: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(study("audit", "--format", "csv").stdout)))
    assert len({row["claim_id"] for row in rows}) == len(rows) == 287
    text = study("audit").stdout
    assert "Verdicts" in text
    assert "study audit --claim C67" in text
    copy = shutil.copytree(RAW_DATA / "published" / "paper", tmp_path / "paper")
    table = copy / "claims.csv"
    table.write_text(table.read_text().replace("over agents,6,16,min", "over agents,8,17,min"))
    assert study("audit", "--claim", "C06").stdout.startswith("C06  DISAGREES")
    assert study("audit", "--claim", "C06", "--data", str(copy)).stdout.startswith("C06  AGREES")
