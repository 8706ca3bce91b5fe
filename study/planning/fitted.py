"""From a dataset to a population: the fitted model, and what was observed beside what it implies."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from scipy import stats

from study.calibration.model import StudyModel
from study.planning.arranged import moments
from study.planning.fit import Fitted, fit
from study.planning.observed import Moments
from study.planning.population import Population
from study.planning.power import differences, tally
from study.planning.question import Question
from study.schema import StudyError
from study.statistics.agreement import replicates as agreement
from study.statistics.ranks import Array
from study.statistics.summary import SERVICE

if TYPE_CHECKING:
    from study.records.dataset import Dataset


def from_dataset(data: Dataset) -> Population:
    """Fit the model to the runs of a dataset; see `study.planning.fit` for how.

    Raises
    ------
    StudyError
        If the runs do not give what the model needs: see `study.planning.observed.moments`.
    """
    return from_runs(data.runs, data.name)


def from_runs(runs: pd.DataFrame, name: str) -> Population:
    """As `from_dataset`, of a frame of runs with the columns of `runs.csv` that name the factors."""
    seen = moments(runs)
    found = fit(seen)
    scored = runs[runs["pass_rate_percent"].notna()]
    population = Population(
        name=name,
        kinds=tuple(sorted(runs["kind"].unique())) if "kind" in runs.columns else ("simulated",),
        model=_model(seen, found),
        scenarios=seen.shape[1],
        prompts=seen.shape[2],
        projects=int(scored["project"].nunique()),
        notes=(*seen.notes, *found.notes),
    )
    table = _components(population, seen, found, _project_share(scored, seen))
    notes = (*population.notes, *_spread_notes(table))
    return replace(population, components=table, notes=notes)


def _model(seen: Moments, found: Fitted) -> StudyModel:
    means = found.means
    scenario = (means[:, 1] - means[:, 0]).mean() if seen.shape[1] > 1 else 0.0
    prompt = (means[:, :, 1] - means[:, :, 0]).mean() if seen.shape[2] > 1 else 0.0
    agents = (means[1:] - means[0]).mean(axis=(1, 2))
    # rounded, so that the last digits of another machine's solver change no draw
    parameters: dict[str, Any] = {
        name: round(getattr(found, name), 4)
        for name in ("zero", "full", "service_share", "agent_service_share", "scenario_sd", "prompt_sd")
    }
    return StudyModel(
        services=len(seen.rates),
        agents=seen.shape[0],
        replicates=seen.replicates,
        scenario=round(float(scenario), 2),
        prompt=round(float(prompt), 2),
        agent=tuple(round(float(effect), 2) for effect in agents),
        tests=tuple(map(int, seen.tests)),
        missing=round(min(seen.missing, 0.99), 4),
        **parameters,
    )


def _components(population: Population, seen: Moments, found: Fitted, projects: list[Any]) -> pd.DataFrame:
    """Rows of quantity, unit, observed with its interval where it has one, and fitted."""
    model = population.model
    own = 1 - model.service_share - model.agent_service_share
    rows: list[list[Any]] = [
        ["runs with a rate of 0", "%", 100 * seen.zero, None, None, None],
        ["runs with a rate of 100", "%", 100 * seen.full, None, None, None],
        ["mean rate", "%", float(seen.cell_means.mean()), None, None, float(found.means.mean())],
    ]
    fitted_effects = seen.contrasts @ found.means.ravel()
    for name, observed, value in zip(_effect_names(seen), seen.effects, fitted_effects, strict=True):
        rows.append([name, "points", observed, None, None, value])
    rows += [
        ["score 0 under the first levels", "% of runs", None, None, None, 100 * model.zero],
        ["score 100 under the first levels", "% of runs", None, None, None, 100 * model.full],
        ["variance: service", "% of latent", None, None, None, 100 * model.service_share],
        ["variance: agent on a service", "% of latent", None, None, None, 100 * model.agent_service_share],
        ["variance: run", "% of latent", None, None, None, 100 * own],
    ]
    for factor, levels in (("scenario", seen.shape[1]), ("prompt", seen.shape[2]), ("agent", seen.shape[0])):
        if levels < 2:
            continue
        if factor != "agent":
            sd = getattr(model, f"{factor}_sd")
            rows.append([f"spread of the {factor}'s effect over services", "latent", None, None, None, sd])
        rows.append(
            [f"sd of the services' {factor} differences", "points", *_spread(population, seen, factor)]
        )
    names = ["quantity", "unit", "observed", "low", "high", "fitted"]
    return pd.DataFrame([*rows, *projects], columns=names).astype(dict.fromkeys(names[2:], float))


def _spread_notes(table: pd.DataFrame) -> list[str]:
    """Where the spread of the services' differences is not what the model makes of the other moments."""
    told = []
    for row in table[table["quantity"].str.startswith("sd of")].to_dict("records"):
        if row["fitted"] < row["low"] or row["fitted"] > row["high"]:
            kind = "too pessimistic" if row["fitted"] > row["high"] else "too hopeful"
            told.append(
                f"{row['quantity']}: {row['fitted']:.1f} points in the model, {row['observed']:.1f} in the "
                f"runs (95 % interval {row['low']:.1f} to {row['high']:.1f}): the plan may be {kind}"
            )
    return told


