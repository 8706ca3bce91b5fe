"""Logs of Qwen Code: `--output-format stream-json` on stdout, and the chat file it keeps in its HOME."""

from __future__ import annotations

import re
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
from study.agents.tokens import Tokens
from study.agents.trajectory import AgentLog, End

SESSIONS = [".qwen/projects/*/chats/*.jsonl"]
_LIMITS: list[tuple[str, End]] = [
    ("Reached max session turns", "turn_limit"),
    ("--max-tool-calls", "tool_limit"),
    ("--max-wall-time", "time_limit"),
]
_API_ERROR = re.compile(r"API Error|API key|Connection error|quota|fetch failed")

Call = tuple[str, Tokens]


def read(folder: Path) -> AgentLog:
    """Read the logs of one run."""
    log = AgentLog()
    kept, unsaid, broken = _read_chat(log, folder)
    streamed: list[Call] = []
    result: dict[str, Any] | None = None
    for event in read_events(folder / "stdout.log"):
        kind = (event.get("type"), event.get("subtype"))
        if kind == ("system", "init"):
            log.session_id, log.model = event.get("session_id"), event.get("model")
            log.version = event.get("qwen_code_version")
        elif kind == ("system", "retry"):
            # a second line without a number tells that the retry has begun
            if look_up(event, "data.attempt") is not None:
                delay = whole_number(look_up(event, "data.delayMs"))
                seconds = None if delay is None else delay / 1000
                log.add("failure", text=shortened(look_up(event, "data.reason")), seconds=seconds)
        elif kind[0] in {"assistant", "user"}:
            streamed += _add_message(log, event, kept, len(streamed))
        elif kind[0] == "result":
            result = event
    for model, tokens in kept[len(streamed) :]:  # answered, and killed before it was printed
        log.add("api_call", model=model, tokens=tokens)
    calls = kept or streamed
    add_up(log, calls)
    if result is None:
        _add_limit(log, folder)
    else:
        _add_result(log, result, calls, broken)
    _add_times(log, broken)
    log.complete = log.complete and not unsaid
    return log


def _add_message(log: AgentLog, event: dict[str, Any], kept: list[Call], number: int) -> list[Call]:
    """Events of one line, and the call that ends with it, if one does.

    An answer in several parts has a line for each; all but the last, and messages that the command wrote
    itself, have a usage of 0.
    """
    calls: list[Call] = []
    usage = look_up(event, "message.usage")
    if event.get("type") == "assistant" and isinstance(usage, dict) and usage.get("input_tokens"):
        tokens = _tokens(log, usage, ("input_tokens", "cache_read_input_tokens", "output_tokens", ""))
        call = kept[number] if number < len(kept) else (str(look_up(event, "message.model")), tokens)
        calls.append(call)
        log.add("api_call", model=call[0], tokens=call[1], call_id=look_up(event, "message.id"))
    add_blocks(log, event)
    return calls


def _tokens(log: AgentLog, usage: dict[str, Any], names: tuple[str, str, str, str]) -> Tokens:
    """Here the input includes the cached part, although the names on stdout are Anthropic's."""
    whole, read, output, reasoning = (usage.get(name) for name in names)
    try:
        tokens = Tokens.of_whole(whole, read, None, output, reasoning)
    except ValueError as error:
        log.problems.append(str(error))
        return Tokens()
    note_disagreement(log, tokens, usage.get("total_tokens", usage.get("totalTokenCount")))
    return tokens


def _read_chat(log: AgentLog, folder: Path) -> tuple[list[Call], bool, list[dict[str, Any]]]:
    """The calls of the chat file, whether one has no usage, and the API errors that ended a call."""
    calls: list[Call] = []
    unsaid, broken, last = False, [], None
    names = ("promptTokenCount", "cachedContentTokenCount", "candidatesTokenCount", "thoughtsTokenCount")
    api_ms: list[float | None] = []
    for event in session_events(folder):
        telemetry = mapping(look_up(event, "systemPayload.uiEvent"))
        name = telemetry.get("event.name")
        if name == "qwen-code.api_error":
            broken.append(telemetry)
            last = name
        elif name == "qwen-code.api_response":
            api_ms.append(whole_number(telemetry.get("duration_ms")))
            last = name
        elif event.get("type") == "assistant":
            usage = event.get("usageMetadata")
            if isinstance(usage, dict) and usage.get("promptTokenCount"):
                calls.append((str(event.get("model")), _tokens(log, usage, names)))
            else:
                unsaid = True
    if api_ms and None not in api_ms:
        log.api_seconds = sum(ms for ms in api_ms if ms is not None) / 1000
    if last == "qwen-code.api_error":
        broken[-1] = broken[-1] | {"last": True}
    return calls, unsaid, broken


def _add_result(
    log: AgentLog, result: dict[str, Any], calls: list[Call], broken: list[dict[str, Any]]
) -> None:
    """The last line."""
    log.complete = True
    duration = whole_number(result.get("duration_ms"))
    log.seconds = None if duration is None else duration / 1000
    if result.get("is_error"):
        log.message = shortened(look_up(result, "error.message") or result.get("result"))
        log.end = "api_error" if _API_ERROR.search(log.message) else "error"
        log.status = http_status(log.message)
    elif broken and broken[-1].get("last"):
        # the answer was cut off, and what had come of it was taken for the end
        log.end = "api_error"
        log.message = shortened(broken[-1].get("error_message"))
        log.complete = False
    else:
        log.end = "completed"
    usage = mapping(result.get("usage"))
    if usage.get("input_tokens"):
        names = ("input_tokens", "cache_read_input_tokens", "output_tokens", "")
        said = AgentLog(tokens={"": _tokens(log, usage, names)})
        check_sum(said, calls)
        log.problems += said.problems


def _add_limit(log: AgentLog, folder: Path) -> None:
    """At a limit there is no result, only a line on stderr."""
    try:
        lines = (folder / "stderr.log").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return
    for line in lines:
        for words, end in _LIMITS:
            if words in line:
                log.end, log.message = end, shortened(line)
                # a limit on time may come in the middle of a call
                log.complete = end != "time_limit"


def _add_times(log: AgentLog, broken: list[dict[str, Any]]) -> None:
    """Failures told by the telemetry alone, and the time that all of them took."""
    for telemetry in broken[len(log.of("failure")) :]:
        duration = whole_number(telemetry.get("duration_ms"))
        seconds = None if duration is None else duration / 1000
        log.add("failure", text=shortened(telemetry.get("error_message")), seconds=seconds)
        if log.end == "completed":  # it went on, so the failure is not the last that happened
            log.events.insert(0, log.events.pop())
    waits = [event.seconds for event in log.of("failure")]
    # it tries some again without a word, so none told does not mean that there was none
    log.tells_failures = bool(waits)
    if waits:
        log.failure_seconds = None if None in waits else sum(wait for wait in waits if wait is not None)
