"""Every way to end: the right outcome with the right tokens."""

from __future__ import annotations

import os
import signal
import time

import pytest
from real_agents import DONE, KEYS, WRITE

from study.agents.protocol import Task
from study.agents.scripted import Reply, ScriptedServer
from study.design import Limits

AGENTS = ["claude-code", "codex", "qwen-code"]
SLEEP = Reply(run='python3 -c "import time; time.sleep(60)"', usage=WRITE.usage)
# what WRITE alone uses, by agent: fresh, read, written, output, reasoning
ONE_CALL = {
    "claude-code": (750, 200, 50, 30, 7),
    "codex": (750, 200, 50, 30, 7),
    "qwen-code": (800, 200, None, 30, 7),
    "mini-swe-agent": (800, 200, None, 30, 7),
}
TWO_CALLS = {
    "claude-code": (1290, 1100, 110, 50, 12),
    "codex": (1290, 1100, 110, 50, 12),
    "qwen-code": (1400, 1100, None, 50, 12),
    "mini-swe-agent": (1400, 1100, None, 50, 12),
}


def tokens(usage) -> tuple[int | None, ...]:
    return (
        usage.input_fresh_tokens,
        usage.cache_read_tokens,
        usage.cache_write_tokens,
        usage.output_tokens,
        usage.reasoning_tokens,
    )


@pytest.mark.parametrize("name", [*AGENTS, "mini-swe-agent"])
def test_success(run, name: str) -> None:
    ran = run(name, WRITE, DONE)
    report, usage = ran.report, ran.report.usage
    assert (report.outcome, report.end) == ("completed", "completed")
    assert tokens(usage) == TWO_CALLS[name]
    untold = 0 if name == "claude-code" else None  # the others try again without a word
    assert (usage.turns, usage.complete, usage.service_failures) == (2, True, untold)
    assert (ran.task.workspace / "services/greeter/rules.py").read_text() == "X = 1\n"
    assert ran.server.calls == 2
    assert all(seen.authorised for seen in ran.server.seen)
    assert report.problems == []
    assert report.cost is not None and report.cost.list_usd is not None
    logs = ran.result.stdout.parent
    kept = b"".join(path.read_bytes() for path in logs.rglob("*") if path.is_file())
    assert not [value for value in KEYS.values() if value.encode() in kept]
    if name != "mini-swe-agent":
        assert report.session_id
    if name == "claude-code":  # its own figure, from the same tokens and its own list
        assert report.cost.cached_usd == pytest.approx(usage.cost_usd)


@pytest.mark.parametrize("name", AGENTS)
def test_the_key_is_redacted_where_the_agent_shows_it(run, name: str) -> None:
    shown = Reply(run="env > services/env.txt; env", usage=WRITE.usage)
    ran = run(name, Reply(run="mkdir -p services", usage=WRITE.usage), shown, DONE)
    value = KEYS["ANTHROPIC_API_KEY" if name == "claude-code" else "OPENAI_API_KEY"]
    assert value in (ran.task.workspace / "services/env.txt").read_text(), "the tools have it"
    logs = ran.result.stdout.parent
    kept = b"".join(path.read_bytes() for path in logs.rglob("*") if path.is_file())
    assert value.encode() not in kept
    assert b"[redacted: " in kept
    assert value not in ran.report.model_dump_json()


@pytest.mark.parametrize(
    ("name", "status", "outcome"),
    [
        ("claude-code", 500, "infrastructure_error"),
        ("claude-code", 429, "infrastructure_error"),
        ("claude-code", 401, "infrastructure_error"),
        ("claude-code", 400, "agent_error"),
        ("codex", 429, "infrastructure_error"),
        ("codex", 401, "infrastructure_error"),
        ("codex", 400, "agent_error"),
        ("qwen-code", 401, "infrastructure_error"),
        ("qwen-code", 400, "agent_error"),
    ],
)
def test_an_error_of_the_service_after_one_answer(run, name: str, status: int, outcome: str) -> None:
    few = {"CLAUDE_CODE_MAX_RETRIES": "1"} if name == "claude-code" else {}
    ran = run(name, WRITE, Reply(status=status), environment=few)
    assert (ran.report.outcome, ran.report.end) == (outcome, "api_error"), ran.report.reason
    assert tokens(ran.report.usage) == ONE_CALL[name]
    assert str(status) in ran.report.reason


