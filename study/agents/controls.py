"""The controls: agents that are none, run like any other, to learn what the oracle can see."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from study.agents.outcomes import outcome_of
from study.agents.protocol import Launch, ProcessResult, Report, Task
from study.design import AgentLevel
from study.files import is_regular, iter_files
from study.projects.manifest import Service
from study.schema import StudyError

PROGRAMS = Path(__file__).parent / "programs"


def code_files(service: Service, tree: Path) -> list[str]:
    """The target's own files in a tree, tests aside, relative to its directory and sorted."""
    # not at the top of the module: study.scenarios needs study.agents.protocol
    from study.scenarios.workspace import is_test

    directory = tree / service.directory
    paths = (path for path in iter_files(directory) if is_regular(path))
    relative = (path.relative_to(directory).as_posix() for path in paths)
    return sorted(path for path in relative if not is_test(service, path))


def no_settings(level: AgentLevel) -> None:
    """Refuse settings for an adapter that has none."""
    if level.settings:
        raise StudyError(
            f"agents[{level.name}].settings.{sorted(level.settings)[0]}: "
            f"the adapter {level.adapter!r} has no settings; remove it"
        )


class Absent:
    """Writes nothing: what the oracle still gives is its floor."""

    def check(self, level: AgentLevel) -> None:
        no_settings(level)

    def ready(self, level: AgentLevel) -> None:
        """Controls need nothing but Python."""

    def fingerprint(self, level: AgentLevel) -> str:
        return ""

    def launch(self, task: Task) -> Launch:
        return Launch(
            command=[sys.executable, "-I", "-S", str(PROGRAMS / "absent.py")],
            readable=[PROGRAMS],
            network=False,
        )

    def report(self, task: Task, result: ProcessResult) -> Report:
        outcome, reason = outcome_of(result)
        return Report(outcome=outcome, reason=reason)


class Reference:
    """Puts the original code back: what the oracle gives then is its ceiling."""

    def check(self, level: AgentLevel) -> None:
        no_settings(level)

    def ready(self, level: AgentLevel) -> None:
        """Controls need nothing but Python."""

    def fingerprint(self, level: AgentLevel) -> str:
        return ""

    def launch(self, task: Task) -> Launch:
        order = {
            "source": str(task.reference / task.service.directory),
            "destination": task.service.directory,
            "files": code_files(task.service, task.reference),
        }
        return Launch(
            command=[sys.executable, "-I", "-S", str(PROGRAMS / "reference.py")],
            stdin=json.dumps(order),
            readable=[PROGRAMS, task.reference],
            network=False,
        )

    def report(self, task: Task, result: ProcessResult) -> Report:
        outcome, reason = outcome_of(result)
        return Report(outcome=outcome, reason=reason)
