"""Effects with intervals that respect services: services are averaged or resampled as wholes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from study.statistics import bootstrap, walsh
from study.statistics.effects_of_runs import cliffs_delta, few, odds_ratio, vargha_delaney
from study.statistics.pairs import (
    DECIMALS,
    cluster_means,
    known_differences,
    missing_pairs,
)
from study.statistics.ranks import Array, Codes, signed_rank_sums
from study.statistics.results import notes, results

__all__ = [
    "bootstrap_difference",
    "cliffs_delta",
    "hodges_lehmann",
    "matched_rank_biserial",
    "mean_difference",
    "odds_ratio",
    "ratio",
    "vargha_delaney",
]

ONE_SERVICE = "one service: no interval"


def mean_difference(pairs: pd.DataFrame, *, level: float = 0.95) -> pd.DataFrame:
    r"""Mean difference in points: mean of the services' mean differences, t interval with services - 1 df.

    :math:`\bar d \pm t_{G - 1} s_d / \sqrt G` over the G service means; every service counts alike. With as
    many pairs in every service this is the t of CR2 [1]_.

    Parameters
    ----------
    pairs : DataFrame
        From `study.statistics.pairs.pairs`.
    level : float
        Of the interval.

    Returns
    -------
    DataFrame
        One row per comparison; statistic t; also se.

    References
    ----------
    .. [1] Cameron and Miller (2015), J. Hum. Resour. 50(2), 317-372.

    Examples
    --------
    Service means 1, 2 and 3: t = 2 sqrt 3, interval 2 -+ 4.302653 / sqrt 3.

    >>> d = pd.DataFrame({"comparison": "B minus A", "cluster": [*"abc"], "difference": [1, 2, 3]})
    >>> row = mean_difference(d).iloc[0]
    >>> round(row["statistic"], 4), round(row["low"], 4), round(row["high"], 4)
    (np.float64(3.4641), np.float64(-0.4841), np.float64(4.4841))
    """
    return results([_t_row(name, part, cluster_means(part), level) for name, part in _each(pairs)])


def _t_row(name: str, part: pd.DataFrame, means: pd.Series, level: float) -> dict[str, Any]:
    values = means.to_numpy(dtype=float)
    g = len(values)
    row = _row(name, "mean difference", part, f"t over service means, {g - 1} df, {100 * level:g} %")
    if not g:
        return row | {"note": notes(row["note"], "no complete pair")}
    row |= {"estimate": values.mean(), "df": g - 1}
    if g < 2:
        return row | {"note": notes(row["note"], ONE_SERVICE)}
    se = values.std(ddof=1) / np.sqrt(g)
    width = stats.t.ppf((1 + level) / 2, g - 1) * se
    row |= {"low": values.mean() - width, "high": values.mean() + width, "se": se}
    if se <= 1e-12 * max(1.0, np.abs(values).max()):
        return row | {"note": notes(row["note"], "all services differ alike: no test")}
    t = values.mean() / se
    return row | {"statistic": t, "p": 2 * stats.t.sf(abs(t), g - 1)}


def ratio(pairs: pd.DataFrame, *, level: float = 0.95) -> pd.DataFrame:
    """Ratio of first to second (time, cost, size): geometric mean over services, t interval of the logs.

    Pairs in which a value is missing, zero or negative have no ratio and are counted in `note`.

    Examples
    --------
    Ratios 1/2, 1 and 2 in three services: 1, interval exp(-+ 4.302653 ln 2 / sqrt 3).

    >>> d = {"comparison": "B minus A", "cluster": [*"abc"], "first": [1, 2, 4], "second": 2, "difference": 0}
    >>> row = ratio(pd.DataFrame(d)).iloc[0]
    >>> round(row["estimate"], 4), round(row["low"], 4), round(row["high"], 4)
    (np.float64(1.0), np.float64(0.1787), np.float64(5.595))
    """
    rows = []
    for name, part in _each(pairs):
        positive = (part["first"] > 0) & (part["second"] > 0)
        kept = part[positive]
        logs = kept.assign(difference=np.log(kept["first"] / kept["second"]))
        row = _t_row(name.replace(" minus ", " over "), logs, cluster_means(logs), level)
        for bound in ("estimate", "low", "high"):
            row[bound] = np.exp(row.get(bound, np.nan))
        left_out = len(part) - len(kept)
        remark = f"{left_out} of {len(part)} pairs without two positive values left out" if left_out else ""
        row |= {"quantity": "ratio of geometric means", "note": notes(remark, row["note"])}
        rows.append(row)
    return results(rows)


def bootstrap_difference(
    pairs: pd.DataFrame,
    *,
    interval: bootstrap.Interval = "expanded",
    level: float = 0.95,
    resamples: int = bootstrap.RESAMPLES,
    seed: int = 0,
) -> pd.DataFrame:
    """Mean difference as in `mean_difference`, with an interval of `study.statistics.bootstrap`.

    `percentile` is the textbook interval, too narrow with 12 services; `expanded` and `studentised` are not.

    Examples
    --------
    The reference runs: all 1,352,078 resamples of 12 services give 11.67 to 29.14 as percentiles (test).
    Where all services differ alike there is nothing to resample.

    >>> d = pd.DataFrame({"comparison": "B minus A", "cluster": [*"abcde"], "difference": 2.0})
    >>> bootstrap_difference(d)[["estimate", "low", "high"]].to_numpy().tolist()
    [[2.0, 2.0, 2.0]]
    """
    rows = []
    for name, part in _each(pairs):
        means = cluster_means(part).to_numpy(dtype=float)
        low, high = bootstrap.mean_interval(
            means, interval=interval, level=level, resamples=resamples, seed=seed
        )
        method = f"cluster bootstrap, {interval}, {resamples}, seed {seed}, {100 * level:g} %"
        row = _row(name, "mean difference", part, method)
        row |= {"estimate": means.mean() if len(means) else np.nan, "low": low, "high": high}
        rows.append(row | {"note": notes(row["note"], few(len(means)))})
    return results(rows)


def hodges_lehmann(
    pairs: pd.DataFrame, *, resamples: int = bootstrap.RESAMPLES, seed: int = 0
) -> pd.DataFrame:
    """Hodges-Lehmann estimate, zeros kept, with a cluster bootstrap interval (`study.statistics.walsh`).

    Examples
    --------
    Walsh averages of 0, 1 and 5: 0, 0.5, 1, 2.5, 3 and 5; their median is 1.75.

    >>> d = pd.DataFrame({"comparison": "B minus A", "cluster": [*"abc"], "difference": [0, 1, 5]})
    >>> hodges_lehmann(d)["estimate"].tolist()
    [1.75]
    """

    def resample(d: Array, codes: Codes, weights: Array) -> Array:
        return walsh.resampled(d, codes, weights)

    return _resampled(pairs, "Hodges-Lehmann", walsh.hodges_lehmann, resample, resamples, seed)


def matched_rank_biserial(
    pairs: pd.DataFrame, *, resamples: int = bootstrap.RESAMPLES, seed: int = 0
) -> pd.DataFrame:
    r"""Matched-pairs rank-biserial correlation [1]_ with a cluster bootstrap interval.

    :math:`(R^+ - R^-) / (R^+ + R^-)`, zeros dropped: -1 to 1.

    References
    ----------
    .. [1] Kerby (2014), Comprehensive Psychology 3, 11.IT.3.1.

    Examples
    --------
    Ranks 1, 2 and 3, the smallest negative: (5 - 1) / 6.

    >>> d = pd.DataFrame({"comparison": "B minus A", "cluster": [*"abcd"], "difference": [3, -1, 0, 2]})
    >>> round(matched_rank_biserial(d)["estimate"][0], 4)
    np.float64(0.6667)
    """

    def estimate(d: Array) -> float:
        plus, minus = signed_rank_sums(d)
        return (plus - minus) / (plus + minus) if plus + minus else float(np.nan)

    return _resampled(pairs, "matched rank-biserial", estimate, _biserial_resamples, resamples, seed)


def _biserial_resamples(d: Array, codes: Codes, weights: Array) -> Array:
    d = np.round(d, DECIMALS)
    d, codes = d[d != 0], codes[d != 0]
    sizes, which = np.unique(np.abs(d), return_inverse=True)
    all_of, up = (np.zeros((weights.shape[1], len(sizes))) for _ in range(2))
    np.add.at(all_of, (codes, which), 1.0)
    np.add.at(up, (codes, which), (d > 0).astype(float))
    tied, positive = weights @ all_of, weights @ up
    ranks = np.cumsum(tied, axis=1) - tied / 2 + 0.5  # midrank of each size of difference
    plus, total = (ranks * positive).sum(axis=1), (ranks * tied).sum(axis=1)
    return np.asarray((2 * plus - total) / np.where(total > 0, total, np.nan))


def _resampled(
    pairs: pd.DataFrame,
    quantity: str,
    estimate: Callable[[Array], float],
    resample: Callable[[Array, Codes, Array], Array],
    resamples: int,
    seed: int,
) -> pd.DataFrame:
    rows = []
    for name, part in _each(pairs):
        known = known_differences(part)
        d = known["difference"].to_numpy(dtype=float)
        codes, names = pd.factorize(known["cluster"])
        codes = codes.astype(np.intp)
        row = _row(name, quantity, part, f"cluster bootstrap, expanded, {resamples}, seed {seed}, 95 %")
        row["estimate"] = estimate(d) if len(d) else np.nan
        if len(names) >= bootstrap.MIN_CLUSTERS and d.any():
            weights = bootstrap.draws(len(names), resamples, seed=seed)
            boot = resample(d, codes, weights)
            row["low"], row["high"] = bootstrap.percentiles(boot, clusters=len(names))
        still = "" if d.any() else "all differences are zero" if len(d) else "no complete pair"
        rows.append(row | {"note": notes(row["note"], few(len(names)), still)})
    return results(rows)


def _each(pairs: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    return [(str(name), part) for name, part in pairs.groupby("comparison", sort=False)]


def _row(name: str, quantity: str, part: pd.DataFrame, method: str) -> dict[str, Any]:
    known = known_differences(part)
    return {
        "comparison": name,
        "quantity": quantity,
        "n": len(known),
        "clusters": known["cluster"].nunique(),
        "method": method,
        "note": missing_pairs(part),
    }
