"""Models of rates: odds with the service as cluster. One row per coefficient, and per variance.

Reference levels are the first in the frame unless `reference` names others. Estimates are log odds ratios;
`odds_ratio`, `odds_low` and `odds_high` stand beside them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from study.schema import StudyError
from study.statistics import gee, mixed
from study.statistics.pairs import check_runs
from study.statistics.ranks import Array, Codes
from study.statistics.results import notes, results
from study.statistics.summary import SERVICE
from study.statistics.terms import design_matrix, matrix, model_frame

Z95 = float(stats.norm.ppf(0.975))


def binomial_mixed(
    frame: pd.DataFrame,
    passed: str,
    total: str,
    terms: Sequence[str],
    *,
    reference: Mapping[str, str] | None = None,
    cluster: Sequence[str] = tuple(SERVICE),
    nodes: int = 25,
    run_level: bool = False,
) -> pd.DataFrame:
    """Binomial model of passed tests with a random intercept per service (`study.statistics.mixed`).

    It takes the tests of a run as independent given the service. They are not: compare `overdispersion` in
    the result, and `beta_binomial`, before its intervals are believed.

    Parameters
    ----------
    frame : DataFrame
        One row per run.
    passed, total : str
        Columns of tests; runs without tests are left out.
    terms : sequence of str
        Factors and interactions (`scenario:prompt`).
    reference : mapping, optional
        Reference levels.
    cluster : sequence of str
        Columns of the service.
    nodes : int
        Quadrature nodes; 1 is Laplace, lme4's default.
    run_level : bool
        With a random intercept per run too (Laplace).

    Returns
    -------
    DataFrame
        One row per coefficient, then the standard deviations; also se, odds_ratio, odds_low, odds_high,
        overdispersion (Pearson's chi-squared over its df in the model without random effects), loglik.

    Examples
    --------
    Where every service has the same odds the variance is zero and the log odds ratio is that of the pooled
    counts: ln (8 * 8 / (2 * 2)) = 2.7726.

    >>> runs = pd.DataFrame({"service": [*"aabbcc"], "prompt": [*"mnmnmn"], "k": [2, 8] * 3, "n": 10})
    >>> row = binomial_mixed(runs, "k", "n", ["prompt"], nodes=1).iloc[1]
    >>> row["comparison"], round(row["estimate"], 4)
    ('prompt=n', np.float64(2.7726))
    """
    options = {"nodes": 1 if run_level else nodes, "run_level": run_level}
    how = "Laplace" if options["nodes"] == 1 else f"adaptive quadrature, {nodes} nodes"
    method = f"binomial mixed model, service{' and run' if run_level else ''} random, {how}, Wald"
    return _counts_model(frame, passed, total, terms, reference, cluster, method, options)


def beta_binomial(
    frame: pd.DataFrame,
    passed: str,
    total: str,
    terms: Sequence[str],
    *,
    reference: Mapping[str, str] | None = None,
    cluster: Sequence[str] = tuple(SERVICE),
    nodes: int = 25,
    random: bool = True,
) -> pd.DataFrame:
    """Beta-binomial model: as `binomial_mixed`, and tests of one run may depend on each other.

    Further rows: phi (a + b of the beta distribution) and rho = 1 / (1 + phi), the correlation of two tests
    of one run. Without `random` no service effect.

    Examples
    --------
    One test a run cannot depend on another: the log odds are those of the binomial model, ln (3 / 1).

    >>> runs = pd.DataFrame({"service": [*"aabb"], "k": [1, 1, 1, 0], "n": 1})
    >>> round(beta_binomial(runs, "k", "n", [], random=False)["estimate"].iloc[0], 3)
    np.float64(1.099)
    """
    how = "Laplace" if nodes == 1 else f"adaptive quadrature, {nodes} nodes"
    method = f"beta-binomial mixed model, service random, {how}, Wald" if random else "beta-binomial, Wald"
    options = {"nodes": nodes if random else 1, "random": random, "beta": True}
    return _counts_model(frame, passed, total, terms, reference, cluster, method, options)


def _counts_model(
    frame: pd.DataFrame,
    passed: str,
    total: str,
    terms: Sequence[str],
    reference: Mapping[str, str] | None,
    cluster: Sequence[str],
    method: str,
    options: dict[str, Any],
) -> pd.DataFrame:
    known, codes, lost = _tests(frame, passed, total, cluster)
    design = design_matrix(known, terms, reference)
    counts = mixed.Counts(matrix(design), _array(known[passed]), _array(known[total]), codes)
    fit = mixed.fit_counts(counts, **options)
    common = {
        "n": len(known),
        "clusters": counts.clusters,
        "method": method,
        "note": notes(lost, fit.note),
        "overdispersion": overdispersion(counts),
        "loglik": fit.loglik,
    }
    rows = _coefficients(list(design.columns), fit.coefficients, fit.se, np.inf)
    rho = 1 / (1 + fit.phi)
    further = [
        ("service", "sd of the random intercept", fit.sd),
        ("run", "sd of the random intercept", fit.run_sd),
        ("tests of a run", "phi", fit.phi),
        ("tests of a run", "rho", rho),
    ]
    rows += [
        {"comparison": name, "quantity": what, "estimate": value}
        for name, what, value in further
        if not np.isnan(value)
    ]
    return results([row | common for row in rows])


def overdispersion(counts: mixed.Counts) -> float:
    """Pearson's chi-squared of the plain binomial model over its degrees of freedom; 1 if it fits."""
    fit = mixed.fit_counts(counts, random=False)
    mu = 1 / (1 + np.exp(-counts.design @ fit.coefficients))
    squares = (counts.passed - counts.total * mu) ** 2 / (counts.total * mu * (1 - mu))
    return float(squares.sum() / (len(squares) - counts.design.shape[1]))


def _tests(
    frame: pd.DataFrame, passed: str, total: str, cluster: Sequence[str]
) -> tuple[pd.DataFrame, Codes, str]:
    check_runs(frame, passed, [total])
    some = frame[pd.to_numeric(frame[total]).fillna(0) > 0]
    empty = len(frame) - len(some)
    if some.empty:
        raise StudyError(f"model of {passed}: no run has tests in {total!r}")
    known, codes, lost = model_frame(some, [passed, total], cluster)
    wrong = (known[passed] < 0) | (known[passed] > known[total])
    if wrong.any():
        row = known[wrong].iloc[0]
        raise StudyError(
            f"runs: {passed}: {row[passed]:g} of {row[total]:g} tests is no count of passed tests"
        )
    return known, codes, notes(f"{empty} runs without tests left out" if empty else "", lost)


def marginal_logit(
    frame: pd.DataFrame,
    value: str,
    terms: Sequence[str],
    *,
    reference: Mapping[str, str] | None = None,
    cluster: Sequence[str] = tuple(SERVICE),
    weights: str | None = None,
    structure: gee.Structure = "exchangeable",
    covariance: str = "bias_reduced",
) -> pd.DataFrame:
    """Marginal model of rates (GEE, `study.statistics.gee`): population-averaged log odds ratios.

    Parameters
    ----------
    frame : DataFrame
        One row per run.
    value : str
        Column of rates in percent.
    terms : sequence of str
        Factors and interactions.
    reference : mapping, optional
        Reference levels.
    cluster : sequence of str
        Columns of the service.
    weights : str, optional
        Column of weights, for instance the number of tests; without it every run counts alike.
    structure : str
        Working correlation within services: `exchangeable` or `independence`.
    covariance : str
        `bias_reduced` (Mancl and DeRouen; t with clusters - 1) or `robust` (normal; too small here).

    Returns
    -------
    DataFrame
        One row per coefficient; also se, odds_ratio, odds_low, odds_high, alpha.

    Examples
    --------
    Mean rates of 25 and 75 %: ln (0.75 / 0.25) - ln (0.25 / 0.75) = 2.1972.

    >>> runs = pd.DataFrame({"service": [*"abab"], "agent": [*"xxyy"], "rate": [20, 30, 80, 70]})
    >>> round(marginal_logit(runs, "rate", ["agent"], structure="independence")["estimate"].iloc[1], 4)
    np.float64(2.1972)
    """
    known, codes, lost = model_frame(frame, [value, *([weights] if weights else [])], cluster)
    design = design_matrix(known, terms, reference)
    w = _array(known[weights]) if weights else None
    fit = gee.fit(matrix(design), _array(known[value]) / 100, codes, weights=w, structure=structure)
    small = covariance == "bias_reduced"
    clusters = int(codes.max()) + 1
    se = np.sqrt(np.diag(fit.bias_reduced if small else fit.robust))
    rows = _coefficients(list(design.columns), fit.coefficients, se, clusters - 1 if small else np.inf)
    named = "bias-reduced covariance, t" if small else "robust covariance, normal"
    common = {
        "n": len(known),
        "clusters": clusters,
        "method": f"GEE, logit, {structure}, {named}{f', weight {weights}' if weights else ''}",
        "note": notes(lost, "alpha is statsmodels' (pairs - p)" if structure == "exchangeable" else ""),
        "alpha": fit.alpha,
    }
    return results([row | common for row in rows])


def _coefficients(names: list[str], b: Array, se: Array, df: float) -> list[dict[str, Any]]:
    t = stats.norm if np.isinf(df) else stats.t(df)
    width = t.ppf(0.975) * se
    with np.errstate(over="ignore"):  # a separated model has odds ratios beyond any number
        odds = np.exp(np.vstack([b, b - width, b + width]))
    return [
        {
            "comparison": name,
            "quantity": "log odds" if name == names[0] else "log odds ratio",
            "estimate": b[i],
            "low": b[i] - width[i],
            "high": b[i] + width[i],
            "statistic": b[i] / se[i],
            "df": df if np.isfinite(df) else np.nan,
            "p": 2 * t.sf(abs(b[i] / se[i])),
            "se": se[i],
            "odds_ratio": odds[0, i],
            "odds_low": odds[1, i],
            "odds_high": odds[2, i],
        }
        for i, name in enumerate(names)
    ]


def _array(column: pd.Series) -> Array:
    return column.to_numpy(dtype=float)
