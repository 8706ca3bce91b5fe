"""The comparisons that answer a research question: effect and interval over services, one family of tests.

Every comparison is blocked: two levels of a factor in the same service, with all other factors alike. Its
estimate, interval and p take the service as the unit, since runs of one service share its difficulty and its
tests; the published analysis of the same pairs, which takes pairs as independent, stands beside.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from study.statistics import as_published, effects
from study.statistics.families import within
from study.statistics.pairs import BLOCK, pairs
from study.statistics.permutation import sign_flip
from study.statistics.results import notes
from study.statistics.summary import (
    EFFICIENCY,
    QUALITY,
    SERVICE,
    WORDS,
    levels,
    measured_pairs,
    numeric,
    scored_runs,
)

if TYPE_CHECKING:
    from study.records.dataset import Dataset

FACTORS = ("scenario", "prompt", "agent")
RATE = "pass_rate_percent"
COLUMNS = [
    "measure", "factor", "comparison", "unit", "estimate", "low", "high", "p", "p_holm", "n", "services",
    "rank_biserial", "z_published", "p_published", "family", "method", "note",
]  # fmt: skip


def correctness(data: Dataset) -> pd.DataFrame:
    """Differences of pass rates in percentage points, by scenario, prompt and agent.

    Returns
    -------
    DataFrame
        One row per comparison: measure, factor, comparison, unit (points or ratio), estimate, low, high
        (95 %, t over services), p (sign flips of services), p_holm, n (pairs), services; rank_biserial,
        z_published and p_published (signed-rank over pairs, zeros dropped, normal); family (of p_holm),
        method, note.

    Raises
    ------
    StudyError
        If kinds are mixed, a rate is no percentage, or runs are not told apart by their factors.
    """
    found = _levels(scored_runs(data), RATE, "pass rate", BLOCK)
    return _answer([(rows, False) for rows in found], "RQ1, correctness")


def correctness_of_cells(cells: pd.DataFrame) -> pd.DataFrame:
    """The same for published cells, where only means of projects are known: a project is a unit.

    Parameters
    ----------
    cells : DataFrame
        From `study.published.frames.rates`.
    """
    found = _levels(cells, RATE, "pass rate", ["agent", "project", "scenario", "prompt"])
    return _answer([(rows, False) for rows in found], "RQ1, correctness, published cells")


def quality(data: Dataset) -> pd.DataFrame:
    """Ratios of size and complexity: generated over original, level over level; columns as `correctness`."""
    measured = measured_pairs(data)
    found = []
    for metric in QUALITY:
        table = numeric(measured, [metric, f"{metric}_reference"])
        ours = table.assign(
            measure=WORDS[metric], factor="original", comparison="generated minus original",
            cluster=table[SERVICE].astype(str).agg("/".join, axis=1),
            first=table[metric], second=table[f"{metric}_reference"],
        )  # fmt: skip
        found += [ours.assign(difference=ours["first"] - ours["second"])]
        found += _levels(measured, metric, WORDS[metric], BLOCK)
    return _answer([(rows, True) for rows in found], "RQ1, code quality")


def efficiency(data: Dataset) -> pd.DataFrame:
    """Ratios of time, cost and tokens, level over level; columns as `correctness`."""
    found = [rows for metric in EFFICIENCY for rows in _levels(data.runs, metric, WORDS[metric], BLOCK)]
    return _answer([(rows, True) for rows in found], "RQ2, efficiency")


def agents_as_published(data: Dataset, values: Sequence[str]) -> pd.DataFrame:
    """Kruskal-Wallis over the agents, unpaired, of all columns that are known; Holm over them.

    Returns
    -------
    DataFrame
        comparison, estimate (epsilon squared), statistic (H), df, p, p_holm, n, note.
    """
    known = [value for value in values if data.runs[value].notna().any()]
    columns = ["comparison", "estimate", "statistic", "df", "p", "p_holm", "n", "note"]
    if not known:
        return pd.DataFrame(columns=columns)
    parts = [as_published.kruskal_wallis(data.runs, value, "agent") for value in known]
    table = within(pd.concat(parts, ignore_index=True), "agents, as published")
    return table.rename(columns={"p_adjusted": "p_holm"})[columns]


def _levels(frame: pd.DataFrame, value: str, measure: str, blocks: Sequence[str]) -> list[pd.DataFrame]:
    """Pairs of every factor that has two levels or more; none where the value is never known."""
    if not len(frame) or not frame[value].notna().any():
        return []
    unit = [name for name in SERVICE if name in blocks]
    return [
        pairs(frame, value, factor, blocks=blocks, cluster=unit).assign(measure=measure, factor=factor)
        for factor in FACTORS
        if len(levels(frame[factor])) > 1
    ]


def _answer(found: Sequence[tuple[pd.DataFrame, bool]], question: str) -> pd.DataFrame:
    tables = [_compared(rows, ratio=ratio) for rows, ratio in found if len(rows)]
    if not tables:
        return pd.DataFrame(columns=COLUMNS)
    table = within(pd.concat(tables, ignore_index=True), question)
    return table.rename(columns={"p_adjusted": "p_holm", "clusters": "services"})[COLUMNS]


def _compared(rows: pd.DataFrame, *, ratio: bool) -> pd.DataFrame:
    """Effect, interval, test and the published test of the pairs of one measure and factor."""
    tested = _logs(rows) if ratio else rows
    table = (effects.ratio if ratio else effects.mean_difference)(rows)
    names = list(dict.fromkeys(rows["comparison"]))
    flips = sign_flip(tested).set_index("comparison").reindex(names)
    ranks = as_published.signed_rank(rows).set_index("comparison").reindex(names)
    method = "ratio of geometric means" if ratio else "mean difference"
    return table.assign(
        measure=rows["measure"].iloc[0],
        factor=rows["factor"].iloc[0],
        unit="ratio" if ratio else "points",
        p=flips["p"].to_numpy(),
        rank_biserial=ranks["estimate"].to_numpy(),
        z_published=ranks["statistic"].to_numpy(),
        p_published=ranks["p"].to_numpy(),
        method=[f"{method}, t over services; {test}" for test in flips["method"].fillna("no test")],
        note=[
            notes(*dict.fromkeys([*own.split("; "), *test.split("; ")]))
            for own, test in zip(table["note"], flips["note"].fillna(""), strict=True)
        ],
    )


def _logs(rows: pd.DataFrame) -> pd.DataFrame:
    positive = (rows["first"] > 0) & (rows["second"] > 0)
    kept = rows[positive]
    return kept.assign(difference=np.log(kept["first"] / kept["second"]))
