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
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Discriminator, Field, Tag, field_validator, model_validator

from study.agents.addresses import Address, check_local
from study.agents.cli_agent import check_key
from study.agents.install import Package
from study.agents.logs import READERS, SESSIONS, json_lines, read_log
from study.agents.logs.json_lines import JsonLog
from study.agents.outcomes import outcome_of
from study.agents.prices import load_prices
from study.agents.protocol import Launch, ProcessResult, Report, Task
from study.agents.reporting import keep_sessions, report_of
from study.design import AgentLevel
from study.schema import Model, StudyError, parse

PROMPT_FILE = "prompt.txt"
PLACEHOLDERS = ("workspace", "home", "prompt_file", "prompt", "model", "python", "program", "base_url")
_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")


class Installation(Model):
    """A command line of the npm registry, for `study agents install DESIGN.yaml`."""

    npm: str
    """The package: `opencode-ai`."""
    version: str
    program: str
    """The program, below the installation: `node_modules/.bin/opencode`; {program} in `command`."""

    def package(self) -> Package:
        name = self.npm.replace("/", "+").lstrip("@")
        return Package(name, "npm", self.npm, self.version, (self.program,))


class CommandSettings(Model):
    """Settings of the adapter `command`."""

    command: list[str] = Field(min_length=1)
    """Program and arguments, started in the workspace without a shell. Placeholders: {workspace}, {home},
    {prompt_file}, {prompt}, {model}, {base_url}, {program} for what `install` names, and {python} for the
    interpreter that runs the study."""
    install: Installation | None = None
    """Where the program comes from, if `study agents install` is to fetch it."""
    base_url: Address | None = None
    """Address of the model's service, to stand in place of {base_url}."""
    prompt: Literal["stdin", "argument", "file"] = "stdin"
    """How the prompt is passed: on stdin, in place of {prompt}, or as the file {prompt_file}."""
    environment: dict[str, str] = {}
    """Environment variables, with the same placeholders. Nothing secret: use `keys`."""
    keys: list[str] = []
    """Names of environment variables of the study's own process that this command alone gets too."""
    files: dict[str, str] = {}
    """Files to write into the agent's empty HOME first: relative path to text, with the same placeholders."""
    readable: list[str] = []
    """Files and folders, beyond the system's, that the command must read: its installation, for instance.
    Relative to where the study is started; an argument of `command` inside one is made absolute."""
    network: bool = True
    """Whether the command may use the network."""
    log: Annotated[
        Annotated[JsonLog, Tag("description")] | Annotated[str, Tag("name")],
        Discriminator(lambda value: "name" if isinstance(value, str) else "description"),
    ] = "none"
    """`none`; or how to read usage off the JSON lines on stdout; or the name of a reader of the package, for
    an agent that writes the logs of one of its: claude_code, codex, qwen_code, mini_swe_agent."""
    sessions: list[str] = []
    """Patterns below HOME of files that the agent keeps and that are to stay beside its log."""
    prices: str | None = None
    """A price list of your own; see `study/agents/prices.yaml`."""

    @field_validator("log")
    @classmethod
    def _known_reader(cls, log: JsonLog | str) -> JsonLog | str:
        if isinstance(log, str) and log != "none" and log not in READERS:
            raise ValueError(f"no reader {log!r}; there are none, {', '.join(READERS)}, or a description")
        return log

    @model_validator(mode="after")
    def _placeholders(self) -> Self:
        found = set()
        for text in [*self.command, *self.environment.values()]:
            for name in _PLACEHOLDER.findall(text):
                if name not in PLACEHOLDERS:
                    known = ", ".join(f"{{{known}}}" for known in PLACEHOLDERS)
                    raise ValueError(f"unknown placeholder {{{name}}}; there are {known}")
                found.add(name)
        for name, field in (("program", "install"), ("base_url", "base_url")):
            if name in found and getattr(self, field) is None:
                raise ValueError(f"command: uses {{{name}}}, so `{field}` must be given")
        needed = {"argument": "prompt", "file": "prompt_file"}.get(self.prompt)
        if needed and needed not in found:
            raise ValueError(f"prompt: {self.prompt!r} needs the placeholder {{{needed}}} in `command`")
        for path in self.files:
            if Path(path).is_absolute() or ".." in Path(path).parts:
                raise ValueError(f"files: {path!r} must be a path below HOME")
        return self

    def uses(self, placeholder: str) -> bool:
        texts = [*self.command, *self.environment.values(), *self.files.values()]
        return any(f"{{{placeholder}}}" in text for text in texts)


