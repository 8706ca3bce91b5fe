"""Draw whole studies from a model, many at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from study.calibration.model import StudyModel
from study.statistics.ranks import Array

SCENARIOS, PROMPTS = ("incremental", "clean_state"), ("minimal", "summary")


@dataclass(frozen=True)
class Studies:
    """Many studies of one model."""

    model: StudyModel
    rates: Array
    """Percent: studies x services x agents x scenarios x prompts x replicates; NaN where a run is lost."""
    tests: Array
    """Tests of each service."""

    def pairs(self, factor: str) -> Array:
        """Differences second minus first level: studies x services x pairs, NaN where one side is lost."""
        axis = 3 if factor == "scenario" else 4
        first, second = np.take(self.rates, 0, axis=axis), np.take(self.rates, 1, axis=axis)
        return np.asarray(np.round(second - first, 9).reshape(len(self.rates), self.model.services, -1))

    def by_agent(self) -> Array:
        """Mean rate of each service under each agent: studies x services x agents."""
        return np.asarray(np.nanmean(self.rates, axis=(3, 4, 5)))

    def frame(self, study: int = 0) -> pd.DataFrame:
        """One study as a tidy frame of runs, kind simulated."""
        shape = self.rates.shape[1:]
        service, agent, scenario, prompt, replicate = (index.ravel() for index in np.indices(shape))
        rates = self.rates[study].ravel()
        tests = self.tests[service]
        return pd.DataFrame({
            "kind": "simulated",
            "agent": [f"agent-{i + 1}" for i in agent],
            "project": [f"project-{i // 3 + 1}" for i in service],
            "service": [f"service-{i + 1}" for i in service],
            "scenario": [SCENARIOS[i] for i in scenario],
            "prompt": [PROMPTS[i] for i in prompt],
            "replicate": replicate + 1,
            "tests_reference": tests,
            "tests_passed": pd.array(np.round(rates / 100 * tests), dtype="Float64").astype("Int64"),
            "pass_rate_percent": rates,
        })  # fmt: skip


def draw(model: StudyModel, studies: int, seed: int | np.random.SeedSequence = 0) -> Studies:
    """Draw studies.

    Parameters
    ----------
    model : StudyModel
        The population.
    studies : int
        How many.
    seed : int or SeedSequence
        Everything follows from it and from the model.
    """
    rng = np.random.default_rng(seed)
    services, agents = model.services, model.agents
    shape = (studies, services, agents, 2, 2, model.replicates)
    own = 1 - model.service_share - model.agent_service_share

    def normal(*size: int) -> Array:
        return rng.standard_normal((studies, services, *size))

    latent = np.sqrt(model.service_share) * normal(1, 1, 1, 1)
    latent = latent + np.sqrt(model.agent_service_share) * normal(agents, 1, 1, 1)
    latent = latent + np.sqrt(own) * rng.standard_normal(shape)
    level = np.array([0.0, 1.0])
    shifts = model.shifts
    latent += np.array(shifts.agent)[:, None, None, None]
    latent += level[:, None, None] * (shifts.scenario + model.scenario_sd * normal(1, 1, 1, 1))
    latent += level[:, None] * (shifts.prompt + model.prompt_sd * normal(1, 1, 1, 1))
    tests = np.resize(np.array(model.tests), services)
    passed = rng.binomial(tests[:, None, None, None, None], model.score(latent) / 100)
    rates = 100 * passed / tests[:, None, None, None, None]
    if model.missing:
        rates = np.where(rng.random(shape) < model.missing, np.nan, rates)
    return Studies(model, rates, tests)
