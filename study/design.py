"""A design file names the factors and levels of an experiment; it expands to runs with stable ids."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from study.extensions import extension_level
from study.schema import NAME, Kind, Model, StudyError, parse, read_yaml

DESIGNS = Path(__file__).parent / "designs"
Control = Literal["absent", "reference"]
NO_PROMPT = "none"
"""Controls are no agents: nobody prompts them, so they run once for each service and scenario."""

MAX_ID = 200
"""Characters of a run id; it becomes the name of a folder."""


class AgentLevel(Model):
    """One level of the factor *agent*: an adapter with a version, a model and settings."""

    name: str = Field(pattern=NAME)
    """Level name, the first part of the run id."""
    adapter: str
    """A name of `study.agents.ADAPTERS`, or `module:Class` of your own."""
    kind: Kind = "measured"
    """`simulated` for an agent that is a program of this package."""
    model: str | None = None
    """Exact model identifier as the vendor spells it."""
    version: str | None = None
    """Version of the agent's command line."""
    settings: dict[str, Any] = {}
    """Passed to the adapter, which documents and checks them."""


class ProjectLevel(Model):
    """One level of the factor *project*, with its target services."""

    name: str = Field(pattern=NAME)
    services: list[str] = Field(min_length=1)
    manifest: str | None = None
    """Path of a manifest of your own, relative to the design file; without it, the package's."""


class Controls(Model):
    """How often each control is run on every service and scenario; 0 leaves it out."""

    absent: int = Field(1, ge=0, le=1000)
    reference: int = Field(3, ge=0, le=1000)
    """More than one repeat is what names flaky tests."""


class Limits(Model):
    """What one run, and the experiment as a whole, may use before it is stopped."""

    agent_seconds: float = Field(1200, gt=0, le=1e6)
    agent_usd: float | None = Field(None, gt=0, le=1e6)
    """Money for one run. Passed to the adapter, since only the agent itself can count while it works."""
    agent_turns: int | None = Field(None, ge=1, le=1_000_000)
    """Calls of the model in one run. Passed to the adapter too."""
    test_seconds: float = Field(600, gt=0, le=1e6)
    """For a whole suite; a suite that is stopped scores none of its tests."""
    single_test_seconds: float = Field(60, gt=0, le=1e6)
    """For one test; a test that is stopped fails, and the next one runs."""
    output_megabytes: float = Field(50, gt=0, le=1e6)
    disk_megabytes: float = Field(1000, gt=0, le=1e6)
    experiment_usd: float | None = Field(None, gt=0, le=1e9)
    """Money for all runs together, as their records have it: once it is spent, no new run is started."""
    experiment_hours: float | None = Field(None, gt=0, le=1e6)
    """Hours of all processes of the experiment, agents and tests, as their records have them; runs at the
    same time count each. Once they are used up, no new run is started."""

    def of_one_run(self) -> dict[str, Any]:
        """The limits that determine a run; more money for the experiment makes no old run stale."""
        # a limit that is not set says nothing, so that new kinds of limits leave old fingerprints alone
        return self.model_dump(mode="json", exclude={"experiment_usd", "experiment_hours"}, exclude_none=True)


@dataclass(frozen=True, order=True)
class Run:
    """One agent x project x service x scenario x prompt x replicate."""

    agent: str
    project: str
    service: str
    scenario: str
    prompt: str
    replicate: int

    @property
    def run_id(self) -> str:
        """Readable and stable: it holds the levels and nothing that another level could change."""
        return ".".join(
            (self.agent, self.project, self.service, self.scenario, self.prompt, f"r{self.replicate}")
        )

    @property
    def is_control(self) -> bool:
        return self.prompt == NO_PROMPT

    def seed(self, base: int) -> int:
        """Seed of this run: from the design's seed and the id, so that new levels change no old run."""
        digest = hashlib.sha256(f"{base}:{self.run_id}".encode()).digest()
        return int.from_bytes(digest[:8], "big")


