"""Hodges and Lehmann's estimates: medians of Walsh averages, and their intervals.

References
----------
.. [1] Hodges and Lehmann (1963), Ann. Math. Stat. 34(2), 598-611.
.. [2] Hollander, Wolfe and Chicken (2014), Nonparametric Statistical Methods, 3rd ed., section 3.2.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import stats

from study.statistics.pairs import DECIMALS
from study.statistics.ranks import Array, Codes

CHUNK = 250
"""Resamples at a time: more would need more memory than they save time."""


def walsh_averages(differences: Any) -> Array:
    """Sorted averages of all pairs of differences, each difference with itself too."""
    d = np.round(np.asarray(differences, dtype=float), DECIMALS)
    i, j = np.triu_indices(len(d))
    return np.sort((d[i] + d[j]) / 2)


def hodges_lehmann(differences: Any) -> float:
    """Median of the Walsh averages; NaN without differences.

    Examples
    --------
    Averages of 1 and 4: 1, 2.5 and 4.

    >>> hodges_lehmann([1, 4])
    2.5
    """
    averages = walsh_averages(differences)
    return float(np.median(averages)) if len(averages) else float(np.nan)


def normal_interval(differences: Any, level: float = 0.95) -> tuple[float, float, int]:
    r"""Interval from the ordered Walsh averages :math:`W_{(C)}, W_{(M + 1 - C)}`, and C; ignores clusters.

    :math:`C = \mathrm{round}(n (n + 1) / 4 - z \sqrt{n (n + 1) (2 n + 1) / 24})`, M the number of averages.
    """
    averages = walsh_averages(differences)
    n = float(len(np.asarray(differences)))
    z = stats.norm.ppf((1 + level) / 2)
    c = round(n * (n + 1) / 4 - z * np.sqrt(n * (n + 1) * (2 * n + 1) / 24))
    c = max(int(c), 1)
    return float(averages[c - 1]), float(averages[-c]), c


def exact_interval(differences: Any, level: float = 0.95) -> tuple[float, float]:
    """Interval from the exact distribution of the signed-rank sum without ties; ignores clusters.

    :math:`W_{(q)}, W_{(M + 1 - q)}`, q the (1 - level) / 2 quantile of R+ (at least 1).
    """
    averages = walsh_averages(differences)
    n = len(np.asarray(differences))
    ways = np.zeros(n * (n + 1) // 2 + 1)
    ways[0] = 1.0
    for rank in range(1, n + 1):
        ways[rank:] = (ways[rank:] + ways[: len(ways) - rank]) / 2
        ways[:rank] /= 2
    tail = (1 - level) / 2
    q = max(int(np.searchsorted(np.cumsum(ways), tail - 1e-12)), 1)
    return float(averages[q - 1]), float(averages[-q])


def root_of_signed_rank(differences: Any, z: float = 0.0, *, continuity: bool = False) -> float:
    """Shift at which the signed-rank Z of the shifted differences falls to `z`: R's (pseudo)median, bounds.

    R drops zero differences first and searches the jump to 1e-4; here it is found to 1e-9.
    """
    d = np.asarray(differences, dtype=float)
    d = d[d != 0]

    def shifted(shift: float) -> float:
        x = d - shift
        x = x[x != 0]
        ranks = stats.rankdata(np.abs(x))
        excess = (np.sign(x) * ranks).sum() / 2
        correction = 0.5 * np.sign(excess) if continuity else 0.0
        return float((excess - correction) / np.sqrt((ranks**2).sum() / 4)) - z

    return _jump(shifted, float(d.min()), float(d.max()))


def root_of_rank_sum(x: Any, y: Any, z: float = 0.0) -> float:
    """Shift of x at which its rank-sum Z falls to `z`: R's difference in location; the jump to 1e-9."""
    first, second = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    m, n = len(first), len(second)

    def shifted(shift: float) -> float:
        ranks = stats.rankdata(np.concatenate([first - shift, second]))
        excess = ranks[:m].sum() - m * (m + n + 1) / 2
        spread = ((ranks - (m + n + 1) / 2) ** 2).sum()
        return float(excess / np.sqrt(m * n * spread / ((m + n) * (m + n - 1)))) - z

    return _jump(shifted, float(first.min() - second.max()), float(first.max() - second.min()))


def _jump(falling: Callable[[float], float], low: float, high: float) -> float:
    """Where a falling step function changes sign."""
    if falling(low) <= 0:
        return low
    if falling(high) >= 0:
        return high
    while high - low > 1e-9 * max(1.0, abs(low), abs(high)):
        middle = (low + high) / 2
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
    return (low + high) / 2


def resampled(differences: Array, codes: Codes, weights: Array) -> Array:
    """Hodges-Lehmann estimates of all cluster resamples.

    Parameters
    ----------
    differences : array of float
        One per pair.
    codes : array of int
        Cluster of each pair, from 0.
    weights : array, (resamples, clusters)
        From `study.statistics.bootstrap.draws`.

    Notes
    -----
    A value drawn c times and another drawn e times make c e averages; a value makes c (c + 1) / 2 with
    itself.
    """
    values, which = np.unique(np.round(differences, DECIMALS), return_inverse=True)
    counts = np.zeros((weights.shape[1], len(values)))
    np.add.at(counts, (codes, which), 1.0)
    i, j = np.triu_indices(len(values))
    averages = (values[i] + values[j]) / 2
    order = np.argsort(averages, kind="stable")
    i, j, averages = i[order], j[order], averages[order]
    same = i == j
    estimates = np.empty(len(weights))
    for start in range(0, len(weights), CHUNK):
        drawn = (weights[start : start + CHUNK] @ counts).astype(np.float32)
        times = drawn[:, i] * drawn[:, j]
        times[:, same] = (times[:, same] + drawn[:, i[same]]) / 2
        cumulative = np.cumsum(times, axis=1, dtype=np.float64)
        half = cumulative[:, -1:] / 2
        lower = (cumulative >= half - 1e-6).argmax(axis=1)
        upper = (cumulative > half + 1e-6).argmax(axis=1)
        estimates[start : start + CHUNK] = (averages[lower] + averages[upper]) / 2
    return estimates
