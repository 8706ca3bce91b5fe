"""Rank statistics of arrays, each with its method stated and none chosen by n.

All functions work along the last axis, so that many data sets are evaluated at once, but those on exact
distributions. Values are rounded to 9 decimals before ranking: equal differences of k/n values are otherwise
unequal floats, and ties are lost.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from study.statistics.pairs import DECIMALS

Array = NDArray[np.float64]
Codes = NDArray[np.intp]
Zeros = Literal["dropped", "Pratt", "zsplit"]
Alternative = Literal["two-sided", "greater", "less"]


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

        The correction moves the statistic by 1/2 toward its expectation (as R and scipy do, across it if it
        is nearer than 1/2). NaN where all values are tied.
        """
        distance = self.excess - (0.5 * np.sign(self.excess) if continuity else 0.0)
        sd = self.sd_ties if ties else self.sd_plain
        return np.asarray(distance / np.where(sd > 0, sd, np.nan))


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
    ranks = joint_ranks(first, second)
    excess = ranks[..., :m].sum(axis=-1) - m * (total + 1) / 2
    centred = ((ranks - (total + 1) / 2) ** 2).sum(axis=-1)
    sd_ties = np.sqrt(m * n * centred / (total * (total - 1)))
    return Standardised(excess, sd_ties, np.full_like(sd_ties, np.sqrt(m * n * (total + 1) / 12)))


def joint_ranks(*groups: Array) -> Array:
    """Midranks of all groups together, after rounding."""
    return np.asarray(stats.rankdata(np.round(np.concatenate(groups, axis=-1), DECIMALS), axis=-1))


def mean_rank_difference(x: Any, y: Any, *, continuity: bool = False) -> Array:
    """Mean rank of x minus mean rank of y, both in the joint ranking: in ranks, not in units of the values.

    With the continuity correction it is nearer to zero by 1/(2 n_x) + 1/(2 n_y).
    """
    result = rank_sum(x, y)
    m, n = np.shape(x)[-1], np.shape(y)[-1]
    distance = result.excess - (0.5 * np.sign(result.excess) if continuity else 0.0)
    return np.asarray(distance * (m + n) / (m * n))


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


def ties_factor(values: Any) -> float:
    r"""One minus :math:`\sum (t^3 - t) / (N^3 - N)`: 1 without ties, 0 where all values are equal.

    Examples
    --------
    One tie of two among three: 1 - 6 / 24.

    >>> ties_factor([1, 1, 2])
    0.75
    """
    x = np.round(np.asarray(values, dtype=float), DECIMALS)
    tied = np.unique(x, return_counts=True)[1].astype(float)
    n = float(len(x))
    return float(1 - (tied**3 - tied).sum() / (n**3 - n)) if n > 1 else 0.0


def dunn_z(groups: list[Any], first: int = 0, second: int = 1, *, ties: bool = True) -> float:
    r"""Dunn's Z for two of k groups in the joint ranking of all groups [1]_.

    :math:`(\bar r_i - \bar r_j) / \sqrt{(N (N + 1) / 12 - \sum (t^3 - t) / (12 (N - 1)))
    (1 / n_i + 1 / n_j)}`. NaN where all values are equal.

    References
    ----------
    .. [1] Dunn (1964), Technometrics 6(3), 241-252.
    """
    arrays = [np.asarray(group, dtype=float) for group in groups]
    sizes = [len(array) for array in arrays]
    ranks = joint_ranks(*arrays)
    parts = np.split(ranks, np.cumsum(sizes)[:-1])
    total = len(ranks)
    factor = ties_factor(ranks) if ties else 1.0
    variance = total * (total + 1) / 12 * factor * (1 / sizes[first] + 1 / sizes[second])
    difference = parts[first].mean() - parts[second].mean()
    return float(difference / np.sqrt(variance)) if variance > 0 else float(np.nan)


def signed_ranks(differences: Any, zeros: Zeros = "dropped") -> Array:
    """Signed midranks of the differences; zeros have rank 0, and count in the ranking unless dropped."""
    d = np.round(np.asarray(differences, dtype=float), DECIMALS)
    ranks = stats.rankdata(np.abs(d), axis=-1)
    if zeros == "dropped":
        ranks = ranks - (d == 0).sum(axis=-1)[..., None]
    return np.asarray(np.sign(d) * ranks)


