"""A whole plan: population, grid, needs, advice; and what the notebook shows where there can be none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pandas as pd

from study.planning import advice
from study.planning.cost import costs
from study.planning.fitted import from_dataset
from study.planning.needs import needs, with_detectable
from study.planning.population import FACTORS, Population
from study.planning.power import SEED, STUDIES, check_grid, power_grid
from study.planning.question import Question, planned_model
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
    cautious: pd.DataFrame = field(default_factory=pd.DataFrame)
    """The grid if the effect differs by `CAUTIOUS` points between services; empty if it does so anyway."""

    @property
    def assumed(self) -> pd.DataFrame:
        """What the plan rests on: see `study.planning.fitted`; empty for assumptions."""
        return pd.DataFrame() if self.population is None else self.population.components

    @property
    def advice(self) -> list[str]:
        """The sentences, or why there are none."""
        return list(self.sentences) or [f"Nothing can be planned from these runs. {self.why}"]

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
    every = sorted({*k, *more_k}), sorted({*r, *more_r})
    full = power_grid(population, question, *every, a, studies=studies, seed=seed, on_done=on_done)
    grid = with_detectable(_of(full, k, r), population, question, seed)
    needed = needs(grid, population, question)
    told = [advice.sentence(population, question, advice.double(full, population, a[0]), needed)]
    wider = _wider(population, question)
    cautious = pd.DataFrame()
    if wider is not None:
        cautious = power_grid(wider, question, *every, a[:1], studies=studies, seed=seed, on_done=on_done)
        told.append(advice.cautious_sentence(advice.double(cautious, wider, a[0]), CAUTIOUS))
        cautious = _of(cautious, k, r)
    return Planned(
        population.name, population.kinds, question, population, grid, needed, tuple(told), cautious=cautious
    )


def _of(grid: pd.DataFrame, services: Sequence[int], replicates: Sequence[int]) -> pd.DataFrame:
    asked = grid["services"].isin(services) & grid["replicates"].isin(replicates)
    return grid[asked].reset_index(drop=True)


def _wider(population: Population, question: Question) -> Population | None:
    """The population with an effect that differs between services more than few services may have shown."""
    given = population.spread_points is not None or not len(population.components)
    if question.factor == "agent" or given:
        return None
    wider = advice.with_spread(population, question.factor, CAUTIOUS)
    name = f"{question.factor}_sd"
    if getattr(wider.model, name) <= getattr(population.model, name):
        return None
    try:
        planned_model(wider, question, max(population.model.agents, 1), population.model.services)
    except StudyError:  # so near to 0 or 100 % that no effect can differ by that much
        return None
    return wider


def default_question(data: Dataset, effect: float = Question.effect) -> Question:
    """To find an effect of the first factor that has several levels in the dataset."""
    several = [factor for factor in FACTORS if data.runs[factor].nunique() > 1]
    return Question(several[0] if several else FACTORS[0], effect)


def plan_dataset(data: Dataset, question: Question | None = None, *, studies: int = STUDIES) -> Planned:
    """Plan from a dataset for the notebook; where nothing can be planned, the plan says why and is empty."""
    asked = question or default_question(data)
    try:
        return plan(from_dataset(data), asked, studies=studies)
    except StudyError as error:
        empty = pd.DataFrame()
        return Planned(data.name, tuple(sorted(data.kind)), asked, None, empty, empty, (), str(error))


def cost_of_needed(
    data: Dataset, planned: Planned, *, limits: Limits | None = None, jobs: int = 1
) -> pd.DataFrame:
    """Cost of the cheapest design that is enough, all its runs, by agent; empty where there is no plan."""
    known = planned.needed.dropna(subset=["runs"]) if len(planned.needed) else planned.needed
    if known.empty:
        return pd.DataFrame()
    best = known.sort_values(["runs", "services"]).iloc[0]
    names = list(dict.fromkeys(data.runs["agent"]))
    each = int(best["runs"]) // int(best["agents"])
    agents = [*names, *(f"agent {i + 1}" for i in range(len(names), int(best["agents"])))][
        : int(best["agents"])
    ]
    return costs(data.runs, dict.fromkeys(agents, each), limits=limits, jobs=jobs)
