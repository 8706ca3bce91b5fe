"""Prepare the directory in which an agent works: the project without the target, in a new repository."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from study.design import Scenario
from study.files import copy_tree, iter_files, matches
from study.projects.manifest import Project, Service
from study.records.stages import Manipulation
from study.scenarios.edits import apply_edit
from study.scenarios.leaks import check_copies, check_names
from study.schema import StudyError


def prepare(
    project: Project, service: Service, scenario: Scenario, tree: Path, workspace: Path
) -> Manipulation:
    """Make the workspace of one run.

    Parameters
    ----------
    project, service : Project, Service
        The manifest and the target in it.
    scenario : {'incremental', 'clean_state'}
        `incremental` takes the target's code away, and nothing else; `clean_state` also its tests and
        every mention of it outside the requirements document.
    tree : Path
        The project's original files.
    workspace : Path
        A directory that does not exist yet.

    Returns
    -------
    Manipulation
        What was taken away, and what the leak check found.

    Raises
    ------
    LeakError
        If a trace of the target is left that the manifest does not allow.
    StudyError
        If an edit of the manifest does not apply.
    """
    if workspace.exists():
        raise StudyError(f"{workspace} exists already; a workspace is always a new directory")
    copy_tree(tree, workspace, leave_out=project.hidden)
    removed = remove_target(service, workspace)
    hidden: list[str] = []
    edited: list[str] = []
    traces: list[str] = []
    if scenario == "clean_state":
        hidden = _hide_tests(service, workspace)
        for edit in service.clean_state:
            apply_edit(workspace, edit)
        edited = sorted({edit.file for edit in service.clean_state})
        traces = check_names(workspace, project, service)
    check_copies(workspace, tree, removed, service)
    _drop_empty_folders(workspace)
    _commit(workspace)
    return Manipulation(
        removed_files=removed, edited_files=edited, hidden_tests=hidden, allowed_traces=traces
    )


def remove_target(service: Service, workspace: Path) -> list[str]:
    """Delete the target's code; tests inside its directory stay. Returns the deleted paths."""
    directory = workspace / service.directory
    removed = []
    for path in iter_files(directory):
        if not is_test(service, path.relative_to(directory).as_posix()):
            path.unlink()
            removed.append(path.relative_to(workspace).as_posix())
    return removed


def is_test(service: Service, below_directory: str) -> bool:
    """Whether a path below the target's directory belongs to its tests and not to its code."""
    return matches(below_directory, service.exclude)


def _hide_tests(service: Service, workspace: Path) -> list[str]:
    """Delete the target's own tests and those of its consumers that exercise it."""
    files = {workspace / file for file in [*service.unit.files, *service.integration.files]}
    files |= set(iter_files(workspace / service.directory))
    for path in files:
        path.unlink()
    return sorted(path.relative_to(workspace).as_posix() for path in files)


def _drop_empty_folders(root: Path) -> None:
    for folder, _, _ in os.walk(root, topdown=False):
        path = Path(folder)
        if path != root and not any(path.iterdir()):
            path.rmdir()


def _commit(workspace: Path) -> None:
    """One commit and no history: the same bytes give the same commit id everywhere."""
    environment = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(workspace),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z",
        "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
    }
    identity = ["-c", "user.name=study", "-c", "user.email=study@localhost", "-c", "init.templateDir="]
    for arguments in (["init", "-q", "-b", "main"], ["add", "-A", "-f"], ["commit", "-q", "-m", "Start"]):
        done = subprocess.run(
            ["git", *identity, *arguments], cwd=workspace, env=environment, capture_output=True, text=True
        )
        if done.returncode:
            raise StudyError(f"git {arguments[0]} failed in a new workspace: {done.stderr.strip()}")
