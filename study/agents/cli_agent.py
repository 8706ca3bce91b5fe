"""What the adapters of real command lines share: keys, programs, confinement, reports."""

from __future__ import annotations

import json
import os
import shutil
from datetime import UTC, date, datetime
from pathlib import Path
from typing import ClassVar, Generic, TypeVar

from study.agents.addresses import Address, check_local
from study.agents.install import Package
from study.agents.logs import SESSIONS, read_log
from study.agents.prices import load_prices
from study.agents.protocol import Launch, ProcessResult, Report, Task
from study.agents.reporting import keep_sessions, report_of
from study.design import AgentLevel
from study.redaction import SHORTEST
from study.schema import Model, StudyError, parse


class CliSettings(Model):
    """Settings that all adapters of real command lines have."""

    program: str | None = None
    """Path of a program of your own; without it the installed one is run (`study agents install`)."""
    base_url: Address | None = None
    """Address of the model's service, with /v1 at its end but for Claude Code. Without it the variable that
    the command itself reads, if that is set where the study is started, else the vendor's."""
    key: str | None = None
    """Name of the environment variable that holds the key; without it the adapter's."""
    arguments: list[str] = []
    """More arguments for the command: what differs from the adapter's way to run it."""
    environment: dict[str, str] = {}
    """More environment variables. Nothing secret."""
    readable: list[str] = []
    """Files and folders beyond the system's that the agent's tools need, for instance a JDK."""
    prices: str | None = None
    """A price list of your own; see `study/agents/prices.yaml`."""


AnySettings = TypeVar("AnySettings", bound=CliSettings)


class CliAgent(Generic[AnySettings]):
    """Adapter of one command line; a subclass says what is special about it.

    The prompt goes to stdin, which is then closed. HOME, with all configuration, and the temporary folder
    belong to the run. The key goes to this one process, and its value is taken out of all that is kept.
    """

    package: ClassVar[Package]
    key: ClassVar[str]
    """Variable that holds the key, by default."""
    address: ClassVar[str]
    """Variable with the address of the model's service that the command reads, or that takes its place."""
    needs_address: ClassVar[bool] = False
    """Whether there is no vendor's address to fall back to."""
    log: ClassVar[str]
    """Name of the reader of its logs."""
    revision: ClassVar[int] = 1
    """Raised when the adapter runs its command in another way, so that old runs are known to be others."""
    settings_type: type[AnySettings]

    def command(self, task: Task, settings: AnySettings, program: list[str]) -> list[str]:
        """The command line; `program` is how to start the program."""
        raise NotImplementedError

    def unkept(self, task: Task) -> list[str]:
        """Limits of the design that this command cannot keep by itself."""
        return []

    def environment(self, task: Task, settings: AnySettings, base_url: str | None) -> dict[str, str]:
        """Environment variables."""
        return {}

    def files(self, task: Task, settings: AnySettings, base_url: str | None) -> dict[str, str]:
        """Configuration files below HOME."""
        return {}

    def key_variable(self) -> str:
        """The variable in which the command looks for its key."""
        return self.key

    def start(self, program: Path) -> list[str]:
        """How to start the program."""
        return [str(program)]

    def settings(self, level: AgentLevel) -> AnySettings:
        return parse(self.settings_type, level.settings, f"agents[{level.name}].settings")

    def check(self, level: AgentLevel) -> None:
        settings, where = self.settings(level), f"agents[{level.name}]"
        if not level.model:
            raise StudyError(
                f"{where}.model: is missing; give the exact name, so that the run can be repeated"
            )
        load_prices(settings.prices).price(level.model, _today(), f"{where}.model")

    def ready(self, level: AgentLevel) -> None:
        settings, where = self.settings(level), f"agents[{level.name}]"
        key = settings.key or self.key
        check_key(key, where)
        for path in settings.readable:
            if not Path(path).expanduser().exists():
                raise StudyError(f"{where}.settings.readable: no such file or folder: {path}")
        if self.needs_address and self.base_url(settings) is None:
            raise StudyError(
                f"{where}.settings.base_url: is missing; give the address of the model's service here or in "
                f"{self.address}, for instance http://127.0.0.1:8080/v1 for a model of your own"
            )
        check_local(self.base_url(settings), f"{where}.settings.base_url")
        self.program(level)

    def program(self, level: AgentLevel) -> Path:
        """The program to run.

        Raises
        ------
        StudyError
            If it is not there; the text says how to get it.
        """
        own = self.settings(level).program
        if own is not None:
            found = shutil.which(Path(own).expanduser())
            if found is None:
                raise StudyError(f"agents[{level.name}].settings.program: no program {own!r}")
            return Path(found).absolute()
        program = self.package.program(level.version)
        if program is None:
            version = level.version or self.package.version
            raise StudyError(
                f"agents[{level.name}]: {self.package.name} {version} is not installed; run `study agents "
                f"install {self.package.name}{f' --version {version}' if level.version else ''}`, or give "
                "settings.program"
            )
        return program

    def fingerprint(self, level: AgentLevel) -> str:
        """The version that will run, and the adapter's way to run it."""
        return f"{level.version or self.package.version}:{self.revision}"

    def base_url(self, settings: AnySettings) -> str | None:
        """The address of the model's service; None for the vendor's."""
        return settings.base_url or os.environ.get(self.address) or None

    def secrets(self, level: AgentLevel) -> dict[str, str]:
        """The key, under the name under which the command looks for it."""
        settings = self.settings(level)
        value = os.environ.get(settings.key or self.key, "")
        return {self.key_variable(): value} if value else {}

    def launch(self, task: Task) -> Launch:
        settings, program = self.settings(task.level), self.program(task.level)
        base_url = self.base_url(settings)
        installation = [] if settings.program else [self.package.folder(task.level.version)]
        own = [Path(settings.program).expanduser().resolve()] if settings.program else []
        readable = [*installation, *own, *(Path(path).expanduser().resolve() for path in settings.readable)]
        return Launch(
            command=self.command(task, settings, self.start(program)),
            environment={**self.environment(task, settings, base_url), **settings.environment},
            secrets=self.secrets(task.level),
            stdin=task.prompt,
            files=self.files(task, settings, base_url),
            readable=readable,
            network=True,
        )

    def report(self, task: Task, result: ProcessResult) -> Report:
        settings, logs = self.settings(task.level), result.stdout.parent
        keep_sessions(SESSIONS[self.log], task.home, logs, self.secrets(task.level))
        log = read_log(self.log, logs)
        version = None if settings.program else task.level.version or self.package.version
        log.version = log.version or version
        if version and log.version != version:
            log.problems.append(f"version {log.version} ran where {version} was asked for")
        log.problems += self.unkept(task)
        return report_of(result, log, load_prices(settings.prices), task.level.model, reader=self.log)


def check_key(variable: str, where: str) -> None:
    """Raise StudyError unless a variable holds a key."""
    value = os.environ.get(variable)
    if not value:
        raise StudyError(
            f"{where}: the environment variable {variable} is not set; set it where you start the study (its "
            "value is passed to this agent alone and is not recorded)"
        )
    if len(value) < SHORTEST:
        raise StudyError(
            f"{where}: the value of {variable} has fewer than {SHORTEST} characters, too few to be "
            "recognised in logs and taken out of them; for a service that needs no key, give any longer text"
        )


def toml_string(text: str) -> str:
    """A string for a TOML file."""
    return json.dumps(text, ensure_ascii=False)


def _today() -> date:
    return datetime.now(UTC).date()
