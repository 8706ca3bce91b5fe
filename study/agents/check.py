"""One tiny run of an agent against the scripted model server: what would be recorded of a real one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from study.agents import adapter
from study.agents.cli_agent import CliAgent
from study.agents.command import Command
from study.agents.protocol import Agent, Report, Task
from study.agents.scripted import Case, Reply, Script, ScriptedServer, ScriptedUsage, WriteFile
from study.agents.scripted.server import Seen
from study.design import AgentLevel, Run
from study.files import iter_files
from study.projects.loading import load_project
from study.sandbox import run_confined
from study.schema import StudyError
from study.scratch import scratch_folder

FILE = "answer/hello.py"
TEXT = "GREETING = 'hello'\n"
PROMPT = f"Write a greeting to {FILE}.\n"
KEY = "study-check-key"
SCRIPT = Script(
    cases=[
        Case(
            replies=[
                Reply(
                    write=WriteFile(path=FILE, text=TEXT),
                    usage=ScriptedUsage(input=1000, cache_read=200, cache_write=50, output=30, reasoning=7),
                ),
                Reply(
                    text="The greeting is written.",
                    usage=ScriptedUsage(input=1500, cache_read=900, cache_write=60, output=20, reasoning=5),
                ),
            ]
        )
    ]
)


@dataclass(frozen=True)
class Checked:
    """What came of the run."""

    report: Report
    confinement: str
    written: list[str]
    """Files in the workspace."""
    seen: list[Seen]
    """Requests that reached the server."""

    @property
    def works(self) -> bool:
        """Whether the agent did what the script told it, and said so."""
        return self.report.outcome == "completed" and FILE in self.written


def check_agent(level: AgentLevel, seconds: float = 60) -> Checked:
    """Run an agent of the package once, with no key and no network beyond this machine.

    Parameters
    ----------
    level : AgentLevel
        Of an adapter for a real command line, or of `command` with a `base_url`.
    seconds : float
        Time limit.

    Raises
    ------
    StudyError
        If it is not installed, or is a command that is given no address of a model.
    """
    agent = adapter(level)
    if isinstance(agent, Command) and not agent.calls_model(level):
        raise StudyError(
            "it is given no address of a model (no {base_url} in its settings), so there is nothing that the "
            "scripted model could tell it; run it in a design"
        )
    with ScriptedServer(SCRIPT) as server, scratch_folder() as room:
        level = level.model_copy(update={"settings": level.settings | {"base_url": _base_url(level, server)}})
        agent.check(level)
        workspace, home = room / "workspace", room / "home"
        workspace.mkdir()
        home.mkdir()
        task = _task(level, workspace, home)
        # whatever keys there are, they are not for this
        launch = replace(agent.launch(task), secrets=dict.fromkeys(_key_names(agent, level), KEY))
        result = run_confined(
            launch, workspace=workspace, home=home, logs=room / "logs", seconds=seconds, limits=task.limits
        )
        report = agent.report(task, result)
        written = [path.relative_to(workspace).as_posix() for path in iter_files(workspace)]
        return Checked(report, result.confinement, written, list(server.seen))


def _base_url(level: AgentLevel, server: ScriptedServer) -> str:
    """The server's address as the agent's protocol has it."""
    speaks_messages = level.adapter == "claude-code" or level.settings.get("log") == "claude_code"
    return server.address if speaks_messages else f"{server.address}/v1"


def _key_names(agent: Agent, level: AgentLevel) -> list[str]:
    if isinstance(agent, CliAgent):
        return [agent.key_variable()]
    return [str(name) for name in level.settings.get("keys", [])]


def _task(level: AgentLevel, workspace: Path, home: Path) -> Task:
    """A task of an embedded project, of which the agent gets the prompt alone."""
    loaded = load_project("library-desk")
    service = loaded.service("loan-service")
    run = Run(level.name, loaded.project.name, service.name, "incremental", "minimal", 1)
    return Task(run, level, loaded.project, service, PROMPT, workspace, home, workspace, 0)
