"""Any command-line agent, described in the design file: no code to write.

An agent of your own in a few lines::

    - name: my-agent
      adapter: command
      model: my-model-1
      settings:
        command: [my-agent, --model, "{model}", --json]
        keys: [MY_AGENT_API_KEY]
        log: {usage: {input_fresh_tokens: usage.input_tokens, output_tokens: usage.output_tokens}}
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from study.agents.jsonl import look_up, read_events
from study.agents.outcomes import outcome_of
from study.agents.protocol import Launch, ProcessResult, Report, Task, Usage
from study.design import AgentLevel
from study.files import printable
from study.schema import Model, StudyError, parse

PROMPT_FILE = "prompt.txt"
PLACEHOLDERS = ("workspace", "prompt_file", "prompt", "model", "python")
_HUGE = 1e15
"""No number of a log is larger, and tables hold 64 bits."""
_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")


class JsonLog(Model):
    """How to read what the command prints on stdout, one JSON object per line; other lines are ignored."""

    where: dict[str, str | int | bool] = {}
    """Read only lines that have these values at these dotted paths, e.g. `{type: result}`."""
    take: Literal["last", "sum"] = "last"
    """`last`: of each number, the last line that has it; `sum`: add the numbers of all lines."""
    usage: dict[str, str] = {}
    """Field of `study.agents.protocol.Usage` to dotted path, e.g. `output_tokens: usage.output_tokens`."""
    minutes_per_unit: float = Field(1.0, gt=0)
    """Factor that turns the number at `usage.agent_minutes` into minutes: 1.6667e-5 for milliseconds."""
    model: str | None = None
    """Dotted path of the model that answered."""
    error: str | None = None
    """Dotted path; a value there that is neither empty nor false makes the run an `agent_error`."""

    @field_validator("usage")
    @classmethod
    def _known_fields(cls, usage: dict[str, str]) -> dict[str, str]:
        unknown = sorted(set(usage) - set(Usage.model_fields))
        if unknown:
            raise ValueError(f"no usage field {unknown[0]!r}; there are {', '.join(Usage.model_fields)}")
        return usage


class CommandSettings(Model):
    """Settings of the adapter `command`."""

    command: list[str] = Field(min_length=1)
    """Program and arguments, started in the workspace without a shell. Placeholders: {workspace},
    {prompt_file}, {prompt}, {model}, and {python} for the interpreter that runs the study."""
    prompt: Literal["stdin", "argument", "file"] = "stdin"
    """How the prompt is passed: on stdin, in place of {prompt}, or as the file {prompt_file}."""
    environment: dict[str, str] = {}
    """Environment variables, with the same placeholders. Nothing secret: use `keys`."""
    keys: list[str] = []
    """Names of environment variables of the study's own process that this command alone gets too."""
    files: dict[str, str] = {}
    """Files to write into the agent's empty HOME first: relative path to text."""
    readable: list[str] = []
    """Files and folders, beyond the system's, that the command must read: its installation, for instance.
    Relative to where the study is started; an argument of `command` inside one is made absolute."""
    network: bool = True
    """Whether the command may use the network."""
    log: JsonLog | Literal["none"] = "none"
    """`none`, or how to read usage off the JSON lines on stdout."""

    @model_validator(mode="after")
    def _placeholders(self) -> Self:
        found = set()
        for text in [*self.command, *self.environment.values()]:
            for name in _PLACEHOLDER.findall(text):
                if name not in PLACEHOLDERS:
                    known = ", ".join(f"{{{known}}}" for known in PLACEHOLDERS)
                    raise ValueError(f"command: unknown placeholder {{{name}}}; there are {known}")
                found.add(name)
        needed = {"argument": "prompt", "file": "prompt_file"}.get(self.prompt)
        if needed and needed not in found:
            raise ValueError(f"prompt: {self.prompt!r} needs the placeholder {{{needed}}} in `command`")
        for path in self.files:
            if Path(path).is_absolute() or ".." in Path(path).parts:
                raise ValueError(f"files: {path!r} must be a path below HOME")
        return self

    def uses(self, placeholder: str) -> bool:
        return any(f"{{{placeholder}}}" in text for text in [*self.command, *self.environment.values()])


