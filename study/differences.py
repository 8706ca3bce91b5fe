"""What an agent wrote beside what people wrote: the diff of one target service against its reference."""

from __future__ import annotations

import difflib
from pathlib import Path

from study.files import iter_files, matches
from study.projects.loading import LoadedProject, source_tree


def service_diff(loaded: LoadedProject, service: str, generated: Path, context: int = 2) -> list[str]:
    """Unified diff of a service's main code, from the reference to what was generated.

    Parameters
    ----------
    loaded : LoadedProject
        The project.
    service : str
        Name of the target.
    generated : Path
        What the agent left in the target's directory.
    context : int
        Unchanged lines around a change.

    Returns
    -------
    list of str
        Lines without their ends; empty if nothing differs.

    Raises
    ------
    StudyError
        If the project has no such service, or its files are not on this machine.
    """
    target = loaded.service(service)
    original = source_tree(loaded) / target.directory
    old, new = (_sources(folder, target.main, target.exclude) for folder in (original, generated))
    lines: list[str] = []
    for name in sorted({*old, *new}):
        lines += difflib.unified_diff(
            old.get(name, []),
            new.get(name, []),
            f"reference/{name}",
            f"generated/{name}",
            lineterm="",
            n=context,
        )
    return lines


def _sources(folder: Path, main: list[str], exclude: list[str]) -> dict[str, list[str]]:
    found = {}
    for path in iter_files(folder):
        name = path.relative_to(folder).as_posix()
        if matches(name, main) and not matches(name, exclude):
            found[name] = path.read_text(encoding="utf-8", errors="replace").splitlines()
    return found
