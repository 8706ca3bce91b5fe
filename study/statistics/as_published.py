"""Tests as published: they take runs, or pairs of runs, as independent of each other, which they are not.

Runs of one service share its difficulty and its oracle. In a simulation with no mean effect, but effects that
vary between services, these tests reject far more often than they say; the tests of `permutation` do not.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any, Literal

import numpy as np
import pandas as pd
from scipy import stats

from study.statistics import normality, ranks
from study.statistics.families import within
from study.statistics.pairs import DECIMALS, check_runs, known_differences, missing_pairs
from study.statistics.ranks import (
    Array,
    Zeros,
    p_of_z,
)
from study.statistics.results import notes, results
from study.statistics.summary import levels

INDEPENDENT = "takes values as independent"
NO_VARIANCE = "all values are equal: no test"


def anderson_darling(frame: pd.DataFrame, value: str) -> pd.DataFrame:
    """Anderson-Darling test of normality of one column; statistic A-squared, p by Stephens (`normality`).

    Examples
    --------
    Two values have z of -+ 1 / sqrt 2: A = -2 - ln 0.23975 - 3 ln 0.76025 = 0.2505.

    >>> row = anderson_darling(pd.DataFrame({"v": [-1, 1]}), "v").iloc[0]
    >>> round(row["statistic"], 4)
    np.float64(0.2505)
    """
    x = _known(frame, value)
    enough = len(x) > 1 and np.ptp(x) > 0
    a2 = float(normality.anderson_darling(x)) if enough else np.nan
    p = normality.anderson_darling_p(a2, len(x)) if enough else np.nan
    return results(
        [
            {
                "comparison": f"{value} against a normal distribution",
                "quantity": "A-squared",
                "statistic": a2,
                "p": p,
                "n": len(x),
                "method": "Anderson-Darling, mean and sd estimated, p by Stephens (floor 3.7e-24)",
                "note": notes(INDEPENDENT, "" if enough else NO_VARIANCE),
            }
        ]
    )


def shapiro_wilk(frame: pd.DataFrame, value: str) -> pd.DataFrame:
    """Shapiro-Wilk test of normality of one column (scipy); statistic W."""
    x = _known(frame, value)
    enough = len(x) > 2 and np.ptp(x) > 0
    w, p = stats.shapiro(x) if enough else (np.nan, np.nan)
    row = {
        "comparison": f"{value} against a normal distribution",
        "quantity": "W",
        "statistic": w,
        "p": p,
        "n": len(x),
        "method": "Shapiro-Wilk",
        "note": notes(INDEPENDENT, "" if enough else NO_VARIANCE),
    }
    return results([row])


def signed_rank(
    pairs: pd.DataFrame,
    *,
    zeros: Zeros = "dropped",
    continuity: bool = False,
    distribution: Literal["exact", "normal"] = "normal",
) -> pd.DataFrame:
    """Wilcoxon signed-rank test of pairs; statistic: signed Z, estimate: matched rank-biserial correlation.

    Parameters
    ----------
    pairs : DataFrame
        From `study.statistics.pairs.pairs`.
    zeros : str
        `dropped`, `Pratt` or `zsplit`; see `study.statistics.ranks.signed_rank`.
    continuity : bool
        Whether Z and the normal p have the continuity correction of 1/2.
    distribution : str
        `normal`, or `exact`: all sign patterns given ties and zeros, for any number of pairs.

    Returns
    -------
    DataFrame
        One row per comparison; also r_plus, r_minus, n_zero.

    Examples
    --------
    R on these ten pairs without ties: V = 45, exact p = 0.08398; coin: Z = 1.7838.

    >>> d = [13, -6, 21, 18, -5, 25, 1, 7, 15, -12]
    >>> frame = pd.DataFrame({"comparison": "x minus y", "cluster": range(10), "difference": d})
    >>> row = signed_rank(frame, distribution="exact").iloc[0]
    >>> row["r_plus"], round(row["statistic"], 4), round(row["p"], 5)
    (np.float64(45.0), np.float64(1.7838), np.float64(0.08398))
    """
    rows = []
    for name, part in pairs.groupby("comparison", sort=False):
        d = known_differences(part)["difference"].to_numpy(dtype=float)
        plus, minus = ranks.signed_rank_sums(d, zeros)
        moves = bool((d != 0).any())
        z = float(ranks.signed_rank(d, zeros).z(continuity=continuity)) if moves else np.nan
        if len(d) and not moves:  # the only outcome there can be
            z = 0.0
        p = ranks.signed_rank_exact_p(d, zeros) if distribution == "exact" and len(d) else p_of_z(z)
        z_is = f"Z with ties and {'with' if continuity else 'without'} continuity correction"
        rows.append(
            {
                "comparison": name,
                "quantity": "matched rank-biserial",
                "estimate": (plus - minus) / (plus + minus) if moves else np.nan,
                "statistic": z,
                "p": p,
                "n": len(d),
                "clusters": part["cluster"].nunique(),
                "method": f"signed-rank, zeros {zeros}, {distribution}, {z_is}",
                "note": notes(INDEPENDENT, missing_pairs(part), "" if moves else _nothing(d)),
                "r_plus": plus,
                "r_minus": minus,
                "n_zero": int((d == 0).sum()),
            }
        )
    return within(results(rows), "signed-rank, all comparisons")


def rank_sum(
    frame: pd.DataFrame, value: str, factor: str, pair: tuple[str, str], *, continuity: bool = False
) -> pd.DataFrame:
    """Wilcoxon-Mann-Whitney test of two levels as independent groups; positive where the first is larger.

    Returns
    -------
    DataFrame
        One row: statistic Z (ties corrected), estimate: difference of mean ranks (in ranks); also u (pairs in
        which the first is larger, ties half), rank_sum of the first, se of the mean rank difference.

    Examples
    --------
    U = 2 of 12 pairs, variance 3 * 4 * 8 / 12 = 8, so Z = -4 / sqrt 8 and p = 0.1573.

    >>> frame = pd.DataFrame({"g": [*"xxxyyyy"], "v": [1, 2, 5, 3, 4, 6, 7]})
    >>> row = rank_sum(frame, "v", "g", ("x", "y")).iloc[0]
    >>> row["u"], round(row["p"], 4)
    (np.float64(2.0), np.float64(0.1573))
    """
    table = check_runs(frame, value, [factor]).dropna(subset=[value])
    x, y = (table.loc[table[factor] == level, value].to_numpy() for level in pair)
    if not len(x) or not len(y):
        why = f"{factor}: no value at one of the levels {pair[0]}, {pair[1]}"
        return results([{"comparison": f"{pair[0]} minus {pair[1]}", "n": len(x) + len(y), "note": why}])
    first = ranks.joint_ranks(x, y)[: len(x)].sum()
    z = float(ranks.rank_sum(x, y).z(continuity=continuity))
    both = np.concatenate([x, y])
    row = {
        "comparison": f"{pair[0]} minus {pair[1]}",
        "quantity": "difference of mean ranks (in ranks)",
        "estimate": float(ranks.mean_rank_difference(x, y, continuity=continuity)),
        "statistic": z,
        "p": p_of_z(z),
        "n": len(both),
        "method": f"rank-sum, ties corrected, normal, {'with' if continuity else 'no'} continuity",
        "note": notes(INDEPENDENT, NO_VARIANCE if np.isnan(z) else ""),
        "u": float(first - len(x) * (len(x) + 1) / 2),
        "rank_sum": float(first),
        "se": ranks.mean_rank_se(len(x), len(y), ranks.ties_factor(both)),
    }
    return results([row])


def jmp_two_sample(frame: pd.DataFrame, value: str, factor: str, last: str) -> pd.DataFrame:
    """What JMP prints for two groups, where Wilcoxon's test and Dunn's for all pairs have one Z.

    S is the rank sum of the level that is `last` in value order, Z has the continuity correction, and the
    "score mean difference" is a difference of mean ranks, nearer to zero by 1/(2 n1) + 1/(2 n2): ranks, not
    points. See `rank_sum`, which this calls with continuity.
    """
    other = [level for level in levels(check_runs(frame, value, [factor])[factor]) if level != last]
    table = rank_sum(frame, value, factor, (last, other[0] if other else last), continuity=True)
    return table.assign(method="JMP two-sample Z and score mean difference, continuity 0.5")


def dunn(frame: pd.DataFrame, value: str, factor: str) -> pd.DataFrame:
    """Dunn's test of all pairs of levels (first minus second, in order of appearance), Holm-adjusted.

    Statistic: Z in the joint ranking, ties corrected; estimate: difference of mean ranks, in ranks.

    Examples
    --------
    Ranks 1-3, 4-6, 7-9: Z = (2 - 5) / sqrt(9 * 10 / 12 * 2 / 3) = -1.3416.

    >>> frame = pd.DataFrame({"g": [*"aaabbbccc"], "v": range(9)})
    >>> dunn(frame, "v", "g")["statistic"].round(4).tolist()
    [-1.3416, -2.6833, -1.3416]
    """
    table = check_runs(frame, value, [factor]).dropna(subset=[value])
    names = levels(table[factor])
    if len(names) < 2:
        return one_level(factor, len(table))
    groups: list[Any] = [table.loc[table[factor] == name, value].to_numpy() for name in names]
    of = np.split(ranks.joint_ranks(*groups), np.cumsum([len(group) for group in groups])[:-1])
    rows = []
    for i, j in combinations(range(len(names)), 2):
        z = ranks.dunn_z(groups, i, j)
        rows.append(
            {
                "comparison": f"{names[i]} minus {names[j]}",
                "quantity": "difference of mean ranks (in ranks)",
                "estimate": of[i].mean() - of[j].mean(),
                "statistic": z,
                "p": p_of_z(z),
                "n": len(table),
                "method": "Dunn, joint ranks, ties corrected, normal",
                "note": notes(INDEPENDENT, NO_VARIANCE if np.isnan(z) else ""),
            }
        )
    return within(results(rows), f"Dunn, {factor}")


def kruskal_wallis(frame: pd.DataFrame, value: str, factor: str) -> pd.DataFrame:
    r"""Kruskal-Wallis test [1]_ over the levels of a factor.

    Statistic: H, ties corrected, chi-squared with k - 1; estimate: :math:`\varepsilon^2 = H / (n - 1)`.

    Returns
    -------
    DataFrame
        One row; also h_uncorrected, ties (the factor that H is divided by), eta_squared
        (:math:`(H - k + 1) / (n - k)`).

    References
    ----------
    .. [1] Kruskal and Wallis (1952), J. Am. Stat. Assoc. 47(260), 583-621.

    Examples
    --------
    Ranks 1-5, 6-10 and 11-15: H = 12 / (15 * 16) * 6050 / 5 - 3 * 16 = 12.5.

    >>> frame = pd.DataFrame({"group": [*"aaaaabbbbbccccc"], "value": range(15)})
    >>> row = kruskal_wallis(frame, "value", "group").iloc[0]
    >>> round(row["statistic"], 4), round(row["p"], 5), round(row["estimate"], 4)
    (np.float64(12.5), np.float64(0.00193), np.float64(0.8929))
    """
    known = check_runs(frame, value, [factor]).dropna(subset=[value])
    groups = [part.to_numpy().round(DECIMALS) for _, part in known.groupby(factor, sort=False)[value]]
    n, k = len(known), len(groups)
    row: dict[str, Any] = {
        "comparison": f"{value} by {factor}",
        "quantity": "epsilon squared",
        "n": n,
        "method": "Kruskal-Wallis, ties corrected, chi-squared",
    }
    if k < 2 or known[value].round(DECIMALS).nunique() < 2:
        why = NO_VARIANCE if k > 1 else f"{factor} has one level only"
        return results([row | {"note": notes(INDEPENDENT, why)}])
    h, p = stats.kruskal(*groups)
    ties = ranks.ties_factor(known[value])
    row |= {
        "estimate": h / (n - 1),
        "statistic": h,
        "df": k - 1,
        "p": p,
        "note": INDEPENDENT,
        "h_uncorrected": h * ties,
        "ties": ties,
        "eta_squared": (h - k + 1) / (n - k) if n > k else np.nan,
    }
    return results([row])


def one_level(factor: str, n: int) -> pd.DataFrame:
    """The result where there is nothing to compare."""
    note = f"{factor} has values at one level only, or at none: nothing to compare"
    return results([{"comparison": factor, "n": n, "note": note}])


def _known(frame: pd.DataFrame, value: str) -> Array:
    return np.asarray(check_runs(frame, value)[value].dropna(), dtype=float)


def _nothing(d: Array) -> str:
    return "all differences are zero" if len(d) else "no complete pair"
