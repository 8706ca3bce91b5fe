"""The logs for Inspect AI: their parts, and, where the real package can be had, read back by it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from study.cache import cache_folder
from study.trajectories.inspect_log import inspect_log, write_inspect_logs
from study.trajectories.story import find_stories, read_story

MakeRun = Callable[..., Path]
READERS = ["claude_code", "codex", "qwen_code", "mini_swe_agent"]
VERSION = "0.3.285"
READ_BACK = """
import json, sys
from inspect_ai.log import list_eval_logs, read_eval_log
found = []
for info in list_eval_logs(sys.argv[1]):
    log = read_eval_log(info)
    for sample in log.samples:
        usage = next(iter(sample.model_usage.values()))
        found.append({
            "solver": log.eval.solver, "status": log.status, "epoch": sample.epoch, "input": sample.input,
            "fresh": usage.input_tokens, "read": usage.input_tokens_cache_read, "output": usage.output_tokens,
            "rate": sample.scores["pass_rate_executed"].value, "tests": sample.scores["tests"].value,
            "models": sum(event.event == "model" for event in sample.events),
            "tools": [event.function for event in sample.events if event.event == "tool"],
            "roles": [message.role for message in sample.messages],
            "kind": sample.metadata["kind"], "mean": log.results.scores[0].metrics["mean"].value,
        })
print(json.dumps(found))
"""


@pytest.fixture(scope="session")
def inspect_python() -> Path:
    """An interpreter with Inspect AI, apart from the package's environment, whose pins it would change."""
    folder = cache_folder("inspect") / VERSION
    python = folder / "bin" / "python"
    marker = folder / "installed"
    if not marker.exists():
        uv = [sys.executable, "-m", "uv"]
        for command in (
            [*uv, "venv", "--quiet", "--clear", "--python", sys.executable, str(folder)],
            [*uv, "pip", "install", "--quiet", "--python", str(python), f"inspect-ai=={VERSION}"],
        ):
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
            if done.returncode != 0:
                pytest.skip(f"inspect-ai {VERSION} cannot be installed here: {done.stderr.strip()[:200]}")
        marker.touch()
    return python


def test_the_real_package_reads_them_back(make_run: MakeRun, tmp_path: Path, inspect_python: Path) -> None:
    folders = [make_run(f"{reader}/success", reader, agent=reader) for reader in READERS]
    written = write_inspect_logs(find_stories(folders), tmp_path / "logs")
    assert len(written) == 4
    done = subprocess.run(
        [str(inspect_python), "-c", READ_BACK, str(tmp_path / "logs")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert sorted(one["solver"] for one in found) == sorted(READERS)
    for one in found:
        assert one["status"] == "success"
        assert (one["epoch"], one["kind"]) == (1, "simulated")
        assert one["input"] == "Write the [bold]service[/bold].\n"
        # of 2500 input tokens; writes to a cache count as fresh in all these logs but Claude's
        assert one["fresh"] == (1290 if one["solver"] == "claude_code" else 1400)
        assert (one["read"], one["output"]) == (1100, 50)
        assert (one["rate"], one["mean"]) == (0.5, 0.5)  # 1 of 2 executed; the skipped one is no part
        assert one["tests"] == {"passed": 1, "failed": 1, "error": 0, "skipped": 1}
        assert one["models"] == 2
        assert len(one["tools"]) >= 1
        assert one["roles"][:3] == ["user", "assistant", "tool"]


@pytest.mark.parametrize(
    ("sample", "reader", "end"),
    [
        ("claude_code/max_turns", "claude_code", "turn"),
        ("claude_code/max_budget", "claude_code", "cost"),
        ("codex/token_budget", "codex", "token"),
        ("qwen_code/max_wall_time", "qwen_code", "time"),
        ("qwen_code/max_tool_calls", "qwen_code", "custom"),
    ],
)
def test_a_limit_is_a_limit_there_too(make_run: MakeRun, sample: str, reader: str, end: str) -> None:
    story = read_story(make_run(sample, reader, outcome="agent_error"))
    [found] = inspect_log([story])["samples"]
    assert found["limit"]["type"] == end
    assert "error" not in found


def test_an_error_is_an_error_there_too(make_run: MakeRun) -> None:
    story = read_story(make_run("claude_code/err401", "claude_code", outcome="infrastructure_error"))
    [found] = inspect_log([story])["samples"]
    assert found["error"]["message"].startswith("infrastructure_error")
    assert "limit" not in found


def test_a_suite_that_did_not_import_counts_as_what_it_missed(make_run: MakeRun) -> None:
    """With the controls beside it, a run scores as in the tables: 0 of 2, and a half with one test passed."""
    passed = [{"test_id": "t::good", "status": "passed"}, {"test_id": "t::bad", "status": "passed"}]
    reference = make_run("codex/success", "none", agent="reference", tests=passed)
    lost = read_story(make_run("codex/success", "codex", agent="lost", tests=[], suite="not_collected"))
    half = read_story(make_run("codex/success", "codex", agent="half"))
    assert reference.is_dir()
    log = inspect_log([lost, half])
    scores = [sample["scores"] for sample in log["samples"]]
    assert scores[0]["tests"]["value"]["missing"] == 2
    assert scores[0]["pass_rate"]["value"] == 0
    assert "pass_rate_executed" not in scores[0]
    assert scores[1]["pass_rate"]["value"] == 0.5
    means = {score["name"]: score["metrics"]["mean"]["value"] for score in log["results"]["scores"]}
    assert means == {"pass_rate": 0.25, "pass_rate_executed": 0.5}


def test_without_controls_missing_tests_are_not_called_none(make_run: MakeRun) -> None:
    [found] = inspect_log([read_story(make_run("codex/success", "codex"))])["samples"]
    assert "missing" not in found["scores"]["tests"]["value"]
    assert found["scores"]["tests"]["explanation"].startswith("The control runs")
    assert "pass_rate" not in found["scores"]


def test_a_run_that_was_not_evaluated_has_no_score(make_run: MakeRun) -> None:
    story = read_story(make_run("codex/success", "codex", tests=[], suite="not_evaluated"))
    [found] = inspect_log([story])["samples"]
    assert found["scores"] == {}


def test_tokens_that_are_not_told_are_no_zeros(make_run: MakeRun) -> None:
    [found] = inspect_log([read_story(make_run("codex/success", "none"))])["samples"]
    assert found["model_usage"] == {}
    assert found["events"] == []
