"""Tests of related samples: the levels of a factor within blocks.

By default a block is a service, with the mean over its runs at each level: services are independent of
each other. `unit="block"` takes every combination of the other factors as a block, as if these were
independent too.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, Literal

import numpy as np
import pandas as pd
from scipy import stats

from study.schema import StudyError
from study.statistics.as_published import one_level
from study.statistics.families import within
from study.statistics.pairs import BLOCK, DECIMALS, check_runs
from study.statistics.results import notes, results
from study.statistics.summary import SERVICE, levels

Unit = Literal["cluster", "block"]


def blocks_by_level(
    frame: pd.DataFrame,
    value: str,
    factor: str,
    *,
    unit: Unit = "cluster",
    blocks: Sequence[str] | None = None,
    cluster: Sequence[str] = tuple(SERVICE),
    decimals: int | None = DECIMALS,
) -> tuple[pd.DataFrame, str]:
    """One row per complete block, one column per level; and a remark on incomplete blocks."""
    names = list(blocks or BLOCK) if unit == "block" else list(cluster)
    names = [name for name in names if name != factor and name in frame.columns]
    if not names:
        raise StudyError(f"runs: no columns that make blocks for {factor!r}")
    table = check_runs(frame, value, [factor])
    if unit == "block" and table.duplicated([*names, factor]).any():
        raise StudyError(f"runs: several rows for one block ({', '.join(names)}) and level of {factor}")
    wide = table.groupby([*names, factor], sort=False)[value].mean().unstack(factor)
    wide = wide.reindex(columns=levels(table[factor]))
    wide = wide if decimals is None else wide.round(decimals)
    complete = wide.dropna()
    lost = len(wide) - len(complete)
    return complete, f"{lost} of {len(wide)} blocks incomplete and left out" if lost else ""


def friedman(frame: pd.DataFrame, value: str, factor: str, **options: Any) -> pd.DataFrame:
    r"""Friedman's test [1]_ of the levels of a factor within blocks, with Kendall's W [2]_.

    Statistic: chi-squared with ties; estimate: :math:`W = \chi^2 / (b (k - 1))`, 0 (no agreement of the
    blocks) to 1. Options as in `blocks_by_level`.

    Returns
    -------
    DataFrame
        One row; also f, f_df1, f_df2, f_p: Iman and Davenport's F [3]_,
        :math:`(b - 1) \chi^2 / (b (k - 1) - \chi^2)`.

    References
    ----------
    .. [1] Friedman (1937), J. Am. Stat. Assoc. 32(200), 675-701.
    .. [2] Kendall and Babington Smith (1939), Ann. Math. Stat. 10(3), 275-287.
    .. [3] Iman and Davenport (1980), Commun. Stat. 9(6), 571-595.

    Examples
    --------
    Three blocks that all rank three levels alike: W is 1, chi-squared 3 * 2 = 6.

    >>> runs = pd.DataFrame({"service": [*"aaabbbccc"], "agent": [*"xyz"] * 3, "v": range(9)})
    >>> row = friedman(runs, "v", "agent").iloc[0]
    >>> row["statistic"], row["estimate"]
    (np.float64(6.0), np.float64(1.0))
    """
    table, lost = blocks_by_level(frame, value, factor, **options)
    b, k = table.shape
    row = _row(f"{value} by {factor}", "Kendall's W", b, "Friedman, ties corrected, chi-squared", lost)
    if b < 2 or k < 3 or (table.nunique(axis=1) == 1).all():
        return results([row | {"note": notes(lost, f"{b} blocks, {k} levels, or no variance: no test")}])
    chi2, p = stats.friedmanchisquare(*(table[name] for name in table.columns))
    left = b * (k - 1) - chi2
    f = (b - 1) * chi2 / left if left > 1e-9 else np.inf
    df2 = (b - 1) * (k - 1)
    row |= {"statistic": chi2, "df": k - 1, "p": p, "estimate": chi2 / (b * (k - 1))}
    row |= {"f": f, "f_df1": k - 1, "f_df2": df2, "f_p": stats.f.sf(f, k - 1, df2)}
    return results([row])


def quade(
    frame: pd.DataFrame, value: str, factor: str, *, rounded: bool = True, **options: Any
) -> pd.DataFrame:
    """Quade's test: as Friedman's, and blocks with a wider range count more [1]_. Statistic: F.

    Ranges are rounded to 9 decimals before they are ranked, so that equal ones are ties; R does not round
    (`rounded=False`), and loses them.

    References
    ----------
    .. [1] Quade (1979), J. Am. Stat. Assoc. 74(367), 680-683.

    Examples
    --------
    Blocks of ranges 1, 2 and 3, the last in the opposite order: sums over blocks -+ (1 + 2 - 3) / 2 = 0.

    >>> runs = pd.DataFrame({"service": [*"aabbcc"], "agent": [*"xyxyxy"], "v": [0, 1, 0, 2, 3, 0]})
    >>> quade(runs, "v", "agent")["statistic"].tolist()
    [0.0]
    """
    decimals = DECIMALS if rounded else None
    table, lost = blocks_by_level(frame, value, factor, decimals=decimals, **options)
    b, k = table.shape
    row = _row(f"{value} by {factor}", "F", b, "Quade, F", lost)
    y = table.to_numpy(dtype=float)
    if b < 2 or k < 2 or not np.ptp(y, axis=1).any():
        return results([row | {"note": notes(lost, f"{b} blocks, {k} levels, or no variance: no test")}])
    ranges = np.ptp(y, axis=1)
    weights = stats.rankdata(ranges.round(DECIMALS) if rounded else ranges)
    s = weights[:, None] * (stats.rankdata(y, axis=1) - (k + 1) / 2)
    between = (s.sum(axis=0) ** 2).sum() / b
    within_blocks = (s**2).sum() - between
    f = (b - 1) * between / within_blocks if within_blocks > 1e-9 else np.inf
    row |= {"statistic": f, "df": k - 1, "p": stats.f.sf(f, k - 1, (b - 1) * (k - 1))}
    return results([row])


def cochran_q(frame: pd.DataFrame, value: str, factor: str, **options: Any) -> pd.DataFrame:
    """Cochran's Q test of a 0/1 column (all tests passed or not) within blocks (statsmodels).

    References
    ----------
    .. [1] Cochran (1950), Biometrika 37(3/4), 256-266.

    Examples
    --------
    For two levels Q is McNemar's (b - c)^2 / (b + c): 3 and 1 discordant blocks give 1.

    >>> runs = pd.DataFrame({"service": [*"aabbccdd"], "agent": [*"xy"] * 4, "v": [1, 0, 1, 0, 1, 0, 0, 1]})
    >>> cochran_q(runs, "v", "agent")["statistic"].tolist()
    [1.0]
    """
    from statsmodels.stats.contingency_tables import cochrans_q

    table, lost = blocks_by_level(frame, value, factor, **({"unit": "block"} | options))
    b, k = table.shape
    row = _row(f"{value} by {factor}", "Q", b, "Cochran's Q, chi-squared", lost)
    if not table.isin([0, 1]).all(axis=None):
        raise StudyError(f"runs: {value}: Cochran's Q needs values of 0 and 1 only")
    if b < 1 or k < 2 or (table.nunique(axis=1) == 1).all():
        return results([row | {"note": notes(lost, "no block has both results: no test")}])
    found = cochrans_q(table.to_numpy())
    return results([row | {"statistic": found.statistic, "df": k - 1, "p": found.pvalue}])


def mcnemar(pairs: pd.DataFrame) -> pd.DataFrame:
    """McNemar's exact test of pairs of 0/1 values; statistic: the smaller number of discordant pairs.

    Estimate: difference of proportions. Takes pairs as independent.

    Examples
    --------
    Of 4 discordant pairs 1 is in favour of the second: p = 2 (1 + 4) / 16.

    >>> d = pd.DataFrame({"comparison": "x minus y", "cluster": range(6), "difference": [1, 1, 1, -1, 0, 0]})
    >>> row = mcnemar(d).iloc[0]
    >>> row["statistic"], row["p"]
    (np.float64(1.0), np.float64(0.625))
    """
    rows = []
    for name, part in pairs.groupby("comparison", sort=False):
        d = part["difference"].dropna().to_numpy(dtype=float)
        up, down = int((d > 0).sum()), int((d < 0).sum())
        some = up + down > 0
        rows.append(
            {
                "comparison": name,
                "quantity": "difference of proportions",
                "estimate": d.mean() if len(d) else np.nan,
                "statistic": min(up, down),
                "p": stats.binomtest(up, up + down).pvalue if some else np.nan,
                "n": len(d),
                "clusters": part["cluster"].nunique(),
                "method": "McNemar, exact",
                "note": notes("takes pairs as independent", "" if some else "no discordant pair: no test"),
                "first_only": up,
                "second_only": down,
            }
        )
    return results(rows)


def nemenyi(frame: pd.DataFrame, value: str, factor: str, **options: Any) -> pd.DataFrame:
    """Nemenyi's comparisons of all pairs of levels after Friedman's test (scikit-posthocs).

    Statistic: none is given; p is that of the studentised range, adjusted for the family by construction.
    """
    return _posthoc(frame, value, factor, "nemenyi", options)


def conover(frame: pd.DataFrame, value: str, factor: str, **options: Any) -> pd.DataFrame:
    """Conover's t comparisons after Friedman's test (scikit-posthocs), all pairs of levels, Holm-adjusted."""
    return _posthoc(frame, value, factor, "conover", options)


def _posthoc(
    frame: pd.DataFrame, value: str, factor: str, test: str, options: dict[str, Any]
) -> pd.DataFrame:
    import scikit_posthocs

    table, lost = blocks_by_level(frame, value, factor, **options)
    b, k = table.shape
    if k < 2:
        return one_level(factor, b)
    names = list(table.columns)
    call = getattr(scikit_posthocs, f"posthoc_{test}_friedman")
    enough = b > 1 and k > 2 and not (table.nunique(axis=1) == 1).all()
    p = call(table.to_numpy()).to_numpy() if enough else np.full((k, k), np.nan)
    ranks = stats.rankdata(table.to_numpy(), axis=1).mean(axis=0) if b else np.full(k, np.nan)
    rows = [
        _row(f"{names[i]} minus {names[j]}", "difference of mean ranks within blocks", b, test.title(), lost)
        | {"estimate": ranks[i] - ranks[j], "p": p[i, j]}
        | ({} if enough else {"note": notes(lost, f"{b} blocks, {k} levels, or no variance: no test")})
        for i, j in combinations(range(k), 2)
    ]
    table = results(rows)
    if test == "nemenyi":
        label = f"{factor} ({len(rows)} p values, studentised range)"
        return table.assign(p_adjusted=table["p"], family=label)
    return within(table, f"{factor}, Conover")


def _row(comparison: str, quantity: str, blocks: int, method: str, note: str) -> dict[str, Any]:
    return {
        "comparison": comparison,
        "quantity": quantity,
        "n": blocks,
        "clusters": blocks,
        "method": method,
        "note": note,
    }
