"""A whole plan: population, grid, needs, advice; and what the notebook shows where there can be none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from study.planning import advice
from study.planning.cost import costs
from study.planning.fitted import from_dataset
from study.planning.needs import needs, with_detectable
from study.planning.population import Population
from study.planning.power import SEED, STUDIES, Question, check_grid, power_grid
from study.schema import StudyError

if TYPE_CHECKING:
    from study.design import Limits
    from study.records.dataset import Dataset

REPLICATES = (1, 2, 3)
CAUTIOUS = 10.0
"""Points by which the effect is taken to differ between services in the second, cautious sentence."""


@dataclass(frozen=True)
class Planned:
    """What `study plan` prints and notebook 10 shows. Without a population, `why` says why."""

    name: str
    kinds: tuple[str, ...]
    question: Question
    population: Population | None
    grid: pd.DataFrame
    needed: pd.DataFrame
    sentences: tuple[str, ...]
    why: str = ""

    @property
    def assumed(self) -> pd.DataFrame:
        """What the plan rests on: see `study.planning.fitted`; empty for assumptions."""
        return pd.DataFrame() if self.population is None else self.population.components

    @property
    def notes(self) -> list[str]:
        return [self.why] if self.population is None else list(self.population.notes)


def plan(
    population: Population,
    question: Question,
    services: Sequence[int] | None = None,
    replicates: Sequence[int] | None = None,
    agents: Sequence[int] | None = None,
    *,
    studies: int = STUDIES,
    seed: int = SEED,
    on_done: Callable[[int], None] | None = None,
) -> Planned:
    """Compute grid, needs and advice; designs of 1, 2 and 4 times the population's services by default."""
    base = population.model
    fewest = 2 if question.factor == "agent" else 1
    k = sorted(set(services or (base.services, 2 * base.services, 4 * base.services)))
    r = sorted(set(replicates or (*REPLICATES, base.replicates)))
    a = sorted(set(agents or (max(base.agents, fewest),)))
    check_grid(k, r, a)
    more_k, more_r = advice.doubled(population)
    full = power_grid(
        population, question, sorted({*k, *more_k}), sorted({*r, *more_r}), a,
        studies=studies, seed=seed, on_done=on_done,
    )  # fmt: skip
    grid = full[full["services"].isin(k) & full["replicates"].isin(r)].reset_index(drop=True)
    grid = with_detectable(grid, population, question, seed)
    needed = needs(grid, population, question)
    told = [
        advice.sentence(population, question, advice.double(full, population, a[0]), needed),
        *_cautious(population, question, a[0], studies, seed),
    ]
    return Planned(population.name, population.kinds, question, population, grid, needed, tuple(told))


def _cautious(population: Population, question: Question, agents: int, studies: int, seed: int) -> list[str]:
    """The advice if the effect differs between services more than a small dataset may have shown."""
    if question.factor == "agent" or not len(population.components):
        return []
    wider = advice.with_spread(population, question.factor, CAUTIOUS)
    name = f"{question.factor}_sd"
    if getattr(wider.model, name) <= getattr(population.model, name):
        return []
    grid = power_grid(wider, question, *advice.doubled(wider), [agents], studies=studies, seed=seed)
    found = advice.double(grid, wider, agents)
    return [
        f"Should the effect differ between services by {CAUTIOUS:g} points (sd), more than these runs show, the powers "
        f"are {found.base['power_t']:.2f}, {found.more_services['power_t']:.2f} and {found.more_replicates['power_t']:.2f}: "
        f"{found.verdict}."
    ]


def plan_dataset(data: Dataset, question: Question | None = None, *, studies: int = STUDIES) -> Planned:
    """Plan from a dataset for the notebook; where nothing can be planned, the plan says why and is empty."""
    asked = question or Question()
    try:
        return plan(from_dataset(data), asked, studies=studies)
    except StudyError as error:
        empty = pd.DataFrame()
        return Planned(data.name, tuple(sorted(data.kind)), asked, None, empty, empty, (), str(error))


def cost_of_needed(data: Dataset, planned: Planned, *, limits: Limits | None = None, jobs: int = 1) -> pd.DataFrame:
    """Cost of the cheapest design that is enough, all its runs, by agent; empty where there is no plan."""
    known = planned.needed.dropna(subset=["runs"]) if len(planned.needed) else planned.needed
    if known.empty:
        return pd.DataFrame()
    best = known.sort_values(["runs", "services"]).iloc[0]
    names = list(dict.fromkeys(data.runs["agent"]))
    each = int(best["runs"]) // int(best["agents"])
    agents = [*names, *(f"agent {i + 1}" for i in range(len(names), int(best["agents"])))][: int(best["agents"])]
    return costs(data.runs, dict.fromkeys(agents, each), limits=limits, jobs=jobs)
