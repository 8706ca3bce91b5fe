"""Logs of Codex: `exec --json` on stdout, and the rollout file it keeps in CODEX_HOME."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

from study.agents.jsonl import look_up, read_events
from study.agents.logs.parts import (
    add_up,
    block_text,
    check_sum,
    http_status,
    mapping,
    note_disagreement,
    session_events,
    shortened,
    whole_number,
)
from study.agents.tokens import Tokens
from study.agents.trajectory import AgentLog, End, moment

SESSIONS = [".codex/sessions/*/*/*/rollout-*.jsonl"]
_RECONNECTING = re.compile(r"Reconnecting\.\.\.")
_TOOL_ITEMS = {"command_execution", "file_change", "mcp_tool_call", "web_search"}
_SERVICE = re.compile(
    r"high demand|retry limit|unexpected status|stream (?:disconnected|closed)|waiting for network|"
    r"error sending request|Connection failed|timed? ?out|Missing environment variable|usage limit"
)


def read(folder: Path) -> AgentLog:
    """Read the logs of one run."""
    log = AgentLog()
    calls = _read_rollout(log, folder)
    _read_stdout(log, folder, from_rollout=bool(log.events))
    if log.tokens:
        check_sum(log, [(model, tokens) for model, tokens in calls if calls])
    else:
        add_up(log, calls)
    if called := log.of("tool_call"):  # by the names that the events have
        named = Counter(str(event.tool) for event in called)
        log.tools = named if named.total() >= log.tools.total() else log.tools
    if log.end not in {"completed", "unsaid"}:
        log.complete = True  # what was answered is in the rollout as soon as it has come
    return log


def _read_stdout(log: AgentLog, folder: Path, *, from_rollout: bool) -> None:
    """Items and the end; the events too, unless the rollout, which has times, gave them."""
    begun: set[str] = set()
    for event in read_events(folder / "stdout.log"):
        kind, item = str(event.get("type")), mapping(event.get("item"))
        if kind == "thread.started":
            log.session_id = event.get("thread_id")
        elif kind in {"item.started", "item.completed"} and item.get("type") in _TOOL_ITEMS:
            if str(item.get("id")) not in begun:
                begun.add(str(item.get("id")))
                log.tools[str(item["type"])] += 1
            if not from_rollout:
                _add_item(log, kind, item)
        elif kind == "item.completed" and not from_rollout:
            _add_item(log, kind, item)
        elif kind == "error" and _RECONNECTING.match(str(event.get("message"))):
            text = shortened(event.get("message"))
            log.add("failure", text=text, status=http_status(text))
        elif kind == "turn.completed":
            log.end, log.complete = "completed", True
            log.tokens[log.model or "unknown"] = _tokens(log, mapping(event.get("usage")))
        elif kind == "turn.failed":
            log.message = shortened(look_up(event, "error.message"))
            log.end, log.status = _end_of_failure(log)
    # it tries some again without a word, so none told does not mean that there was none
    log.tells_failures = bool(log.of("failure"))
    if log.end == "completed":
        _sort_failures_away(log)


def _sort_failures_away(log: AgentLog) -> None:
    """Failures of stdout have no time, so after a rollout's events they stand first: the run went on."""
    log.events.sort(key=lambda event: event.kind != "failure")


def _end_of_failure(log: AgentLog) -> tuple[End, int | None]:
    """What a failed turn means: its message decides, and the status that the rollout names."""
    if log.end == "token_limit" or "budget reached" in log.message:
        return "token_limit", None
    status = log.status or http_status(log.message)
    if log.status is None and "invalid_request_error" in log.message:
        status = 400
    return ("api_error" if status or _SERVICE.search(log.message) else "error"), status


