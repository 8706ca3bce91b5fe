"""Comparisons for the notebooks: tidy frame in, tidy frame out, every method stated in its row.

Runs of one service share its difficulty and its oracle, so they are not independent. Rank tests on runs
overstate the evidence; read the interval, which resamples whole services, before the p value.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pandas as pd
from scipy import stats

from study.schema import StudyError
from study.statistics.estimates import TOO_FEW, cluster_interval
from study.statistics.families import adjust
from study.statistics.ranks import p_of_z, signed_rank, signed_rank_exact_p, signed_rank_sums
from study.statistics.summary import SERVICE, levels, numeric

MIN_PAIRS = 6
"""Fewer non-zero pairs than this can never give a two-sided p below 0.05, so no test is made."""
MIN_GROUP = 5
"""The chi-squared approximation of Kruskal and Wallis asks for so many values in every group."""
EXACT_UP_TO = 15
"""Up to so many non-zero pairs all sign patterns are enumerated."""


def paired(
    frame: pd.DataFrame,
    value: str,
    factor: str,
    pair: tuple[str, str],
    *,
    blocks: Sequence[str],
    cluster: Sequence[str] = tuple(SERVICE),
    seed: int = 0,
) -> pd.DataFrame:
    r"""Compare two levels of a factor within blocks: the same agent, service, prompt and so on.

    Differences :math:`d` are first level minus second, rounded to 9 decimals so that equal differences of
    k/n values are ties. Test: Wilcoxon signed-rank [1]_, zeros dropped, midranks for ties, no continuity
    correction; exact over all sign patterns up to 15 non-zero differences, else the normal approximation.
    Effect: matched-pairs rank-biserial correlation [2]_ :math:`(R^+ - R^-) / (R^+ + R^-)`. Interval of the
    mean difference: percentile bootstrap over clusters.

    Parameters
    ----------
    frame : DataFrame
        One row per run.
    value, factor : str
        Column that is compared, and column of the levels.
    pair : tuple of str
        The two levels; the estimate is the first minus the second.
    blocks : sequence of str
        Columns that identify a block; blocks without both levels, or with a missing value, are left out.
    cluster : sequence of str
        Columns of the unit that is resampled, among the blocks.
    seed : int
        Of the bootstrap.

    Returns
    -------
    DataFrame
        One row: comparison, n (pairs), n_zero, n_clusters, estimate (mean difference), median, low, high
        (95 %), effect, statistic (:math:`R^+`), z, p, method. Missing where there is too little data.

    References
    ----------
    .. [1] Wilcoxon (1945), Biometrics Bulletin 1(6), 80-83.
    .. [2] Kerby (2014), Comprehensive Psychology 3, 11.IT.3.1.

    Examples
    --------
    R, ``wilcox.test(x, y, paired = TRUE)`` on these ten pairs without ties: V = 45, p = 0.08398.

    >>> x, y = [83, 75, 61, 92, 40, 55, 70, 66, 81, 38], [70, 81, 40, 74, 45, 30, 69, 59, 66, 50]
    >>> frame = pd.DataFrame({"pair": [*range(10)] * 2, "level": ["x"] * 10 + ["y"] * 10, "value": x + y})
    >>> row = paired(frame, "value", "level", ("x", "y"), blocks=["pair"], cluster=["pair"]).iloc[0]
    >>> row["statistic"], round(row["p"], 5), round(row["effect"], 5)
    (np.float64(45.0), np.float64(0.08398), np.float64(0.63636))
    """
    table = _pairs(frame, value, factor, pair, blocks)
    differences = table["difference"].to_numpy()
    low, high, clusters = cluster_interval(differences, _labels(table, cluster), seed=seed)
    some = len(differences) > 0
    return pd.DataFrame(
        [
            {
                "comparison": f"{pair[0]} minus {pair[1]}",
                "n": len(differences),
                "n_zero": int((differences == 0).sum()),
                "n_clusters": clusters,
                "estimate": float(np.mean(differences)) if some else np.nan,
                "median": float(np.median(differences)) if some else np.nan,
                "low": low,
                "high": high,
                **_signed_rank(differences),
            }
        ]
    )


def all_pairs(frame: pd.DataFrame, value: str, factor: str, **options: object) -> pd.DataFrame:
    """`paired` for all pairs of levels (the later one minus the earlier), with Holm-adjusted p values."""
    pairs = [(second, first) for first, second in combinations(levels(frame[factor]), 2)]
    rows = [paired(frame, value, factor, pair, **options) for pair in pairs]  # type: ignore[arg-type]
    if not rows:
        return pd.DataFrame({"comparison": [f"{factor} has one level only"], "n": [0], "method": [TOO_FEW]})
    table = pd.concat(rows, ignore_index=True)
    table.insert(list(table.columns).index("p") + 1, "p_holm", holm(table["p"]))
    return table


def factors(
    frame: pd.DataFrame, value: str, names: Sequence[str] = ("scenario", "prompt", "agent")
) -> pd.DataFrame:
    """`all_pairs` for several factors, each blocked by all others; Holm within each factor."""
    every = ["agent", *SERVICE, "scenario", "prompt", "replicate"]
    tables = []
    for name in names:
        table = all_pairs(frame, value, name, blocks=[column for column in every if column != name])
        table.insert(0, "factor", name)
        tables.append(table)
    return pd.concat(tables, ignore_index=True)


def kruskal_wallis(frame: pd.DataFrame, value: str, factor: str) -> pd.DataFrame:
    r"""Kruskal-Wallis test [1]_ over the levels of a factor, ties corrected, chi-squared distribution.

    Effect: :math:`\varepsilon^2 = H / (n - 1)` [2]_, 0 (none) to 1. The test takes runs as independent.

    Returns
    -------
    DataFrame
        One row: comparison, n, groups, statistic (H), df, p, effect (epsilon squared), method.

    References
    ----------
    .. [1] Kruskal and Wallis (1952), J. Am. Stat. Assoc. 47(260), 583-621.
    .. [2] Tomczak and Tomczak (2014), Trends in Sport Sciences 1(21), 19-25.

    Examples
    --------
    Ranks 1-5, 6-10 and 11-15 have sums 15, 40 and 65, so H = 12 / (15 * 16) * 6050 / 5 - 3 * 16 = 12.5
    and, with 2 degrees of freedom, p = exp(-H / 2).

    >>> frame = pd.DataFrame({"group": [*"aaaaabbbbbccccc"], "value": range(15)})
    >>> row = kruskal_wallis(frame, "value", "group").iloc[0]
    >>> round(row["statistic"], 4), round(row["p"], 5), round(row["effect"], 4)
    (np.float64(12.5), np.float64(0.00193), np.float64(0.8929))
    """
    known = numeric(frame, [value]).dropna(subset=[value])
    known = known.assign(**{value: known[value].round(9)})
    groups = [group.to_numpy() for _, group in known.groupby(factor, sort=False)[value]]
    row: dict[str, object] = {"comparison": f"{value} by {factor}", "n": len(known), "groups": len(groups)}
    enough = len(groups) > 1 and min(map(len, groups)) >= MIN_GROUP and known[value].nunique() > 1
    if enough:
        statistic, p = stats.kruskal(*groups)
        row |= {"statistic": statistic, "df": len(groups) - 1, "p": p, "effect": statistic / (len(known) - 1)}
    else:
        row |= dict.fromkeys(("statistic", "df", "p", "effect"), np.nan)
    method = "Kruskal-Wallis, ties corrected, chi-squared; effect: epsilon squared"
    return pd.DataFrame([row | {"method": method if enough else TOO_FEW}])


def holm(p: pd.Series) -> pd.Series:
    """Holm's step-down adjustment within one family; missing values stay out of the family.

    Examples
    --------
    R, ``p.adjust(c(0.01, 0.04, 0.03), "holm")``: 0.03 0.06 0.06.

    >>> holm(pd.Series([0.01, 0.04, 0.03])).tolist()
    [0.03, 0.06, 0.06]
    """
    return pd.Series(adjust(p), index=p.index)


def kruskal_wallis_all(frame: pd.DataFrame, values: Sequence[str], factor: str) -> pd.DataFrame:
    """`kruskal_wallis` of several columns, with p values adjusted by Holm over them."""
    table = pd.concat([kruskal_wallis(frame, value, factor) for value in values], ignore_index=True)
    table.insert(list(table.columns).index("p") + 1, "p_holm", holm(table["p"]))
    return table


def _pairs(
    frame: pd.DataFrame, value: str, factor: str, pair: tuple[str, str], blocks: Sequence[str]
) -> pd.DataFrame:
    table = numeric(frame[frame[factor].isin(pair)], [value])
    if table.duplicated([*blocks, factor]).any():
        raise StudyError(
            f"blocks {', '.join(blocks)} hold several rows of one {factor}; name all other factors"
        )
    wide = table.pivot(index=list(blocks), columns=factor, values=value).reindex(columns=list(pair))
    difference = (wide[pair[0]] - wide[pair[1]]).round(9).dropna()
    return difference.rename("difference").reset_index()


def _labels(table: pd.DataFrame, cluster: Sequence[str]) -> np.ndarray:
    return table[list(cluster)].astype(str).agg("\0".join, axis=1).to_numpy() if len(table) else np.array([])


def _signed_rank(differences: np.ndarray) -> dict[str, object]:
    """Signed-rank test with zeros dropped; scipy's own choice of method is never left to it."""
    nonzero = differences[differences != 0]
    n = len(nonzero)
    if n == 0:
        why = "all differences are zero" if len(differences) else TOO_FEW
        return dict.fromkeys(("effect", "statistic", "z", "p"), np.nan) | {"method": why}
    plus, minus = signed_rank_sums(nonzero)
    effect = (plus - minus) / (plus + minus)
    result: dict[str, object] = {"effect": effect, "statistic": plus, "z": np.nan, "p": np.nan}
    if n < MIN_PAIRS:
        return result | {"method": f"{TOO_FEW} for a test: {n} non-zero pairs"}
    z = float(signed_rank(nonzero).z())
    if n <= EXACT_UP_TO:
        p, method = signed_rank_exact_p(nonzero), "signed-rank, zeros dropped, exact"
    else:
        p, method = p_of_z(z), "signed-rank, zeros dropped, normal, no continuity"
    return result | {"z": z, "p": p, "method": method}
