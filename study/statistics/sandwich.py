"""Cluster-robust covariance of least squares: CR0, CR1, and CR2 with its degrees of freedom.

References
----------
.. [1] Bell and McCaffrey (2002), Survey Methodology 28(2), 169-181.
.. [2] Pustejovsky and Tipton (2018), J. Bus. Econ. Stat. 36(4), 672-683.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from study.statistics.ranks import Array, Codes


@dataclass(frozen=True)
class Robust:
    """Least-squares coefficients with cluster-robust standard errors."""

    coefficients: Array
    cr0: Array
    cr1: Array
    """CR0 times sqrt(G / (G - 1))."""
    cr2: Array
    """Residuals adjusted so that the variance is unbiased under equal, independent errors."""
    df: Array
    """Satterthwaite's degrees of freedom of each CR2 t statistic."""


def least_squares(design: Array, y: Array, codes: Codes) -> Robust:
    """Fit and robust standard errors; clusters are coded from 0.

    Examples
    --------
    A mean over two clusters of one value each: CR2 is the sd of their means over sqrt 2, with one df.

    >>> fit = least_squares(np.ones((2, 1)), np.array([1.0, 3.0]), np.array([0, 1]))
    >>> fit.coefficients.tolist(), fit.cr2.round(12).tolist(), fit.df.round(12).tolist()
    ([2.0], [1.0], [1.0])
    """
    bread = np.linalg.inv(design.T @ design)
    b = bread @ design.T @ y
    residual = y - design @ b
    g = int(codes.max()) + 1
    scores0, scores2, spans = [], [], []
    for cluster in range(g):
        rows = codes == cluster
        x = design[rows]
        root = _inverse_root(np.eye(len(x)) - x @ bread @ x.T)
        adjusted = bread @ x.T @ root  # (p, rows)
        scores0.append(bread @ x.T @ residual[rows])
        scores2.append(adjusted @ residual[rows])
        # the adjusted score as a linear function of all errors, for each coefficient
        spread = -adjusted @ x @ bread @ design.T
        spread[:, rows] += adjusted
        spans.append(spread)
    cr0 = np.sqrt((np.array(scores0) ** 2).sum(axis=0))
    cr2 = np.sqrt((np.array(scores2) ** 2).sum(axis=0))
    span = np.array(spans)  # (g, p, n)
    inner = np.einsum("gpn,hpn->pgh", span, span)
    df = np.trace(inner, axis1=1, axis2=2) ** 2 / (inner**2).sum(axis=(1, 2))
    return Robust(b, cr0, cr0 * np.sqrt(g / (g - 1)), cr2, df)


def _inverse_root(matrix: Array) -> Array:
    values, vectors = np.linalg.eigh(matrix)
    kept = values > 1e-10
    roots = np.where(kept, 1 / np.sqrt(np.where(kept, values, 1.0)), 0.0)
    return np.asarray((vectors * roots) @ vectors.T)
