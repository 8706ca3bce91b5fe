"""What a plan starts from: a `StudyModel`, fitted to a dataset, given in a file, or the default."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import pandas as pd
from pydantic import Field

from study.calibration.model import StudyModel
from study.schema import Model, StudyError, parse, read_yaml

Factor = Literal["scenario", "prompt", "agent"]
FACTORS: tuple[Factor, ...] = ("scenario", "prompt", "agent")


@dataclass(frozen=True)
class Population:
    """The model of the runs, and the shape of the design that it was taken from."""

    name: str
    """Of the dataset or the file."""
    kinds: tuple[str, ...]
    """Of the runs that it was fitted to; `simulated` for assumptions."""
    model: StudyModel
    scenarios: int = 2
    """Levels of the scenario in the design; the model has two of each and uses the first ones."""
    prompts: int = 2
    projects: int = 4
    """Projects of the design, to count services in projects."""
    components: pd.DataFrame = field(default_factory=pd.DataFrame)
    """What was fitted, beside what was observed; empty for assumptions."""
    notes: tuple[str, ...] = ()
    spread_points: float | None = None
    """By how much the effect is taken to differ between services, if that was given and not fitted."""

    @property
    def services_per_project(self) -> float:
        return self.model.services / self.projects

    def runs(self, services: int, replicates: int, agents: int) -> int:
        """Runs of a full factorial design of this shape, without controls."""
        return services * replicates * agents * self.scenarios * self.prompts


class Assumptions(Model):
    """A variance assumption in YAML; every field has the default of `StudyModel`."""

    name: str = "assumptions"
    services: int = Field(StudyModel.services, ge=2, le=10_000)
    projects: int = Field(4, ge=1, le=10_000)
    agents: int = Field(StudyModel.agents, ge=1, le=100)
    replicates: int = Field(StudyModel.replicates, ge=1, le=1000)
    scenarios: int = Field(2, ge=1, le=2)
    prompts: int = Field(2, ge=1, le=2)
    zero: float = Field(StudyModel.zero, gt=0, lt=1)
    """Share of runs that score 0 under the first level of every factor."""
    full: float = Field(StudyModel.full, gt=0, lt=1)
    """Share of runs that score 100."""
    service_share: float = Field(StudyModel.service_share, ge=0, lt=1)
    """Part of the latent variance that all runs of a service share."""
    agent_service_share: float = Field(StudyModel.agent_service_share, ge=0, lt=1)
    """Part that the runs of one agent on one service share beyond that."""
    scenario: float = Field(0.0, gt=-100, lt=100)
    """Mean effect of the second level, in points."""
    prompt: float = Field(0.0, gt=-100, lt=100)
    agent: tuple[float, ...] = ()
    """Of the second and later agents against the first."""
    scenario_sd: float = Field(0.3, ge=0, le=5)
    """How much the effect differs between services, in latent units: 0.3 is about 10 points."""
    prompt_sd: float = Field(0.3, ge=0, le=5)
    tests: tuple[int, ...] = Field(StudyModel.tests, min_length=1)
    missing: float = Field(0.0, ge=0, lt=1)


def from_file(path: Path) -> Population:
    """Read assumptions from a YAML file.

    Raises
    ------
    StudyError
        Naming every field that is unknown or out of range, or effects that do not fit together.
    """
    return assume(parse(Assumptions, read_yaml(path) or {}, str(path)), str(path))


def assume(given: Assumptions | None = None, where: str = "assumptions") -> Population:
    """A population from assumptions, the defaults without any."""
    known = given or Assumptions()
    values = known.model_dump(exclude={"name", "projects", "scenarios", "prompts"})
    if known.projects > known.services:
        raise StudyError(
            f"{where}: projects: {known.projects} projects cannot have only {known.services} services"
        )
    try:
        model = StudyModel(**values)
        _ = model.shifts  # effects that do not fit the scale are told here
    except StudyError as error:
        raise StudyError(f"{where}: {error}") from None
    return Population(
        known.name, ("simulated",), model, known.scenarios, known.prompts, known.projects,
        notes=("assumed, not fitted to any runs",),
    )  # fmt: skip
