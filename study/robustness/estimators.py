"""One specification on pairs: estimate, 95 % interval and two-sided p, on the scale of the headline.

Estimates of rates are percentage points, those of sizes percent above (or below) the original, whatever the
test is: a curve of estimates needs one axis.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from study.robustness.choices import Specification
from study.schema import StudyError
from study.statistics import ranks, walsh
from study.statistics.models import marginal_logit
from study.statistics.permutation import sign_flip_p
from study.statistics.ranks import Array

DRAWN = 9_999
"""Random sign patterns where there are more than 20 units."""
MOST_PATTERNS = 20_000
"""Up to so many exchanges of labels are all tried."""
Z95 = float(stats.norm.ppf(0.975))


@dataclass(frozen=True)
class Result:
    """Of one specification; NaN where it cannot be had, and then the note says why."""

    estimate: float = np.nan
    low: float = np.nan
    high: float = np.nan
    p: float = np.nan
    n: int = 0
    units: int = 0
    note: str = ""
    direction: float = np.nan
    """Sign of what was tested, where it is not the estimate's: a median can be 0 beside a small p."""

    @property
    def sign(self) -> float:
        """Direction of the effect that the test is about."""
        return self.estimate if np.isnan(self.direction) else self.direction


def estimate(pairs: pd.DataFrame, specification: Specification) -> Result:
    """Apply a specification to the pairs that its measure and its rule leave.

    Parameters
    ----------
    pairs : DataFrame
        cluster, first, second, difference; incomplete pairs are left out, but by the unpaired test.
    specification : Specification
        Its unit, scale and test are used here.
    """
    if specification.test in ("labels exchanged", "Welch t"):
        return _between(pairs, specification)
    known = pairs[pairs["difference"].notna()]
    if specification.test == "rank-sum" and pairs[["first", "second"]].notna().any().all():
        return _rank_sum(pairs)
    if known.empty:
        return Result(note="no complete pair")
    if specification.test == "GEE":
        return _model(known)
    first, second = (_forward(known[side].to_numpy(dtype=float), specification.scale)
                     for side in ("first", "second"))  # fmt: skip
    if specification.unit == "service":
        first, second = (_means(values, known["cluster"]) for values in (first, second))
    if specification.test == "signed-rank":
        return _signed_rank(first - second, specification.scale, len(known))
    return _mean(first, second, specification, len(known))


def _forward(values: Array, scale: str) -> Array:
    if scale == "arcsine":
        return np.asarray(np.arcsin(np.sqrt(np.clip(values / 100, 0, 1))))
    return np.asarray(np.log(values)) if scale == "log ratio" else values


def _means(values: Array, cluster: pd.Series) -> Array:
    codes, names = pd.factorize(cluster)
    return np.asarray(np.bincount(codes, weights=values) / np.bincount(codes, minlength=len(names)))


def _mean(first: Array, second: Array, specification: Specification, n: int) -> Result:
    r"""Contrast of the two means, :math:`f(\bar a, \bar b)`, with a t interval over the units.

    points
        :math:`\bar a - \bar b`.
    log ratio
        :math:`100 (e^{\bar a - \bar b} - 1)`; its interval is that of the logs.
    arcsine
        :math:`100 (\sin^2 \bar a - \sin^2 \bar b)`; interval by the delta method.
    ratio of means
        :math:`100 (\bar a / \bar b - 1)`; interval by the delta method.

    The test is of the mean difference on the scale: t, or signs of the units flipped.
    """
    d = np.round(first - second, 9)
    units = len(d)
    a, b = float(first.mean()), float(second.mean())
    value, da, db = _contrast(a, b, specification.scale)
    if units < 2:
        return Result(value, n=n, units=units, note="one unit: no interval, no test")
    influence = da * (first - a) + db * (second - b)
    half = float(stats.t.ppf(0.975, units - 1) * influence.std(ddof=1) / np.sqrt(units))
    low, high = value - half, value + half
    if specification.scale == "log ratio":
        wide = stats.t.ppf(0.975, units - 1) * d.std(ddof=1) / np.sqrt(units)
        low, high = (_above(float(d.mean() + sign * wide)) for sign in (-1, 1))
    p = sign_flip_p(d, drawn=DRAWN) if specification.test == "sign flips" else _t_p(d)
    return Result(value, low, high, p, n, units, "" if d.any() else "all differences are zero")


def _contrast(a: float, b: float, scale: str) -> tuple[float, float, float]:
    """Estimate of two means, and its derivatives by them."""
    if scale == "arcsine":
        return 100 * (np.sin(a) ** 2 - np.sin(b) ** 2), 100 * np.sin(2 * a), -100 * np.sin(2 * b)
    if scale == "ratio of means":
        return 100 * (a / b - 1), 100 / b, -100 * a / b**2
    if scale == "log ratio":
        return _above(a - b), np.nan, np.nan
    return a - b, 1.0, -1.0


def _above(log: float) -> float:
    return float(100 * np.expm1(log))


def _t_p(d: Array) -> float:
    """P of t; 1 where all differences are zero, 0 where they are all the same other number."""
    spread = d.std(ddof=1)
    if spread <= 1e-9:
        return 1.0 if abs(d.mean()) <= 1e-9 else 0.0
    t = d.mean() / (spread / np.sqrt(len(d)))
    return float(2 * stats.t.sf(abs(t), len(d) - 1))


