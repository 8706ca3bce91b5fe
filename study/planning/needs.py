"""How many services find an effect, and the smallest effect that a design finds."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from study.planning.fitted import sd_bounds
from study.planning.population import Population
from study.planning.power import SEED, differences, tally
from study.planning.question import Question, planned_model
from study.planning.theory import services_needed, theory
from study.schema import StudyError
from study.statistics.ranks import Array

_STEPS = (0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0)
_SERVICES, _STUDIES = 24, 200
_FINE = 400


@dataclass(frozen=True)
class Ladder:
    """Spread of the services' mean differences at several effects: near 0 and 100 % it shrinks."""

    effects: Array
    """Sizes in points, rising."""
    sds: Array
    """Effects x replicates (1, 2, ...)."""

    def detectable(self, services: int, replicates: int, power: float) -> float:
        """Smallest effect found with this power, in points; NaN if none that fits the scale is."""
        fine = np.linspace(self.effects[0] / 10, self.effects[-1], _FINE)
        sds = np.interp(fine, self.effects, self.sds[:, replicates - 1])
        low, high = 0, _FINE - 1
        if theory(services, fine[high], sds[high]) < power:
            return float(np.nan)
        while low < high:
            middle = (low + high) // 2
            enough = theory(services, fine[middle], sds[middle]) >= power
            low, high = (low, middle) if enough else (middle + 1, high)
        return float(fine[high])


def ladder(
    population: Population, question: Question, agents: int, replicates: int, seed: int = SEED
) -> Ladder:
    """Simulate the spread at fractions and multiples of the effect, as far as these fit the scale."""
    most = _largest(population, question, agents)
    steps = [*(step for step in _STEPS if step < most), most]
    found = {}
    for step in steps:
        asked = replace(question, effect=question.effect * step)
        try:
            drawn = differences(
                population, asked, services=_SERVICES, replicates=replicates, agents=agents,
                studies=_STUDIES, seed=seed,
            )  # fmt: skip
        except StudyError:
            if step == 1:
                raise
            continue  # it is the effects together that must fit: near the bounds a smaller one may not
        found[abs(asked.effect)] = [tally(means).sd for means in drawn]
    return Ladder(np.array(list(found)), np.array(list(found.values())))


def _largest(population: Population, question: Question, agents: int) -> float:
    """Largest multiple of the effect that fits the scale, to a few percent; at least 1."""

    def fits(step: float) -> bool:
        try:
            planned_model(population, replace(question, effect=question.effect * step), agents, _SERVICES)
        except StudyError:
            return False
        return True

    low, high = 1.0, min(_STEPS[-1], 99 / abs(question.effect))
    if high <= low or fits(high):
        return max(low, high)
    while high / low > 1.03:
        middle = (low + high) / 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def with_detectable(
    grid: pd.DataFrame, population: Population, question: Question, seed: int = SEED
) -> pd.DataFrame:
    """Add `detectable_points` to a grid: the smallest effect that each design finds with the power asked."""
    most = int(grid["replicates"].max())
    ladders = {int(a): ladder(population, question, int(a), most, seed) for a in grid["agents"].unique()}
    designs = zip(grid["agents"], grid["services"], grid["replicates"], strict=True)
    values = [ladders[int(a)].detectable(int(k), int(r), question.power) for a, k, r in designs]
    place = list(grid.columns).index("half_width_points") + 1
    table = grid.copy()
    table.insert(place, "detectable_points", values)
    return table


def needs(grid: pd.DataFrame, population: Population, question: Question) -> pd.DataFrame:
    """Services, and runs, that find the effect with the power asked for.

    Parameters
    ----------
    grid : DataFrame
        From `study.planning.power.power_grid`; the spread is that of its largest designs.
    population, question
        That the grid was made for.

    Returns
    -------
    DataFrame
        One row per number of agents and of replicates: kind (simulated), factor, effect_points, power,
        replicates, agents, services (fewest, by the noncentral t), services_low and services_high (if the
        true spread lies at the ends of the 95 % interval that the dataset's number of services gives it;
        missing for assumptions), projects (rounded up), runs, sd_points. Missing services: more than 100,000.
    """
    rows = []
    for _, part in grid.groupby(["agents", "replicates"], sort=True):
        agents, replicates = int(part["agents"].iloc[0]), int(part["replicates"].iloc[0])
        sd = float(part.sort_values("services")["sd_points"].iloc[-1])
        k = services_needed(question.effect, sd, question.power)
        low = high = None
        if len(population.components):
            bounds = sd_bounds(population.model.services - 1)
            low, high = (services_needed(question.effect, sd * bound, question.power) for bound in bounds)
        rows.append({
            "kind": "simulated", "factor": question.factor, "effect_points": question.effect,
            "power": question.power, "replicates": replicates, "agents": agents,
            "services": k, "services_low": low, "services_high": high,
            "projects": None if k is None else int(np.ceil(k / population.services_per_project - 1e-9)),
            "runs": None if k is None else population.runs(k, replicates, agents),
            "sd_points": sd,
        })  # fmt: skip
    whole = ["services", "services_low", "services_high", "projects", "runs"]
    return pd.DataFrame(rows).astype(dict.fromkeys(whole, "Int64"))
