"""Prepare the directory in which an agent works: the project without the target, in a new repository."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from study.files import copy_tree, iter_files, matches, remove_tree
from study.projects.manifest import Project, Service
from study.records.stages import Manipulation, Oracle
from study.scenarios.edits import apply_edit
from study.scenarios.leaks import check_copies, check_names
from study.schema import StudyError
from study.scratch import scratch_folder

Strip = Callable[[Project, Service, Path], tuple[list[str], list[str]]]
"""Takes more out of a workspace from which the target's code is gone already; returns the paths of the edited
files and of the hidden tests."""


@dataclass(frozen=True)
class Scenario:
    """What the agent may see, and which tests judge the result."""

    oracle: Oracle
    """`unit`: the target's own tests; `integration`: those of its consumers."""
    strip: Strip
    leaves_no_trace: bool = False
    """Whether the preparation fails if a file still names the target."""


def keep_all(project: Project, service: Service, workspace: Path) -> tuple[list[str], list[str]]:
    """Tests, configuration and consumers stay as they are."""
    return [], []


def remove_traces(project: Project, service: Service, workspace: Path) -> tuple[list[str], list[str]]:
    """Hide the tests and apply the manifest's edits."""
    _, hidden = hide_tests(project, service, workspace)
    for edit in service.clean_state:
        apply_edit(workspace, edit)
    return sorted({edit.file for edit in service.clean_state}), hidden


SCENARIOS = {
    "incremental": Scenario("unit", keep_all),
    "clean_state": Scenario("integration", remove_traces, leaves_no_trace=True),
}
"""The paper's scenarios. It judges incremental generation by the target's unit tests, and clean state by the
tests of the services that consume it."""


def prepare(
    project: Project, service: Service, scenario: Scenario, tree: Path, workspace: Path
) -> Manipulation:
    """Make the workspace of one run.

    Parameters
    ----------
    project, service : Project, Service
        The manifest and the target in it.
    scenario : Scenario
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
    try:
        return _prepare(project, service, scenario, tree, workspace)
    except StudyError:
        remove_tree(workspace)  # so that the same command works once the manifest is mended
        raise


def rehearse(project: Project, service: Service, scenario: Scenario, tree: Path) -> None:
    """Raise StudyError if a workspace could not be prepared: a stale edit, a trace that would be left."""
    with scratch_folder() as room:
        _strip(project, service, scenario, tree, room / "workspace")


def _prepare(
    project: Project, service: Service, scenario: Scenario, tree: Path, workspace: Path
) -> Manipulation:
    manipulation = _strip(project, service, scenario, tree, workspace)
    _commit(workspace)
    return manipulation


def _strip(
    project: Project, service: Service, scenario: Scenario, tree: Path, workspace: Path
) -> Manipulation:
    copy_tree(tree, workspace, leave_out=project.hidden)
    removed = remove_target(service, workspace)
    edited, hidden = scenario.strip(project, service, workspace)
    traces = check_names(workspace, project, service) if scenario.leaves_no_trace else []
    check_copies(workspace, tree, removed, service)
    _drop_empty_folders(workspace)
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


def hide_tests(project: Project, service: Service, workspace: Path) -> tuple[list[str], list[str]]:
    """Delete the target's own tests and those of its consumers that exercise it."""
    files = {workspace / file for file in [*service.unit.files, *service.integration.files]}
    files |= set(iter_files(workspace / service.directory))
    for path in files:
        path.unlink()
    return [], sorted(path.relative_to(workspace).as_posix() for path in files)


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
