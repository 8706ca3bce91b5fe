"""Find manifests and project trees, and tell everything that is wrong with them at once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from study.files import iter_files, matches
from study.projects.cached import copied_tree
from study.projects.cached import tree_digest as tree_digest
from study.projects.manifest import Project, Service
from study.schema import StudyError, parse, read_yaml

MANIFESTS = Path(__file__).parent / "manifests"
DEMO = Path(__file__).parent / "demo"


@dataclass(frozen=True)
class LoadedProject:
    """A manifest and where it stands, since its paths are relative to it."""

    project: Project
    manifest: Path

    def service(self, name: str) -> Service:
        """The target service of this name.

        Raises
        ------
        StudyError
            If the project has no such service, or it is not a target.
        """
        targets = {service.name: service for service in self.project.targets}
        if name not in targets:
            raise StudyError(
                f"project {self.project.name!r} has no target service {name!r}; "
                f"its targets are {', '.join(sorted(targets))}"
            )
        return targets[name]


def list_projects() -> list[str]:
    """Names of the manifests that come with the package."""
    return sorted(path.stem for path in MANIFESTS.glob("*.yaml"))


def load_project(name: str, manifest: Path | None = None) -> LoadedProject:
    """Load a project's manifest, of the package by name or of your own by path."""
    path = manifest or MANIFESTS / f"{name}.yaml"
    if not path.is_file():
        raise StudyError(
            f"no manifest for project {name!r} at {path.name if manifest is None else path}; there are "
            f"{', '.join(list_projects())}, or give `manifest:` in the design"
        )
    project = parse(Project, read_yaml(path), str(path))
    if project.name != name:
        raise StudyError(f"{path}: name: is {project.name!r}, but the design calls the project {name!r}")
    return LoadedProject(project, path)


def load_manifest(path: Path) -> LoadedProject:
    """Load a manifest of your own, whatever name it gives its project."""
    return LoadedProject(parse(Project, read_yaml(path), str(path)), path)


def find_project(name_or_path: str) -> LoadedProject:
    """A project of the package by name, or one of your own by the path of its manifest."""
    if name_or_path.endswith((".yaml", ".yml")):
        return load_manifest(Path(name_or_path))
    return load_project(name_or_path)


def source_tree(loaded: LoadedProject) -> Path:
    """The folder with the project's original files.

    Raises
    ------
    StudyError
        If the files are not on this machine.
    """
    source = loaded.project.source
    if source.repository is not None:
        return _fetched_tree(loaded, source.repository)
    tree = DEMO / source.embedded if source.embedded else loaded.manifest.parent / str(source.path)
    tree = tree / source.subdirectory
    if not tree.is_dir():
        raise StudyError(f"{loaded.manifest}: source: no folder {tree}")
    return tree.resolve()


def _fetched_tree(loaded: LoadedProject, repository: str) -> Path:
    source = loaded.project.source
    if source.commit is None:
        raise StudyError(f"{loaded.manifest}: source.commit: is missing; a repository needs a pinned commit")
    tree = copied_tree(repository, source.commit)
    if tree is None:
        raise StudyError(
            f"project {loaded.project.name!r}: its files are not on this machine; get them from the public "
            f"repository {repository} with `study projects fetch {loaded.project.name}`"
        )
    if not (tree / source.subdirectory).is_dir():
        raise StudyError(
            f"{loaded.manifest}: source.subdirectory: no folder {source.subdirectory!r} in {repository} at "
            f"{source.commit}; there are {', '.join(sorted(path.name for path in tree.iterdir()))}"
        )
    return (tree / source.subdirectory).resolve()


def check_tree(loaded: LoadedProject) -> Path:
    """Hold the manifest against the tree; return the tree.

    Raises
    ------
    StudyError
        With one line for each file or folder that the manifest names and the tree lacks.
    """
    tree = source_tree(loaded)
    if problems := tree_problems(loaded.project, tree):
        raise StudyError("\n".join(f"{loaded.manifest}: {problem}" for problem in problems))
    return tree


def tree_problems(project: Project, tree: Path) -> list[str]:
    """What a manifest names and the tree lacks, one `field: problem` each."""
    named: list[tuple[str, str]] = [("requirements", project.requirements)]
    named += [("whole.files", file) for file in project.whole.files]
    for service in project.services:
        field = f"services.{service.name}"
        named.append((f"{field}.directory", service.directory))
        named += [(f"{field}.unit.files", file) for file in service.unit.files]
        named += [(f"{field}.integration.files", file) for file in service.integration.files]
        named += [(f"{field}.clean_state", edit.file) for edit in service.clean_state]
    known = {service.name for service in project.services}
    problems = [
        f"{field}: {problem}: {path}"
        for field, path in named
        if (problem := _path_problem(tree, path, folder=field.endswith(".directory")))
    ]
    problems += [
        f"services.{service.name}.integration.consumers: unknown service {consumer!r}"
        for service in project.services
        for consumer in service.integration.consumers
        if consumer not in known
    ]
    problems += [
        f"services.{service.name}.unit.files: a target needs at least one unit test file, or `untested`, "
        "which says why it has none"
        for service in project.targets
        if not service.unit.files and not service.untested
    ]
    return problems + [f"services.{problem}" for problem in _target_problems(tree, project)]


def _path_problem(tree: Path, path: str, *, folder: bool) -> str:
    """Why a path of the manifest cannot be used; empty if it can."""
    full = tree / path
    if not full.exists():
        return "no such file or folder in the project"
    if full.resolve() != full:
        return "is a symbolic link or below one, and links are not copied; name what it leads to"
    if folder != full.is_dir():
        return "is a file, not a folder" if folder else "is a folder, not a file"
    return ""


def _target_problems(tree: Path, project: Project) -> list[str]:
    """Where `exclude` does not tell a target's code from its tests: one is removed, the other stays."""
    problems = []
    for service in project.targets:
        folder = tree / service.directory
        below = [path.relative_to(folder).as_posix() for path in iter_files(folder)]
        if below and all(matches(path, service.exclude) for path in below):
            problems.append(f"{service.name}.exclude: matches all of {service.directory}; no code is left")
        for file in [*service.unit.files, *service.integration.files]:
            inside = file.removeprefix(service.directory.rstrip("/") + "/")
            if inside != file and not matches(inside, service.exclude):
                problems.append(f"{service.name}.exclude: does not match the test file {file}")
    return problems
