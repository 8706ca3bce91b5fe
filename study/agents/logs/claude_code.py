"""Logs of Claude Code: `--output-format stream-json` on stdout, and the transcript it keeps in its HOME."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from study.agents.jsonl import look_up, read_events
from study.agents.logs.parts import (
    add_blocks,
    add_up,
    check_sum,
    http_status,
    mapping,
    note_disagreement,
    session_events,
    shortened,
    whole_number,
)
from study.agents.tokens import Tokens, count
from study.agents.trajectory import AgentLog, End, moment

SESSIONS = [".claude/projects/*/*.jsonl", ".claude/projects/*/*/subagents/*.jsonl"]
SYNTHETIC = "<synthetic>"
"""The model of messages that the command wrote itself, to tell of an error."""
_ENDS: dict[str, End] = {
    "max_turns": "turn_limit",
    "error_max_turns": "turn_limit",
    "budget_exhausted": "cost_limit",
    "error_max_budget_usd": "cost_limit",
    "api_error": "api_error",
    "aborted_tools": "interrupted",
    "aborted_streaming": "interrupted",
}


def read(folder: Path) -> AgentLog:
    """Read the logs of one run."""
    log = AgentLog()
    calls = _calls(folder)
    seen: set[str] = set()
    result: dict[str, Any] | None = None
    for event in read_events(folder / "stdout.log"):
        kind = (event.get("type"), event.get("subtype"))
        if kind == ("system", "init"):
            log.session_id = log.session_id or event.get("session_id")
            log.model, log.version = event.get("model"), event.get("claude_code_version")
        elif kind == ("system", "api_retry"):
            delay = whole_number(event.get("retry_delay_ms"))
            log.add(
                "failure",
                text=shortened(event.get("error")),
                status=count(event.get("error_status")),
                seconds=None if delay is None else delay / 1000,
            )
        elif kind[0] == "assistant":
            _add_call(log, event, calls, seen)
            add_blocks(log, event)
        elif kind[0] == "user":
            add_blocks(log, event)
        elif kind[0] == "result":
            result = event
    for identity, (model, tokens) in calls.items():
        if identity not in seen:  # answered, and then the command was killed before it could say so
            log.add("api_call", call_id=identity, model=model, tokens=tokens)
    listed = list(calls.values())
    if result is not None:
        _add_result(log, result, listed)
    else:
        add_up(log, listed)
    _add_times(log, folder)
    return log


def _calls(folder: Path) -> dict[str, tuple[str, Tokens]]:
    """Model and final tokens of each API call, from the transcript; stdout has those of its beginning."""
    calls = {}
    for event in session_events(folder):
        message = mapping(event.get("message"))
        identity, model = message.get("id"), message.get("model")
        if event.get("type") == "assistant" and identity and model != SYNTHETIC:
            calls[str(identity)] = (str(model), _tokens(mapping(message.get("usage"))))
    return calls


def _tokens(usage: dict[str, Any]) -> Tokens:
    return Tokens(
        input_fresh=count(usage.get("input_tokens")),
        cache_read=count(usage.get("cache_read_input_tokens")),
        cache_write=count(usage.get("cache_creation_input_tokens")),
        output=count(usage.get("output_tokens")),
        reasoning=count(look_up(usage, "output_tokens_details.thinking_tokens")),
    )


def _add_call(
    log: AgentLog, event: dict[str, Any], calls: dict[str, tuple[str, Tokens]], seen: set[str]
) -> None:
    """One API call, of which there is a line for each block of its answer."""
    message = mapping(event.get("message"))
    identity, model = str(message.get("id") or ""), str(message.get("model"))
    if not identity or identity in seen or model == SYNTHETIC:
        return
    seen.add(identity)
    if identity not in calls:
        # what stands here was known when the answer began: its output count is 1
        streamed = _tokens(mapping(message.get("usage")))
        calls[identity] = (model, streamed.model_copy(update={"output": None, "reasoning": None}))
    log.add(
        "api_call",
        call_id=identity,
        model=model,
        tokens=calls[identity][1],
        time=moment(event.get("timestamp")),
        subagent=bool(event.get("parent_tool_use_id")),
    )


def _add_result(log: AgentLog, result: dict[str, Any], calls: list[tuple[str, Tokens]]) -> None:
    """The last line. A failure of the API is called `success` in its subtype, so that decides nothing."""
    log.end = _end(result)
    if log.end != "completed":
        said = result.get("errors") or result.get("result") or result.get("terminal_reason")
        log.message = shortened("; ".join(map(str, said)) if isinstance(said, list) else said)
    log.status = count(result.get("api_error_status")) or (
        http_status(log.message) if log.end == "api_error" else None
    )
    log.session_id = log.session_id or result.get("session_id")
    duration = whole_number(result.get("duration_ms"))
    log.seconds = None if duration is None else duration / 1000
    log.complete = True
    usage = mapping(result.get("modelUsage"))
    # `usage` beside it lacks the last call when the run is stopped at its budget
    if usage:
        for model, numbers in ((model, mapping(numbers)) for model, numbers in usage.items()):
            log.tokens[model] = Tokens(
                input_fresh=count(numbers.get("inputTokens")),
                cache_read=count(numbers.get("cacheReadInputTokens")),
                cache_write=count(numbers.get("cacheCreationInputTokens")),
                output=count(numbers.get("outputTokens")),
                reasoning=count(numbers.get("thinkingTokens")),
            )
            note_disagreement(log, log.tokens[model])
        if all(tokens.output is not None for _, tokens in calls):
            check_sum(log, calls)
    else:
        add_up(log, calls)
    unknown = [m for m, n in usage.items() if mapping(n).get("costBasis") == "unknown"]
    if unknown:
        log.problems.append(f"the agent knows no price of {unknown[0]}, so its own cost is left out")
    else:
        log.cost_usd = whole_number(result.get("total_cost_usd"))


def _end(result: dict[str, Any]) -> End:
    for key in ("terminal_reason", "subtype"):
        if found := _ENDS.get(str(result.get(key))):
            return found
    return "error" if result.get("is_error") else "completed"


def _add_times(log: AgentLog, folder: Path) -> None:
    """Time in API calls and time lost; exact where the transcript ends with its summary."""
    waits = [event.seconds for event in log.of("failure")]
    log.failure_seconds = None if None in waits else sum(wait for wait in waits if wait is not None)
    for event in session_events(folder):
        if event.get("type") == "cost-state":
            whole = whole_number(event.get("totalAPIDuration"))
            net = whole_number(event.get("totalAPIDurationWithoutRetries"))
            if whole is not None and net is not None:
                log.api_seconds = net / 1000
                if waits:
                    log.failure_seconds = max(0.0, whole - net) / 1000
