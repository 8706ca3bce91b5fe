"""Rank tests, Anderson-Darling and exact permutation tests, each with its method stated and none chosen by n.

All functions work along the last axis, so that many data sets are evaluated at once. Values are rounded to
9 decimals before ranking: equal differences of k/n values are otherwise unequal floats, and ties are lost.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import stats

Array = NDArray[np.float64]
Zeros = Literal["dropped", "Pratt"]
DECIMALS = 9
MAX_FLIPPED = 20
"""Sign patterns are enumerated up to so many units (a million patterns)."""


@dataclass(frozen=True)
class Standardised:
    """A rank statistic before it is divided: distance from its expectation, and its standard deviations."""

    excess: Array
    sd_ties: Array
    """Standard deviation given the ties."""
    sd_plain: Array
    """Standard deviation of the textbook formula, as if there were no ties."""

    def z(self, *, ties: bool = True, continuity: bool = False) -> Array:
        """Z with or without the ties correction, and with or without the continuity correction of 1/2.

        NaN where all values are tied.
        """
        distance = np.maximum(np.abs(self.excess) - (0.5 if continuity else 0.0), 0.0)
        sd = self.sd_ties if ties else self.sd_plain
        return np.sign(self.excess) * distance / np.where(sd > 0, sd, np.nan)


def rank_sum(x: Any, y: Any) -> Standardised:
    r"""Wilcoxon-Mann-Whitney rank-sum of two independent groups [1]_.

    :math:`U - n_x n_y / 2` with variance :math:`n_x n_y / 12 \cdot (N + 1 - \sum (t^3 - t) / (N (N - 1)))`;
    positive where x tends to be larger. For two groups its Z is Dunn's Z (`dunn_z`).

    References
    ----------
    .. [1] Mann and Whitney (1947), Ann. Math. Stat. 18(1), 50-60.
    """
    first, second = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    m, n = first.shape[-1], second.shape[-1]
    total = m + n
    ranks = stats.rankdata(np.round(np.concatenate([first, second], axis=-1), DECIMALS), axis=-1)
    excess = ranks[..., :m].sum(axis=-1) - m * (total + 1) / 2
    centred = ((ranks - (total + 1) / 2) ** 2).sum(axis=-1)
    sd_ties = np.sqrt(m * n * centred / (total * (total - 1)))
    return Standardised(excess, sd_ties, np.full_like(sd_ties, np.sqrt(m * n * (total + 1) / 12)))


def mean_rank_difference(x: Any, y: Any, *, continuity: bool = False) -> Array:
    """Mean rank of x minus mean rank of y, both in the joint ranking: in ranks, not in units of the values.

    With the continuity correction it is nearer to zero by 1/(2 n_x) + 1/(2 n_y).
    """
    result = rank_sum(x, y)
    m, n = np.shape(x)[-1], np.shape(y)[-1]
    distance = np.maximum(np.abs(result.excess) - (0.5 if continuity else 0.0), 0.0)
    return np.asarray(np.sign(result.excess) * distance * (m + n) / (m * n))


def mean_rank_se(m: int, n: int, ties: float = 1.0) -> float:
    r"""Standard error of the difference of mean ranks, so that Z = difference / standard error.

    Parameters
    ----------
    m, n : int
        Sizes of the groups, :math:`N = m + n`.
    ties : float
        Ties factor :math:`1 - \sum (t^3 - t) / (N^3 - N)`; 1 without ties.

    Examples
    --------
    Two groups of 72: sqrt(144 * 145 / 12 * 2 / 72) = 6.952.

    >>> round(mean_rank_se(72, 72), 3)
    6.952
    """
    total = m + n
    return float(np.sqrt(total * (total + 1) / 12 * ties * (1 / m + 1 / n)))


def dunn_z(groups: list[Any], first: int = 0, second: int = 1, *, ties: bool = True) -> float:
    r"""Dunn's Z for two of k groups in the joint ranking of all groups [1]_.

    :math:`(\bar r_i - \bar r_j) / \sqrt{(N (N + 1) / 12 - \sum (t^3 - t) / (12 (N - 1)))
    (1 / n_i + 1 / n_j)}`.

    References
    ----------
    .. [1] Dunn (1964), Technometrics 6(3), 241-252.
    """
    arrays = [np.asarray(group, dtype=float) for group in groups]
    sizes = [len(array) for array in arrays]
    ranks = stats.rankdata(np.round(np.concatenate(arrays), DECIMALS))
    parts = np.split(ranks, np.cumsum(sizes)[:-1])
    total = len(ranks)
    tied = np.unique(ranks, return_counts=True)[1].astype(float)
    lost = (tied**3 - tied).sum() / (12 * (total - 1)) if ties else 0.0
    variance = (total * (total + 1) / 12 - lost) * (1 / sizes[first] + 1 / sizes[second])
    return float((parts[first].mean() - parts[second].mean()) / np.sqrt(variance))


def signed_rank(differences: Any, zeros: Zeros = "dropped") -> Standardised:
    r"""Wilcoxon signed-rank of paired differences [1]_.

    :math:`R^+ - E(R^+)`; zeros are dropped before ranking, or ranked and left out of the sum (Pratt [2]_).

    References
    ----------
    .. [1] Wilcoxon (1945), Biometrics Bulletin 1(6), 80-83.
    .. [2] Pratt (1959), J. Am. Stat. Assoc. 54(287), 655-667.
    """
    d = np.round(np.asarray(differences, dtype=float), DECIMALS)
    size = np.asarray(float(d.shape[-1]))
    zero = (d == 0).sum(axis=-1).astype(float)
    ranks = stats.rankdata(np.abs(d), axis=-1)
    if zeros == "dropped":
        ranks = ranks - zero[..., None]
        size, zero = size - zero, np.zeros_like(zero)
    ranks = np.where(d == 0, 0.0, ranks)
    excess = (np.sign(d) * ranks).sum(axis=-1) / 2
    plain = (_squares(size) - _squares(zero)) / 4
    return Standardised(excess, np.sqrt((ranks**2).sum(axis=-1) / 4), np.sqrt(plain))


def _squares(n: Array) -> Array:
    """Sum of the squares of 1 to n."""
    return n * (n + 1) * (2 * n + 1) / 6


def signed_rank_exact_p(differences: Any) -> float:
    """Two-sided exact p of the signed-rank test, zeros dropped, given the ties.

    The distribution over all sign patterns is built by adding one (doubled, hence whole) midrank after the
    other, so that any number of pairs is exact.
    """
    d = np.round(np.asarray(differences, dtype=float), DECIMALS)
    d = d[d != 0]
    doubled = np.round(2 * stats.rankdata(np.abs(d))).astype(int)
    total = int(doubled.sum())
    ways = np.zeros(total + 1)
    ways[0] = 1.0
    for rank in doubled:
        ways[rank:] = (ways[rank:] + ways[: total + 1 - rank]) / 2
        ways[:rank] /= 2
    observed = abs(2 * int(doubled[d > 0].sum()) - total)
    return float(ways[np.abs(2 * np.arange(total + 1) - total) >= observed].sum())


def sign_flip_p(means: Any) -> float:
    """Two-sided exact p over all sign patterns of the unit means; with k units it is at least 2 / 2**k."""
    values = np.asarray(means, dtype=float)
    if len(values) > MAX_FLIPPED:
        raise ValueError(f"{len(values)} units are too many to enumerate; at most {MAX_FLIPPED}")
    sums = np.abs(np.array(list(product((1.0, -1.0), repeat=len(values)))) @ values)
    return float(np.mean(sums >= abs(values.sum()) - 1e-9))


def equivalence_p(differences: Any, bound: float) -> float:
    """The larger p of two one-sided t tests against -bound and +bound (TOST [1]_).

    References
    ----------
    .. [1] Schuirmann (1987), J. Pharmacokinet. Biopharm. 15(6), 657-680.
    """
    values = np.asarray(differences, dtype=float)
    se = values.std(ddof=1) / np.sqrt(len(values))
    df = len(values) - 1
    return float(
        max(stats.t.sf((values.mean() + bound) / se, df), stats.t.cdf((values.mean() - bound) / se, df))
    )


def largest_signed_rank_z(pairs: int, *, tied: bool) -> float:
    r"""Largest signed-rank Z that so many pairs can give, whatever the data.

    Without ties :math:`\sqrt{3 n (n + 1) / (2 (2 n + 1))}`. With ties :math:`\sum r / \sqrt{\sum r^2}` is at
    most :math:`\sqrt n` (Cauchy-Schwarz), reached when all differences are equal; zeros only lower it.

    Examples
    --------
    >>> round(largest_signed_rank_z(24, tied=False), 2), round(largest_signed_rank_z(24, tied=True), 2)
    (4.29, 4.9)
    """
    n = float(pairs)
    return float(np.sqrt(n) if tied else np.sqrt(3 * n * (n + 1) / (2 * (2 * n + 1))))


def pairs_needed(z: float, *, tied: bool) -> int:
    """Smallest number of pairs whose largest signed-rank Z is at least z."""
    pairs = 1
    while largest_signed_rank_z(pairs, tied=tied) < abs(z):
        pairs += 1
    return pairs


def anderson_darling(values: Any) -> Array:
    r"""A-squared for a normal distribution whose mean and variance are estimated (case 3) [1]_.

    :math:`-n - \frac1n \sum (2 i - 1) (\ln \Phi(z_i) + \ln (1 - \Phi(z_{n + 1 - i})))`.

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


def anderson_darling_p(a2: float, n: int) -> float:
    """P value of `anderson_darling` by Stephens' adjusted statistic; below 1e-9 for large A-squared.

    The published approximation has four pieces (D'Agostino and Stephens 1986, table 4.9); it is not meant
    beyond an adjusted value of 10, where it is held constant.
    """
    a = min(a2 * (1 + 0.75 / n + 2.25 / n**2), 10.0)
    if a < 0.2:
        return float(1 - np.exp(-13.436 + 101.14 * a - 223.73 * a**2))
    if a < 0.34:
        return float(1 - np.exp(-8.318 + 42.796 * a - 59.938 * a**2))
    if a < 0.6:
        return float(np.exp(0.9177 - 4.279 * a - 1.38 * a**2))
    return float(np.exp(1.2937 - 5.709 * a + 0.0186 * a**2))


def two_sided_p(z: float) -> float:
    """Two-sided p of a standard normal Z."""
    return float(2 * stats.norm.sf(abs(z)))
