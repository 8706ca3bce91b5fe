"""Generalised estimating equations for rates, logit link, service as cluster; with small-sample covariance.

Own code because statsmodels' weighted exchangeable correlation depends on the order of the rows, and its
bias-reduced covariance fails with weights of rows; both agree with it where it is defined (see the tests).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import expit

from study.schema import StudyError
from study.statistics.ranks import Array, Codes

Structure = Literal["independence", "exchangeable"]


@dataclass(frozen=True)
class Marginal:
    """A fit: coefficients, sandwich covariances, the working correlation and the scale."""

    coefficients: Array
    robust: Array
    """Liang and Zeger (1986): too small with few clusters."""
    bias_reduced: Array
    """Mancl and DeRouen (2001), Biometrics 57(1), 126-134: residuals divided by their leverage."""
    alpha: float
    scale: float


def fit(
    design: Array,
    rate: Array,
    codes: Codes,
    *,
    weights: Array | None = None,
    structure: Structure = "exchangeable",
    corrected: bool = True,
    weighted_alpha: bool = False,
) -> Marginal:
    r"""Solve :math:`\sum_g D_g' V_g^{-1} (y_g - \mu_g) = 0` by Fisher scoring.

    :math:`V_g = A^{1/2} W^{-1/2} R(\alpha) W^{-1/2} A^{1/2}`; R has one correlation :math:`\alpha` off its
    diagonal, estimated by the mean product of pairs of Pearson residuals over their mean square.

    Parameters
    ----------
    design, rate : array
        Columns of the model; rates from 0 to 1.
    codes : array of int
        Cluster of each row, from 0.
    weights : array, optional
        Of the rows: the number of tests, or 1.
    structure : str
        `independence` (alpha is 0) or `exchangeable`.
    corrected : bool
        Divide by pairs - p and rows - p in alpha, as statsmodels does; geepack does not.
    weighted_alpha : bool
        Weigh pairs and squares in alpha by the rows' weights, as geepack does.

    References
    ----------
    .. [1] Liang and Zeger (1986), Biometrika 73(1), 13-22.
    """
    w = np.ones(len(rate)) if weights is None else np.asarray(weights, dtype=float)
    b, alpha = np.zeros(design.shape[1]), 0.0
    sizes = np.bincount(codes)
    for _ in range(200):
        mu = np.clip(expit(design @ b), 1e-10, 1 - 1e-10)
        spread = mu * (1 - mu)
        pearson = (rate - mu) / np.sqrt(spread)
        scale, found = _correlation(
            pearson, codes, w if weighted_alpha else np.ones_like(w), design.shape[1], corrected
        )
        alpha = found if structure == "exchangeable" else 0.0
        scaled = np.sqrt(w * spread)[:, None] * design
        half = np.sqrt(w) * pearson
        left = _solve(scaled, alpha, codes, sizes)
        step = _system(scaled.T @ left, left.T @ half)
        b = b + step
        if np.abs(step).max() < 1e-12:
            break
    else:
        raise StudyError("GEE: does not converge; are all rates 0 or 1 at some level of a factor?")
    return _covariances(scaled, half, left, codes, alpha, scale, b)


def _system(matrix: Array, right: Array) -> Array:
    try:
        step = np.linalg.solve(matrix, right)
    except np.linalg.LinAlgError:
        raise StudyError("GEE: the columns of the model are not independent of each other") from None
    return np.asarray(np.clip(step, -5, 5))


def _correlation(
    pearson: Array, codes: Codes, w: Array, parameters: int, corrected: bool
) -> tuple[float, float]:
    sums = np.bincount(codes, weights=w * pearson)
    squares = np.bincount(codes, weights=(w * pearson) ** 2)
    weight_pairs = (np.bincount(codes, weights=w) ** 2 - np.bincount(codes, weights=w**2)).sum() / 2
    pairs = ((np.bincount(codes) ** 2).sum() - len(codes)) / 2
    scale = (w * pearson**2).sum() / w.sum()
    products = ((sums**2 - squares) / 2).sum() / weight_pairs if weight_pairs else 0.0
    if corrected:
        n = len(codes)
        scale *= n / (n - parameters)
        products *= pairs / (pairs - parameters) if pairs > parameters else 1.0
    largest = np.bincount(codes).max()
    return float(scale), float(np.clip(products / scale, -0.999 / max(largest - 1, 1), 0.999))


def _solve(matrix: Array, alpha: float, codes: Codes, sizes: Codes) -> Array:
    """R to the power of -1 times the matrix, cluster by cluster, without building R."""
    if alpha == 0:
        return matrix
    totals = np.zeros((len(sizes), matrix.shape[1]))
    np.add.at(totals, codes, matrix)
    share = alpha / (1 - alpha + sizes * alpha)
    return (matrix - (share[:, None] * totals)[codes]) / (1 - alpha)


def _covariances(
    scaled: Array, half: Array, left: Array, codes: Codes, alpha: float, scale: float, b: Array
) -> Marginal:
    bread = np.linalg.inv(scaled.T @ left)
    meats = np.zeros((2, len(b), len(b)))
    for g in range(int(codes.max()) + 1):
        rows = codes == g
        hat = scaled[rows] @ bread @ left[rows].T
        adjusted = np.linalg.solve(np.eye(int(rows.sum())) - hat, half[rows])
        for meat, residual in zip(meats, (half[rows], adjusted), strict=True):
            score = left[rows].T @ residual
            meat += np.outer(score, score)
    return Marginal(b, bread @ meats[0] @ bread, bread @ meats[1] @ bread, alpha, scale)
