"""What several log readers need."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from study.agents.jsonl import read_events
from study.agents.tokens import Tokens, disagreement, total
from study.agents.trajectory import AgentLog, moment
from study.files import printable

SESSION = "session"
"""Folder of the agent's own files beside its stdout.log."""
_STATUS = re.compile(r"\b(?:status:?|Error:|\()\s*([45]\d\d)\b")


def session_events(folder: Path) -> Iterator[dict[str, Any]]:
    """The JSON lines of all files that the agent kept, file by file."""
    for path in sorted((folder / SESSION).glob("*.jsonl")):
        yield from read_events(path)


def mapping(value: object) -> dict[str, Any]:
    """A JSON object of a log; empty for what is none, since anything may stand in a log."""
    return value if isinstance(value, dict) else {}


def http_status(text: str) -> int | None:
    """The HTTP status that an error message names, if it does."""
    found = _STATUS.search(text)
    return int(found[1]) if found else None


def shortened(value: object, length: int = 300) -> str:
    """A value of a log as text for the records."""
    return printable(str(value or "").strip().replace("\n", " ")[:length])


def whole_number(value: object) -> float | None:
    """A number of seconds, milliseconds or dollars; None for what is none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value < 1e15 else None


def add_up(log: AgentLog, calls: list[tuple[str, Tokens]]) -> None:
    """Make the totals by model the sums of the calls."""
    for model in dict.fromkeys(model for model, _ in calls):
        log.tokens[model] = total(tokens for name, tokens in calls if name == model)


def check_sum(log: AgentLog, calls: list[tuple[str, Tokens]]) -> None:
    """Note if the calls do not add up to the totals that the agent itself gives."""
    summed, said = total(tokens for _, tokens in calls), log.all_tokens
    for bucket in Tokens.model_fields:
        ours, theirs = getattr(summed, bucket), getattr(said, bucket)
        if None not in (ours, theirs) and ours != theirs:
            log.problems.append(f"the calls have {ours} {bucket} tokens, the agent's total says {theirs}")


def note_disagreement(log: AgentLog, tokens: Tokens, said: object = None) -> None:
    """Note if the numbers of one place do not add up."""
    if wrong := disagreement(tokens, said):
        log.problems.append(wrong)


def add_blocks(log: AgentLog, event: dict[str, Any]) -> None:
    """Events of one `assistant` or `user` line, whose content is a list of Anthropic blocks."""
    content = mapping(event.get("message")).get("content")
    time, inner = moment(event.get("timestamp")), bool(event.get("parent_tool_use_id"))
    for block in content if isinstance(content, list) else []:
        kind = block.get("type") if isinstance(block, dict) else None
        if kind == "thinking":
            log.add("thought", text=str(block.get("thinking", "")), time=time, subagent=inner)
        elif kind == "text" and event.get("type") == "assistant":
            log.add("message", text=str(block.get("text", "")), time=time, subagent=inner)
        elif kind == "tool_use":
            name = str(block.get("name"))
            log.tools[name] += 1
            log.add(
                "tool_call",
                tool=name,
                call_id=str(block.get("id")),
                arguments=block.get("input") if isinstance(block.get("input"), dict) else None,
                time=time,
                subagent=inner,
            )
        elif kind == "tool_result":
            log.add(
                "tool_result",
                call_id=str(block.get("tool_use_id")),
                text=block_text(block.get("content")),
                failed=bool(block.get("is_error", False)),
                time=time,
                subagent=inner,
            )


def block_text(content: object) -> str:
    """The text of a tool's result, which is a text or a list of blocks."""
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    return "\n".join(str(block.get("text", "")) for block in blocks if isinstance(block, dict))
