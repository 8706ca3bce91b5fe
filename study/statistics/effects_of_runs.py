"""Effects of unpaired runs: Cliff's delta, A12 and the odds ratio; `effects` has them too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from study.schema import StudyError
from study.statistics import bootstrap
from study.statistics.models import marginal_logit
from study.statistics.pairs import DECIMALS, check_runs
from study.statistics.results import results
from study.statistics.summary import SERVICE


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
    row |= {"estimate": won.mean(), "note": few(g)}
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


def few(clusters: int) -> str:
    """A remark where there are too few services to resample, or nothing."""
    enough = clusters >= bootstrap.MIN_CLUSTERS
    return "" if enough else f"{clusters} services are too few to resample: no interval"
