from __future__ import annotations

from pathlib import Path

import pytest

from study.agents.logs import read_log
from study.agents.prices import load_prices
from study.agents.protocol import ProcessResult
from study.agents.reporting import keep_sessions, report_of, usage_of
from study.agents.tokens import Tokens
from study.agents.trajectory import AgentLog, tool_kind


def result(folder: Path, seconds: float = 90.0) -> ProcessResult:
    return ProcessResult("exited", 0, seconds, "plain", folder / "stdout.log", folder / "stderr.log", 0)


def test_time_lost_by_the_service_is_taken_out() -> None:
    log = AgentLog(seconds=120.0, failure_seconds=30.0)
    assert (usage_of(log, 121).agent_minutes, usage_of(log, 121).failure_minutes) == (1.5, 0.5)
    log = AgentLog(failure_seconds=30.0)
    assert usage_of(log, 90).agent_minutes == 1.0, "of the wall clock, where the agent tells none"
    assert usage_of(AgentLog(failure_seconds=None), 90).agent_minutes is None


def test_an_unknown_model_is_a_problem_of_the_record_and_no_cost_of_0(tmp_path: Path) -> None:
    log = AgentLog(end="completed", tokens={"gpt-99": Tokens(input_fresh=10, output=10)})
    report = report_of(result(tmp_path), log, load_prices(), "gpt-98", reader="codex")
    assert report.cost is None
    assert "no price of 'gpt-99'; add a row for it to" in report.problems[0]
    assert report_of(result(tmp_path), log, load_prices(), "gpt-5", reader="codex").cost is not None, (
        "the design's name counts"
    )


def test_session_files_are_kept_without_keys_and_links_are_not_followed(tmp_path: Path) -> None:
    home, logs, outside = tmp_path / "home", tmp_path / "logs", tmp_path / "outside"
    for folder in (home / "kept", logs, outside):
        folder.mkdir(parents=True)
    (home / "kept/real.jsonl").write_text('{"key": "sk-0123456789"}\n')
    (outside / "secret.jsonl").write_text("{}\n")
    (home / "kept/link.jsonl").symlink_to(outside / "secret.jsonl")
    (home / "linked").symlink_to(outside)
    keep_sessions(["*/*.jsonl"], home, logs, {"KEY": "sk-0123456789"})
    assert [path.name for path in (logs / "session").iterdir()] == ["real.jsonl"]
    assert (logs / "session/real.jsonl").read_text() == '{"key": "[redacted: KEY]"}\n'


def test_a_log_that_no_reader_understands_costs_no_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(folder: Path) -> AgentLog:
        raise TypeError("odd")

    monkeypatch.setitem(__import__("study.agents.logs", fromlist=["READERS"]).READERS, "codex", fail)
    log = read_log("codex", tmp_path)
    assert (log.end, log.problems) == ("unsaid", ["the log cannot be read: TypeError: odd"])


def test_tools_of_all_agents_have_the_same_kinds() -> None:
    kinds = {
        "Write": "write",
        "apply_patch": "write",
        "run_shell_command": "shell",
        "Bash": "shell",
        "command_execution": "shell",
        "Grep": "search",
        "WebFetch": "web",
        "Task": "agent",
        "Odd": "other",
    }
    assert {name: tool_kind(name) for name in kinds} == kinds
