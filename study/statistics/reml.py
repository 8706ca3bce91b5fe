"""Linear model with a random intercept per cluster, by REML: one ratio is searched, all else is exact.

statsmodels' MixedLM finds the same maximum, but searches all variances by gradients: where the service
variance is near zero, as it often is for times, it warns, fails to converge or stops with a singular matrix.

References
----------
.. [1] Patterson and Thompson (1971), Biometrika 58(3), 545-554.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import optimize

from study.statistics.ranks import Array, Codes

LARGEST = 1e3
"""Ratio of the two standard deviations beyond which nothing is left of the residual."""


@dataclass(frozen=True)
class Reml:
    """Generalised least-squares coefficients at the REML estimate of the variances."""

    coefficients: Array
    se: Array
    between: float
    """Variance of the random intercepts; 0 where the data say nothing against it."""
    residual: float


def fit(design: Array, y: Array, codes: Codes) -> Reml:
    r"""Maximise the restricted likelihood in :math:`\theta = \sigma_u / \sigma`.

    With :math:`V = I + \theta^2 J` within clusters:
    :math:`-\frac12 [(n - p) \ln (r' V^{-1} r) + \ln |V| + \ln |X' V^{-1} X|]`.

    Examples
    --------
    Two values in each of three clusters: the mean square within is 2, between 8, so the variance between is
    (8 - 2) / 2.

    >>> y = np.array([0.0, 2, 2, 4, 4, 6])
    >>> found = fit(np.ones((6, 1)), y, np.array([0, 0, 1, 1, 2, 2]))
    >>> round(found.between, 6), round(found.residual, 6)
    (3.0, 2.0)
    """
    sizes = np.bincount(codes).astype(float)
    within = np.column_stack([design, y])
    sums = np.zeros((len(sizes), within.shape[1]))
    for column in range(within.shape[1]):
        sums[:, column] = np.bincount(codes, weights=within[:, column])
    raw = within.T @ within
    n, p = design.shape

    def normal_equations(theta: float) -> Array:
        share = theta**2 / (1 + sizes * theta**2)
        return np.asarray(raw - (sums * share[:, None]).T @ sums)

    def criterion(theta: float) -> float:
        a = normal_equations(theta)
        squares = float(a[p, p] - a[p, :p] @ np.linalg.solve(a[:p, :p], a[:p, p]))
        log_v = np.log1p(sizes * theta**2).sum()
        return float((n - p) * np.log(max(squares, 1e-300)) + log_v + np.linalg.slogdet(a[:p, :p])[1])

    grid = np.concatenate([[0.0], np.geomspace(1e-3, LARGEST, 60)])
    best = int(np.argmin([criterion(theta) for theta in grid]))
    low, high = grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)]
    found = optimize.minimize_scalar(
        criterion, bounds=(low, high), method="bounded", options={"xatol": 1e-10 * max(high, 1e-3)}
    )
    theta = float(found.x) if found.fun < criterion(0.0) else 0.0
    a = normal_equations(theta)
    inverse = np.linalg.inv(a[:p, :p])
    b = inverse @ a[:p, p]
    residual = float((a[p, p] - a[p, :p] @ b) / (n - p))
    return Reml(b, np.sqrt(residual * np.diag(inverse)), residual * theta**2, residual)