class Design(Model):
    """The factors of one experiment, and what holds for all its runs."""

    name: str = Field(pattern=NAME)
    title: str
    """One line for lists and reports."""
    agents: list[AgentLevel] = Field(min_length=1)
    projects: list[ProjectLevel] = Field(min_length=1)
    prompts: list[str] = Field(min_length=1)
    """Names of templates in study/prompts/templates, or paths of your own templates."""
    scenarios: list[str] = Field(min_length=1)
    """Names of `study.scenarios.SCENARIOS`, or `module:NAME` of your own."""
    metrics: list[str] = []
    """Metrics of your own, beyond size and complexity: `module:function` each. The function takes the folder
    of the generated code and returns a number, or None where there is none."""
    replicates: int = Field(1, ge=1, le=1000)
    only: list[str] = []
    """Patterns of the run ids that belong to the design, for one that is no full factorial; all, if empty."""
    controls: Controls = Field(default_factory=lambda: Controls())
    seed: int = 0
    limits: Limits = Field(default_factory=lambda: Limits())
    tell_deadline: bool = False
    """Whether the prompt says how many minutes the agent has. A template says it where it has
    `{% if minutes is defined %} ... {{ minutes }} ... {% endif %}`."""

    @field_validator("prompts", "scenarios", "metrics")
    @classmethod
    def _no_duplicates(cls, levels: list[str]) -> list[str]:
        _refuse_duplicates(extension_level(prompt_level(level)) for level in levels)
        return levels

    @model_validator(mode="after")
    def _unique_levels(self) -> Self:
        _refuse_duplicates(agent.name for agent in self.agents)
        _refuse_duplicates(project.name for project in self.projects)
        for project in self.projects:
            _refuse_duplicates(project.services)
        taken = {"absent", "reference"} & {agent.name for agent in self.agents}
        if taken:
            raise ValueError(f"agents: {sorted(taken)[0]!r} is the name of a control; give the agent another")
        if NO_PROMPT in map(prompt_level, self.prompts):
            raise ValueError(f"prompts: {NO_PROMPT!r} marks the controls; give the prompt another name")
        return self

    @model_validator(mode="after")
    def _something_selected(self) -> Self:
        ids = [run.run_id for run in self.runs()]
        for pattern in self.only:
            if not any(fnmatchcase(run_id, pattern) for run_id in ids):
                raise ValueError(f"only: {pattern!r} matches no run of the full factorial")
        return self

    @model_validator(mode="after")
    def _usable_ids(self) -> Self:
        """Every run needs a folder of its own."""
        seen: set[str] = set()
        for run in [*self.runs(), *self.control_runs()]:
            if not re.fullmatch(rf"[A-Za-z0-9._-]{{1,{MAX_ID}}}", run.run_id):
                raise ValueError(
                    f"run id {run.run_id!r}: names of levels may hold letters, digits, `.`, `_` and `-`, and "
                    f"an id may have {MAX_ID} characters; rename a level"
                )
            if run.run_id in seen:
                raise ValueError(f"two runs have the id {run.run_id!r}; rename a level that holds a `.`")
            seen.add(run.run_id)
        return self

    @property
    def scenario_levels(self) -> list[str]:
        """Names of the scenarios as they stand in run ids."""
        return [extension_level(scenario) for scenario in self.scenarios]

    def runs(self) -> list[Run]:
        """The full factorial, or what `only` leaves of it, in the order of the file, without controls."""
        every = (
            Run(agent.name, project.name, service, scenario, prompt_level(prompt), replicate)
            for agent in self.agents
            for project in self.projects
            for service in project.services
            for scenario in self.scenario_levels
            for prompt in self.prompts
            for replicate in range(1, self.replicates + 1)
        )
        return [run for run in every if not self.only or self._selected(run)]

    def _selected(self, run: Run) -> bool:
        return any(fnmatchcase(run.run_id, pattern) for pattern in self.only)

    def control_runs(self) -> list[Run]:
        """The controls on every service and scenario that a run has."""
        used = {(run.project, run.service, run.scenario) for run in self.runs()}
        return [
            Run(control, project.name, service, scenario, NO_PROMPT, repeat)
            for control, repeats in (("absent", self.controls.absent), ("reference", self.controls.reference))
            for project in self.projects
            for service in project.services
            for scenario in self.scenario_levels
            for repeat in range(1, repeats + 1)
            if (project.name, service, scenario) in used
        ]

    def agent(self, name: str) -> AgentLevel:
        """The level of this name; the two controls are levels too."""
        for agent in self.agents:
            if agent.name == name:
                return agent
        if name in {"absent", "reference"}:
            return AgentLevel(name=name, adapter=name)
        raise StudyError(f"design {self.name!r} has no agent {name!r}")


def prompt_level(prompt: str) -> str:
    """Level name of a prompt: a template's name, or that of a file without folder and ending."""
    return Path(prompt).stem if prompt.endswith(".md") else prompt


def _refuse_duplicates(levels: Iterable[str]) -> None:
    seen: set[str] = set()
    for level in levels:
        if level in seen:
            raise ValueError(f"duplicate level {level!r}; every level may be listed once")
        seen.add(level)


def list_designs() -> list[str]:
    """Names of the designs that come with the package."""
    return sorted(path.stem for path in DESIGNS.glob("*.yaml"))


def find_design(name_or_path: str | Path) -> Path:
    """Path of a design of the package by name, or of a file of your own.

    Raises
    ------
    StudyError
        If there is no such design.
    """
    path = Path(name_or_path)
    if path.suffix not in {".yaml", ".yml"}:
        path = DESIGNS / f"{name_or_path}.yaml"
        if not path.is_file():
            raise StudyError(
                f"no design {str(name_or_path)!r}; there are {', '.join(list_designs())}, "
                "or give the path of a .yaml file of your own"
            )
    return path


def load_design(name_or_path: str | Path) -> Design:
    """Load a design; every mistake in it is named in one StudyError."""
    path = find_design(name_or_path)
    return parse(Design, read_yaml(path), str(path))