def _signed_rank(d: Array, scale: str, n: int) -> Result:
    """Hodges-Lehmann estimate and its interval; exact signed-rank p, zeros dropped."""
    d = np.round(d, 9)
    units = len(d)
    value = walsh.hodges_lehmann(d)
    low, high = walsh.exact_interval(d) if units <= 15 else walsh.normal_interval(d)[:2]
    if units < 6:  # no interval of so few units holds 95 %
        low = high = np.nan
    value, low, high = (_above(end) if scale == "log ratio" else float(end) for end in (value, low, high))
    p = ranks.signed_rank_exact_p(d)
    note = "" if d.any() else "all differences are zero"
    return Result(value, low, high, p, n, units, note, float(ranks.signed_rank(d).excess))


def _rank_sum(pairs: pd.DataFrame) -> Result:
    """Unpaired: median of all differences x - y, bounds where Z is 1.96, normal p with ties, uncorrected."""
    x, y = (pairs[side].dropna().to_numpy(dtype=float).round(9) for side in ("first", "second"))
    value = float(np.median(x[:, None] - y[None, :]))
    n = len(x) + len(y)
    if len({*x, *y}) == 1:
        return Result(value, n=n, units=n, note="all values are equal")
    low = high = value  # of two constants: shifted by their difference, nothing is left to rank
    if np.ptp(x) or np.ptp(y):
        low, high = (walsh.root_of_rank_sum(x, y, z) for z in (Z95, -Z95))
    tested = ranks.rank_sum(x, y)
    return Result(value, low, high, ranks.p_of_z(float(tested.z())), n, n, "", float(tested.excess))


def _model(known: pd.DataFrame) -> Result:
    """GEE of rates, logit, exchangeable within services, small-sample covariance; in points of the margin.

    The interval is that of the odds ratio, from the second level's fitted rate.
    """
    sides = [known[["cluster"]].assign(level=side, rate=known[side]) for side in ("second", "first")]
    runs = pd.concat(sides, ignore_index=True)
    means = runs.groupby("level")["rate"].mean()
    n, units = len(known), int(known["cluster"].nunique())
    if means.min() < 1e-9 or means.max() > 100 - 1e-9:
        return Result(n=n, units=units, note="no odds: all rates of a level are 0 or 100 %")
    if units < 3:
        return Result(n=n, units=units, note="too few services for a model")
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            table = marginal_logit(
                runs, "rate", ["level"], reference={"level": "second"}, cluster=["cluster"]
            )
    except (StudyError, np.linalg.LinAlgError) as error:
        return Result(n=n, units=units, note=f"the model does not fit: {error}")
    base, effect = table.to_dict("records")[:2]
    value, low, high = (_points(base["estimate"], effect[bound]) for bound in ("estimate", "low", "high"))
    note = "the model leaves no spread between services: no test" if np.isnan(effect["p"]) else ""
    return Result(value, low, high, float(effect["p"]), n, units, note)


def _between(rows: pd.DataFrame, specification: Specification) -> Result:
    """Difference of the means of two groups of whole projects, or of runs; interval of Welch."""
    groups = []
    for side in ("first", "second"):
        own = rows[rows[side].notna()]
        values = _forward(own[side].to_numpy(dtype=float), specification.scale)
        groups.append(_means(values, own["cluster"]) if specification.unit == "project" else values)
    x, y = groups
    n, units = int(rows[["first", "second"]].notna().any(axis=1).sum()), len(x) + len(y)
    if not len(x) or not len(y):
        return Result(n=n, units=units, note="one of the two groups is empty")
    a, b = float(x.mean()), float(y.mean())
    value, da, db = _contrast(a, b, specification.scale)
    if min(len(x), len(y)) < 2:
        return Result(value, n=n, units=units, note="one unit in a group: no interval, no test")
    variances = [values.var(ddof=1) / len(values) for values in groups]
    if sum(variances) < 1e-12:
        return Result(value, n=n, units=units, note="no spread within the groups: no interval, no test")
    freedom = sum(variances) ** 2 / sum(v**2 / (len(g) - 1) for v, g in zip(variances, groups, strict=True))
    half = float(stats.t.ppf(0.975, freedom) * np.sqrt(da**2 * variances[0] + db**2 * variances[1]))
    p = (
        _exchanged_p(x, y)
        if specification.test == "labels exchanged"
        else _welch_p(a - b, variances, freedom)
    )
    return Result(value, value - half, value + half, p, n, units)


def _welch_p(difference: float, variances: list[float], freedom: float) -> float:
    return float(2 * stats.t.sf(abs(difference) / np.sqrt(sum(variances)), freedom))


def _exchanged_p(x: Array, y: Array) -> float:
    """Two-sided p of the difference of means when labels are exchanged; exact up to 20,000 patterns."""
    found = stats.permutation_test(
        (x, y),
        lambda a, b, axis: np.round(a.mean(axis=axis) - b.mean(axis=axis), 9),
        vectorized=True,
        n_resamples=DRAWN if math.comb(len(x) + len(y), len(x)) > MOST_PATTERNS else np.inf,
        rng=np.random.default_rng(0),
    )
    return float(found.pvalue)


def _points(base: Any, effect: Any) -> float:
    """Points from the second level's log odds and the log odds ratio."""
    rates = 1 / (1 + np.exp(-np.array([base + effect, base], dtype=float)))
    return float(100 * (rates[0] - rates[1]))
