"""Coverage and error rates: every method on many studies of every setting, in parallel and seeded."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from study.calibration.generate import draw
from study.calibration.methods import METHODS, Drawn, Method
from study.calibration.settings import SETTINGS, Setting

SEED = 20260309
ALPHA = 0.05
COVERED = (93.0, 97.0)
"""Percent of the 95 % intervals that may cover the truth."""
POPULATION = 3000
"""Services of the study from which the true values of rank measures are taken."""
_CHUNK = 25


def calibrate(
    studies: int = 500,
    settings: Iterable[Setting] = SETTINGS,
    *,
    seed: int = SEED,
    jobs: int | None = None,
    on_done: Callable[[int], None] | None = None,
) -> pd.DataFrame:
    """Try all methods on simulated studies.

    Parameters
    ----------
    studies : int
        Per setting.
    settings : iterable of Setting
        The populations.
    seed : int
        The result follows from it, whatever the number of processes.
    jobs : int, optional
        Processes; one per processor by default.
    on_done : callable, optional
        Called with the number of studies that were just finished.

    Returns
    -------
    DataFrame
        One row per setting and method: see `summarise`.
    """
    chosen = list(settings)
    tasks = [(setting, part, size) for setting in chosen for part, size in enumerate(_sizes(studies))]
    found: list[pd.DataFrame] = []
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        for rows in pool.map(_chunk, *zip(*[(s, p, n, seed) for s, p, n in tasks], strict=True)):
            found.append(rows)
            if on_done is not None:
                on_done(rows["study"].nunique())
    return summarise(pd.concat(found, ignore_index=True), chosen, seed)


def _sizes(studies: int) -> list[int]:
    return [min(_CHUNK, studies - start) for start in range(0, studies, _CHUNK)]


def _chunk(setting: Setting, part: int, size: int, seed: int) -> pd.DataFrame:
    """Raw results of a part of the studies of a setting."""
    position = [known.name for known in SETTINGS].index(setting.name) if setting in SETTINGS else 99
    drawn = draw(setting.model, size, np.random.SeedSequence([seed, position, part]))
    rows = []
    for i in range(size):
        one = Drawn(drawn.frame(i), setting.factor)
        rows += [{"setting": setting.name, "study": part * _CHUNK + i, **_result(m, one)} for m in METHODS]
    return pd.DataFrame(rows)


def _result(method: Method, drawn: Drawn) -> dict[str, Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a method that warns here would fill a notebook with warnings
        row = method.run(drawn).iloc[0]
    return {
        "method": method.name,
        "estimate": row["estimate"],
        "low": row["low"],
        "high": row["high"],
        "p": row["p"],
    }


def truths(setting: Setting, seed: int) -> dict[str, float]:
    """True value of each method's quantity; NaN where the method has no interval."""
    population = replace(setting.model, services=POPULATION, missing=0.0)
    studies = draw(population, 1, np.random.SeedSequence([seed, 10_000]))
    return {m.name: m.truth(studies, setting.factor) if m.truth else float(np.nan) for m in METHODS}


def is_null(method: Method, setting: Setting) -> bool:
    """Whether what the method tests for is absent in the setting, so that a rejection is an error."""
    model = setting.model
    effect = {"scenario": model.scenario, "prompt": model.prompt}
    if method.quantity == "equivalence":
        return abs(effect[setting.factor]) >= 10
    if method.quantity == "any difference of agents":
        return not any(model.agent)
    if method.quantity == "any difference of prompts":
        return model.prompt == 0
    if method.quantity == "scenario x prompt":
        return model.prompt == 0 or model.scenario == 0
    return effect[setting.factor] == 0


def summarise(raw: pd.DataFrame, settings: Iterable[Setting], seed: int) -> pd.DataFrame:
    """Coverage and rejections with their Monte Carlo error.

    Returns
    -------
    DataFrame
        kind (simulated), setting, factor, null (whether there is no effect to find), method, standing,
        quantity, studies, truth, mean_estimate, coverage_percent (of the 95 % intervals), rejections_percent
        (p < 0.05: type I error if null, else power), mean_width, undefined (studies in which the method gave
        nothing), error_percent (Monte Carlo error in points, see `judge`), verdict (see `verdict`).
    """
    rows = []
    for setting in settings:
        true = truths(setting, seed)
        part = raw[raw["setting"] == setting.name]
        for method in METHODS:
            own = part[part["method"] == method.name]
            about = {"setting": setting.name, "factor": setting.factor, "null": is_null(method, setting)}
            rows.append(about | _row(method, own, true[method.name]))
    table = pd.DataFrame(rows)
    table.insert(0, "kind", "simulated")
    return judge(table)


def judge(table: pd.DataFrame) -> pd.DataFrame:
    """Add the Monte Carlo error and the verdict to the counted rates.

    With so many rates one or the other is off by two standard errors even if all is well, so the error is
    simultaneous: all rates of right methods lie within it with a chance of 95 % (Bonferroni).
    """
    used = table["studies"] - table["undefined"]
    judged = table[["coverage_percent", "rejections_percent"]].notna().any(axis=1)
    z = stats.norm.ppf(1 - 0.05 / 2 / max(1, int(judged.sum())))
    error = 100 * z * np.sqrt(ALPHA * (1 - ALPHA) / used.where(used > 0))
    table = table.assign(error_percent=error)
    return table.assign(verdict=table.apply(verdict, axis=1))


def _row(method: Method, own: pd.DataFrame, truth: float) -> dict[str, Any]:
    intervals = own.dropna(subset=["low", "high"]) if method.truth else own.iloc[:0]
    tests = own["p"].dropna() if method.rejects else own["p"].iloc[:0]
    inside = (intervals["low"] - 1e-9 <= truth) & (truth <= intervals["high"] + 1e-9)
    used = max(len(intervals), len(tests))
    return {
        "method": method.name,
        "standing": method.standing,
        "quantity": method.quantity,
        "studies": len(own),
        "truth": truth,
        "mean_estimate": intervals["estimate"].mean(),
        "coverage_percent": 100 * inside.mean() if len(intervals) else np.nan,
        "rejections_percent": 100 * (tests < ALPHA).mean() if len(tests) else np.nan,
        "mean_width": (intervals["high"] - intervals["low"]).mean(),
        "undefined": len(own) - used,
    }


def verdict(row: pd.Series) -> str:
    """What the numbers of a method in a setting say, allowing for the Monte Carlo error.

    `holds`: coverage within 93 to 97 %, and as a test no more than 5 % errors; `narrow` or `wide`: coverage
    below or above; `too many errors`; empty where there is nothing to hold (power, companions).
    """
    error = row["error_percent"]
    if row["null"] and row["rejections_percent"] > 100 * ALPHA + error:
        return "too many errors"
    if row["coverage_percent"] < COVERED[0] - error:
        return "narrow"
    if row["coverage_percent"] > COVERED[1] + error:
        return "wide"
    known = pd.notna(row["coverage_percent"]) or (row["null"] and pd.notna(row["rejections_percent"]))
    return "holds" if known else ""
