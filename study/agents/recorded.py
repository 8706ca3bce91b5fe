"""Services that were generated elsewhere: the agent's part is to write the recorded files."""

from __future__ import annotations

import base64
import json
import sys
from pathlib import Path

from study.agents.controls import PROGRAMS
from study.agents.outcomes import outcome_of
from study.agents.protocol import Launch, ProcessResult, Report, Task
from study.design import AgentLevel, Run
from study.files import is_regular, iter_files
from study.projects.loading import tree_digest
from study.schema import Model, StudyError, parse


class Settings(Model):
    """Settings of the adapter `recorded`."""

    folder: str
    """Holds one folder per service, named `project.service.scenario.prompt.rN`, with the content of the
    target's directory. `study import services` makes it."""


class Recorded:
    """Puts back what an agent wrote elsewhere; nothing is known of its time, tokens and cost."""

    def check(self, level: AgentLevel) -> None:
        _settings(level)

    def ready(self, level: AgentLevel) -> None:
        folder = _settings(level).folder
        if not Path(folder).is_dir():
            raise StudyError(f"agents[{level.name}].settings.folder: {folder}: there is no such folder")

    def fingerprint(self, level: AgentLevel) -> str:
        """Of the recorded files."""
        folder = Path(_settings(level).folder)
        return tree_digest(folder) if folder.is_dir() else ""

    def launch(self, task: Task) -> Launch:
        folder = Path(_settings(task.level).folder).resolve() / key(task.run)
        if not folder.is_dir():
            raise StudyError(f"agents[{task.level.name}].settings.folder: no folder {folder} for this run")
        files = {
            path.relative_to(folder).as_posix(): base64.b64encode(path.read_bytes()).decode()
            for path in iter_files(folder)
            if is_regular(path)
        }
        # on stdin, since the folder of an experiment is hidden from all its runs
        return Launch(
            command=[sys.executable, "-I", "-S", str(PROGRAMS / "recorded.py")],
            stdin=json.dumps({"destination": task.service.directory, "files": files}),
            readable=[PROGRAMS],
            network=False,
        )

    def report(self, task: Task, result: ProcessResult) -> Report:
        outcome, reason = outcome_of(result)
        if outcome == "agent_error":  # the copying failed, which no agent has done
            outcome = "infrastructure_error"
        return Report(
            outcome=outcome,
            reason=reason,
            model=task.level.model,
            version=task.level.version,
            timed=False,
        )


def key(run: Run) -> str:
    """Name of the folder of one recorded service: its run id without the agent."""
    return run.run_id.removeprefix(f"{run.agent}.")


def _settings(level: AgentLevel) -> Settings:
    return parse(Settings, level.settings, f"agents[{level.name}].settings")
