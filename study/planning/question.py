"""What the next study is to find out, and the model under which that is there to be found."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from study.calibration.model import StudyModel
from study.planning.population import FACTORS, Factor, Population
from study.planning.theory import ALPHA
from study.schema import StudyError


@dataclass(frozen=True)
class Question:
    """What the next study is to find out."""

    factor: Factor = "scenario"
    effect: float = 10.0
    """Mean difference in points, second level minus first; the sign counts where rates are near 0 or 100."""
    power: float = 0.8

    def __post_init__(self) -> None:
        if self.factor not in FACTORS:
            raise StudyError(f"--factor: {self.factor!r} is not known; give {', '.join(FACTORS)}")
        if not 0 < abs(self.effect) < 100:
            raise StudyError(
                f"--effect: {self.effect:g} points: give a difference of pass rates, above 0 and "
                "below 100 in size"
            )
        if not ALPHA < self.power < 1:
            raise StudyError(
                f"--power: {self.power:g}: give a share above {ALPHA:g} and below 1, such as 0.8"
            )


def planned_model(population: Population, question: Question, agents: int, services: int) -> StudyModel:
    """The population's model with the effect that is asked for, and this many agents and services.

    Raises
    ------
    StudyError
        If the effect does not fit the scale, or the factor has one level only.
    """
    model, factor = population.model, question.factor
    if factor == "agent":
        if agents < 2:
            raise StudyError("--agents: one agent: agents cannot be compared; give at least 2")
        if model.agents < 2 and len(population.components):
            raise StudyError(
                f"--factor: {population.name} has one agent, which does not tell how much two agents differ "
                "on a service; give --model with a variance assumption"
            )
        effects: tuple[float, ...] = (question.effect, *[question.effect / 2] * (agents - 2))
        changes: dict[str, object] = {"agent": effects}
    else:
        if getattr(population, f"{factor}s") < 2:
            raise StudyError(
                f"--factor: {population.name} has one {factor} only, so there is no effect of it to plan for"
            )
        # agents beyond the known ones are as good as these on average
        known = [0.0, *model.agent, *[0.0] * model.agents][: model.agents]
        more = [float(np.mean(known))] * max(0, agents - model.agents)
        changes = {factor: question.effect, "agent": tuple([*known, *more][1:agents])}
    tests = tuple(np.resize(np.array(model.tests), services).tolist())
    planned = replace(model, services=services, agents=agents, tests=tests, **changes)  # type: ignore[arg-type]
    try:
        _ = planned.shifts
    except StudyError:
        raise StudyError(
            f"--effect: {question.effect:+g} points of the {factor} do not fit on the scale from 0 to 100, "
            "together with the effects of the other factors: "
            f"{_mean_of(population):.0f} % of the tests pass under the first levels; give a smaller effect"
            + (", or a negative one" if question.effect > 0 else ", or a positive one")
        ) from None
    return planned


def _mean_of(population: Population) -> float:
    return population.model.mean_score(0.0)
