"""Every trap in the logs of the real command lines, on what they really wrote."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from study.agents.logs import READERS, codex
from study.agents.protocol import ProcessResult
from study.agents.reporting import decide
from study.agents.trajectory import AgentLog

SAMPLES = Path(__file__).parents[1] / "samples"
CLAUDE, GPT, QWEN = "claude-sonnet-4-5-20250929", "gpt-5.5", "qwen3-coder-mock"

# sample: end, HTTP status, (model, fresh, read, written, output, reasoning), complete, answers
CASES = {
    # the transcript has the final counts, and adds up to the result's
    "claude_code/success": ("completed", None, (CLAUDE, 1290, 1100, 110, 50, 0), True, 2),
    # an older version says nothing of reasoning: missing, not 0
    "claude_code/version_2.1.197": ("completed", None, (CLAUDE, 1290, 1100, 110, 50, None), True, 2),
    # `usage` lacks the last call (1830 fresh), `modelUsage` has it
    "claude_code/max_budget": ("cost_limit", None, (CLAUDE, 2370, 2900, 230, 90, 0), True, 4),
    # it counts 4 turns where the model answered 3 times
    "claude_code/max_turns": ("turn_limit", None, (CLAUDE, 1830, 2000, 170, 70, 0), True, 3),
    # `subtype` is `success`
    "claude_code/err401": ("api_error", 401, None, True, 0),
    "claude_code/err429": ("api_error", 429, None, True, 0),
    "claude_code/err500": ("api_error", 500, None, True, 0),
    "claude_code/err529": ("api_error", 529, None, True, 0),
    "claude_code/no_key": ("api_error", None, None, True, 0),
    "claude_code/permission_denied": ("completed", None, (CLAUDE, 1290, 1100, 110, 50, 0), True, 2),
    "claude_code/sigint_during_tool": ("interrupted", None, (CLAUDE, 750, 200, 50, 30, 0), True, 1),
    # no transcript beside it: the streamed output count is that of the answer's beginning
    "claude_code/sigterm_during_tool": ("unsaid", None, (CLAUDE, 750, 200, 50, None, None), False, 1),
    # usage only in the file on disk
    "claude_code/sigkill": ("unsaid", None, (CLAUDE, 750, 200, 50, 30, 0), False, 1),
    "claude_code/root_refused": ("unsaid", None, None, False, 0),
    # the input count includes the cached part
    "codex/success": ("completed", None, (GPT, 1400, 1100, 0, 50, 12), True, 2),
    # without the rollout nobody says which model it was
    "codex/code_mode": ("completed", None, ("unknown", 1400, 1100, 0, 50, 12), True, 0),
    "codex/fallback_model": ("completed", None, ("unknown", 1400, 1100, 0, 50, 12), True, 0),
    "codex/err400": ("api_error", 400, None, True, 0),
    "codex/err401": ("api_error", 401, None, True, 0),
    "codex/err429": ("api_error", 429, None, True, 0),
    "codex/err500": ("api_error", None, None, True, 0),
    "codex/no_key": ("api_error", None, None, True, 0),
    "codex/api_unreachable_hangs": ("unsaid", None, None, False, 0),
    "codex/sigterm_during_tool": ("unsaid", None, None, False, 0),
    "codex/sigkill": ("unsaid", None, ("gpt-5.2-codex", 800, 200, 0, 30, 7), False, 1),
    "codex/token_budget": ("token_limit", None, None, True, 0),
    # the cached part is in the input, under Anthropic's names; reasoning stands in the chat file only
    "qwen_code/success": ("completed", None, (QWEN, 1400, 1100, None, 50, 12), True, 2),
    "qwen_code/stdout_only": ("completed", None, (QWEN, 1400, 1100, None, 50, None), True, 2),
    "qwen_code/version_0.15.10": ("completed", None, (QWEN, 1400, 1100, None, 50, None), True, 2),
    "qwen_code/err401": ("api_error", 401, None, True, 0),
    "qwen_code/err429": ("api_error", 429, None, True, 0),
    "qwen_code/err500": ("api_error", 500, None, True, 0),
    "qwen_code/no_key": ("api_error", None, None, True, 0),
    # at a limit there is no result line
    "qwen_code/max_session_turns": ("turn_limit", None, (QWEN, 2000, 2000, None, 70, None), True, 3),
    "qwen_code/max_tool_calls": ("tool_limit", None, (QWEN, 2600, 2900, None, 90, None), True, 4),
    "qwen_code/max_wall_time": ("time_limit", None, None, False, 0),
    "qwen_code/sigterm": ("unsaid", None, (QWEN, 800, 200, None, 30, None), False, 1),
    "mini_swe_agent/success": ("completed", None, ("gpt-5", 1400, 1100, None, 50, 12), True, 2),
    "mini_swe_agent/turn_limit": ("turn_limit", None, ("gpt-5", 1600, 400, None, 60, 14), True, 2),
    "mini_swe_agent/cost_limit": ("cost_limit", None, ("gpt-5", 1600, 400, None, 60, 14), True, 2),
    "mini_swe_agent/err401": ("api_error", 401, ("gpt-5", 800, 200, None, 30, 7), True, 1),
    "qwen_code/sigkill": ("unsaid", None, (QWEN, 800, 200, None, 30, 7), False, 1),
}


def read(name: str) -> AgentLog:
    return READERS[name.split("/")[0]](SAMPLES / name)


@pytest.mark.parametrize("name", CASES)
def test_end_tokens_and_answers(name: str) -> None:
    end, status, used, complete, answers = CASES[name]
    log = read(name)
    assert (log.end, log.status, log.complete) == (end, status, complete)
    found = [(model, *tokens.model_dump().values()) for model, tokens in log.tokens.items()]
    assert found == ([] if used is None else [used])
    assert len(log.of("api_call")) == answers
    assert log.problems == []


def test_every_sample_is_tested() -> None:
    assert {path.relative_to(SAMPLES).as_posix() for path in SAMPLES.glob("*/*")} == set(CASES)


@pytest.mark.parametrize(
    ("name", "code", "outcome", "reason"),
    [
        ("claude_code/success", 0, "completed", "ended by itself with exit code 0"),
        (
            "claude_code/err500",
            1,
            "infrastructure_error",
            "the model's service failed (HTTP 500): API Error: 500",
        ),
        ("claude_code/no_key", 1, "infrastructure_error", "the model's service failed: Not logged in"),
        (
            "claude_code/max_turns",
            1,
            "agent_error",
            "the agent stopped at its limit on turns: Reached maximum",
        ),
        (
            "claude_code/max_budget",
            1,
            "agent_error",
            "the agent stopped at its limit on money: Reached maximum",
        ),
        ("claude_code/sigint_during_tool", 0, "agent_error", "the log reports an interruption: "),
        ("claude_code/sigterm_during_tool", 0, "agent_error", "ended with exit code 0, but its log stops"),
        ("claude_code/sigterm_during_tool", 143, "agent_error", "exit code 143"),
        (
            "claude_code/root_refused",
            1,
            "agent_error",
            "exit code 1: --dangerously-skip-permissions cannot be",
        ),
        ("codex/err400", 1, "agent_error", "the model's service refused the request (HTTP 400): "),
        ("codex/err429", 1, "infrastructure_error", "the model's service failed (HTTP 429): exceeded retry"),
        ("codex/err500", 1, "infrastructure_error", "the model's service failed: We’re currently"),
        ("codex/no_key", 1, "infrastructure_error", "the model's service failed: Missing environment"),
        ("codex/token_budget", 1, "agent_error", "the agent stopped at its limit on tokens: budget reached"),
        ("qwen_code/err429", 1, "infrastructure_error", "the model's service failed (HTTP 429): [API Error"),
        ("qwen_code/max_session_turns", 53, "agent_error", "the agent stopped at its limit on turns: "),
        ("qwen_code/max_tool_calls", 55, "agent_error", "the agent stopped at its limit on tool calls: "),
        ("qwen_code/max_wall_time", 55, "timeout", "the agent stopped at its own time limit: Run aborted"),
        ("qwen_code/sigterm", -15, "agent_error", "killed by signal 15"),
    ],
)
def test_the_outcome_that_follows(name: str, code: int, outcome: str, reason: str) -> None:
    folder = SAMPLES / name
    result = ProcessResult("exited", code, 9.0, "plain", folder / "stdout.log", folder / "stderr.log", 0)
    found = decide(result, read(name))
    assert found[0] == outcome
    assert found[1].startswith(reason)


@pytest.mark.parametrize(
    ("name", "outcome", "reason"),
    [
        # it waits for the network until somebody ends it
        (
            "codex/api_unreachable_hangs",
            "infrastructure_error",
            "service was down at the time limit: Reconnecting",
        ),
        ("codex/sigkill", "timeout", "stopped at the time limit"),
        ("qwen_code/max_wall_time", "infrastructure_error", "the model's service gave no answer in 9 s"),
    ],
)
def test_a_time_limit_while_the_service_is_down(name: str, outcome: str, reason: str) -> None:
    folder = SAMPLES / name
    result = ProcessResult("timeout", -15, 9.0, "plain", folder / "stdout.log", folder / "stderr.log", 0)
    found = decide(result, read(name))
    assert found[0] == outcome
    assert reason in found[1]


def test_failures_of_the_service_and_the_time_they_took() -> None:
    assert [(e.status, e.seconds) for e in read("claude_code/err429").of("failure")] == [(429, 1.097)]
    assert read("qwen_code/err429").failure_seconds == 60.0, "a second line only tells that the retry began"
    unreachable = read("codex/api_unreachable_hangs")
    assert (len(unreachable.of("failure")), unreachable.failure_seconds) == (4, None), "Codex tells no time"
    silent = read("codex/success")
    assert (silent.failure_seconds, silent.tells_failures) == (None, False), "it tries some again silently"


@pytest.mark.parametrize(
    ("name", "calls"),
    [
        ("claude_code/success", [(1000, 30, 0), (1500, 20, 0)]),
        ("codex/success", [(1000, 30, 7), (1500, 20, 5)]),
        ("qwen_code/success", [(1000, 30, 7), (1500, 20, 5)]),
    ],
)
def test_one_format_for_what_all_agents_did(name: str, calls: list[tuple[int, int, int]]) -> None:
    log = read(name)
    story = [e for e in log.events if e.kind != "api_call"]
    assert [e.kind for e in story] == ["tool_call", "tool_result", "message"]
    call, result, message = story
    assert call.tool in {"Write", "apply_patch", "write_file"}
    assert "hello from the mock, call 1" in str(call.arguments)
    assert (result.call_id, bool(result.failed)) == (call.call_id, False)
    assert "hello.txt" in result.text
    assert message.text == "All done: wrote the file."
    tokens = [e.tokens for e in log.of("api_call") if e.tokens]
    assert [(t.input, t.output, t.reasoning) for t in tokens] == calls
    assert log.session_id
    assert log.version in {"2.1.332", "0.171.0", "0.24.4"}


def test_times_are_there_where_the_logs_have_them() -> None:
    assert all(e.time is not None for e in read("codex/success").events)
    times = [e.time for e in read("claude_code/success").events]
    assert times == sorted(times)  # type: ignore[type-var]
    assert read("codex/success").seconds == 0.114
    assert (read("claude_code/success").seconds, read("claude_code/success").api_seconds) == (0.218, 0.05)
    assert (read("qwen_code/success").seconds, read("qwen_code/success").api_seconds) == (0.798, 0.438)


def test_codex_without_its_rollout_still_tells_its_story(tmp_path: Path) -> None:
    shutil.copy(SAMPLES / "codex/success/stdout.log", tmp_path)
    log = codex.read(tmp_path)
    assert [e.kind for e in log.events] == ["tool_call", "tool_result", "message"]
    assert log.tools == {"file_change": 1}


def test_totals_that_do_not_add_up_are_noted(tmp_path: Path) -> None:
    shutil.copytree(SAMPLES / "codex/success", tmp_path / "run")
    stdout = tmp_path / "run/stdout.log"
    stdout.write_text(stdout.read_text().replace('"output_tokens": 50', '"output_tokens": 51'))
    assert codex.read(tmp_path / "run").problems == [
        "the calls have 50 output tokens, the agent's total says 51"
    ]
    stdout.write_text(
        stdout.read_text().replace('"cached_input_tokens": 1100', '"cached_input_tokens": 2600')
    )
    assert codex.read(tmp_path / "run").problems == [
        "2500 input tokens with 2600 read from and 0 written to a cache"
    ]


@pytest.mark.parametrize("agent", READERS)
@pytest.mark.parametrize(
    "text",
    [
        "",
        "\x00\xff",
        "[" * 100_000,
        '{"type": "result"',
        '{"type": "assistant"}\n' * 3,
        '{"type": "result", "usage": [1], "modelUsage": 7, "duration_ms": "x"}\n',
    ],
)
def test_damaged_logs_are_no_crash(tmp_path: Path, agent: str, text: str) -> None:
    (tmp_path / "session").mkdir()
    for name in ("stdout.log", "stderr.log", "session/session.jsonl", "session/trajectory.json"):
        (tmp_path / name).write_text(text)
    assert READERS[agent](tmp_path).tokens == {}
