"""The advice: what twice the runs buy, as replicates and as services; computed, and said in one sentence."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from study.planning.population import Population
from study.planning.question import Question
from study.schema import StudyError

LITTLE, LESS, ALIKE = 1 / 3, 0.8, 1.25
"""Gain of replicates over gain of services, up to which replicates add little, less, and as much."""


@dataclass(frozen=True)
class Doubling:
    """A design, and the same with twice the services or twice the replicates: equally many runs."""

    services: int
    replicates: int
    agents: int
    base: pd.Series[Any]
    more_services: pd.Series[Any]
    more_replicates: pd.Series[Any]

    @property
    def ratio(self) -> float:
        """How much narrower the interval gets by replicates, over how much by services."""
        by_services = self.base["half_width_points"] - self.more_services["half_width_points"]
        return float(
            (self.base["half_width_points"] - self.more_replicates["half_width_points"]) / by_services
        )

    @property
    def verdict(self) -> str:
        """In words; the sentence that the figure is to show."""
        if self.ratio <= LITTLE:
            return "replicates add little, projects add much"
        if self.ratio <= LESS:
            return "projects add more than replicates"
        if self.ratio <= ALIKE:
            return "replicates add about as much as projects"
        return "replicates add more than projects"


def doubled(population: Population) -> tuple[list[int], list[int]]:
    """Services and replicates that a grid must have for `double`."""
    k, r = population.model.services, population.model.replicates
    return [k, 2 * k], [r, 2 * r]


def double(grid: pd.DataFrame, population: Population, agents: int) -> Doubling:
    """The population's own design and its two ways to twice the runs, from a grid that has all three."""
    (k, more_k), (r, more_r) = doubled(population)
    known = grid[grid["agents"] == agents]

    def row(services: int, replicates: int) -> pd.Series[Any]:
        at = (known["services"] == services) & (known["replicates"] == replicates)
        return known[at].iloc[0]

    return Doubling(k, r, agents, row(k, r), row(more_k, r), row(k, more_r))


def sentence(population: Population, question: Question, found: Doubling, needed: pd.DataFrame) -> str:
    """The advice in one sentence."""
    runs = population.runs(found.services, found.replicates, found.agents)
    shape = ", ".join(
        _count(number, what)
        for number, what in (
            (found.services, "service"), (found.replicates, "replicate"), (found.agents, "agent"),
        )
    )  # fmt: skip
    base, services, replicates = found.base, found.more_services, found.more_replicates
    return (
        f"To find {question.effect:+g} points of the {question.factor}, twice the {runs} runs ({shape}) "
        f"raise the power from {base['power_t']:.2f} to {services['power_t']:.2f} as services and to "
        f"{replicates['power_t']:.2f} as replicates, and narrow the 95 % interval from "
        f"±{base['half_width_points']:.1f} to ±{services['half_width_points']:.1f} or "
        f"±{replicates['half_width_points']:.1f} points: {found.verdict}; "
        f"{_cheapest(question, needed[needed['agents'] == found.agents])}."
    )


def cautious_sentence(found: Doubling, points: float) -> str:
    """The advice if the effect differs between services by so many points (sd)."""
    powers = [float(row["power_t"]) for row in (found.base, found.more_services, found.more_replicates)]
    return (
        f"Should the effect differ between services by {points:g} points (sd), more than these runs show, "
        f"the powers are {powers[0]:.2f}, {powers[1]:.2f} and {powers[2]:.2f}: {found.verdict}."
    )


def _cheapest(question: Question, needed: pd.DataFrame) -> str:
    known = needed.dropna(subset=["runs"])
    if known.empty:
        return f"no number of services below 100,000 gives a power of {question.power:g}"
    best = known.sort_values(["runs", "services"]).iloc[0]
    range_ = (
        "" if pd.isna(best["services_low"]) else f" (from {best['services_low']} to {best['services_high']})"
    )
    return (
        f"a power of {question.power:g} takes {best['services']} services{range_}, about "
        f"{_count(int(best['projects']), 'project')}, with {_count(int(best['replicates']), 'replicate')}: "
        f"{best['runs']} runs"
    )


def with_spread(population: Population, factor: str, points: float) -> Population:
    """The population with an effect that differs between services by this much (sd in points).

    Latent units are converted by the slope of the mean rate in the middle between the factor's levels.

    Raises
    ------
    StudyError
        If the factor has no such spread, or it is no number of points.
    """
    if factor == "agent":
        raise StudyError(
            "--spread: is of the scenario or the prompt; that of agents is their part on a service"
        )
    if not 0 <= points < 100:
        raise StudyError(f"--spread: {points:g}: give points from 0 to below 100")
    model = population.model
    shift = getattr(model.shifts, factor) / 2
    slope = (model.mean_score(shift + 0.01) - model.mean_score(shift - 0.01)) / 0.02
    changes: dict[str, Any] = {f"{factor}_sd": points / slope}
    note = f"the {factor}'s effect is taken to differ between services by {points:g} points (sd), not fitted"
    return replace(
        population,
        model=replace(model, **changes),
        notes=(*population.notes, note),
        spread_points=points,
    )


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' if number != 1 else ''}"
