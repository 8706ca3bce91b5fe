"""A model request, whatever its protocol; and the tool call that answers it, whatever the agent's tools."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import dataclass, field
from typing import Any

from study.agents.scripted.script import Reply, WriteFile

_DONE = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
_FOLDER = re.compile(r"(?:<cwd>|[Ww]orking directory: |working in the directory: )(/[^\s<\"\\]+)")


@dataclass(frozen=True)
class Request:
    """What the server needs to know of a request."""

    model: str
    prompt: str
    """All texts of the user."""
    turns: int
    """Answers of the model so far."""
    tools: frozenset[str]
    """Names of the tools on offer; none: a side request, such as one for a title."""
    stream: bool
    folder: str = ""
    """The agent's working directory, if it tells."""


@dataclass(frozen=True)
class ToolCall:
    """One call of a tool."""

    name: str
    arguments: dict[str, Any] = field(default_factory=dict)
    free_text: str | None = None
    """For tools that take text rather than JSON."""

    @property
    def json(self) -> str:
        return json.dumps(self.arguments)


def working_directory(text: str) -> str:
    """The folder that an agent names in its instructions to the model; empty if it names none."""
    found = _FOLDER.search(text)
    return found[1].rstrip(".,") if found else ""


def texts(content: Any) -> str:
    """All texts of a message's content, which is a text or a list of parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(str(part.get("text", "")) for part in parts if isinstance(part, dict))


def tool_call(reply: Reply, request: Request) -> ToolCall | None:
    """The call with which this agent can do what the reply asks for; None for a text."""
    if reply.write is not None:
        return _write(reply.write, request) or _shell(_as_command(reply.write), request)
    if reply.run is not None:
        return _shell(reply.run, request)
    # an agent that has no other way to say that it is done
    return _shell(f"echo {_DONE}", request) if _DONE in request.prompt else None


def _write(file: WriteFile, request: Request) -> ToolCall | None:
    path = f"{request.folder}/{file.path}" if request.folder else file.path
    if "apply_patch" in request.tools:
        lines = "".join(f"+{line}\n" for line in file.text.splitlines())
        patch = f"*** Begin Patch\n*** Add File: {file.path}\n{lines}*** End Patch\n"
        return ToolCall("apply_patch", free_text=patch)
    for name, key in (("Write", "file_path"), ("write_file", "file_path"), ("write", "filePath")):
        if name in request.tools:
            return ToolCall(name, {key: path, "content": file.text})
    return None


def _as_command(file: WriteFile) -> str:
    path = shlex.quote(file.path)
    return f'mkdir -p "$(dirname {path})" && printf %s {shlex.quote(file.text)} > {path}'


def _shell(command: str, request: Request) -> ToolCall:
    if "exec_command" in request.tools:
        return ToolCall("exec_command", {"cmd": command})
    if "run_shell_command" in request.tools:
        return ToolCall("run_shell_command", {"command": command, "is_background": False})
    for name in ("Bash", "bash"):
        if name in request.tools:
            return ToolCall(name, {"command": command, "description": "as the script says"})
    if "exec" in request.tools:  # a tool that takes JavaScript
        return ToolCall("exec", free_text=f"await tools.exec_command({json.dumps({'cmd': command})})")
    raise ValueError(f"no known tool for a shell command among {', '.join(sorted(request.tools))}")
