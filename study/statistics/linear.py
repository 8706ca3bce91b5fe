"""Linear models with the service as cluster: points, and logarithms of time, cost and size ratios."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from study.schema import StudyError
from study.statistics import bootstrap, reml, sandwich
from study.statistics.ranks import Array
from study.statistics.results import notes, results
from study.statistics.summary import SERVICE
from study.statistics.terms import design_matrix, matrix, model_frame


def cluster_ols(
    frame: pd.DataFrame,
    value: str,
    terms: Sequence[str],
    *,
    reference: Mapping[str, str] | None = None,
    cluster: Sequence[str] = tuple(SERVICE),
) -> pd.DataFrame:
    """Least squares with CR2 standard errors and Satterthwaite's df (`study.statistics.sandwich`).

    Returns
    -------
    DataFrame
        One row per coefficient, in units of the value; also se.

    Examples
    --------
    Differences of 1, 2 and 3 within three services: their mean with se 1 / sqrt 3 and 2 df, as in a paired t.

    >>> runs = pd.DataFrame({"service": [*"abcabc"], "agent": [*"xxxyyy"], "v": [5, 5, 5, 6, 7, 8]})
    >>> row = cluster_ols(runs, "v", ["agent"]).iloc[1]
    >>> round(row["estimate"], 6), round(row["se"], 6), round(row["df"], 6)
    (np.float64(2.0), np.float64(0.57735), np.float64(2.0))
    """
    known, codes, lost = model_frame(frame, [value], cluster)
    design = design_matrix(known, terms, reference)
    fit = sandwich.least_squares(matrix(design), known[value].to_numpy(dtype=float), codes)
    rows = []
    for i, name in enumerate(design.columns):
        t = fit.coefficients[i] / fit.cr2[i] if fit.cr2[i] > 0 else np.nan
        width = stats.t.ppf(0.975, fit.df[i]) * fit.cr2[i]
        rows.append(
            {
                "comparison": name,
                "quantity": value,
                "estimate": fit.coefficients[i],
                "low": fit.coefficients[i] - width,
                "high": fit.coefficients[i] + width,
                "statistic": t,
                "df": fit.df[i],
                "p": 2 * stats.t.sf(abs(t), fit.df[i]),
                "n": len(known),
                "clusters": int(codes.max()) + 1,
                "method": "least squares, CR2, t with Satterthwaite df",
                "note": notes(lost, "no variance within the model" if np.isnan(t) else ""),
                "se": fit.cr2[i],
            }
        )
    return results(rows)


def linear_mixed(
    frame: pd.DataFrame,
    value: str,
    terms: Sequence[str],
    *,
    log: bool = True,
    reference: Mapping[str, str] | None = None,
    cluster: Sequence[str] = tuple(SERVICE),
) -> pd.DataFrame:
    """Linear mixed model with a random intercept per service, by REML (`study.statistics.reml`).

    Parameters
    ----------
    frame : DataFrame
        One row per run.
    value : str
        Column; with `log` only positive values enter, and the rest is counted in `note`.
    terms : sequence of str
        Factors and interactions.
    log : bool
        Model the natural logarithm: exp(estimate) is then a ratio of geometric means.
    reference : mapping, optional
        Reference levels.
    cluster : sequence of str
        Columns of the service.

    Returns
    -------
    DataFrame
        One row per coefficient and per variance; also se and ratio (exp of the estimate, with `log`).
        Intervals are t with clusters - 1 df; `p_normal` is what statsmodels and lme4
        print.

    Examples
    --------
    Ratios of 2, 2 and 8 within three services: the geometric mean is (32)^(1/3) = 3.1748.

    >>> runs = pd.DataFrame({"service": [*"abcabc"], "agent": [*"xxxyyy"], "t": [1, 2, 4, 2, 4, 32]})
    >>> row = linear_mixed(runs, "t", ["agent"]).iloc[1]
    >>> round(row["ratio"], 4)
    np.float64(3.1748)
    """
    frame, dropped = _logged(frame, value) if log else (frame, "")
    known, codes, lost = model_frame(frame, [value], cluster)
    design = design_matrix(known, terms, reference)
    y = known[value].to_numpy(dtype=float)
    if np.ptp(y) == 0:
        raise StudyError(f"model of {value}: all values are equal")
    fit = reml.fit(matrix(design), y, codes)
    if fit.residual <= 1e-12 * np.var(y):
        raise StudyError(f"model of {value}: {', '.join(terms)} and the services explain every value exactly")
    b, se = fit.coefficients, fit.se
    remark = "variance between services estimated as zero" if fit.between == 0 else ""
    g = int(codes.max()) + 1
    common = {
        "n": len(known),
        "clusters": g,
        "method": f"linear mixed model of {'log ' if log else ''}{value}, service random, REML, t",
        "note": notes(dropped, lost, remark),
    }
    width = stats.t.ppf(0.975, g - 1) * se
    rows: list[dict[str, Any]] = [
        {
            "comparison": name,
            "quantity": f"log {value}" if log else value,
            "estimate": b[i],
            "low": b[i] - width[i],
            "high": b[i] + width[i],
            "statistic": b[i] / se[i],
            "df": g - 1,
            "p": 2 * stats.t.sf(abs(b[i] / se[i]), g - 1),
            "se": se[i],
            "p_normal": 2 * stats.norm.sf(abs(b[i] / se[i])),
            "ratio": np.exp(b[i]) if log else np.nan,
        }
        for i, name in enumerate(design.columns)
    ]
    rows += [
        {"comparison": "service", "quantity": "variance", "estimate": fit.between},
        {"comparison": "residual", "quantity": "variance", "estimate": fit.residual},
    ]
    return results([row | common for row in rows])


def _logged(frame: pd.DataFrame, value: str) -> tuple[pd.DataFrame, str]:
    numbers = pd.to_numeric(frame[value], errors="coerce").astype("float64")
    positive = numbers > 0
    zero = int((numbers <= 0).sum())
    known = frame[positive | numbers.isna()]
    logs = np.log(numbers[known.index].where(positive[known.index]))
    return known.assign(**{value: logs}), f"{zero} values of 0 or less have no logarithm" if zero else ""


def median_regression(
    frame: pd.DataFrame,
    value: str,
    terms: Sequence[str],
    *,
    reference: Mapping[str, str] | None = None,
    cluster: Sequence[str] = tuple(SERVICE),
    resamples: int = 400,
    seed: int = 0,
) -> pd.DataFrame:
    """Median regression [1]_ as a linear programme; intervals resample services (expanded percentiles).

    Parameters
    ----------
    frame : DataFrame
        One row per run.
    value : str
        Column, in its own units.
    terms : sequence of str
        Factors and interactions.
    reference : mapping, optional
        Reference levels.
    cluster : sequence of str
        Columns of the service.
    resamples, seed : int
        Of the cluster bootstrap.

    Returns
    -------
    DataFrame
        One row per coefficient; no p: read the interval.

    References
    ----------
    .. [1] Koenker and Bassett (1978), Econometrica 46(1), 33-50.

    Examples
    --------
    Medians 2 and 7 of two groups.

    >>> runs = pd.DataFrame({"service": [*"abcabc"], "agent": [*"AAABBB"], "v": [1, 2, 9, 6, 7, 8]})
    >>> median_regression(runs, "v", ["agent"])["estimate"].round(6).tolist()
    [2.0, 5.0]
    """
    known, codes, lost = model_frame(frame, [value], cluster)
    design = design_matrix(known, terms, reference)
    x, y = matrix(design), known[value].to_numpy(dtype=float)
    b = _least_absolute(x, y, np.ones(len(y)))
    g = int(codes.max()) + 1
    few = g < bootstrap.MIN_CLUSTERS
    drawn = bootstrap.draws(g, 0 if few else resamples, seed=seed)
    fits = [_least_absolute(x, y, weights[codes]) for weights in drawn]
    boot = np.array(fits) if fits else np.full((1, len(b)), np.nan)
    why = f"{g} services are too few to resample" if few else ""
    rows = []
    for i, name in enumerate(design.columns):
        low, high = bootstrap.percentiles(boot[:, i], clusters=g)
        rows.append(
            {
                "comparison": name,
                "quantity": f"median of {value}" if i == 0 else f"difference of medians of {value}",
                "estimate": b[i],
                "low": low,
                "high": high,
                "n": len(known),
                "clusters": g,
                "method": f"median regression, cluster bootstrap ({resamples}, expanded, seed {seed})",
                "note": notes(lost, why),
            }
        )
    return results(rows)


def _least_absolute(x: Array, y: Array, weights: Array) -> Array:
    """Coefficients that minimise the weighted sum of absolute residuals; NaN if a column is empty."""
    from scipy.optimize import linprog

    rows = weights > 0
    x, y, w = x[rows], y[rows], weights[rows]
    n, p = x.shape
    if np.linalg.matrix_rank(x) < p:
        return np.full(p, np.nan)
    cost = np.concatenate([np.zeros(p), w, w])
    equations = np.hstack([x, np.eye(n), -np.eye(n)])
    bounds = [(None, None)] * p + [(0, None)] * (2 * n)
    found = linprog(cost, A_eq=equations, b_eq=y, bounds=bounds, method="highs")
    return np.asarray(found.x[:p], dtype=float)
