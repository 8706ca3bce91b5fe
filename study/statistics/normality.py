"""Anderson and Darling's test of normality, as it is published with tied, bounded data."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

from study.statistics.ranks import Array

LARGEST = 10.0
SMALLEST_P = 3.7e-24
"""The approximation is not meant beyond an adjusted value of 10; this is a floor, not a p."""


def anderson_darling(values: Any) -> Array:
    r"""A-squared for a normal distribution whose mean and variance are estimated (case 3) [1]_.

    :math:`-n - \frac1n \sum (2 i - 1) (\ln \Phi(z_i) + \ln (1 - \Phi(z_{n + 1 - i})))`, standard deviation
    with n - 1; along the last axis. NaN without variance.

    References
    ----------
    .. [1] Stephens (1974), J. Am. Stat. Assoc. 69(347), 730-737.
    """
    x = np.sort(np.asarray(values, dtype=float), axis=-1)
    n = x.shape[-1]
    sd = x.std(axis=-1, ddof=1, keepdims=True)
    z = (x - x.mean(axis=-1, keepdims=True)) / np.where(sd > 0, sd, np.nan)
    logs = stats.norm.logcdf(z) + stats.norm.logsf(z[..., ::-1])
    return np.asarray(-n - ((2 * np.arange(1, n + 1) - 1) * logs).sum(axis=-1) / n)


def adjusted(a2: float, n: int) -> float:
    """Stephens' adjustment of A-squared for the sample size."""
    return float(a2 * (1 + 0.75 / n + 2.25 / n**2))


def anderson_darling_p(a2: float, n: int) -> float:
    """P value of `anderson_darling` by the adjusted statistic.

    The approximation of D'Agostino and Stephens (1986), table 4.9, has four pieces; beyond an adjusted value
    of 10 it is held at 3.7e-24.

    Examples
    --------
    R, nortest::ad.test on 12 values: A = 0.244567866705212, p = 0.69908502354476.

    >>> round(anderson_darling_p(0.244567866705212, 12), 10)
    0.6990850235
    """
    a = adjusted(a2, n)
    if a < 0.2:
        return float(1 - np.exp(-13.436 + 101.14 * a - 223.73 * a**2))
    if a < 0.34:
        return float(1 - np.exp(-8.318 + 42.796 * a - 59.938 * a**2))
    if a < 0.6:
        return float(np.exp(0.9177 - 4.279 * a - 1.38 * a**2))
    if a < LARGEST:
        return float(np.exp(1.2937 - 5.709 * a + 0.0186 * a**2))
    return SMALLEST_P if np.isfinite(a) else float(np.nan)
