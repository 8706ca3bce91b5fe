"""Readers of agents' logs: each turns the folder of one run's logs into an `AgentLog`.

The folder holds `stdout.log`, `stderr.log`, and in `session/` the files that the agent itself kept in its
HOME. A reader looks at these files only, so that a run can be read again at any time.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from study.agents.logs import claude_code, codex, json_lines, mini_swe_agent, qwen_code
from study.agents.logs.json_lines import JsonLog
from study.agents.trajectory import AgentLog

Reader = Callable[[Path], AgentLog]

READERS: dict[str, Reader] = {
    "claude_code": claude_code.read,
    "codex": codex.read,
    "qwen_code": qwen_code.read,
    "mini_swe_agent": mini_swe_agent.read,
}
"""By the name that a design's `log` may give for an agent that writes such logs."""

SESSIONS: dict[str, list[str]] = {
    "claude_code": claude_code.SESSIONS,
    "codex": codex.SESSIONS,
    "qwen_code": qwen_code.SESSIONS,
    "mini_swe_agent": mini_swe_agent.SESSIONS,
}
"""Patterns below HOME of the files that a reader wants in `session/`."""


def read_log(reader: JsonLog | str, folder: Path) -> AgentLog:
    """Read the logs of one run, by a reader's name or by a description of the log.

    A log that is not as its reader knows such logs is a problem of the record.

    A reader that fails must not cost a run that is paid for.
    """
    try:
        return json_lines.read(folder, reader)[0] if isinstance(reader, JsonLog) else READERS[reader](folder)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        return AgentLog(problems=[f"the log cannot be read: {type(error).__name__}: {error}"])
