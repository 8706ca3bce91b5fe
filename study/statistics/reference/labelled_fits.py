"""Models of the labelled form."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from study.statistics import linear, mixed
from study.statistics.reference import fits
from study.statistics.reference.quantities import LABELLED

NODES = 41


class LabelledFits:
    """Fits of the reference models to the runs of the labelled form; each is made once."""

    def __init__(self, runs: pd.DataFrame) -> None:
        self.runs = runs
        names = fits.term_names(runs, LABELLED)
        agents = [key for key in names if key.startswith("agent")]
        self.terms = {
            "one": names["b0"],
            "cs": names["clean"],
            "p2": names["summary"],
            "csp2": names["clean_summary"],
            **{f"a{i}": names[key] for i, key in enumerate(agents, start=2)},
        }
        self._counts = cache(self._fit_counts)
        self._marginal = cache(self._fit_marginal)
        self._linear = cache(self._fit_linear)

    def answer(self, row: dict[str, str]) -> dict[str, float] | None:
        """Ours for a row of a model; None if its coefficient is not known."""
        kind = row["id"]
        if kind.startswith("gee_ind"):
            return self._of_marginal(row)
        if kind in ("lmm", "ols_cr2"):
            return self._of_linear(row)
        if kind.startswith(("betabin_glmm", "binom_glmm")):
            return self._of_counts(row)
        return None

    def _fit_counts(self, kind: str, nodes: int) -> tuple[list[str], mixed.Fit]:
        columns, counts = fits.counts_of(self.runs, LABELLED)
        options: dict[str, dict[str, Any]] = {
            "betabin_glmm": {"beta": True, "nodes": nodes},
            "binom_glmm_naive": {},
            "binom_glmm_olre": {"run_level": True},
        }
        return columns, mixed.fit_counts(counts, **options[kind])

    def _of_counts(self, row: dict[str, str]) -> dict[str, float] | None:
        kind = row["id"]
        if kind not in ("betabin_glmm", "binom_glmm_naive", "binom_glmm_olre"):
            return None
        laplace = kind != "betabin_glmm" or "Laplace" in row["software"]
        columns, fit = self._counts(kind, 1 if laplace else NODES)
        whole = {"phi": fit.phi, "sd of service intercept": fit.sd, "log likelihood": fit.loglik}
        if row["options"] in whole:
            return {"value": whole[row["options"]]}
        if row["options"] not in self.terms:
            return None
        i = columns.index(self.terms[row["options"]])
        p = float(fits.wald_p(fit.coefficients, fit.se)[i])
        return {"value": float(fit.coefficients[i]), "p": p, "se": float(fit.se[i])}

    def _fit_marginal(self, weighted: bool) -> Any:
        return fits.marginal_fit(self.runs, LABELLED, LABELLED.total if weighted else None, "independence")

    def _of_marginal(self, row: dict[str, str]) -> dict[str, float] | None:
        name, covariance, _ = row["options"].split("; ")
        columns, fit = self._marginal("weighted" in row["id"])
        matrices = {"cov=robust": fit.robust, "cov=bias_reduced": fit.bias_reduced}
        if name not in self.terms or covariance not in matrices:
            return None
        i = columns.index(self.terms[name])
        se = np.sqrt(np.diag(matrices[covariance]))
        p = float(fits.wald_p(fit.coefficients, se)[i])
        return {"value": float(fit.coefficients[i]), "p": p, "se": float(se[i])}

    def _fit_linear(self, kind: str) -> pd.DataFrame:
        if kind == "lmm":
            return fits.linear_model(self.runs, LABELLED, "pass_rate", fits.TERMS, log=False)
        reference = fits.references(self.runs, LABELLED)
        return linear.cluster_ols(self.runs, "pass_rate", fits.TERMS, reference=reference)

    def _of_linear(self, row: dict[str, str]) -> dict[str, float] | None:
        table = self._linear(row["id"]).set_index("comparison")
        named = {"random intercept variance": "service", "residual variance": "residual"}
        name = self.terms.get(row["options"]) or named.get(row["options"])
        if name is None or name not in table.index:
            return None
        found = table.loc[name]
        p = found["p_normal"] if row["id"] == "lmm" else found["p"]
        values: dict[str, Any] = {"value": found["estimate"], "p": p, "se": found["se"], "df": found["df"]}
        return {key: float(value) for key, value in values.items()}
