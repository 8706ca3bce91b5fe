"""The printed statistics against those of runs: computed from their pass rates, nothing is searched.

A test is read in every usual way (ties corrected or ignored, zero differences dropped or by Pratt, with and
without continuity correction), because the paper does not say which; the printed value agrees if one of the
readings of the named test gives it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import pandas as pd

from study.published.judgements import COLUMNS, SHOWN, UNKNOWN
from study.published.names import PROMPTS
from study.published.statistics import Array, anderson_darling, anderson_darling_p, two_sided_p
from study.published.variants import (
    MEAN_RANKS,
    RANK_SUM,
    SCENARIOS,
    SIGNED_RANK,
    VARIANTS,
    Comparison,
    Variant,
    evaluate,
)
from study.published.verdicts import Part, half_unit, judge, list_parts
from study.schema import StudyError

RATE = "pass_rate_percent"
MEASURES = {
    RATE: "pass rates", "time_min": "times", "cost_usd": "costs", "input_tokens": "input tokens",
    "output_tokens": "output tokens", "sloc": "lines", "cyclomatic": "cyclomatic complexities",
    "cognitive": "cognitive complexities",
}  # fmt: skip
"""What normality can have been tested of."""
_UNIT = ["agent", "project", "service"]
_LEVELS: dict[str, tuple[str, tuple[str, ...]]] = {
    "scenario": ("scenario", SCENARIOS),
    "prompt": ("condition", tuple(PROMPTS.values())),
}
HALF = half_unit("0.000") + 1e-9


def pairs(runs: pd.DataFrame, comparison: Comparison) -> Array:
    """Pass rates that pair: one row per level (incremental, clean state; P1, P2), one column per pair.

    A pair shares agent, project, service and the other factor; replicates are averaged first.
    """
    column, names = _LEVELS[comparison]
    keys = [*_UNIT, *(key for key in ("scenario", "condition") if key != column)]
    rates = runs.dropna(subset=[RATE]).groupby([*keys, column], sort=False)[RATE].mean().unstack()
    if not set(names) <= set(rates.columns):
        raise StudyError(
            f"The runs have pass rates of {', '.join(map(str, rates.columns)) or 'no level'} only."
        )
    complete = rates[list(names)].dropna()
    if complete.empty:
        raise StudyError(f"No runs pair by {comparison}.")
    return np.asarray(complete.to_numpy(dtype=float).T)


def readings(runs: pd.DataFrame, comparison: Comparison) -> dict[Variant, float]:
    """Every reading of the tests of a comparison, computed from the runs."""
    values = pairs(runs, comparison)
    # one agent and project: what pairs is the last axis, as `variants.groups` wants it
    shape = (1, 1, 2, 1, -1) if comparison == "scenario" else (1, 1, 1, 2, -1)
    wanted = [variant for variant in VARIANTS if variant.comparison == comparison]
    with np.errstate(divide="ignore", invalid="ignore"):  # equal rates throughout have no Z
        found = evaluate(values.reshape(shape), wanted)
    return {variant: float(value) for variant, value in found.items()}


def normality(runs: pd.DataFrame) -> dict[str, tuple[float, int]]:
    """A-squared and number of values of every measure that at least 8 runs have."""
    found = {}
    for column, name in MEASURES.items():
        values = runs[column].dropna().to_numpy(dtype=float)
        if len(values) >= 8 and np.ptp(values) > 0:
            found[name] = (float(anderson_darling(values)), len(values))
    return found


def statistic_findings(
    runs: pd.DataFrame,
    statistics: pd.DataFrame,
    kind: str,
    ids: Sequence[str] = ("S1", "S2", "S3", "S4", "S5"),
) -> pd.DataFrame:
    """Every printed statistic beside that of the runs.

    Parameters
    ----------
    runs : DataFrame
        As `study.published.runs.run_table`.
    statistics : DataFrame
        The printed ones.
    kind : str
        Of the replication, for the first column.
    ids : sequence of str
        Of the printed statistics that are wanted.

    Returns
    -------
    DataFrame
        Columns as `study.published.reported.statistic_findings`.
    """
    printed = statistics.set_index("id")
    rows = []
    for name in ids:
        value, p = float(printed["statistic_value"][name]), printed["p_printed"][name]
        try:
            rows += _FINDINGS[name](runs, value, p)
        except StudyError as error:
            lacking = (name, str(printed["comparison"][name]), f"{value:g}", "cannot be computed")
            rows.append(dict(zip(COLUMNS, (*lacking, "not testable", UNKNOWN, str(error)), strict=True)))
    return pd.DataFrame([{"kind": kind, **row} for row in rows], columns=["kind", *COLUMNS])


def _row(name: str, statistic: str, printed: str, ours: str, parts: Sequence[Part], n: str) -> dict[str, str]:
    why = f"Computed from {n}, not searched. {list_parts(parts)}"
    numbers = (name, statistic, printed, ours, judge(parts), SHOWN, why)
    return dict(zip(COLUMNS, numbers, strict=True))


def _normality(runs: pd.DataFrame, a2: float, p_printed: object) -> list[dict[str, str]]:
    found = normality(runs)
    if not found:
        raise StudyError("No measure has the 8 runs or more that a test of normality needs.")
    near = [name for name, (ours, _) in found.items() if abs(ours - a2) <= HALF]
    shown = ", ".join(f"{ours:.3f} ({name}, n = {n})" for name, (ours, n) in found.items())
    parts = [Part(f"A2 of {' and '.join(near) or 'any measure'} is {a2:.3f}", bool(near))]
    n = "the values of all runs"
    p = {name: anderson_darling_p(ours, size) for name, (ours, size) in found.items()}
    row = _row("S1", "A2, normality", f"{a2:.3f}", shown, parts, n)
    return [row, _p_row("S1", "p, normality", p_printed, {name: p[name] for name in near or p}, n)]


def _z(
    name: str, words: str, comparison: Comparison, test: str, runs: pd.DataFrame, z: float, p_printed: object
) -> list[dict[str, str]]:
    every = {variant: value for variant, value in readings(runs, comparison).items() if np.isfinite(value)}
    named = {v.label: value for v, value in every.items() if v.test == test}
    other = {v.label: value for v, value in every.items() if v.test in (SIGNED_RANK, RANK_SUM)}
    count = pairs(runs, comparison).shape[1]
    n = f"{count} pairs of runs"
    if not named:
        part = Part("no differences among the pairs", None)
        return [_row(name, f"Z, {words}", f"{z:.3f}", "none", [part], n)]
    hits = _near(named, z)
    parts = [Part(f"Z of the named test is {z:.3f}" + (f" ({hits[0]})" if hits else ""), bool(hits))]
    if not hits and (elsewhere := _near(other, z)):
        parts.append(Part(f"another test gives it ({elsewhere[0]})", True))
    values = named.values()
    span = f"{min(values):.3f} to {max(values):.3f}" if len(set(values)) > 1 else f"{min(values):.3f}"
    row = _row(name, f"Z, {words}", f"{z:.3f}", f"{span} ({len(named)} readings)", parts, n)
    chosen = {label: named[label] for label in hits} or named
    p = {label: two_sided_p(value) for label, value in chosen.items()}
    return [row, _p_row(name, f"p, {words}", p_printed, p, n)]


def _near(values: dict[str, float], z: float) -> list[str]:
    """Readings that give the printed Z; its sign depends on what was subtracted from what."""
    return [label for label, value in values.items() if abs(abs(value) - abs(z)) <= HALF]


def _p_row(name: str, statistic: str, p_printed: object, ours: dict[str, float], n: str) -> dict[str, str]:
    said = "" if pd.isna(p_printed) else str(p_printed)  # type: ignore[call-overload]
    low, high = min(ours.values()), max(ours.values())
    shown = f"{low:.3g}" if low == high else f"{low:.3g} to {high:.3g}"
    relation, _, number = said.partition(" ")
    if relation not in ("<", "=") or not number:
        return _row(name, statistic, said, shown, [Part("no p is printed", None)], n)
    limit, half = float(number), half_unit(number) + 1e-9
    holds = any(p < limit if relation == "<" else abs(p - limit) <= half for p in ours.values())
    return _row(name, statistic, said, shown, [Part(f"p {said}, ours {shown}", holds)], n)


def _points(runs: pd.DataFrame, points: float, _: object) -> list[dict[str, str]]:
    incremental, clean = pairs(runs, "scenario")
    ours = float((clean - incremental).mean())
    ranks = readings(runs, "scenario")[Variant("scenario", MEAN_RANKS)]
    parts = [Part(f"the mean pass rates differ by {ours:.1f} points", abs(ours - points) <= 0.5 + 1e-9)]
    if not parts[0].holds and abs(ranks - points) <= 0.5 + 1e-9:
        parts.append(Part(f"the mean ranks differ by {ranks:.1f}", True))
    shown = f"{ours:.1f} points; {ranks:.1f} mean ranks"
    name = "difference of the scenarios"
    return [_row("S4", name, f"{points:g} points", shown, parts, f"{len(clean)} pairs of runs")]


_FINDINGS: dict[str, Callable[[pd.DataFrame, float, object], list[dict[str, str]]]] = {
    "S1": _normality,
    "S2": partial(_z, "S2", "signed-rank, scenario", "scenario", SIGNED_RANK),
    "S3": partial(_z, "S3", "Dunn, scenario", "scenario", RANK_SUM),
    "S4": _points,
    "S5": partial(_z, "S5", "signed-rank, prompt", "prompt", SIGNED_RANK),
}
