"""Runs of a dataset as an array, and what is refused: runs from which no variance can be taken."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from study.planning.observed import Moments
from study.schema import StudyError
from study.statistics.pairs import BLOCK, check_runs
from study.statistics.ranks import Array
from study.statistics.summary import SERVICE, levels

RATE = "pass_rate_percent"
DEFAULT_TESTS = 10
"""Tests of a service where the runs do not say how many there are."""


def moments(runs: pd.DataFrame) -> Moments:
    """Arrange the runs of a dataset, and refuse those from which no variance can be taken.

    Raises
    ------
    StudyError
        If a column is missing, no run or no run of a cell has a rate, kinds are mixed, runs are
        duplicated, there are fewer than three services, or all rates are equal.
    """
    factors = [name for name in BLOCK if name in runs.columns]
    table = check_runs(runs, RATE, ["agent", *SERVICE, "scenario", "prompt"])
    if table[RATE].isna().all():
        raise StudyError("runs: no run has a pass rate; give --model with a variance assumption")
    twice = table.duplicated(factors)
    if twice.any():
        row = " ".join(table.loc[twice, factors].astype(str).iloc[0])
        raise StudyError(f"runs: two runs for {row}; remove the duplicate")
    table, notes = _two_levels(table)
    table, more = _seen_services(table)
    rates, agents = _arrange(table)
    known = rates[np.isfinite(rates)]
    if known.min() == known.max():
        raise StudyError(
            f"runs: all rates are {known[0]:g} %, so there is no variance to plan with; give --model with a "
            "variance assumption"
        )
    return Moments(
        rates, _tests(table), float((known == 0).mean()), float((known == 100).mean()), agents,
        rates.shape[4], float(table[RATE].isna().mean()), (*notes, *more),
    )  # fmt: skip


def _two_levels(table: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """The model has two scenarios and two prompts: the first two of the dataset."""
    notes = []
    for factor in ("scenario", "prompt"):
        known = levels(table[factor])
        if len(known) > 2:
            table = table[table[factor].isin(known[:2])]
            notes.append(
                f"{factor}: of {len(known)} levels the first two are planned with: {known[0]}, {known[1]}"
            )
    return table, notes


def _seen_services(table: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Targets (service and scenario) that have a rate at all; others have no oracle."""
    keys = [*SERVICE, "scenario"]
    has = table.groupby(keys, sort=False)[RATE].transform("count") > 0
    blind = table.loc[~has, keys].drop_duplicates()
    seen = table[has]
    services = len(seen[SERVICE].drop_duplicates())
    if services < 3:
        raise StudyError(
            f"runs: {services} service{'s' if services != 1 else ''} with a pass rate: the variance between "
            "services cannot be had from fewer than three; give --model with a variance assumption"
        )
    notes = [f"{len(blind)} service(s) in a scenario without any pass rate left out"] if len(blind) else []
    return seen, notes


def _arrange(table: pd.DataFrame) -> tuple[Array, tuple[str, ...]]:
    names = [levels(table[factor]) for factor in ("agent", "scenario", "prompt")]
    service = table.groupby(SERVICE, sort=False).ngroup().to_numpy()
    places = [
        table[factor].map({level: i for i, level in enumerate(known)}).to_numpy(dtype=int)
        for factor, known in zip(("agent", "scenario", "prompt"), names, strict=True)
    ]
    cell = table.groupby([*SERVICE, "agent", "scenario", "prompt"], sort=False)
    replicate = cell.cumcount().to_numpy()
    shape = (service.max() + 1, *map(len, names), replicate.max() + 1)
    rates = np.full(shape, np.nan)
    rates[service, places[0], places[1], places[2], replicate] = table[RATE].to_numpy(dtype=float)
    empty = np.isfinite(rates).sum(axis=(0, 4)) < 2
    if empty.any():
        a, s, p = np.argwhere(empty)[0]
        raise StudyError(
            f"runs: agent {names[0][a]}, scenario {names[1][s]}, prompt {names[2][p]}: fewer than two runs "
            "with a pass rate; leave that level out, or give --model with a variance assumption"
        )
    return rates, tuple(map(str, names[0]))


def _tests(table: pd.DataFrame) -> Array:
    """Tests of each service: the mean over its scenarios, whose oracles differ."""
    if "tests_reference" not in table.columns:
        return np.full(len(table[SERVICE].drop_duplicates()), DEFAULT_TESTS)
    counts: Any = pd.to_numeric(table["tests_reference"]).astype("float64")
    counts = counts.where(counts > 0)
    mean = counts.groupby([table[name] for name in SERVICE], sort=False).mean()
    return np.asarray(mean.fillna(DEFAULT_TESTS).round().clip(lower=1), dtype=int)
