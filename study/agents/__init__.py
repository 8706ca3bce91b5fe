"""The agents: adapters that turn a task into a command, and a log into a report."""

from __future__ import annotations

from typing import cast

from study.agents.protocol import Agent
from study.design import AgentLevel
from study.extensions import is_extension, load_extension
from study.schema import StudyError

ADAPTERS = {
    "absent": "study.agents.controls:Absent",
    "reference": "study.agents.controls:Reference",
    "recorded": "study.agents.recorded:Recorded",
    "command": "study.agents.command:Command",
    "claude-code": "study.agents.claude_code:ClaudeCode",
    "codex": "study.agents.codex:Codex",
    "qwen-code": "study.agents.qwen_code:QwenCode",
    "mini-swe-agent": "study.agents.mini_swe_agent:MiniSweAgent",
    "simulated": "study.agents.simulated.adapter:Simulated",
}
"""Adapters of the package by the name that a design gives them. They are imported when first asked for."""

MODELS = {
    "claude-code": "claude-sonnet-4-20250514",
    "codex": "gpt-5",
    "qwen-code": "qwen3-coder-480b-a35b",
    "mini-swe-agent": "gpt-5",
}
"""The adapters of real command lines, each with a model to try it with: the paper's, where it has one."""


def adapter(level: AgentLevel) -> Agent:
    """The adapter of an agent level.

    Parameters
    ----------
    level : AgentLevel
        `level.adapter` is a name of `ADAPTERS`, or `module:Class` of your own; the class takes no
        arguments and has the methods of `study.agents.protocol.Agent`.

    Raises
    ------
    StudyError
        If there is no such adapter. The text says what was looked for, and where.
    """
    where = f"agents[{level.name}].adapter"
    target = ADAPTERS.get(level.adapter, level.adapter)
    if not is_extension(target):
        raise StudyError(
            f"{where}: unknown adapter {level.adapter!r}; there are {', '.join(sorted(ADAPTERS))}, "
            "or write `module:Class` for an adapter of your own"
        )
    try:
        made = load_extension(target, where)()
    except TypeError as error:
        raise StudyError(f"{where}: {target!r} cannot be made without arguments: {error}") from None
    missing = [
        name
        for name in ("check", "ready", "fingerprint", "launch", "report")
        if not callable(getattr(made, name, None))
    ]
    if missing:
        raise StudyError(f"{where}: {target!r} is no agent; it has no method {', '.join(missing)}")
    return cast(Agent, made)
