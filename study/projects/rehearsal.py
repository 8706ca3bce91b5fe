"""Rehearse the preparation of a target in every scenario, and go on after each mistake."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial
from pathlib import Path

from study.files import copy_tree, is_regular, iter_files
from study.projects.manifest import Project, Service
from study.scenarios.edits import apply_edit
from study.scenarios.leaks import LeakError, check_copies, check_names
from study.scenarios.workspace import hide_tests, is_test, remove_target
from study.schema import StudyError
from study.scratch import scratch_folder


def rehearse(project: Project, service: Service, tree: Path) -> list[str]:
    """What would keep the workspaces of a target from being right, one `field: problem` each.

    The steps are those of `study.scenarios.prepare`, which stops at the first mistake.

    Parameters
    ----------
    project, service : Project, Service
        The manifest and the target in it.
    tree : Path
        The project's original files; all that the manifest names must be there.
    """
    field = f"services.{service.name}"
    with scratch_folder() as room:
        workspace = room / "workspace"
        copy_tree(tree, workspace, leave_out=project.hidden)
        removed = remove_target(service, workspace)
        problems = _rehearse_step(
            f"{field}, incremental", partial(check_copies, workspace, tree, removed, service)
        )
        hide_tests(project, service, workspace)
        for index, edit in enumerate(service.clean_state):
            problems += _rehearse_step(f"{field}.clean_state.{index}", partial(apply_edit, workspace, edit))
        try:
            check_names(workspace, project, service)
        except LeakError as leak:
            problems.append(f"{field}.clean_state: {leak}")
        problems += [
            f"{field}.clean_state: {problem}" for problem in _damage(project, service, tree, workspace)
        ]
    return problems


def _rehearse_step(field: str, step: Callable[[], object]) -> list[str]:
    try:
        step()
    except StudyError as error:
        return [f"{field}: {error}"]
    return []


def _damage(project: Project, target: Service, tree: Path, workspace: Path) -> list[str]:
    """Other services that the edits have emptied, and Python that still imports what they deleted."""
    problems = []
    for service in project.services:
        if service is target:
            continue
        before, after = _code(service, tree), _code(service, workspace)
        if before and not after:
            problems.append(f"removes all code of {service.name}, which is not the target")
        deleted = {Path(path).stem for path in before - after if path.endswith(".py")}
        for path in sorted(after if deleted else ()):
            full = workspace / service.directory / path
            problems += [
                f"{service.directory}/{path} still imports {name}, which an edit deletes"
                for name in sorted(deleted & _imported(full))
            ]
    return problems


def _code(service: Service, root: Path) -> set[str]:
    folder = root / service.directory
    paths = (path.relative_to(folder).as_posix() for path in iter_files(folder) if is_regular(path))
    return {path for path in paths if not is_test(service, path)}


def _imported(path: Path) -> set[str]:
    """Last parts of the modules that a Python file imports."""
    if path.suffix != ".py":
        return set()
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):
        return set()
    modules = [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    modules += [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return {module.rsplit(".", 1)[-1] for module in modules}