def test_a_service_that_recovers_costs_time_that_is_taken_out(run) -> None:
    ran = run("claude-code", WRITE, Reply(status=500), Reply(status=429), DONE)
    usage = ran.report.usage
    assert (ran.report.outcome, usage.service_failures) == ("completed", 2)
    assert tokens(usage) == TWO_CALLS["claude-code"]
    assert 1 / 60 < usage.failure_minutes < 10 / 60
    whole = ran.result.wall_seconds / 60
    assert 0 < usage.agent_minutes <= whole - usage.failure_minutes


def test_an_answer_that_is_cut_off_is_no_end(run) -> None:
    """Qwen Code takes what had come of it for the answer, and says success."""
    ran = run("qwen-code", WRITE, Reply(text="I have", cut_after=2))
    assert '"subtype":"success"' in ran.result.stdout.read_text()
    assert (ran.report.outcome, ran.report.end) == ("infrastructure_error", "api_error")
    assert tokens(ran.report.usage) == ONE_CALL["qwen-code"]
    assert ran.report.usage.complete is False


@pytest.mark.parametrize("name", AGENTS)
def test_silence_from_the_start_is_the_services_fault(run, name: str) -> None:
    ran = run(name, Reply(text="never", silence=60), seconds=4)
    assert (ran.report.outcome, ran.result.ended) == ("infrastructure_error", "timeout")
    assert "gave no answer" in ran.report.reason
    assert ran.report.usage.turns == 0


@pytest.mark.parametrize("name", AGENTS)
def test_a_timeout_keeps_what_was_used(run, name: str) -> None:
    ran = run(name, WRITE, SLEEP, seconds=5)
    usage, cost = ran.report.usage, ran.report.cost
    assert (ran.report.outcome, usage.complete, usage.turns) == ("timeout", False, 2)
    assert tokens(usage) == tuple(None if part is None else 2 * part for part in ONE_CALL[name])
    assert cost.low_usd <= cost.list_usd < cost.high_usd, "a call was under way"


@pytest.mark.parametrize("name", ["claude-code", "qwen-code"])
def test_a_limit_on_turns(run, name: str) -> None:
    ran = run(name, *[WRITE.model_copy() for _ in range(5)], limits=Limits(agent_turns=2))
    assert (ran.report.outcome, ran.report.end) == ("agent_error", "turn_limit"), ran.report.reason
    assert ran.report.usage.complete is True
    assert tokens(ran.report.usage)[0] == ran.report.usage.turns * ONE_CALL[name][0]
    assert (ran.task.workspace / "services/greeter/rules.py").exists()


def test_a_limit_on_money(run) -> None:
    ran = run("claude-code", WRITE, limits=Limits(agent_usd=0.01))
    assert (ran.report.outcome, ran.report.end) == ("agent_error", "cost_limit")
    assert ran.report.usage.cost_usd == pytest.approx(ran.report.cost.cached_usd)
    assert ran.report.usage.cost_usd > 0.01


def test_a_limit_that_the_agent_cannot_keep_is_said(run) -> None:
    ran = run("codex", WRITE, DONE, limits=Limits(agent_turns=9))
    assert ran.report.outcome == "completed"
    assert ran.report.problems == ["codex has no option for limits.agent_turns; it was not kept"]


@pytest.mark.parametrize(
    ("name", "number"),
    [(name, number) for name in AGENTS for number in (signal.SIGTERM, signal.SIGKILL)]
    # upon which it ends with exit code 0
    + [("claude-code", signal.SIGINT), ("codex", signal.SIGINT), ("qwen-code", signal.SIGINT)],
)
def test_a_signal_during_a_tool(run, name: str, number: signal.Signals) -> None:
    """Sent from outside to the command itself, while its tool is at work."""

    def send(server: ScriptedServer, task: Task) -> None:
        give_up = time.monotonic() + 20
        while (time.monotonic() < give_up and (pid := _command(task)) is not None) or server.calls < 2:
            if server.calls >= 2 and pid is not None:
                time.sleep(0.7)  # the tool has begun
                os.kill(pid, number)
                return
            time.sleep(0.05)

    ran = run(name, WRITE, SLEEP, meanwhile=send)
    assert ran.result.ended == "exited"
    assert ran.report.outcome == "agent_error", ran.report.reason
    assert tokens(ran.report.usage) == tuple(None if part is None else 2 * part for part in ONE_CALL[name])


def _command(task: Task) -> int | None:
    """The agent's own process, by its working directory and parent: the supervisor."""
    import psutil

    for process in psutil.process_iter(["cwd", "cmdline", "environ"]):
        environ = process.info["environ"] or {}
        if environ.get("HOME") == str(task.home) and (process.info["cmdline"] or [""])[0] != "/bin/bash":
            parent = process.parent()
            if parent is not None and "supervisor" in " ".join(parent.cmdline()):
                return int(process.pid)
    return None
