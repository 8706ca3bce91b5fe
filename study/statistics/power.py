"""Power of paired tests of independent pairs (services), for the planner and to check simulations against."""

from __future__ import annotations

import numpy as np
from scipy import stats


def paired_t(pairs: int, effect: float, alpha: float = 0.05) -> float:
    """Power of the two-sided paired t test at an effect in standard deviations of the differences.

    From the noncentral t distribution with noncentrality effect * sqrt(pairs) [1]_.

    References
    ----------
    .. [1] Cohen (1988), Statistical Power Analysis for the Behavioral Sciences, 2nd ed., chapter 2.

    Examples
    --------
    R, ``power.t.test(n = 12, delta = .5, type = "paired", strict = TRUE)``: power = 0.3528241.

    >>> round(paired_t(12, 0.5), 7)
    0.3528241
    """
    df = pairs - 1
    critical = stats.t.ppf(1 - alpha / 2, df)
    shift = effect * np.sqrt(pairs)
    return float(stats.nct.sf(critical, df, shift) + stats.nct.cdf(-critical, df, shift))


def signed_rank_size(pairs: int, alpha: float = 0.05) -> tuple[int, float]:
    """Critical value and size of the exact two-sided signed-rank test without ties.

    It rejects where the smaller rank sum is at most the critical value (-1: never).

    Examples
    --------
    R, ``2 * psignrank(13, 12)``: 0.04248047.

    >>> signed_rank_size(12)
    (13, 0.04248046875)
    """
    ways = np.zeros(pairs * (pairs + 1) // 2 + 1)
    ways[0] = 1.0
    for rank in range(1, pairs + 1):
        ways[rank:] = (ways[rank:] + ways[: len(ways) - rank]) / 2
        ways[:rank] /= 2
    sizes = 2 * np.cumsum(ways)
    critical = int(np.searchsorted(sizes, alpha + 1e-12, side="right")) - 1
    return critical, float(sizes[critical]) if critical >= 0 else 0.0


def signed_rank_power(
    pairs: int, effect: float, alpha: float = 0.05, *, samples: int = 100_000, seed: int = 0
) -> tuple[float, float]:
    """Power of the exact two-sided signed-rank test at a normal shift, and its Monte Carlo standard error."""
    critical, _ = signed_rank_size(pairs, alpha)
    rng = np.random.default_rng(seed)
    hits = done = 0
    while done < samples:
        size = min(20_000, samples - done)
        d = rng.standard_normal((size, pairs)) + effect
        ranks = np.abs(d).argsort(axis=1).argsort(axis=1) + 1
        plus = np.where(d > 0, ranks, 0).sum(axis=1)
        smaller = np.minimum(plus, pairs * (pairs + 1) // 2 - plus)
        hits += int((smaller <= critical).sum())
        done += size
    power = hits / samples
    return power, float(np.sqrt(power * (1 - power) / samples))
