"""What the runs of a design will take in hours and money, from the runs of a dataset."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from study.design import Limits
from study.planning.power import SEED
from study.schema import StudyError
from study.statistics.ranks import Array
from study.statistics.summary import SERVICE, levels

RESAMPLES = 2000
ALL = "all"
_TAIL = 2.5


def per_run(runs: pd.DataFrame, limits: Limits | None = None) -> pd.DataFrame:
    """Minutes and USD of every run that counts, cut at the limits of the design.

    Runs that ended by an infrastructure error are left out: they are tried again. A time above the limit
    becomes the limit, and the cost of that run falls in proportion; a cost above `agent_usd` becomes that.
    The times of simulated agents are made up, so no limit ever cut them, and none is applied here.

    Returns
    -------
    DataFrame
        agent, service, kind, minutes, usd (NaN where the run does not report it), cut (by the new limits),
        stopped (ended by the old limit below the new one: would have gone on).
    """
    counted = runs[runs["outcome"] != "infrastructure_error"]
    minutes, usd = (
        pd.to_numeric(counted[name]).astype("float64").to_numpy() for name in ("time_min", "cost_usd")
    )
    real = (counted["kind"] != "simulated").to_numpy()
    ended = (counted["outcome"] == "timeout").to_numpy()
    cut = np.zeros(len(counted), dtype=bool)
    stopped = ended & real
    if limits is not None:
        most = limits.agent_seconds / 60
        cut = real & (minutes > most)
        stopped = ended & real & (minutes < 0.98 * most)
        usd = np.where(cut, usd * most / minutes, usd)
        minutes = np.where(cut, most, minutes)
        if limits.agent_usd is not None:
            usd = np.where(real & (usd > limits.agent_usd), limits.agent_usd, usd)
    return pd.DataFrame({
        "agent": counted["agent"].to_numpy(),
        "service": counted[SERVICE].astype(str).agg("/".join, axis=1).to_numpy(),
        "kind": counted["kind"].to_numpy(),
        "minutes": minutes, "usd": usd, "cut": cut, "stopped": stopped,
    })  # fmt: skip


def costs(
    runs: pd.DataFrame,
    planned: Mapping[str, int],
    *,
    limits: Limits | None = None,
    jobs: int = 1,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> pd.DataFrame:
    """Hours and money of planned runs, per agent and in all, with a 95 % interval of the total.

    The interval is that of a bootstrap: services are resampled, then the planned runs are drawn from their
    runs, so that it holds both what is not known of the mean and the luck of the new runs. Time is that of
    the agents; tests and controls come on top. `wall_hours` is the agents' time over `jobs` runs at once.

    Parameters
    ----------
    runs : DataFrame
        As in `runs.csv`.
    planned : mapping
        Number of new runs by agent.
    limits : Limits, optional
        Of the design, see `per_run`.
    jobs : int
        Runs at the same time.
    resamples, seed : int
        Of the bootstrap.

    Returns
    -------
    DataFrame
        Rows: the agents, then `all`. kind; agent; runs (planned); hours, hours_low, hours_high; wall_hours;
        usd, usd_low, usd_high; known_time, known_cost (runs of the dataset behind them); note. What no run
        reports is missing, for the agent and for the sum.

    Raises
    ------
    StudyError
        If a number of runs or of jobs is negative, or nothing is planned.
    """
    if jobs < 1:
        raise StudyError(f"--jobs: {jobs}: give 1 or more")
    wrong = [f"{agent}: {n}" for agent, n in planned.items() if n < 0]
    if wrong or not planned:
        raise StudyError(f"plan: runs per agent: {wrong[0] if wrong else 'none'}; there must be 0 or more")
    known = per_run(runs, limits)
    weights = _service_weights(known, resamples, seed)
    rows, totals = [], {"minutes": np.zeros(resamples), "usd": np.zeros(resamples)}
    for i, (agent, number) in enumerate(planned.items()):
        own = known[known["agent"] == agent]
        drawn = {
            name: _totals(own, name, number, weights, np.random.default_rng([seed, i])) for name in totals
        }
        totals = {name: totals[name] + drawn[name] for name in totals}
        means = {name: own[name].mean() * number if number else 0.0 for name in totals}
        rows.append(_row(agent, number, means, drawn, own, jobs))
    table = pd.DataFrame(rows)
    sums = {name: table[column].sum(skipna=False) for name, column in (("minutes", "hours"), ("usd", "usd"))}
    sums["minutes"] *= 60
    every = known[known["agent"].isin(list(planned))]
    rows.append(_row(ALL, int(table["runs"].sum()), sums, totals, every, jobs))
    return pd.DataFrame(rows)


def _service_weights(known: pd.DataFrame, resamples: int, seed: int) -> pd.DataFrame:
    """How often each service enters each resample: resamples x services."""
    services = levels(known["service"])
    if not services:
        return pd.DataFrame(index=range(resamples))
    rng = np.random.default_rng(seed)
    counts = rng.multinomial(len(services), np.full(len(services), 1 / len(services)), size=resamples)
    return pd.DataFrame(counts, columns=services)


def _totals(
    own: pd.DataFrame, name: str, number: int, weights: pd.DataFrame, rng: np.random.Generator
) -> Array:
    """Total of `number` runs in every resample; NaN if no run reports it, 0 if no run is planned."""
    values = own.dropna(subset=[name])
    if not number:
        return np.zeros(len(weights))
    if values.empty:
        return np.full(len(weights), np.nan)
    chance = weights[list(values["service"])].to_numpy(dtype=float, copy=True)
    empty = chance.sum(axis=1) == 0
    chance[empty] = 1.0  # none of the agent's services was drawn: all of them stand for these
    chance /= chance.sum(axis=1, keepdims=True)
    return np.asarray(rng.multinomial(number, chance) @ values[name].to_numpy())


def _row(
    agent: str,
    number: int,
    means: Mapping[str, float],
    drawn: Mapping[str, Array],
    own: pd.DataFrame,
    jobs: int,
) -> dict[str, Any]:
    row: dict[str, Any] = {
        "kind": ", ".join(sorted(set(own["kind"]))) or "unknown",
        "agent": agent,
        "runs": number,
    }
    for name, column, unit in (("minutes", "hours", 60), ("usd", "usd", 1)):
        low, high = _bounds(drawn[name])
        row |= {column: means[name] / unit, f"{column}_low": low / unit, f"{column}_high": high / unit}
    row["wall_hours"] = row["hours"] / jobs
    row |= {"known_time": int(own["minutes"].notna().sum()), "known_cost": int(own["usd"].notna().sum())}
    return row | {"note": _note(own)}


def _bounds(totals: Array) -> tuple[float, float]:
    if np.isnan(totals).any():
        return float(np.nan), float(np.nan)
    low, high = np.percentile(totals, [_TAIL, 100 - _TAIL])
    return float(low), float(high)


def _note(own: pd.DataFrame) -> str:
    if own.empty:
        return "no runs of it to go by"
    told = []
    if own["minutes"].isna().all() or own["usd"].isna().all():
        told.append("what no run reports is missing")
    if own["cut"].any():
        told.append(f"{int(own['cut'].sum())} runs were longer than the new limit and are cut there")
    if own["stopped"].any():
        told.append(
            f"{int(own['stopped'].sum())} runs were stopped by an earlier limit: the true cost is higher"
        )
    if (own["kind"] == "simulated").any():
        told.append("time and cost are made up, and no limit is applied to them")
    return "; ".join(told)