def _add_item(log: AgentLog, kind: str, item: dict[str, Any]) -> None:
    """Events without a rollout: what stdout shows of them."""
    name, identity = str(item.get("type")), str(item.get("id"))
    if name == "agent_message":
        log.add("message", text=str(item.get("text", "")))
    elif name == "reasoning":
        log.add("thought", text=str(item.get("text", "")))
    elif name in _TOOL_ITEMS:
        given = {
            key: item[key] for key in ("command", "changes", "query", "tool", "arguments") if key in item
        }
        if kind == "item.started" or not any(e.call_id == identity for e in log.of("tool_call")):
            log.add("tool_call", tool=name, call_id=identity, arguments=given)
        if kind == "item.completed":
            failed = item.get("status") == "failed" or item.get("exit_code") not in (None, 0)
            log.add(
                "tool_result", call_id=identity, text=str(item.get("aggregated_output", "")), failed=failed
            )


def _tokens(log: AgentLog, usage: dict[str, Any]) -> Tokens:
    """Its input includes what was read from and written to the cache."""
    try:
        tokens = Tokens.of_whole(
            usage.get("input_tokens"),
            usage.get("cached_input_tokens"),
            usage.get("cache_write_input_tokens"),
            usage.get("output_tokens"),
            usage.get("reasoning_output_tokens"),
        )
    except ValueError as error:
        log.problems.append(str(error))
        return Tokens()
    note_disagreement(log, tokens, usage.get("total_tokens"))
    return tokens


def _read_rollout(log: AgentLog, folder: Path) -> list[tuple[str, Tokens]]:
    """The session file, written while the run goes on: it is there even after a kill."""
    calls: list[tuple[str, Tokens]] = []
    for event in session_events(folder):
        payload, time = mapping(event.get("payload")), moment(event.get("timestamp"))
        kind = event.get("type")
        if kind == "session_meta":
            log.version = payload.get("cli_version")
            log.session_id = payload.get("id")
        elif kind == "turn_context":
            log.model = payload.get("model")
        elif kind == "token_usage_record":
            tokens = _tokens(log, mapping(payload.get("usage")))
            calls.append((log.model or "unknown", tokens))
            identity = payload.get("response_id")
            log.add("api_call", tokens=tokens, model=log.model, time=time, call_id=identity)
        elif kind == "response_item":
            _add_response_item(log, payload, time)
        elif kind == "event_msg":
            _add_task_end(log, payload)
    return calls


def _add_response_item(log: AgentLog, payload: dict[str, Any], time: Any) -> None:
    kind, identity = str(payload.get("type")), payload.get("call_id")
    if kind == "message" and payload.get("role") == "assistant":
        log.add("message", text=block_text(payload.get("content")), time=time)
    elif kind == "reasoning":
        log.add("thought", text=block_text(payload.get("summary")), time=time)
    elif kind in {"function_call", "custom_tool_call", "local_shell_call"}:
        given = payload.get("arguments", payload.get("input"))
        log.add(
            "tool_call", tool=payload.get("name"), call_id=identity, arguments=_arguments(given), time=time
        )
    elif kind in {"function_call_output", "custom_tool_call_output"}:
        output = payload.get("output")
        text = output if isinstance(output, str) else block_text(output)
        found = re.search(r"(?:Exit code:|exited with code) (\d+)", text)
        failed = None if found is None else found[1] != "0"
        log.add("tool_result", call_id=identity, text=text, failed=failed, time=time)


def _arguments(given: object) -> dict[str, Any] | str | None:
    if not isinstance(given, str):
        return None
    try:
        read = json.loads(given)
    except ValueError:
        return given
    return read if isinstance(read, dict) else given


def _add_task_end(log: AgentLog, payload: dict[str, Any]) -> None:
    if payload.get("type") != "task_complete":
        return
    duration = whole_number(payload.get("duration_ms"))
    log.seconds = None if duration is None else duration / 1000
    info = look_up(payload, "error.codex_error_info")
    if info == "session_budget_exceeded":
        log.end = "token_limit"
    elif isinstance(info, dict):
        statuses = [look_up(value, "http_status_code") for value in info.values()]
        log.status = next((status for status in statuses if isinstance(status, int)), None)
