"""The leak check: fails a preparation that leaves a trace of the target where the agent can see it."""

from __future__ import annotations

from pathlib import Path

from study.files import is_regular, iter_files, matches, snapshot
from study.projects.manifest import Project, Service
from study.scenarios.aliases import trace_pattern
from study.schema import StudyError

_SHOWN = 20


class LeakError(StudyError):
    """A workspace that would tell the agent about the target."""


def check_names(workspace: Path, project: Project, service: Service) -> list[str]:
    """Scan the paths and contents of all files for mentions of the target.

    Returns
    -------
    list of str
        `file:line` of the mentions that are allowed: those in the requirements document and in
        the manifest's `allowed_traces`.

    Raises
    ------
    LeakError
        Naming every other mention.
    """
    pattern = trace_pattern(service)
    allow = [project.requirements, *service.allowed_traces]
    allowed: list[str] = []
    leaks: list[str] = []
    for path in iter_files(workspace):
        relative = path.relative_to(workspace).as_posix()
        found = allowed if matches(relative, allow) else leaks
        if pattern.search(relative):
            found.append(f"{relative}: the path itself")
        if is_regular(path):
            # latin-1 reads any bytes, so that a name is found in binary and oddly encoded files too
            for number, line in enumerate(path.read_bytes().decode("latin-1").splitlines(), start=1):
                if mention := pattern.search(line):
                    found.append(
                        f"{relative}:{number}" if found is allowed else f"{relative}:{number}: {mention[0]}"
                    )
    if leaks:
        more = f"\n... and {len(leaks) - _SHOWN} more" if len(leaks) > _SHOWN else ""
        raise LeakError(
            f"clean_state of {project.name}/{service.name}: {len(leaks)} traces of the target are left. "
            "Add a clean_state edit to the manifest, or list the file under allowed_traces if it must stay:\n"
            + "\n".join(leaks[:_SHOWN])
            + more
        )
    return allowed


def check_copies(workspace: Path, tree: Path, removed: list[str], service: Service) -> None:
    """No file of the workspace may be a byte-for-byte copy of a removed one.

    Raises
    ------
    LeakError
        Naming the copies. Files without content (an empty `__init__.py`) are no copies, nor are hidden
        files (`.gitignore`): many services have the same, and they say nothing of the code.
    """
    originals = snapshot(tree)
    gone = {originals[path] for path in removed if (tree / path).stat().st_size > 0 and not _is_hidden(path)}
    copies = [path for path, fingerprint in snapshot(workspace).items() if fingerprint in gone]
    if copies:
        raise LeakError(f"{service.name}: copies of removed code are left: {', '.join(copies)}")


def _is_hidden(path: str) -> bool:
    return any(part.startswith(".") for part in path.split("/"))