class Command:
    """Adapter for any command line; see `CommandSettings`."""

    def check(self, level: AgentLevel) -> None:
        settings = _settings(level)
        where = f"agents[{level.name}]"
        if settings.uses("model") and not level.model:
            raise StudyError(f"{where}.model: is missing, and settings.command uses {{model}}")

    def ready(self, level: AgentLevel) -> None:
        settings = _settings(level)
        where = f"agents[{level.name}]"
        for path in settings.readable:
            if not Path(path).expanduser().exists():
                raise StudyError(f"{where}.settings.readable: no such file or folder: {path}")
        for key in settings.keys:
            if not os.environ.get(key):
                raise StudyError(
                    f"{where}.settings.keys: the environment variable {key} is not set; set it where you "
                    "start the study (its value is passed to this agent alone and is not recorded)"
                )
        program = settings.command[0]
        if program != "{python}" and shutil.which(_absolute(program, settings.readable)) is None:
            raise StudyError(
                f"{where}.settings.command: no program {program!r} on PATH; install it, or give its path"
            )

    def fingerprint(self, level: AgentLevel) -> str:
        """The files of the command that the design names; a program on PATH is known by its version only."""
        files = (Path(path).expanduser() for path in _settings(level).readable)
        return "".join(hashlib.sha256(file.read_bytes()).hexdigest() for file in files if file.is_file())

    def launch(self, task: Task) -> Launch:
        settings = _settings(task.level)
        values = {
            "workspace": str(task.workspace),
            "prompt_file": str(task.home / PROMPT_FILE),
            "prompt": task.prompt,
            "model": task.level.model or "",
            "python": sys.executable,
        }
        files = dict(settings.files)
        if settings.uses("prompt_file"):
            files[PROMPT_FILE] = task.prompt
        environment = {name: _fill(text, values) for name, text in settings.environment.items()}
        environment |= {key: os.environ[key] for key in settings.keys if key in os.environ}
        return Launch(
            command=[_fill(_absolute(text, settings.readable), values) for text in settings.command],
            environment=environment,
            stdin=task.prompt if settings.prompt == "stdin" else "",
            files=files,
            readable=[Path(path).expanduser().resolve() for path in settings.readable],
            network=settings.network,
        )

    def report(self, task: Task, result: ProcessResult) -> Report:
        settings = _settings(task.level)
        outcome, reason = outcome_of(result)
        if settings.log == "none":
            return Report(outcome=outcome, reason=reason, model=task.level.model)
        usage, model, error = _read_log(settings.log, result.stdout)
        if error and outcome == "completed":
            outcome, reason = "agent_error", f"the log reports an error: {error}"
        return Report(outcome=outcome, reason=reason, usage=usage, model=model or task.level.model)


def _settings(level: AgentLevel) -> CommandSettings:
    return parse(CommandSettings, level.settings, f"agents[{level.name}].settings")


def _fill(text: str, values: dict[str, str]) -> str:
    """Replace each placeholder once; text that comes from a value is not looked at again."""
    return _PLACEHOLDER.sub(lambda match: values[match[1]], text)


def _absolute(argument: str, readable: list[str]) -> str:
    """An argument that names a readable file or folder, as an absolute path; any other, unchanged."""
    path = Path(argument).expanduser()
    roots = [Path(root).expanduser().resolve() for root in readable]
    if path.exists() and any(path.resolve().is_relative_to(root) for root in roots):
        return str(path.resolve())
    return argument


def _read_log(log: JsonLog, stdout: Path) -> tuple[Usage, str | None, str]:
    numbers: dict[str, float] = {}
    model, error = None, ""
    for event in read_events(stdout):
        if any(look_up(event, path) != value for path, value in log.where.items()):
            continue
        for field, path in log.usage.items():
            value = look_up(event, path)
            # neither true nor Infinity, which some programs write, is a number of anything
            if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < _HUGE:
                numbers[field] = value + (numbers.get(field, 0) if log.take == "sum" else 0)
        named = log.model and look_up(event, log.model)
        model = printable(str(named)) if named else model
        wrong = log.error and look_up(event, log.error)
        error = printable(str(wrong)[:200]) if wrong else error
    if "agent_minutes" in numbers:
        numbers["agent_minutes"] *= log.minutes_per_unit
    return Usage(**{field: _whole(field, value) for field, value in numbers.items()}), model, error


def _whole(field: str, value: float) -> Any:
    return value if field in {"agent_minutes", "cost_usd"} else round(value)