def signed_rank(differences: Any, zeros: Zeros = "dropped") -> Standardised:
    r"""Wilcoxon signed-rank of paired differences [1]_.

    :math:`R^+ - E(R^+)`, variance :math:`\sum r^2 / 4`. Zeros are dropped before ranking; or ranked and left
    out of sum and variance (Pratt [2]_); or ranked and split between the signs (`zsplit`, as scipy does: they
    stay in the variance; leaving them out of it gives the Z of Pratt).

    References
    ----------
    .. [1] Wilcoxon (1945), Biometrics Bulletin 1(6), 80-83.
    .. [2] Pratt (1959), J. Am. Stat. Assoc. 54(287), 655-667.
    """
    d = np.round(np.asarray(differences, dtype=float), DECIMALS)
    signed = signed_ranks(d, zeros)
    size = np.asarray(float(d.shape[-1]))
    zero = (d == 0).sum(axis=-1).astype(float)
    squares = (signed**2).sum(axis=-1)
    if zeros == "zsplit":
        squares = squares + zero * ((zero + 1) / 2) ** 2  # their common midrank
        zero = np.zeros_like(zero)
    elif zeros == "dropped":
        size, zero = size - zero, np.zeros_like(zero)
    plain = (_squares(size) - _squares(zero)) / 4
    return Standardised(signed.sum(axis=-1) / 2, np.sqrt(squares / 4), np.sqrt(plain))


def signed_rank_sums(differences: Any, zeros: Zeros = "dropped") -> tuple[float, float]:
    """R+ and R-, rank sums of the positive and the negative differences (zsplit: with half the zeros').

    Examples
    --------
    >>> signed_rank_sums([3, -1, 0, 2]), signed_rank_sums([3, -1, 0, 2], "Pratt")
    ((5.0, 1.0), (7.0, 2.0))
    """
    d = np.round(np.asarray(differences, dtype=float), DECIMALS)
    signed = signed_ranks(d, zeros)
    zero = float((d == 0).sum())
    half = zero * (zero + 1) / 4 if zeros == "zsplit" else 0.0
    return float(signed[signed > 0].sum()) + half, float(-signed[signed < 0].sum()) + half


def _squares(n: Array) -> Array:
    """Sum of the squares of 1 to n."""
    return n * (n + 1) * (2 * n + 1) / 6


def signed_rank_exact_p(
    differences: Any, zeros: Zeros = "dropped", alternative: Alternative = "two-sided"
) -> float:
    """Exact p of the signed-rank test given ties and zeros; 1 where all differences are zero.

    The distribution over all sign patterns is built by adding one (doubled, hence whole) midrank after the
    other, so that any number of pairs is exact. Two-sided: patterns at least as far from the expectation.

    Examples
    --------
    Of the 16 patterns of the ranks 1, 2.5, 2.5 and 4, four give a sum that is 4 or more from 5, as R+ = 9.

    >>> signed_rank_exact_p([3, -1, 2, 2])
    0.25
    """
    signed = signed_ranks(differences, zeros)
    doubled = np.rint(2 * signed[signed != 0]).astype(int)
    ranks = np.abs(doubled)
    total = int(ranks.sum())
    ways = np.zeros(total + 1)
    ways[0] = 1.0
    for rank in ranks:
        ways[rank:] = (ways[rank:] + ways[: total + 1 - rank]) / 2
        ways[:rank] /= 2
    centred = 2 * np.arange(total + 1) - total
    observed = 2 * int(doubled[doubled > 0].sum()) - total
    if alternative == "greater":
        return float(ways[centred >= observed].sum())
    if alternative == "less":
        return float(ways[centred <= observed].sum())
    return float(min(1.0, ways[np.abs(centred) >= abs(observed)].sum()))


def p_of_z(z: float, alternative: Alternative = "two-sided") -> float:
    """P of a standard normal Z; NaN stays NaN."""
    if alternative == "greater":
        return float(stats.norm.sf(z))
    if alternative == "less":
        return float(stats.norm.cdf(z))
    return float(2 * stats.norm.sf(abs(z)))
