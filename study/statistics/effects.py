"""Effects with intervals that respect services: services are averaged or resampled as wholes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from study.schema import StudyError
from study.statistics import bootstrap, walsh
from study.statistics.models import marginal_logit
from study.statistics.pairs import (
    DECIMALS,
    check_runs,
    cluster_means,
    known_differences,
    missing_pairs,
)
from study.statistics.ranks import Array, Codes, signed_rank_sums
from study.statistics.results import notes, results
from study.statistics.summary import SERVICE

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
        rows.append(row | {"note": notes(row["note"], _few(len(means)))})
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
        rows.append(row | {"note": notes(row["note"], _few(len(names)), still)})
    return results(rows)


def cliffs_delta(
    frame: pd.DataFrame,
    value: str,
    factor: str,
    pair: tuple[str, str],
    *,
    cluster: Sequence[str] = tuple(SERVICE),
    resamples: int = bootstrap.RESAMPLES,
    seed: int = 0,
) -> pd.DataFrame:
    r"""Cliff's delta [1]_ of two levels, unpaired, with a cluster bootstrap interval.

    Mean of :math:`\mathrm{sign}(x - y)` over all pairs of a run at the first and a run at the second level:
    -1 to 1. Both runs of a pair of services are resampled together.

    References
    ----------
    .. [1] Cliff (1993), Psychol. Bull. 114(3), 494-509.

    Examples
    --------
    >>> runs = pd.DataFrame({"service": [*"abab"], "agent": [*"xxyy"], "v": [1, 3, 2, 0]})
    >>> cliffs_delta(runs, "v", "agent", ("x", "y"))["estimate"].tolist()  # 3 of 4 pairs greater, 1 less
    [0.5]
    """
    unit = [name for name in cluster if name in frame.columns]
    table = check_runs(frame, value, [factor, *unit]).dropna(subset=[value])
    table = table[table[factor].isin(pair)].reset_index(drop=True)
    codes = table.groupby(unit, sort=False).ngroup().to_numpy()
    first, second = (table[factor] == level for level in pair)
    x, y = (table.loc[at, value].to_numpy().round(DECIMALS) for at in (first, second))
    g = len(set(codes))
    row: dict[str, Any] = {
        "comparison": f"{pair[0]} minus {pair[1]}",
        "quantity": "Cliff's delta",
        "n": len(table),
        "clusters": g,
        "method": f"unpaired; cluster bootstrap, expanded, {resamples}, seed {seed}, 95 %",
    }
    if not len(x) or not len(y):
        return results([row | {"note": f"{factor}: no value at one of the levels"}])
    won = np.sign(x[:, None] - y[None, :])
    row |= {"estimate": won.mean(), "note": _few(g)}
    if g >= bootstrap.MIN_CLUSTERS:
        of_x, of_y = (np.eye(g)[codes[at.to_numpy()]] for at in (first, second))
        weights = bootstrap.draws(g, resamples, seed=seed)
        pairs_of = (weights @ of_x.sum(axis=0)) * (weights @ of_y.sum(axis=0))
        sums = ((weights @ (of_x.T @ won @ of_y)) * weights).sum(axis=1)
        boot = sums / np.where(pairs_of > 0, pairs_of, np.nan)
        row["low"], row["high"] = bootstrap.percentiles(boot, clusters=g)
    return results([row])


def vargha_delaney(
    frame: pd.DataFrame, value: str, factor: str, pair: tuple[str, str], **options: Any
) -> pd.DataFrame:
    """Vargha and Delaney's A12 [1]_: probability that a run at the first level is better, ties half.

    (delta + 1) / 2 of `cliffs_delta`, whose options it takes.

    References
    ----------
    .. [1] Vargha and Delaney (2000), J. Educ. Behav. Stat. 25(2), 101-132.

    Examples
    --------
    >>> runs = pd.DataFrame({"service": [*"abab"], "agent": [*"xxyy"], "v": [1, 3, 2, 0]})
    >>> vargha_delaney(runs, "v", "agent", ("x", "y"))["estimate"].tolist()  # 3 of 4 pairs
    [0.75]
    """
    table = cliffs_delta(frame, value, factor, pair, **options)
    bounds = ["estimate", "low", "high"]
    return table.assign(quantity="A12", **{name: (table[name] + 1) / 2 for name in bounds})


def odds_ratio(
    frame: pd.DataFrame, value: str, factor: str, pair: tuple[str, str], **options: Any
) -> pd.DataFrame:
    """Odds ratio of two levels from the marginal model of rates in percent (GEE, bias-reduced, t).

    Options as in `study.statistics.models.marginal_logit`. Without an estimate where all rates of a level are
    0 or 100.

    Examples
    --------
    Rates around 80 and 20 %: (80 / 20) / (20 / 80) = 16.

    >>> v = [79, 81, 80, 21, 19, 20]
    >>> runs = pd.DataFrame({"service": [*"abcabc"], "agent": [*"xxxyyy"], "rate": v})
    >>> row = odds_ratio(runs, "rate", "agent", ("x", "y"), structure="independence").iloc[0]
    >>> round(row["estimate"], 6)
    np.float64(16.0)
    """
    known = check_runs(frame, value, [factor])
    known = known[known[factor].isin(pair)]
    name = f"{pair[0]} over {pair[1]}"
    at = known.groupby(factor)[value].mean()
    row = {"comparison": name, "quantity": "odds ratio", "n": int(known[value].notna().sum())}
    if set(pair) - set(at.dropna().index) or at.isin([0.0, 100.0]).any():
        return results([row | {"note": "all rates of a level are missing, 0 or 100: no odds ratio"}])
    try:
        fit = marginal_logit(known, value, [factor], reference={factor: pair[1]}, **options).iloc[1]
    except StudyError as error:
        return results([row | {"note": str(error)}])
    odds = {"estimate": fit["odds_ratio"], "low": fit["odds_low"], "high": fit["odds_high"]}
    kept = ("statistic", "df", "p", "clusters", "method", "note")
    return results([row | odds | {name: fit[name] for name in kept}])


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


def _few(clusters: int) -> str:
    enough = clusters >= bootstrap.MIN_CLUSTERS
    return "" if enough else f"{clusters} services are too few to resample: no interval"
