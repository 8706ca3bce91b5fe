"""Everything that is wrong with a manifest, at once, for the person who writes it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from study.evaluation.environments import lock_file, lock_problems
from study.files import is_regular, iter_files, matches
from study.projects.loading import LoadedProject, source_tree, tree_problems
from study.projects.manifest import Project, PythonEnvironment, Service, Suite
from study.projects.rehearsal import rehearse
from study.prompts.rendering import summary_of
from study.schema import Model, StudyError


class Findings(Model):
    """What a check found; both lists have one line for each finding."""

    problems: list[str] = []
    """Must be mended before a run."""
    notes: list[str] = []
    """What could not be checked here, and what some designs need."""
    rehearsed: int = 0
    """Preparations that were made and searched for leaks."""


def check_manifest(loaded: LoadedProject) -> Findings:
    """Check a manifest against itself, against the project's files, and by rehearsing all preparations.

    Parameters
    ----------
    loaded : LoadedProject
        From `study.projects.find_project`, which has told what is wrong with the fields' names and types.
    """
    problems = list(_inner_problems(loaded))
    notes = list(_missing_summaries(loaded))
    try:
        tree = source_tree(loaded)
    except StudyError as error:
        if loaded.project.source.repository is None:  # nothing that could be fetched
            problems.append(str(error).removeprefix(f"{loaded.manifest}: "))
        else:
            notes.append(f"the files and the preparations are not checked: {error}")
        return Findings(problems=problems, notes=notes)
    of_tree = tree_problems(loaded.project, tree)
    problems += [problem for problem in of_tree if problem not in problems]
    problems += _scope_problems(loaded.project, tree)
    rehearsed = 0
    if not of_tree:  # a rehearsal would only repeat what is missing
        for service in loaded.project.targets:
            problems += rehearse(loaded.project, service, tree)
            rehearsed += 2  # one for each scenario
    return Findings(problems=problems, notes=notes, rehearsed=rehearsed)


def _inner_problems(loaded: LoadedProject) -> Iterator[str]:
    """Where the manifest contradicts itself."""
    project = loaded.project
    if project.source.repository is not None and project.source.commit is None:
        yield "source.commit: is missing; a repository needs a pinned commit"
    if isinstance(project.environment, PythonEnvironment):
        for problem in lock_problems(lock_file(loaded, project.environment)):
            yield f"environment.lock: {problem}"
    if not project.targets:
        yield "services: no service is a `target`, so there is nothing to generate"
    yield from _ports_used_twice(project)
    yield from _directories_inside_others(project)
    for field, suite in _suites(project):
        yield from _suite_problems(project, field, suite)
    for service in project.targets:
        field = f"services.{service.name}.integration"
        if bool(service.integration.files) != bool(service.integration.consumers):
            yield f"{field}: give both `files` and `consumers`, or neither"
        if service.name in service.integration.consumers:
            yield f"{field}.consumers: {service.name!r} is the target itself"
    for file in [project.requirements, *(file for _, suite in _suites(project) for file in suite.files)]:
        if matches(file, project.hidden):
            yield f"hidden: matches {file}, which the manifest needs"


def _suites(project: Project) -> list[tuple[str, Suite]]:
    found = [("whole", project.whole)]
    for service in project.services:
        found += [
            (f"services.{service.name}.unit", service.unit),
            (f"services.{service.name}.integration", service.integration),
        ]
    return found


def _suite_problems(project: Project, field: str, suite: Suite) -> Iterator[str]:
    startable = {service.name for service in project.services if service.process is not None}
    for name in suite.live:
        if name not in startable:
            yield f"{field}.live: {name!r} is no service with a `process` that says how to start it"
    for program, files in suite.needs.items():
        for file in set(files) - set(suite.files):
            yield f"{field}.needs.{program}: {file} is none of the suite's files"


def _ports_used_twice(project: Project) -> Iterator[str]:
    owner: dict[int, str] = {}
    for service in project.services:
        if service.process is not None:
            first = owner.setdefault(service.process.port, service.name)
            if first != service.name:
                yield f"services.{service.name}.process.port: {service.process.port} is {first}'s already"


def _directories_inside_others(project: Project) -> Iterator[str]:
    """The target's directory is emptied: whatever else lies in it would go too."""
    for service in project.services:
        for other in project.services:
            inside = f"{other.directory.rstrip('/')}/".startswith(f"{service.directory.rstrip('/')}/")
            if other is not service and inside:
                yield (
                    f"services.{service.name}.directory: {service.directory} holds {other.name} too, which "
                    "would be removed with it"
                )


def _scope_problems(project: Project, tree: Path) -> Iterator[str]:
    """Globs that match nothing, or what they must not match."""
    for service in project.targets:
        if not any(_main_files(service, tree)):
            yield f"services.{service.name}.main: no file of {service.directory} matches {service.main}"
    lost = [
        path.relative_to(tree).as_posix()
        for service in project.services
        for path in _main_files(service, tree)
        if matches(path.relative_to(tree).as_posix(), project.reset)
    ]
    if lost:
        yield f"reset: matches code of the project: {', '.join(lost[:5])}"


def _main_files(service: Service, tree: Path) -> Iterator[Path]:
    folder = tree / service.directory
    for path in iter_files(folder):
        below = path.relative_to(folder).as_posix()
        if is_regular(path) and matches(below, service.main) and not matches(below, service.exclude):
            yield path


def _missing_summaries(loaded: LoadedProject) -> Iterator[str]:
    for service in loaded.project.targets:
        try:
            summary_of(loaded, service)
        except StudyError as error:
            yield f"designs with the prompt `summary` cannot use it yet: {error}"
