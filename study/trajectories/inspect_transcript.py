"""The conversation of a run in the forms of Inspect AI: messages, and the events of its transcript."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from study.agents.tokens import Tokens
from study.agents.trajectory import Event, EventKind
from study.trajectories.story import Story
from study.trajectories.tables import event_text

_ANSWER: tuple[EventKind, ...] = ("thought", "message", "tool_call", "api_call")


def _turns(events: Iterable[Event]) -> list[list[Event]]:
    """Events in groups: one answer of the model with all its parts, or one other event.

    Some logs give the tokens of an answer before its parts, others after them.
    """
    turns: list[list[Event]] = []
    for event in events:
        last = turns[-1] if turns else []
        counted = [i for i, e in enumerate(last) if e.kind == "api_call"]
        new = (
            event.kind not in _ANSWER
            or not last
            or last[-1].kind not in _ANSWER
            or last[-1].subagent != event.subagent
            or (event.kind == "api_call" and bool(counted))
            or (event.kind != "api_call" and bool(counted) and _has_said(last[: counted[0]]))
        )
        if new:
            turns.append([event])
        else:
            last.append(event)
    return turns


def _has_said(events: list[Event]) -> bool:
    """Whether more than thoughts, which some logs tell before all else, stands before the tokens."""
    return any(event.kind != "thought" for event in events)


def messages_of(story: Story) -> list[dict[str, Any]]:
    """The main conversation: the prompt, answers, results of tools."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": story.prompt}]
    for turn in _turns(story.log.events if story.log else []):
        if turn[0].subagent:
            continue  # another conversation; its events are in `events`
        if turn[0].kind in _ANSWER:
            messages.append(_answer(story, turn))
        elif turn[0].kind == "tool_result":
            messages.append(_result(turn[0]))
    return messages


def _answer(story: Story, turn: list[Event]) -> dict[str, Any]:
    thoughts = [{"type": "reasoning", "reasoning": e.text} for e in turn if e.kind == "thought"]
    texts = [{"type": "text", "text": e.text} for e in turn if e.kind == "message"]
    calls = [
        {"id": e.call_id or "", "function": e.tool or "", "arguments": _arguments(e), "type": "function"}
        for e in turn
        if e.kind == "tool_call"
    ]
    model = next((e.model for e in turn if e.model), model_of(story))
    message = {"role": "assistant", "source": "generate", "model": model, "content": [*thoughts, *texts]}
    return message | ({"tool_calls": calls} if calls else {})


def _result(event: Event) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "tool", "content": event.text, "tool_call_id": event.call_id}
    if event.failed:
        message["error"] = {"type": "unknown", "message": event.text}
    return message


def _arguments(event: Event) -> dict[str, Any]:
    if isinstance(event.arguments, dict):
        return event.arguments
    return {} if event.arguments is None else {"input": event.arguments}


def events_of(story: Story) -> list[dict[str, Any]]:
    """The transcript: an event for each answer, each tool with its result, and each failure."""
    if story.log is None:
        return []
    results = {e.call_id: e for e in story.log.of("tool_result") if e.call_id}
    start = story.log.start or datetime.fromtimestamp(0, UTC)
    now, events = start, []
    for turn in _turns(story.log.events):
        now = max(now, next((event.time for event in turn if event.time), now))
        place = {"timestamp": now.isoformat(), "working_start": (now - start).total_seconds()}
        if turn[0].kind in _ANSWER:
            events.append(place | _model_event(story, turn))
            events += [
                place | _tool_event(e, results.get(e.call_id or "")) for e in turn if e.kind == "tool_call"
            ]
        elif turn[0].kind in {"failure", "prompt"}:
            data = {"status": turn[0].status, "message": turn[0].text, "seconds": turn[0].seconds}
            events.append(place | {"event": "info", "source": turn[0].kind, "data": data})
    return events


def _model_event(story: Story, turn: list[Event]) -> dict[str, Any]:
    call = next((event for event in turn if event.kind == "api_call"), None)
    message = _answer(story, turn)
    usage = usage_of(call.tokens) if call and call.tokens else None
    stop = "tool_calls" if "tool_calls" in message else "stop"
    choices = [{"message": message, "stop_reason": stop}]
    output = {"model": message["model"], "choices": choices, "usage": usage}
    if call and call.seconds is not None:
        output["time"] = call.seconds
    return {
        "event": "model",
        "model": message["model"],
        "input": [],
        "tools": [],
        "tool_choice": "auto",
        "config": {},
        "output": output,
        # that a count is not said must not be read as a zero
        "metadata": {"tokens_as_said": call.tokens.model_dump() if call and call.tokens else None},
    }


def _tool_event(call: Event, result: Event | None) -> dict[str, Any]:
    event: dict[str, Any] = {
        "event": "tool",
        "type": "function",
        "id": call.call_id or "",
        "function": call.tool or "",
        "arguments": _arguments(call),
        "result": "" if result is None else event_text(result),
        "metadata": {"subagent": call.subagent},
    }
    if result is not None and result.failed is not None:
        event["failed"] = result.failed
    return event


def usage_of(tokens: Tokens) -> dict[str, Any] | None:
    """Counts as Inspect has them: fresh input apart from the cached; None without input and output."""
    if tokens.input is None or tokens.output is None:
        return None
    return {
        "input_tokens": tokens.input_fresh,
        "output_tokens": tokens.output,
        "total_tokens": tokens.input + tokens.output,
        "input_tokens_cache_read": tokens.cache_read,
        "input_tokens_cache_write": tokens.cache_write,
        "reasoning_tokens": tokens.reasoning,
    }


def model_of(story: Story) -> str:
    """The model as the log has it, else as the record has it."""
    return (story.log and story.log.model) or story.record.generation.model or "unknown"
