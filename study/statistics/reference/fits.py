"""What the reference files name of models: mixed, beta-binomial, marginal and linear ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from study.statistics import gee, linear, mixed, models
from study.statistics.ranks import Array, p_of_z
from study.statistics.reference.quantities import LONG, NONE, Names, Numbers
from study.statistics.summary import levels
from study.statistics.terms import design_matrix, matrix, model_frame

TERMS = ("scenario", "prompt", "agent", "scenario:prompt")


def term_names(runs: pd.DataFrame, names: Names) -> dict[str, str]:
    """Our name of each coefficient, by the short name of the long form."""
    agents = sorted(levels(runs["agent"]))
    found = {
        "b0": "(Intercept)",
        "clean": f"scenario={names.clean}",
        "summary": f"prompt={names.second_prompt}",
        "clean_summary": f"scenario={names.clean}:prompt={names.second_prompt}",
    }
    return found | {f"agent{name}": f"agent={name}" for name in agents[1:]}


def references(runs: pd.DataFrame, names: Names) -> dict[str, str]:
    """Reference levels of the reference models."""
    first_agent = min(levels(runs["agent"]))
    return {"scenario": names.incremental, "prompt": names.first_prompt, "agent": first_agent}


def counts_models(runs: pd.DataFrame, names: Names = LONG) -> Numbers:
    """Binomial and beta-binomial models; `@R` and `@Python` where Laplace stands against quadrature."""
    found: Numbers = {}
    options: dict[str, Any] = {"reference": references(runs, names)}
    at = (runs, names.passed, names.total, TERMS)
    short = {ours: key for key, ours in term_names(runs, names).items()}
    for nodes in (1, 25):
        table = models.binomial_mixed(*at, nodes=nodes, **options)
        found |= _rows(table, f"glmm.agq{nodes}", short, "")
    found["glm.phi"] = (float(table["overdispersion"].iloc[0]), NONE)
    found |= _rows(models.beta_binomial(*at, random=False, **options), "betabin", short, "")
    for nodes, who in ((1, "@R"), (25, "@Python")):
        found |= _rows(models.beta_binomial(*at, nodes=nodes, **options), "betabin_glmm", short, who)
    return found


def _rows(table: pd.DataFrame, prefix: str, short: dict[str, str], who: str) -> Numbers:
    found: Numbers = {f"{prefix}.loglik{who}": (float(table["loglik"].iloc[0]), NONE)}
    for row in table.to_dict("records"):
        if row["comparison"] in short:
            key = f"{prefix}.{short[row['comparison']]}"
            found[key + who] = (row["estimate"], row["p"])
            found[f"{key}.se{who}"] = (row["se"], NONE)
        else:
            what = {"sd of the random intercept": "sd"}.get(row["quantity"], row["quantity"])
            found[f"{prefix}.{what}{who}"] = (row["estimate"], NONE)
    return found


def marginal_models(runs: pd.DataFrame, names: Names = LONG) -> Numbers:
    """GEE of counts and of rates; `@R` is geepack's estimate of alpha, `@Python` statsmodels'."""
    found: Numbers = {}
    keys = {ours: key for key, ours in term_names(runs, names).items()}
    for data, weights in (("counts", names.total), ("fraction", None)):
        for structure, who, corrected in (
            ("independence", "", True),
            ("exchangeable", "@Python", True),
            ("exchangeable", "@R", False),
        ):
            columns, fit = marginal_fit(
                runs, names, weights, structure, corrected=corrected, weighted=not corrected
            )
            prefix = f"gee.{data}.{structure}"
            se = np.sqrt(np.diag(fit.robust))
            for name, b, s in zip(columns, fit.coefficients, se, strict=True):
                found[f"{prefix}.{keys[name]}{who}"] = (b, p_of_z(b / s))
                found[f"{prefix}.{keys[name]}.se{who}"] = (s, NONE)
            if who:
                found[f"gee.{data}.alpha{who}"] = (fit.alpha, NONE)
    return found


def marginal_fit(
    runs: pd.DataFrame,
    names: Names,
    weights: str | None,
    structure: Any,
    *,
    corrected: bool = True,
    weighted: bool = False,
) -> tuple[list[str], gee.Marginal]:
    """Names of the coefficients and the marginal model of the reference files."""
    known, codes, _ = model_frame(runs, ["pass_rate"])
    design = design_matrix(known, TERMS, references(runs, names))
    fit = gee.fit(
        matrix(design),
        known["pass_rate"].to_numpy(dtype=float) / 100,
        codes,
        weights=known[weights].to_numpy(dtype=float) if weights else None,
        structure=structure,
        corrected=corrected,
        weighted_alpha=weighted and weights is not None,
    )
    return list(design.columns), fit


def linear_model(
    runs: pd.DataFrame, names: Names, value: str, terms: Sequence[str], *, log: bool
) -> pd.DataFrame:
    """Linear mixed model with the reference levels of the reference files."""
    return linear.linear_mixed(runs, value, terms, log=log, reference=references(runs, names))


def counts_of(runs: pd.DataFrame, names: Names) -> tuple[list[str], mixed.Counts]:
    """Names of the coefficients and the data of a model of counts."""
    known, codes, _ = model_frame(runs, [names.passed, names.total])
    design = design_matrix(known, TERMS, references(runs, names))
    passed, total = (known[name].to_numpy(dtype=float) for name in (names.passed, names.total))
    return list(design.columns), mixed.Counts(matrix(design), passed, total, codes)


def wald_p(b: Array, se: Array) -> Array:
    """Two-sided normal p of coefficients."""
    return np.asarray(2 * stats.norm.sf(np.abs(b / se)))