class Command:
    """Adapter for any command line; see `CommandSettings`."""

    def check(self, level: AgentLevel) -> None:
        settings = _settings(level)
        where = f"agents[{level.name}]"
        if settings.uses("model") and not level.model:
            raise StudyError(f"{where}.model: is missing, and settings.command uses {{model}}")
        if settings.prices and level.model:
            load_prices(settings.prices).price(level.model, datetime.now(UTC).date(), f"{where}.model")

    def ready(self, level: AgentLevel) -> None:
        settings = _settings(level)
        where = f"agents[{level.name}]"
        for path in settings.readable:
            if not Path(path).expanduser().exists():
                raise StudyError(f"{where}.settings.readable: no such file or folder: {path}")
        if settings.uses("base_url"):
            check_local(settings.base_url, f"{where}.settings.base_url")
        for key in settings.keys:
            check_key(key, f"{where}.settings.keys")
        program = settings.command[0]
        if settings.install and settings.install.package().program() is None:
            raise StudyError(
                f"{where}.settings.install: {settings.install.npm} {settings.install.version} is not "
                "installed; run `study agents install` with the path of this design"
            )
        if (
            program not in {"{program}", "{python}"}
            and shutil.which(_absolute(program, settings.readable)) is None
        ):
            raise StudyError(
                f"{where}.settings.command: no program {program!r} on PATH; install it, or give its path"
            )

    def fingerprint(self, level: AgentLevel) -> str:
        """The files of the command that the design names; a program on PATH is known by its version only."""
        files = (Path(path).expanduser() for path in _settings(level).readable)
        return "".join(hashlib.sha256(file.read_bytes()).hexdigest() for file in files if file.is_file())

    def calls_model(self, level: AgentLevel) -> bool:
        """Whether the command is told the address of a model."""
        return _settings(level).uses("base_url")

    def launch(self, task: Task) -> Launch:
        settings = _settings(task.level)
        package = settings.install.package() if settings.install else None
        values = {
            "workspace": str(task.workspace),
            "home": str(task.home),
            "prompt_file": str(task.home / PROMPT_FILE),
            "prompt": task.prompt,
            "model": task.level.model or "",
            "python": sys.executable,
            "program": str(package.program()) if package else "",
            "base_url": settings.base_url or "",
        }
        files = {path: _fill(text, values) for path, text in settings.files.items()}
        if settings.uses("prompt_file"):
            files[PROMPT_FILE] = task.prompt
        environment = {name: _fill(text, values) for name, text in settings.environment.items()}
        installed = [package.folder()] if package else []
        return Launch(
            command=[_fill(_absolute(text, settings.readable), values) for text in settings.command],
            environment=environment,
            secrets=_secrets(settings),
            stdin=task.prompt if settings.prompt == "stdin" else "",
            files=files,
            readable=[*installed, *(Path(path).expanduser().resolve() for path in settings.readable)],
            network=settings.network,
        )

    def report(self, task: Task, result: ProcessResult) -> Report:
        settings = _settings(task.level)
        logs, model = result.stdout.parent, task.level.model
        named = settings.log if isinstance(settings.log, str) else ""
        patterns = [*settings.sessions, *SESSIONS.get(named, [])]
        keep_sessions(patterns, task.home, logs, _secrets(settings))
        if named == "none":
            outcome, reason = outcome_of(result)
            return Report(outcome=outcome, reason=reason, model=model, version=_version(task.level, settings))
        prices = load_prices(settings.prices)
        if isinstance(settings.log, str):
            return report_of(result, read_log(named, logs), prices, model, reader=named)
        log, turns = json_lines.read(logs, settings.log)
        log.version = _version(task.level, settings)
        log.complete = log.complete and result.ended == "exited"
        return report_of(
            result,
            log,
            prices,
            model,
            reader=settings.log,
            priced=settings.prices is not None or model is not None,
            turns=turns,
        )


def installation_of(level: AgentLevel) -> Package | None:
    """What `study agents install` is to install for a level; None if the design does not say."""
    wanted = _settings(level).install
    return None if wanted is None else wanted.package()


def _settings(level: AgentLevel) -> CommandSettings:
    return parse(CommandSettings, level.settings, f"agents[{level.name}].settings")


def _version(level: AgentLevel, settings: CommandSettings) -> str | None:
    """As the design has it: such a command is not asked for its version."""
    return level.version or (settings.install.version if settings.install else None)


def _secrets(settings: CommandSettings) -> dict[str, str]:
    return {key: os.environ[key] for key in settings.keys if key in os.environ}


def _fill(text: str, values: dict[str, str]) -> str:
    """Replace each known placeholder once; text that comes from a value is not looked at again."""
    return _PLACEHOLDER.sub(lambda match: values.get(match[1], match[0]), text)


def _absolute(argument: str, readable: list[str]) -> str:
    """An argument that names a readable file or folder, as an absolute path; any other, unchanged."""
    path = Path(argument).expanduser()
    roots = [Path(root).expanduser().resolve() for root in readable]
    if path.exists() and any(path.resolve().is_relative_to(root) for root in roots):
        return str(path.resolve())
    return argument
