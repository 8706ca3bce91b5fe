"""A statistical model of a study: what the scores of runs depend on, and the effects that follow from it.

The score of a run is 0 with some probability (it does not build), 100 with some probability, and spread
evenly between 20 and 98 otherwise; a latent normal score decides. The latent score has a part that all runs
of a service share, a part that all runs of one agent on one service share, and the run's own. An effect of
the scenario, the prompt or the agent moves the latent score, and may be larger on one service than on
another. Passed tests are binomial given the score, so that rates are counts of a service's tests and tie.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from scipy.optimize import root
from scipy.special import ndtr, ndtri

from study.schema import StudyError
from study.statistics.ranks import Array

MIDDLE = (20.0, 98.0)
"""Percent; range of the scores that are neither 0 nor 100."""
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(200)


@dataclass(frozen=True)
class StudyModel:
    """A population of studies. Effects are in points of the mean pass rate, over all services there are."""

    services: int = 12
    agents: int = 3
    replicates: int = 1
    zero: float = 0.21
    """Share of runs with score 0 in the reference condition; with `full`, as the paper's incremental runs."""
    full: float = 0.33
    """Share with score 100."""
    service_share: float = 0.15
    """Part of the latent variance that all runs of a service share."""
    agent_service_share: float = 0.10
    """Part that runs of the same agent on the same service share beyond that."""
    scenario: float = 0.0
    """Mean effect of the second scenario, in points."""
    prompt: float = 0.0
    agent: tuple[float, ...] = ()
    """Mean effects of the second and later agents against the first, in points; 0 where not given."""
    scenario_sd: float = 0.0
    """How much the scenario's effect differs between services: sd in latent units (1 is about 25 points)."""
    prompt_sd: float = 0.0
    tests: tuple[int, ...] = (14, 18, 16, 51, 11, 6, 4, 9, 13, 5, 20, 8)
    """Tests of the services' oracles, repeated in turn."""
    missing: float = 0.0
    """Share of runs that are lost, whatever they would have scored."""

    def __post_init__(self) -> None:
        shares = self.service_share + self.agent_service_share
        if self.services < 2 or self.agents < 1 or self.replicates < 1:
            raise StudyError(f"model: services {self.services}, agents {self.agents}, replicates "
                             f"{self.replicates}: at least 2, 1 and 1 are needed")  # fmt: skip
        if not (self.zero > 0 and self.full > 0 and self.zero + self.full < 1):
            raise StudyError(
                f"model: zero {self.zero:g} and full {self.full:g} must be positive and sum below 1"
            )
        if min(self.service_share, self.agent_service_share) < 0 or shares >= 1:
            raise StudyError(
                f"model: shares of the variance must be 0 or more and sum below 1, not {shares:g}"
            )
        if not 0 <= self.missing < 1 or min(self.scenario_sd, self.prompt_sd) < 0 or min(self.tests) < 1:
            raise StudyError("model: missing must be from 0 to below 1, sds 0 or more, tests 1 or more")

    def score(self, latent: Array) -> Array:
        """Scores in percent of latent scores."""
        u = ndtr(latent)
        inner = np.clip((u - self.zero) / (1 - self.zero - self.full), 0, 1)
        middle = MIDDLE[0] + (MIDDLE[1] - MIDDLE[0]) * inner
        return np.where(u < self.zero, 0.0, np.where(u > 1 - self.full, 100.0, middle))

    def mean_score(self, shift: float, extra_variance: float = 0.0) -> float:
        """Expected score in percent where the latent mean is `shift` and its variance 1 + extra."""
        sd = np.sqrt(1 + extra_variance)
        low, high = ndtri(self.zero), ndtri(1 - self.full)
        z = (low + high) / 2 + (high - low) / 2 * _NODES
        density = np.exp(-(((z - shift) / sd) ** 2) / 2) / (sd * np.sqrt(2 * np.pi))
        middle = float((high - low) / 2 * np.sum(_WEIGHTS * density * self.score(z)))
        return middle + 100 * float(ndtr((shift - high) / sd))

    @cached_property
    def shifts(self) -> Shifts:
        """Latent shifts that give the effects in points.

        Raises
        ------
        StudyError
            If an effect is larger than the scale allows.
        """
        return _solve(self)

    @property
    def pairs_per_service(self) -> int:
        """Pairs of runs of one service that differ in the scenario only (or the prompt only)."""
        return self.agents * 2 * self.replicates


@dataclass(frozen=True)
class Shifts:
    """Of the latent score: for the second scenario, the second prompt, and each agent."""

    scenario: float
    prompt: float
    agent: tuple[float, ...]
    means: Array = field(compare=False, repr=False)
    """Expected scores in percent: agents x scenarios x prompts."""


def _solve(model: StudyModel) -> Shifts:
    """Find the latent shifts under which all effects in points are met at once."""
    agent_effects = [*model.agent, *[0.0] * (model.agents - 1 - len(model.agent))]
    wanted = np.array([model.scenario, model.prompt, *agent_effects])

    def off_by(shifts: Array) -> Array:
        return np.asarray(effects(cell_means(model, shifts)) - wanted)

    found = root(off_by, np.zeros(len(wanted)), tol=1e-12)
    if np.abs(off_by(found.x)).max() > 1e-6:
        raise StudyError(
            f"model: effects of {', '.join(f'{effect:g}' for effect in wanted)} points (scenario, prompt, "
            "agents) do not fit on a scale from 0 to 100 together"
        )
    scenario, prompt, *agent = found.x.tolist()
    return Shifts(scenario, prompt, (0.0, *agent), cell_means(model, found.x))


def cell_means(model: StudyModel, shifts: Array) -> Array:
    """Expected scores in percent, agents x scenarios x prompts; shifts of scenario, prompt, later agents."""
    scenario, prompt, *agent = shifts.tolist()
    means = np.empty((model.agents, 2, 2))
    for a, s, p in np.ndindex(means.shape):
        variance = s * model.scenario_sd**2 + p * model.prompt_sd**2
        means[a, s, p] = model.mean_score([0.0, *agent][a] + s * scenario + p * prompt, variance)
    return means


def effects(means: Array) -> Array:
    """Mean effects in points: scenario, prompt, and every later agent against the first."""
    scenario = (means[:, 1] - means[:, 0]).mean()
    prompt = (means[:, :, 1] - means[:, :, 0]).mean()
    return np.array([scenario, prompt, *(means[1:] - means[0]).mean(axis=(1, 2))])


def without_effects(model: StudyModel) -> StudyModel:
    """The same population with all mean effects zero; effects may still differ between services."""
    return replace(model, scenario=0.0, prompt=0.0, agent=())
