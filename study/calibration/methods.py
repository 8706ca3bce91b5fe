"""The methods that are put to the proof: the package's own functions, called as the notebooks call them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import pandas as pd

from study.calibration.generate import PROMPTS, SCENARIOS, Studies
from study.statistics import aligned, as_published, effects, equivalence, models, permutation, related
from study.statistics.pairs import pairs
from study.statistics.ranks import Array, rank_sum
from study.statistics.walsh import hodges_lehmann

RATE = "pass_rate_percent"
BOUND = 10.0
"""Points within which the equivalence test calls two levels alike."""
_LEVELS = {"scenario": SCENARIOS, "prompt": PROMPTS}
_RESAMPLES = 2000
Standing = Literal["recommended", "companion", "as published", "not recommended"]
"""A companion stands beside the recommended methods; its interval is wide where many differences are tied."""


@dataclass(frozen=True)
class Drawn:
    """One drawn study, and the factor under test."""

    frame: pd.DataFrame
    factor: str

    @property
    def pair(self) -> tuple[str, str]:
        """Second level, first level: differences are in this order."""
        first, second = _LEVELS[self.factor]
        return second, first

    @cached_property
    def pairs(self) -> pd.DataFrame:
        return pairs(self.frame, RATE, self.factor, self.pair)


@dataclass(frozen=True)
class Method:
    """A method, how the package regards it, and what its interval is meant to cover."""

    name: str
    standing: Standing
    quantity: str
    """Of the interval, or what is tested."""
    run: Callable[[Drawn], pd.DataFrame]
    """Gives a frame of results; the first row counts."""
    truth: Callable[[Studies, str], float] | None = None
    """The quantity in the population, of a study with thousands of services; None: no interval."""
    rejects: bool = True
    """Whether it has a p value that is to be small only where there is an effect."""


def _sides(studies: Studies, factor: str) -> tuple[Array, Array]:
    axis = 3 if factor == "scenario" else 4
    first, second = np.take(studies.rates, 0, axis=axis), np.take(studies.rates, 1, axis=axis)
    return second[0].ravel(), first[0].ravel()


def points(studies: Studies, factor: str) -> float:
    """Mean difference in points, from the model and not from draws."""
    means = studies.model.shifts.means
    axis = 1 if factor == "scenario" else 2
    return float((np.take(means, 1, axis=axis) - np.take(means, 0, axis=axis)).mean())


def log_odds_ratio(studies: Studies, factor: str) -> float:
    """Difference of the logits of the mean rates, from the model."""
    means = studies.model.shifts.means / 100
    first, second = (np.take(means, i, axis=1 if factor == "scenario" else 2).mean() for i in (0, 1))
    return float(np.log(second / (1 - second)) - np.log(first / (1 - first)))


def delta(studies: Studies, factor: str) -> float:
    """Cliff's delta of two runs of different services."""
    second, first = _sides(studies, factor)
    return float(2 * rank_sum(second, first).excess / (len(first) * len(second)))


def pseudomedian(studies: Studies, factor: str) -> float:
    """Median of the averages of two paired differences of different services; of each service one pair."""
    pairs = studies.pairs(factor)[0]
    services = np.arange(len(pairs))
    return hodges_lehmann(pairs[services, services % pairs.shape[1]])


def _bootstrap(interval: str) -> Callable[[Drawn], pd.DataFrame]:
    def run(drawn: Drawn) -> pd.DataFrame:
        return effects.bootstrap_difference(drawn.pairs, interval=interval, resamples=_RESAMPLES)  # type: ignore[arg-type]

    return run


def _gee(drawn: Drawn) -> pd.DataFrame:
    table = models.marginal_logit(drawn.frame, RATE, [drawn.factor])
    return table[table["quantity"].ne("") & ~table["comparison"].str.contains("ntercept")]


METHODS = (
    Method("mean difference, t over services", "recommended", "points",
           lambda d: effects.mean_difference(d.pairs), points),
    Method("sign flips over services", "recommended", "any difference",
           lambda d: permutation.sign_flip(d.pairs)),
    Method("bootstrap over services, expanded", "recommended", "points",
           _bootstrap("expanded"), points, False),
    Method("bootstrap over services, studentised", "recommended", "points",
           _bootstrap("studentised"), points, False),
    Method("bootstrap over services, percentile", "not recommended", "points",
           _bootstrap("percentile"), points, False),
    Method("GEE, bias-reduced", "recommended", "log odds ratio", _gee, log_odds_ratio),
    Method("Cliff's delta, services resampled", "recommended", "delta",
           lambda d: effects.cliffs_delta(d.frame, RATE, d.factor, d.pair, resamples=_RESAMPLES),
           delta, False),
    Method("Hodges-Lehmann, services resampled", "companion", "points (pseudomedian)",
           lambda d: effects.hodges_lehmann(d.pairs, resamples=_RESAMPLES), pseudomedian, False),
    Method(f"equivalence within {BOUND:g} points (TOST)", "recommended", "equivalence",
           lambda d: equivalence.tost(d.pairs, BOUND)),
    Method("agents: labels permuted within services", "recommended", "any difference of agents",
           lambda d: permutation.omnibus(d.frame, RATE, "agent", drawn=_RESAMPLES)),
    Method("agents: Friedman over services", "recommended", "any difference of agents",
           lambda d: related.friedman(d.frame, RATE, "agent")),
    Method("interaction: sign flips over services", "recommended", "scenario x prompt",
           lambda d: permutation.interaction(d.frame, RATE, "prompt", "scenario")),
    Method("signed-rank, runs as independent pairs", "as published", "any difference",
           lambda d: as_published.signed_rank(d.pairs)),
    Method("rank-sum (Dunn of two groups), runs as independent", "as published", "any difference",
           lambda d: as_published.rank_sum(d.frame, RATE, d.factor, d.pair)),
    Method("agents: Kruskal-Wallis, runs as independent", "as published", "any difference of agents",
           lambda d: as_published.kruskal_wallis(d.frame, RATE, "agent")),
    Method("prompt by aligned ranks", "not recommended", "any difference of prompts",
           lambda d: aligned.aligned_ranks(d.frame, RATE, ["prompt", "scenario"])),
)  # fmt: skip
