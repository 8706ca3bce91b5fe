"""Logs of any agent that prints JSON, one object a line, described by where its numbers stand."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from pydantic import Field, field_validator

from study.agents.jsonl import look_up, read_events
from study.agents.logs.parts import shortened, whole_number
from study.agents.tokens import Tokens, count
from study.agents.trajectory import AgentLog
from study.files import printable
from study.schema import Model

TOKEN_FIELDS = {
    "input_fresh_tokens": "input_fresh",
    "cache_read_tokens": "cache_read",
    "cache_write_tokens": "cache_write",
    "output_tokens": "output",
    "reasoning_tokens": "reasoning",
}
"""Fields of a usage to buckets."""
FIELDS = [*TOKEN_FIELDS, "input_tokens", "agent_minutes", "cost_usd", "turns"]


class JsonLog(Model):
    """How to read what the command prints on stdout, one JSON object per line; other lines are ignored."""

    where: dict[str, str | int | bool] = {}
    """Read only lines that have these values at these dotted paths, e.g. `{type: result}`."""
    take: Literal["last", "sum"] = "last"
    """`last`: of each number, the last line that has it; `sum`: add the numbers of all lines, each of which
    is then one answer of the model."""
    usage: dict[str, str | list[str]] = {}
    """Number to dotted path, e.g. `output_tokens: usage.output_tokens`; of several paths the numbers are
    added. The numbers: `input_fresh_tokens`, or `input_tokens` where the cached parts are in it;
    `cache_read_tokens`, `cache_write_tokens`, `output_tokens` (with reasoning), `reasoning_tokens`,
    `agent_minutes`, `cost_usd`, `turns`."""
    minutes_per_unit: float = Field(1.0, gt=0)
    """Factor that turns the number at `usage.agent_minutes` into minutes: 1.6667e-5 for milliseconds."""
    model: str | None = None
    """Dotted path of the model that answered."""
    session: str | None = None
    """Dotted path of the session's id, in any line."""
    error: str | None = None
    """Dotted path; a value there that is neither empty nor false makes the run an `agent_error`."""
    tool: str | None = None
    """Dotted path of the name of a tool that was called, in any line."""

    @field_validator("usage")
    @classmethod
    def _known_fields(cls, usage: dict[str, str | list[str]]) -> dict[str, str | list[str]]:
        unknown = sorted(set(usage) - set(FIELDS))
        if unknown:
            raise ValueError(f"no usage field {unknown[0]!r}; there are {', '.join(FIELDS)}")
        if {"input_tokens", "input_fresh_tokens"} <= set(usage):
            raise ValueError("give input_tokens or input_fresh_tokens: one follows from the other")
        return usage


def read(folder: Path, how: JsonLog) -> tuple[AgentLog, int | None]:
    """Read the log of one run.

    Returns
    -------
    tuple
        The log, and the number of turns, if the agent gives it.
    """
    log = AgentLog(
        tells_calls=how.take == "sum",
        tells_tools=how.tool is not None,
        tells_failures=False,
        tells_end=False,
    )
    numbers: dict[str, float] = {}
    lines = matched = 0
    for event in read_events(folder / "stdout.log"):
        lines += 1
        _add_names(log, event, how)
        if any(look_up(event, path) != value for path, value in how.where.items()):
            continue
        matched += 1
        found = _numbers(event, how)
        for name, value in found.items():
            numbers[name] = value + (numbers.get(name, 0) if how.take == "sum" else 0)
        if how.take == "sum" and found:
            log.add("api_call", tokens=_tokens(log, found), model=log.model)
        named = how.model and look_up(event, how.model)
        log.model = printable(str(named)) if named else log.model
        wrong = how.error and look_up(event, how.error)
        if wrong:
            log.end, log.message = "error", shortened(wrong, 200)
    log.complete = matched > 0
    log.problems += _unmatched(how, lines, matched, set(numbers))
    tokens = _tokens(log, numbers)
    if tokens != Tokens():
        log.tokens[log.model or ""] = tokens
    if "agent_minutes" in numbers:
        log.seconds = numbers["agent_minutes"] * how.minutes_per_unit * 60
    log.cost_usd = numbers.get("cost_usd")
    return log, count(numbers.get("turns"))


def _unmatched(how: JsonLog, lines: int, matched: int, found: set[str]) -> list[str]:
    """What the description names and the log never had: a mistake in it would look like a silent agent."""
    if not lines:
        return ["log: no JSON lines on stdout"]
    if not matched:
        return [f"log.where: none of {lines} JSON lines has {how.where}"]
    return [
        f"log.usage.{name}: no number at {how.usage[name]} in {matched} lines"
        for name in how.usage
        if name not in found
    ]


def _add_names(log: AgentLog, event: dict[str, Any], how: JsonLog) -> None:
    if how.session and (session := look_up(event, how.session)):
        log.session_id = printable(str(session))
    if how.tool and (tool := look_up(event, how.tool)):
        log.tools[printable(str(tool))] += 1
        log.add("tool_call", tool=str(tool))


def _numbers(event: dict[str, Any], how: JsonLog) -> dict[str, float]:
    found = {}
    for name, paths in how.usage.items():
        values = [
            whole_number(look_up(event, path)) for path in ([paths] if isinstance(paths, str) else paths)
        ]
        known = [value for value in values if value is not None]
        if len(known) == len(values):
            found[name] = sum(known)
    return found


def _tokens(log: AgentLog, numbers: dict[str, float]) -> Tokens:
    buckets = {bucket: count(numbers.get(name)) for name, bucket in TOKEN_FIELDS.items()}
    if "input_tokens" not in numbers:
        return Tokens(**buckets)
    try:
        return Tokens.of_whole(
            numbers["input_tokens"],
            buckets["cache_read"],
            buckets["cache_write"],
            buckets["output"],
            buckets["reasoning"],
        )
    except ValueError as error:
        log.problems.append(str(error))
        return Tokens()
