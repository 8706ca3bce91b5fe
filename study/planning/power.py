"""Power and width of the interval by simulation: whole studies drawn from the model, analysed by service.

Each study's analysis is the package's primary one: the mean difference of every service, then a t interval
over the services and the exact sign-flip test. The largest design is drawn once; smaller ones are its first
services, replicates or agents, so that curves are smooth, and the whole grid takes seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import pandas as pd
from scipy import stats

from study.calibration.generate import draw
from study.planning.population import Factor, Population
from study.planning.question import Question, planned_model
from study.planning.theory import ALPHA, theory
from study.schema import StudyError
from study.statistics.ranks import Array

SEED, STUDIES = 20260309, 2000
ENUMERATED = 12
"""Up to so many services all sign patterns are tried, beyond that `FLIPS` drawn ones."""
FLIPS = 999
MAX_DRAWN = 600_000_000
"""Scores that a plan may draw; more is refused rather than let run for hours."""
_CHUNK = 2_000_000


def differences(
    population: Population,
    question: Question,
    *,
    services: int,
    replicates: int,
    agents: int,
    studies: int = STUDIES,
    seed: int = SEED,
    on_done: Callable[[int], None] | None = None,
) -> Array:
    """Mean differences of every service for 1, 2, ... replicates.

    Returns
    -------
    array
        replicates x studies x services, in points; NaN for a service that lost all its pairs.
    """
    model = planned_model(population, question, agents, services)
    model = replace(model, replicates=replicates)
    size = services * agents * 4 * replicates
    chunk = max(1, min(studies, _CHUNK // size))
    parts = []
    for start in range(0, studies, chunk):
        seeds = np.random.SeedSequence([seed, agents, start])
        drawn = draw(model, min(chunk, studies - start), seeds).rates
        if on_done is not None:
            on_done(len(drawn))
        parts.append(
            by_service(drawn[:, :, :, : population.scenarios, : population.prompts], question.factor)
        )
    return np.concatenate(parts, axis=1)


def by_service(rates: Array, factor: Factor) -> Array:
    """Mean differences of rates: studies x services x agents x scenarios x prompts x replicates.

    Returns
    -------
    array
        replicates x studies x services: the mean over the pairs of the first 1, 2, ... replicates.
    """
    axis = {"agent": 2, "scenario": 3, "prompt": 4}[factor]
    pairs = np.take(rates, 1, axis=axis) - np.take(rates, 0, axis=axis)
    known = np.isfinite(pairs)
    sums = np.cumsum(np.where(known, pairs, 0.0).sum(axis=(2, 3)), axis=-1)
    counts = np.cumsum(known.sum(axis=(2, 3)), axis=-1)
    means = np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)
    return np.asarray(np.moveaxis(means, -1, 0))


@dataclass(frozen=True)
class Tally:
    """What many studies of one design gave."""

    estimate: float
    """Mean over the studies, in points."""
    sd: float
    """Of the services' mean differences, in points (root of the mean variance)."""
    half_width: float
    """Mean half of the 95 % interval, in points."""
    power_t: float
    power_flip: float


def tally(means: Array, seed: int = SEED, alpha: float = ALPHA) -> Tally:
    """Analyse studies x services of mean differences by t over services, and by sign flips."""
    known = np.isfinite(means)
    k = known.sum(axis=1)
    usable = k >= 2
    means, known, k = means[usable], known[usable], k[usable]
    if not len(k):
        raise StudyError("plan: nearly all runs are lost under this model; give a smaller `missing`")
    values = np.where(known, means, 0.0)
    estimate = values.sum(axis=1) / k
    variance = np.where(known, (means - estimate[:, None]) ** 2, 0.0).sum(axis=1) / (k - 1)
    error = np.sqrt(variance / k)
    width = stats.t.ppf(1 - alpha / 2, k - 1) * error
    found = np.abs(estimate) > width + 1e-9
    return Tally(
        float(estimate.mean()), float(np.sqrt(variance.mean())), float(width.mean()),
        float(found.mean()), float(flip_rejections(values, seed, alpha).mean()),
    )  # fmt: skip


