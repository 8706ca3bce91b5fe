"""Services generated elsewhere become runs: copied, scored with the original tests, and measured.

A list in YAML says what each folder is. Everything after it is the ordinary experiment, with the adapter
`recorded` in the agent's place: the workspace is prepared, the recorded files are put into it, test files
among them are reported and left out, and the originals score the result.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import yaml
from pydantic import Field, field_validator

from study.agents.recorded import key
from study.design import AgentLevel, Controls, Design, Limits, ProjectLevel, Run
from study.files import copy_tree, iter_files, write_atomically
from study.projects.fetching import fetch_commit
from study.schema import NAME, Kind, Model, StudyError, parse, read_yaml

LISTS = Path(__file__).parent / "lists"


class Recorded(Model):
    """One generated service: which run it is, and where its files are."""

    agent: str = Field(pattern=NAME)
    project: str = Field(pattern=NAME)
    service: str = Field(pattern=NAME)
    scenario: str
    prompt: str
    replicate: int = Field(1, ge=1)
    folder: str
    """The generated content of the target's directory: relative to the list, or within the commit."""
    commit: str | None = Field(None, pattern="^[0-9a-f]{40}$")
    """Of the list's `repository`, if the folder is there."""

    @property
    def run(self) -> Run:
        return Run(self.agent, self.project, self.service, self.scenario, self.prompt, self.replicate)


class ServiceList(Model):
    """A list of generated services."""

    name: str = Field(pattern=NAME)
    title: str
    kind: Kind = "measured"
    repository: str | None = None
    """`owner/name` of a public Git repository with the commits of the services."""
    models: dict[str, str] = {}
    """Model of each agent, where it is known."""
    manifests: dict[str, str] = {}
    """Manifests of projects of your own, relative to the list."""
    services: list[Recorded] = Field(min_length=1)
    controls: Controls = Field(default_factory=Controls)
    limits: Limits = Field(default_factory=lambda: Limits())

    @field_validator("services")
    @classmethod
    def _unique(cls, services: list[Recorded]) -> list[Recorded]:
        ids = [service.run.run_id for service in services]
        twice = sorted({one for one in ids if ids.count(one) > 1})
        if twice:
            raise ValueError(f"{twice[0]} is listed twice; give the second another `replicate`")
        return services


@dataclass(frozen=True)
class Prepared:
    """What an import has made ready to run."""

    design: Path
    services: int


def find_list(name_or_path: str) -> Path:
    """A list of the package by name, or a file of your own.

    Raises
    ------
    StudyError
        If there is none.
    """
    path = Path(name_or_path)
    if path.suffix not in {".yaml", ".yml"}:
        path = LISTS / f"{name_or_path}.yaml"
    if not path.is_file():
        known = ", ".join(sorted(file.stem for file in LISTS.glob("*.yaml")))
        raise StudyError(
            f"no list of services {name_or_path!r}; there is {known}, or give the path of a .yaml file"
        )
    return path


def list_name(listing: Path) -> str:
    """Name of the experiment that a list makes."""
    return parse(ServiceList, read_yaml(listing), str(listing)).name


def prepare_import(listing: Path, results: Path, mirror: Path | None = None) -> Prepared:
    """Copy the services below the results folder and write the design of the experiment that scores them.

    Parameters
    ----------
    listing : Path
        A `ServiceList` in YAML.
    results : Path
        Folder of the experiment; the copies go to `services/`, the design to `design.yaml`.
    mirror : Path, optional
        Stands in for the network, see `study projects fetch`.

    Raises
    ------
    StudyError
        Naming every folder that is not there, at once.
    """
    found = parse(ServiceList, read_yaml(listing), str(listing))
    sources = _sources(found, listing, mirror)
    store = results.resolve() / "services"
    for recorded, source in sources:
        target = store / recorded.agent / key(recorded.run)
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir(parents=True)
        copy_tree(source, target)
    design = _design(found, listing, store)
    text = yaml.safe_dump(design.model_dump(mode="json", exclude_defaults=True), sort_keys=False, width=110)
    write_atomically(results / "design.yaml", f"# Written by `study import services`.\n{text}")
    return Prepared(results / "design.yaml", len(sources))


def _sources(found: ServiceList, listing: Path, mirror: Path | None) -> list[tuple[Recorded, Path]]:
    problems, sources = [], []
    for index, recorded in enumerate(found.services):
        field = f"{listing}: services.{index}"
        base = listing.parent
        if recorded.commit is not None:
            if found.repository is None:
                problems.append(f"{field}: has a commit, but the list names no repository")
                continue
            base = fetch_commit(found.repository, recorded.commit, mirror)
        source = base / recorded.folder
        if not source.is_dir():
            problems.append(f"{field}.folder: {recorded.folder}: no such folder in {base}")
        elif not any(True for _ in iter_files(source)):
            problems.append(f"{field}.folder: {recorded.folder}: is empty")
        else:
            sources.append((recorded, source))
    if problems:
        raise StudyError("\n".join(problems))
    return sources


def _design(found: ServiceList, listing: Path, store: Path) -> Design:
    """The design whose runs are just the listed services."""
    projects: dict[str, list[str]] = {}
    for recorded in found.services:
        services = projects.setdefault(recorded.project, [])
        if recorded.service not in services:
            services.append(recorded.service)
    return Design(
        name=found.name,
        title=found.title,
        agents=[
            AgentLevel(
                name=agent,
                adapter="recorded",
                kind=found.kind,
                model=found.models.get(agent),
                settings={"folder": str(store / agent)},
            )
            for agent in dict.fromkeys(recorded.agent for recorded in found.services)
        ],
        projects=[
            ProjectLevel(name=name, services=services, manifest=_manifest(found, listing, name))
            for name, services in projects.items()
        ],
        prompts=list(dict.fromkeys(recorded.prompt for recorded in found.services)),
        scenarios=list(dict.fromkeys(recorded.scenario for recorded in found.services)),
        replicates=max(recorded.replicate for recorded in found.services),
        only=[recorded.run.run_id for recorded in found.services],
        controls=found.controls,
        limits=found.limits,
    )


def _manifest(found: ServiceList, listing: Path, project: str) -> str | None:
    given = found.manifests.get(project)
    return None if given is None else str((listing.parent / given).resolve())
