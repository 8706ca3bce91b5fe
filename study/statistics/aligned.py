"""Aligned ranks: here to check published analyses, not to make new ones.

Warning: with bounded, tied rates the test does not keep its level. In a simulation with one scenario at the
ceiling and no effect of the prompt it rejected in 18 % at a nominal 5 %. For interactions use
`study.statistics.permutation.interaction`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from study.schema import StudyError
from study.statistics.pairs import DECIMALS, check_runs
from study.statistics.ranks import Array
from study.statistics.results import notes, results
from study.statistics.summary import SERVICE, levels

WARNING = "type I error not kept with bounded, tied data (18 % at nominal 5 % in a simulation)"


def aligned_ranks(
    frame: pd.DataFrame,
    value: str,
    factors: Sequence[str],
    *,
    cluster: Sequence[str] = tuple(SERVICE),
    random: bool = False,
) -> pd.DataFrame:
    r"""Aligned rank transform [1]_: one F for every effect and interaction of the factors.

    For each effect: value minus its cell mean plus the estimated effect, ranked; then the F of that effect in
    rank ~ service + full factorial, against the residual.

    Parameters
    ----------
    frame : DataFrame
        One row per run; runs without a value are left out.
    value : str
        Column.
    factors : sequence of str
        The factors; every combination must have runs.
    cluster : sequence of str
        Columns of the service, the block.
    random : bool
        A random instead of a fixed block, by REML. In a balanced design that is the same F unless the
        variance between services is estimated as zero; then it is pooled with the residual.

    Returns
    -------
    DataFrame
        One row per effect; also df2.

    References
    ----------
    .. [1] Wobbrock, Findlater, Gergle and Higgins (2011), CHI, 143-146.
    """
    unit = [name for name in cluster if name in frame.columns]
    known = check_runs(frame, value, [*factors, *unit]).dropna(subset=[value])
    if known.empty:
        raise StudyError(f"aligned ranks: no run has a value of {value!r}")
    means = _cell_means(known, value, factors)
    block = known.groupby(unit, sort=False).ngroup().to_numpy()
    blocks = np.eye(int(block.max()) + 1)[block]
    contrasts = {effect: _contrasts(known, effect) for effect in _subsets(factors) if effect}
    unequal = known.groupby([*unit, *factors]).size().nunique() > 1
    cells = int(np.prod([known[name].nunique() for name in factors])) * (int(block.max()) + 1)
    unbalanced = unequal or known.groupby([*unit, *factors]).ngroups < cells
    remark = "unbalanced: alignment is only approximate" if unbalanced else ""
    y = known[value].to_numpy(dtype=float)
    rows = []
    for effect, columns in contrasts.items():
        estimated = sum((-1) ** (len(effect) - len(part)) * means[part] for part in _subsets(effect))
        ranked = stats.rankdata(np.round(y - means[tuple(factors)] + estimated, DECIMALS))
        others = np.hstack([blocks, *(c for name, c in contrasts.items() if name != effect)])
        f, df1, df2 = _f_test(ranked, others, columns, blocks if random else None)
        rows.append(
            {
                "comparison": " x ".join(effect),
                "quantity": "F",
                "statistic": f,
                "df": df1,
                "p": stats.f.sf(f, df1, df2),
                "n": len(known),
                "clusters": blocks.shape[1],
                "method": f"aligned ranks, service {'random (REML)' if random else 'fixed'}",
                "note": notes(WARNING, remark, "no variance" if np.isnan(f) else ""),
                "df2": df2,
            }
        )
    return results(rows)


def _subsets(names: Sequence[str]) -> list[tuple[str, ...]]:
    return [part for size in range(len(names) + 1) for part in combinations(names, size)]


def _cell_means(known: pd.DataFrame, value: str, factors: Sequence[str]) -> dict[tuple[str, ...], Any]:
    if known.groupby(list(factors)).ngroups < np.prod([known[name].nunique() for name in factors]):
        raise StudyError(f"aligned ranks: a combination of {', '.join(factors)} has no runs with a value")
    whole = np.full(len(known), known[value].mean())
    return {
        part: known.groupby(list(part))[value].transform("mean").to_numpy() if part else whole
        for part in _subsets(factors)
    }


def _contrasts(known: pd.DataFrame, effect: Sequence[str]) -> Array:
    """Sum-to-zero columns of an effect; of an interaction, their products."""
    columns = np.ones((len(known), 1))
    for name in effect:
        codes = pd.Categorical(known[name], categories=levels(known[name])).codes
        k = int(codes.max()) + 1
        own = np.vstack([np.eye(k - 1), -np.ones(k - 1)])[codes]
        columns = (columns[:, :, None] * own[:, None, :]).reshape(len(known), -1)
    return columns


def _f_test(y: Array, others: Array, tested: Array, random: Array | None) -> tuple[float, int, int]:
    rest, rest_rank = _residual(y, others)
    full, full_rank = _residual(y, np.hstack([others, tested]))
    df1, df2 = full_rank - rest_rank, len(y) - full_rank
    error = full
    if random is not None:  # the block's mean square below the residual's: REML puts its variance at zero
        fixed = np.hstack([others[:, random.shape[1] :], tested, np.ones((len(y), 1))])
        pooled, pooled_rank = _residual(y, fixed)
        if (pooled - full) / (full_rank - pooled_rank) < full / df2:
            error, df2 = pooled, len(y) - pooled_rank
    if error <= 1e-9 * max(1.0, float(y @ y)) or df1 < 1:
        return float(np.nan), df1, df2
    return float((rest - full) / df1 / (error / df2)), df1, df2


def _residual(y: Array, x: Array) -> tuple[float, int]:
    b, _, rank, _ = np.linalg.lstsq(x, y, rcond=None)
    residual = y - x @ b
    return float(residual @ residual), int(rank)
