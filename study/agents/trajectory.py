"""What an agent did, in one format for all agents; log readers make it (see `study.agents.logs`)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from study.agents.tokens import Tokens, total
from study.files import printable
from study.schema import Model

EventKind = Literal["prompt", "thought", "message", "tool_call", "tool_result", "api_call", "failure"]
"""`api_call`: one answer of the model, with its tokens; `failure`: of the model's service."""

ToolKind = Literal["read", "write", "shell", "search", "web", "agent", "other"]

End = Literal[
    "completed",
    "turn_limit",
    "tool_limit",
    "token_limit",
    "cost_limit",
    "time_limit",
    "api_error",
    "interrupted",
    "error",
    "unsaid",
]
"""How the agent says that it ended. `api_error`: the model's service failed; `unsaid`: its log just stops."""

_KINDS: dict[ToolKind, tuple[str, ...]] = {
    "read": ("read", "read_file", "read_many_files", "notebookread", "ls", "list", "list_directory"),
    "write": (
        *("write", "write_file", "edit", "multiedit", "replace", "notebookedit", "notebook_edit"),
        *("apply_patch", "patch", "file_change"),
    ),
    "shell": (
        *("bash", "shell", "run_shell_command", "exec_command", "command_execution", "exec"),
        *("bashoutput", "killshell", "write_stdin"),
    ),
    "search": ("grep", "glob", "grep_search", "search_file_content", "toolsearch", "tool_search"),
    "web": ("webfetch", "websearch", "web_fetch", "web_search"),
    "agent": ("task", "agent"),
}


def tool_kind(name: str) -> ToolKind:
    """What a tool does, by its name in any of the agents."""
    return next((kind for kind, names in _KINDS.items() if name.lower() in names), "other")


class Event(Model):
    """One thing that happened."""

    kind: EventKind
    time: datetime | None = None
    """Missing where the log has none."""
    text: str = ""
    """Of a prompt, thought, message, result or failure."""
    tool: str | None = None
    """The tool's name as the agent has it."""
    call_id: str | None = None
    """Of a tool call and its result; of an API call the answer's id."""
    arguments: dict[str, Any] | str | None = None
    failed: bool | None = None
    """Of a tool result."""
    model: str | None = None
    tokens: Tokens | None = None
    seconds: float | None = None
    """Of an API call: how long it took; of a failure: how long it kept the agent waiting."""
    status: int | None = None
    """HTTP status of a failure."""
    subagent: bool = False
    """It happened in an agent that the agent started."""

    def seconds_since(self, start: datetime | None) -> float | None:
        """Time of the event after the log's first; None where one of the two is not known."""
        return None if self.time is None or start is None else (self.time - start).total_seconds()


@dataclass
class AgentLog:
    """All that can be read off the logs of one run."""

    events: list[Event] = field(default_factory=list)
    end: End = "unsaid"
    message: str = ""
    """Of an end that is none of `completed`: what the agent says about it."""
    status: int | None = None
    """HTTP status of an `api_error`, where known."""
    tokens: dict[str, Tokens] = field(default_factory=dict)
    """By model."""
    complete: bool = False
    """Whether `tokens` cover the whole run; False: at least what was under way is not in them."""
    model: str | None = None
    version: str | None = None
    session_id: str | None = None
    seconds: float | None = None
    """Duration as the agent reports it."""
    api_seconds: float | None = None
    """Time in answered API calls."""
    failure_seconds: float | None = None
    """Time lost by failures of the model's service; None: the agent does not say."""
    cost_usd: float | None = None
    """The agent's own figure."""
    tools: Counter[str] = field(default_factory=Counter)
    """Tool calls by name."""
    problems: list[str] = field(default_factory=list)
    """What in the log does not fit together."""
    tells_calls: bool = True
    """Whether each answer of the model is in the log, so that none there means that there was none."""
    tells_tools: bool = True
    """The same for tool calls, and"""
    tells_failures: bool = True
    """for failures of the model's service."""
    tells_end: bool = True
    """Whether a run that ended well says so; False: silence about the end means nothing."""

    def of(self, kind: EventKind) -> list[Event]:
        """The events of one kind."""
        return [event for event in self.events if event.kind == kind]

    @property
    def start(self) -> datetime | None:
        """The first time in the log; None: it has none."""
        return min((event.time for event in self.events if event.time), default=None)

    @property
    def all_tokens(self) -> Tokens:
        """Over all models."""
        return total(self.tokens.values())

    @property
    def down(self) -> bool:
        """Whether the last that the log tells is a failure of the model's service."""
        return bool(self.events) and self.events[-1].kind == "failure"

    def add(self, kind: EventKind, **values: Any) -> None:
        """Append an event, whose texts may come from anywhere."""
        for key in ("text", "tool", "model"):
            if isinstance(values.get(key), str):
                values[key] = printable(values[key])
        self.events.append(Event(kind=kind, **values))


def moment(text: object) -> datetime | None:
    """A time of a log: ISO 8601, or seconds or milliseconds since 1970; None for anything else."""
    try:
        if isinstance(text, str):
            return datetime.fromisoformat(text)
        if isinstance(text, int | float) and not isinstance(text, bool):
            return datetime.fromtimestamp(text / (1000 if text > 1e11 else 1)).astimezone()
    except (ValueError, OverflowError, OSError):
        pass
    return None
