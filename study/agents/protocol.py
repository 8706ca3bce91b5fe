"""What an agent is to the experiment: something that turns a task into a command, and a log into a report."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from study.agents.cost import Cost
from study.agents.logs.json_lines import JsonLog
from study.agents.trajectory import End
from study.design import AgentLevel, Limits, Run
from study.projects.manifest import Project, Service
from study.schema import Model

Outcome = Literal["completed", "no_output", "timeout", "agent_error", "infrastructure_error"]


class Usage(Model):
    """What the run consumed, as the agent reports it. `None` means that the agent does not say."""

    input_fresh_tokens: int | None = None
    """Input tokens that were neither read from nor written to a cache."""
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None
    output_tokens: int | None = None
    """All output, reasoning included."""
    reasoning_tokens: int | None = None
    agent_minutes: float | None = None
    """Duration the agent reports of itself; for a simulated agent the simulated one."""
    cost_usd: float | None = None
    """The agent's own figure (for a simulated agent the simulated one)."""
    turns: int | None = None
    """Answers of the model, those of agents that the agent started included."""
    tool_calls: int | None = None
    api_minutes: float | None = None
    """Time in answered calls of the model, where the agent tells."""
    service_failures: int | None = None
    """Failures of the model's service that the agent tells of: retries, reconnects, answers cut off."""
    failure_minutes: float | None = None
    """Time that these cost, as far as the agent tells; not in `agent_minutes`."""
    complete: bool | None = None
    """False: the log stops before the run ended, so that the tokens are at least these."""


@dataclass(frozen=True)
class Task:
    """All that an adapter may know of one run."""

    run: Run
    level: AgentLevel
    project: Project
    service: Service
    prompt: str
    workspace: Path
    """Absolute; the agent's working directory, where it writes the service to `service.directory`."""
    home: Path
    """Absolute; an empty directory that becomes HOME, for configuration files."""
    reference: Path
    """Absolute; the project's original tree. For controls and simulated agents only: a real adapter must
    not put it into `Launch.readable`."""
    seed: int
    limits: Limits = field(default_factory=Limits)
    """Of the design. `agent_usd` and `agent_turns` are the adapter's to pass on, where its agent can keep
    them; the sandbox sees to the others."""


@dataclass(frozen=True)
class Launch:
    """A command for the sandbox to run in the workspace."""

    command: list[str]
    environment: dict[str, str] = field(default_factory=dict)
    """Added to the sandbox's own small environment (PATH, HOME, TMPDIR, LANG)."""
    secrets: dict[str, str] = field(default_factory=dict, repr=False)
    """Environment variables too, but with keys: their values are replaced in all that is kept."""
    stdin: str = ""
    files: dict[str, str] = field(default_factory=dict)
    """Configuration files to write first, relative to HOME."""
    readable: list[Path] = field(default_factory=list)
    """Absolute paths, beyond system folders and the Python environment, that the process may read."""
    network: bool = True
    """False: no network at all, where the sandbox can see to it."""


Ended = Literal["exited", "timeout", "output_limit", "disk_limit", "process_limit", "not_started", "broken"]
"""`broken`: the machine, not the command, is at fault, for instance a full disk under the logs."""


@dataclass(frozen=True)
class ProcessResult:
    """How a confined process ended."""

    ended: Ended
    exit_code: int | None
    """Negative: the signal that killed it. None if it never started."""
    wall_seconds: float
    confinement: Literal["bubblewrap", "plain"]
    stdout: Path
    stderr: Path
    leftovers: int
    """Descendants that were still alive after the command had ended, and were killed."""
    message: str = ""
    """Why it could not be started, or which limit it met."""


class Report(Model):
    """What the adapter makes of the ended process."""

    outcome: Outcome
    """As far as the log tells; the experiment turns `completed` into `no_output` if nothing was written."""
    reason: str
    """One sentence for the records: why the run ended as it did."""
    usage: Usage = Usage()
    model: str | None = None
    version: str | None = None
    session_id: str | None = None
    end: End | None = None
    """How the agent itself says that it ended."""
    tools: dict[str, int] = {}
    """Tool calls by the tool's name."""
    log: JsonLog | str = "none"
    """What reads the agent's log: a name of `study.agents.logs.READERS`, a description, or `none`."""
    cost: Cost | None = None
    """From the price list; `usage.cost_usd` is the agent's own figure."""
    problems: list[str] = []
    """What in the log does not fit together, or is missing for the cost."""
    timed: bool = True
    """False if the process did no work of an agent, so that its duration says nothing."""
    planted: list[str] = []
    """Simulated agents only: the defects that were planted, kept apart from what was measured."""


class Agent(Protocol):
    """An adapter. It never starts a process itself: the sandbox does, alike for all agents."""

    def check(self, level: AgentLevel) -> None:
        """Raise StudyError naming the setting at fault; looks at the design only, not at this machine."""

    def ready(self, level: AgentLevel) -> None:
        """Raise StudyError naming what this machine lacks, before any run is started."""

    def fingerprint(self, level: AgentLevel) -> str:
        """Of what determines the agent beside its level: files of a profile, for instance. May be empty."""

    def launch(self, task: Task) -> Launch:
        """The command for this task."""

    def report(self, task: Task, result: ProcessResult) -> Report:
        """Read the logs that the ended command left."""
