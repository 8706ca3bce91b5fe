"""What a project still lacks on this machine, and the fetching of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from study.evaluation.environments import make_environment, python_of
from study.evaluation.maven_build import maven_tools
from study.evaluation.maven_cache import fill_repository, ready_repository
from study.projects.fetching import fetch_commit
from study.projects.loading import LoadedProject, source_tree
from study.projects.manifest import MavenEnvironment
from study.schema import StudyError


def lacking(loaded: LoadedProject) -> str:
    """Why a project cannot be run here yet, in one line; empty if it can."""
    try:
        tree = source_tree(loaded)
        if isinstance(loaded.project.environment, MavenEnvironment):
            ready_repository(loaded, tree, maven_tools(loaded))
        else:
            python_of(loaded)
    except StudyError as error:
        return str(error)
    return ""


def fetch_project(
    loaded: LoadedProject, mirror: Path | None = None, say: Callable[[str], None] = lambda line: None
) -> None:
    """Get everything that running a project needs: its files, and what its tests run in.

    Raises
    ------
    StudyError
        If something cannot be had; what could is kept, so that the same command goes on from there.
    """
    source = loaded.project.source
    if source.repository is not None:
        if source.commit is None:
            raise StudyError(f"{loaded.manifest}: source.commit: is missing; a repository needs one")
        fetch_commit(source.repository, source.commit, mirror, say)
    tree = source_tree(loaded)
    if isinstance(loaded.project.environment, MavenEnvironment):
        fill_repository(loaded, tree, say)
    elif loaded.project.environment is not None:
        say(f"{loaded.project.name}: its Python environment")
        say(f"{loaded.project.name}: {make_environment(loaded)}")
