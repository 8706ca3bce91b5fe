"""Take out of a workspace what the agent wrote, and tell what else it touched."""

from __future__ import annotations

import difflib
import errno
import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path

from study.files import is_regular, iter_files, printable, snapshot
from study.projects.manifest import Service
from study.scenarios.workspace import is_test

MAX_FILE_BYTES = 10_000_000
"""A source file of a microservice is never this large; larger files are reported and left behind."""


@dataclass(frozen=True)
class Harvest:
    """What an agent changed in its workspace; paths are relative to the workspace."""

    written: list[str] = field(default_factory=list)
    """In the target's directory, tests aside: the result of the run."""
    elsewhere: list[str] = field(default_factory=list)
    """Added, changed or deleted outside the target's directory."""
    test_edits: list[str] = field(default_factory=list)
    """Test files added, changed or deleted, wherever they are."""
    refused: list[str] = field(default_factory=list)
    """`path: reason` of what is not taken over."""


def harvest(
    service: Service, test_files: list[str], before: dict[str, str], workspace: Path, generated: Path
) -> Harvest:
    """Copy the generated service to `generated` and list all other changes.

    Parameters
    ----------
    service : Service
        The target.
    test_files : list of str
        All test files of the project, relative to it.
    before : dict
        `study.files.snapshot` of the workspace before the agent started.
    workspace : Path
        The workspace after the agent has ended.
    generated : Path
        Where the new service goes, relative to the target's directory; must not exist yet.

    Notes
    -----
    Only regular files inside the workspace are read: a symlink is refused, wherever it points, so that
    nothing outside the workspace can become part of a result.
    """
    generated.mkdir(parents=True)
    result = Harvest()
    tests = set(test_files)
    prefix = service.directory.rstrip("/") + "/"
    after = snapshot(workspace)
    for relative in sorted(before.keys() | after.keys()):
        inside = relative.startswith(prefix)
        below = relative.removeprefix(prefix)
        if relative in tests or (inside and is_test(service, below)):
            if before.get(relative) != after.get(relative):
                result.test_edits.append(printable(relative))
        elif not inside:
            if before.get(relative) != after.get(relative):
                result.elsewhere.append(printable(relative))
        elif relative in after:
            reason = _refusal(workspace, workspace / relative) or _take(
                workspace / relative, generated / below
            )
            if reason:
                result.refused.append(printable(f"{relative}: {reason}"))
            else:
                result.written.append(printable(relative))
    return result


def _take(source: Path, target: Path) -> str:
    """Copy one file; why it cannot be copied, or nothing. A full disk is not the agent's fault."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
    except OSError as error:
        if error.errno not in {errno.ENAMETOOLONG, errno.EACCES}:
            raise
        return f"cannot be copied: {error.strerror}"
    return ""


def _refusal(workspace: Path, path: Path) -> str:
    """Why a file is not taken over; empty if it is."""
    if path.is_symlink():
        return f"symbolic link to {path.readlink()}"
    if not path.resolve().is_relative_to(workspace.resolve()):
        return "below a folder that is a symbolic link"
    if not is_regular(path):
        return "not a regular file"
    size = path.stat().st_size
    if size > MAX_FILE_BYTES:
        return f"{size / 1e6:.0f} MB, more than the {MAX_FILE_BYTES / 1e6:.0f} MB of one source file"
    if not os.access(path, os.R_OK):
        return "not readable"
    return ""


def diff_against(tree: Path, other: Path, paths: list[str]) -> str:
    """Unified diff of text files between the original tree and another, for the reader of a run."""
    parts: list[str] = []
    for relative in paths:
        old, new = (_lines(root / relative) for root in (tree, other))
        parts += difflib.unified_diff(old, new, f"original/{relative}", f"agent/{relative}")
    return "".join(parts)


def _lines(path: Path) -> list[str]:
    if path.is_symlink() or not path.is_file() or path.stat().st_size > MAX_FILE_BYTES:
        return []
    text = path.read_bytes().decode("utf-8", errors="replace")
    return [line + "\n" for line in text.splitlines()]


def project_test_files(tree: Path, suites: list[str]) -> list[str]:
    """All test files of a project: those its manifest names, and whatever else is named like one."""
    named_like_tests = [
        path.relative_to(tree).as_posix()
        for path in iter_files(tree)
        if path.name == "conftest.py" or (path.name.startswith("test_") and path.suffix == ".py")
    ]
    return sorted({*suites, *named_like_tests})
