"""What no agent may see, wherever it lies on the disk: original code, and what other runs left."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from study.bubblewrap import PACKAGE
from study.cache import cache_folder
from study.design import AgentLevel, Run
from study.plan import Plan
from study.schema import StudyError

_OWN = (PACKAGE / "projects" / "demo", PACKAGE / "prompts" / "summaries", PACKAGE.parent / ".git")
"""What this package has of the embedded systems: their code, its summaries, and the history of both."""


def knows_the_answer(plan: Plan, run: Run) -> bool:
    """Controls and simulated agents work from the original code; nobody else may see it."""
    return run.is_control or plan.design.agent(run.agent).kind == "simulated"


def hidden_folders(plan: Plan, results: Path, run: Run | None = None) -> list[Path]:
    """Folders to hide from a run; without `run`, those that no measured agent may see.

    Bubblewrap hides most of the disk anyway; these are hidden also below /usr, /opt, the Python environment
    or a folder that an agent's settings make readable.
    """
    folders = [results.resolve(), *plan.trees.values(), cache_folder("projects").resolve(), *_OWN]
    if run is not None and knows_the_answer(plan, run):
        tree = plan.trees[run.project]
        folders = [folder for folder in folders if not tree.is_relative_to(folder)]
    return folders


def check_readable(plan: Plan, results: Path) -> None:
    """Raise StudyError if an agent's settings make readable what no agent may see."""
    hidden = hidden_folders(plan, results)
    for level in plan.design.agents:
        paths = level.settings.get("readable", [])
        if level.kind == "measured" and isinstance(paths, list):
            where = f"agents[{level.name}].settings.readable"
            refuse_exposure([Path(str(path)).expanduser() for path in paths], hidden, where)


def refuse_exposure(readable: Iterable[Path], hidden: Iterable[Path], where: str) -> None:
    """Raise StudyError if a readable path holds a hidden folder or lies in one."""
    hidden = list(hidden)
    for path in readable:
        full = path.resolve()
        for folder in hidden:
            if folder.is_relative_to(full) or full.is_relative_to(folder):
                raise StudyError(
                    f"{where}: {str(path)!r} shows the agent original code or other runs (in {folder}); name "
                    "only the files and folders that the agent itself needs"
                )


def check_launch(level: AgentLevel, readable: Iterable[Path], hidden: Iterable[Path]) -> None:
    """The same for what an adapter of the user's own asks for at the last moment."""
    if level.kind == "measured" and level.adapter not in {"absent", "reference"}:
        refuse_exposure(readable, hidden, f"agents[{level.name}]: Launch.readable")