def _effect_names(seen: Moments) -> list[str]:
    names = ["effect of the scenario"] * (seen.shape[1] > 1) + ["effect of the prompt"] * (seen.shape[2] > 1)
    return [*names, *(f"{agent} against {seen.agents[0]}" for agent in seen.agents[1:])]


def _spread(population: Population, seen: Moments, factor: str) -> list[Any]:
    """Observed sd of the services' mean differences with its 95 % interval, and what the model gives."""
    values = seen.service_differences(factor)
    values = values[np.isfinite(values)]
    if len(values) < 3:
        return [None, None, None, None]
    sd, df = float(np.std(values, ddof=1)), len(values) - 1
    low, high = sd_bounds(df)
    model = population.model
    effect = model.agent[0] if factor == "agent" else getattr(model, factor)
    question = Question(factor, effect if abs(effect) > 1e-6 else 1e-6)  # type: ignore[arg-type]
    try:
        drawn = differences(
            population, question, services=model.services, replicates=model.replicates, agents=model.agents,
            studies=500,
        )  # fmt: skip
    except StudyError:  # effects at the very bounds of the scale
        return [sd, sd * low, sd * high, None]
    return [sd, sd * low, sd * high, tally(drawn[-1]).sd]


def sd_bounds(df: int, level: float = 0.95) -> tuple[float, float]:
    """Factors from a standard deviation with `df` degrees of freedom to the bounds of its interval."""
    tail = (1 - level) / 2
    return float(np.sqrt(df / stats.chi2.isf(tail, df))), float(np.sqrt(df / stats.chi2.ppf(tail, df)))


def _project_share(scored: pd.DataFrame, seen: Moments) -> list[Any]:
    """Share of the variance of the services' differences that lies between projects, with its interval.

    The model has no such part. Where it is large, services of one project are worth less than services of
    different projects, and the services that are needed should be spread over more projects.
    """
    values: Array = seen.service_differences("scenario" if seen.shape[1] > 1 else "prompt")
    projects = scored[SERVICE].drop_duplicates()["project"].to_numpy()
    if len(values) != len(projects):
        return []
    frame = pd.DataFrame({"project": projects, "difference": values}).dropna()
    if frame["project"].nunique() < 2 or len(frame) == frame["project"].nunique():
        return []
    factor = "scenario" if seen.shape[1] > 1 else "prompt"
    found = agreement(frame, "difference", cell=["project"], cluster=["project"]).iloc[-1]
    row = [100 * found[name] if pd.notna(found[name]) else None for name in ("estimate", "low", "high")]
    return [
        [f"variance of the {factor} differences between projects (no part of the model)", "%", *row, None]
    ]