def flip_rejections(values: Array, seed: int = SEED, alpha: float = ALPHA) -> Array:
    """Whether the sign-flip test rejects in each study (studies x services; a lost service is 0).

    As `study.statistics.permutation.sign_flip_p`, for many studies at once; beyond `ENUMERATED` services
    with `FLIPS` drawn patterns, the same for all studies, and (1 + hits) / (1 + FLIPS) as p.
    """
    services = values.shape[1]
    if services <= ENUMERATED:
        # the first sign is fixed: the other half of the patterns mirrors this one
        signs = np.array(list(product((1.0, -1.0), repeat=services - 1))).reshape(-1, services - 1)
        signs = np.column_stack([np.ones(len(signs)), signs])
        extra = 0
    else:
        rng = np.random.default_rng(seed)
        signs = rng.integers(0, 2, size=(FLIPS, services)) * 2.0 - 1.0
        extra = 1
    observed = np.abs(values.sum(axis=1)) - 1e-9 * np.maximum(1.0, np.abs(values).sum(axis=1))
    hits = np.zeros(len(values))
    for block in np.array_split(signs, max(1, len(signs) * len(values) // _CHUNK)):
        hits += (np.abs(block @ values.T) >= observed).sum(axis=0)
    return np.asarray((hits + extra) / (len(signs) + extra) <= alpha + 1e-12)


def power_grid(
    population: Population,
    question: Question,
    services: Sequence[int],
    replicates: Sequence[int],
    agents: Sequence[int],
    *,
    studies: int = STUDIES,
    seed: int = SEED,
    on_done: Callable[[int], None] | None = None,
) -> pd.DataFrame:
    """Power and interval width of every design of the grid.

    `on_done` is called with the number of studies that were just drawn; that is `studies`
    for each number of agents.

    Returns
    -------
    DataFrame
        One row per design: kind (simulated), factor, effect_points, services, projects (services over the
        services per project of the dataset), replicates, agents, runs, half_width_points (mean half of the
        95 % interval), sd_points (of the services' mean differences), power_t, power_flip (shares of the
        simulated studies in which t over services, and sign flips, find the effect), power_theory (noncentral
        t with that sd), error (two Monte Carlo standard errors of the powers), studies.

    Raises
    ------
    StudyError
        If a number is out of range, or the effect does not fit the scale.
    """
    check_grid(services, replicates, agents)
    rows = []
    for number in agents:
        scores = studies * max(services) * max(replicates) * number * 4
        if scores > MAX_DRAWN:
            raise StudyError(
                f"plan: {scores:.2g} simulated runs are too many; lower --services, --replicates, "
                "--agents or --studies"
            )
        drawn = differences(
            population, question, services=max(services), replicates=max(replicates), agents=number,
            studies=studies, seed=seed,
            on_done=on_done,
        )  # fmt: skip
        for k, r in product(services, replicates):
            found = tally(drawn[r - 1, :, :k], seed)
            rows.append(_row(population, question, k, r, number, found, studies))
    return pd.DataFrame(rows)


def _row(
    population: Population, question: Question, k: int, r: int, agents: int, found: Tally, studies: int
) -> dict[str, object]:
    return {
        "kind": "simulated",
        "factor": question.factor,
        "effect_points": question.effect,
        "services": k,
        "projects": k / population.services_per_project,
        "replicates": r,
        "agents": agents,
        "runs": population.runs(k, r, agents),
        "half_width_points": found.half_width,
        "sd_points": found.sd,
        "power_t": found.power_t,
        "power_flip": found.power_flip,
        "power_theory": theory(k, question.effect, found.sd),
        "error": 2 * float(np.sqrt(max(found.power_t * (1 - found.power_t), 0.25 / studies) / studies)),
        "studies": studies,
    }


def check_grid(services: Iterable[int], replicates: Iterable[int], agents: Iterable[int]) -> None:
    """Refuse numbers that make no design."""
    for option, values, least, most in (
        ("--services", services, 2, 2000), ("--replicates", replicates, 1, 100), ("--agents", agents, 1, 50),
    ):  # fmt: skip
        listed = list(values)
        if not listed:
            raise StudyError(f"{option}: no number given")
        for value in listed:
            if not least <= value <= most:
                raise StudyError(f"{option}: {value}: give numbers from {least} to {most}")
