"""Binomial and beta-binomial models with a random intercept per service, by maximum likelihood.

No Python library fits these by the Laplace approximation or adaptive quadrature. With passed tests k of n,

    logit mu = X b + sd u_service (+ run_sd v_run),  u, v standard normal,
    k ~ Binomial(n, mu)  or  BetaBinomial(n, mu, phi): variance n mu (1 - mu) (1 + (n - 1) / (1 + phi)).

The random effects are integrated out around their mode: one node is the Laplace approximation [1]_, more are
adaptive Gauss-Hermite quadrature [2]_ (not with `run_sd`). Standard errors come from the inverse Hessian
of the log-likelihood, all parameters together.

References
----------
.. [1] Bates, Maechler, Bolker and Walker (2015), J. Stat. Softw. 67(1).
.. [2] Pinheiro and Chao (2006), J. Comput. Graph. Stat. 15(1), 58-81.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import optimize
from scipy.special import betaln, digamma, expit, gammaln, logsumexp, polygamma

from study.statistics.ranks import Array, Codes

SEPARATED = 12.0
"""A coefficient beyond this, in log odds, is no estimate: the outcome is all passed or all failed there."""
BOUNDARY = 1e-3


@dataclass(frozen=True)
class Counts:
    """What is fitted: design matrix, passed and total tests, and the service of every run (from 0)."""

    design: Array
    passed: Array
    total: Array
    codes: Codes

    @cached_property
    def clusters(self) -> int:
        """Number of services."""
        return int(self.codes.max()) + 1

    @cached_property
    def choose(self) -> Array:
        """Logarithm of n choose k of every run."""
        k, n = self.passed, self.total
        return np.asarray(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1))

    def summed(self, values: Array) -> Array:
        """Sums per service along the first axis."""
        if values.ndim == 1:
            return np.asarray(np.bincount(self.codes, weights=values, minlength=self.clusters), dtype=float)
        out = np.zeros((self.clusters, *values.shape[1:]))
        np.add.at(out, self.codes, values)
        return out


@dataclass(frozen=True)
class Fit:
    """Maximum-likelihood estimates; what a model does not have is NaN."""

    coefficients: Array
    se: Array
    sd: float
    run_sd: float
    phi: float
    loglik: float
    note: str


def fit_counts(
    counts: Counts,
    *,
    nodes: int = 1,
    random: bool = True,
    beta: bool = False,
    run_level: bool = False,
) -> Fit:
    """Fit by BFGS from the fixed-effects fit, then Newton steps with the numerical Hessian.

    Parameters
    ----------
    counts : Counts
        The data.
    nodes : int
        Quadrature nodes; 1 is Laplace.
    random : bool
        Whether there is a random intercept per service.
    beta : bool
        Beta-binomial instead of binomial.
    run_level : bool
        A random intercept per run too, the other way to allow for over-dispersion (Laplace only).
    """
    p = counts.design.shape[1]
    extras = [1.0] * random + [1.0] * run_level + [np.log(2.0)] * beta
    start = np.concatenate([_logistic(counts), extras])

    modes = np.zeros(counts.clusters), np.zeros(len(counts.passed))

    def negative(theta: Array) -> float:
        sd = float(abs(theta[p])) if random else 0.0
        run_sd = float(abs(theta[p + random])) if run_level else 0.0
        phi = float(np.exp(np.clip(theta[-1], -12, 12))) if beta else float(np.inf)
        return -_loglik(counts, theta[:p], sd, run_sd, phi, nodes, modes)

    theta, hessian = _minimise(negative, start)
    covariance = _inverse(hessian)
    sd = abs(theta[p]) if random else np.nan
    notes = []
    if random and sd < BOUNDARY:
        notes.append("variance between services estimated as zero")
    if np.abs(theta[:p]).max() > SEPARATED or covariance is None:
        notes.append("not identified: all tests passed or failed at some level")
    variances = np.full(p, np.nan) if covariance is None else np.diag(covariance)[:p]
    return Fit(
        theta[:p],
        np.sqrt(np.where(variances > 0, variances, np.nan)),
        float(sd),
        float(abs(theta[p + random])) if run_level else float(np.nan),
        float(np.exp(theta[-1])) if beta else float(np.nan),
        -negative(theta),
        "; ".join(notes),
    )


def _loglik(
    counts: Counts,
    b: Array,
    sd: float,
    run_sd: float,
    phi: float,
    nodes: int,
    modes: tuple[Array, Array],
) -> float:
    """Marginal log-likelihood; the search for the modes starts from `modes`, and leaves them there."""
    fixed = counts.design @ b
    u, v, curvature, weights = _modes(counts, fixed, sd, run_sd, phi, *modes)
    modes[0][:], modes[1][:] = u, v
    shrunk = 1 + run_sd**2 * weights
    if nodes == 1:
        inside = _pointwise(counts, fixed + sd * u[counts.codes] + run_sd * v, phi).sum()
        inside -= (u @ u + v @ v) / 2
        return float(inside - np.log(curvature).sum() / 2 - np.log(shrunk).sum() / 2)
    x, w = np.polynomial.hermite_e.hermegauss(nodes)
    points = u[:, None] + x / np.sqrt(curvature)[:, None]
    each = _pointwise(counts, fixed[:, None] + sd * points[counts.codes], phi)
    logs = counts.summed(each) - points**2 / 2 + x**2 / 2 + np.log(w / np.sqrt(2 * np.pi))
    return float((logsumexp(logs, axis=1) - np.log(curvature) / 2).sum())


def _modes(
    counts: Counts, fixed: Array, sd: float, run_sd: float, phi: float, u: Array, v: Array
) -> tuple[Array, Array, Array, Array]:
    """Modes of the random effects by Newton's method, the curvature of each service, the runs' weights.

    The Hessian is an arrow: runs are eliminated from each service's equation.
    """

    def height(u: Array, v: Array) -> Array:
        each = _pointwise(counts, fixed + sd * u[counts.codes] + run_sd * v, phi) - v**2 / 2
        return counts.summed(each) - u**2 / 2

    for _ in range(100):
        eta = fixed + sd * u[counts.codes] + run_sd * v
        slope, weight = _derivatives(counts, eta, phi)
        safe = np.maximum(weight, 0.0)
        shrunk = 1 + run_sd**2 * safe
        to_u, to_v = counts.summed(sd * slope) - u, run_sd * slope - v
        cross = sd * run_sd * safe
        curvature = 1 + sd**2 * counts.summed(safe / shrunk)
        du = (to_u - counts.summed(cross * to_v / shrunk)) / curvature
        dv = (to_v - cross * du[counts.codes]) / shrunk
        largest = max(np.abs(du).max(), np.abs(dv).max())
        scale = np.ones_like(u)
        if largest > 0.1:  # a full step may overshoot; each service is halved by itself
            reached = height(u, v)
            for _ in range(30):
                worse = height(u + scale * du, v + scale[counts.codes] * dv) < reached
                if not worse.any():
                    break
                scale[worse] /= 2
        u, v = u + scale * du, v + scale[counts.codes] * dv
        if largest < 1e-8:  # Newton: the next step would be its square
            break
    _, weight = _derivatives(counts, fixed + sd * u[counts.codes] + run_sd * v, phi)
    shrunk = 1 + run_sd**2 * weight
    curvature = np.maximum(1 + sd**2 * counts.summed(weight / shrunk), 1e-8)
    return u, v, curvature, weight


def _columns(array: Array, like: Array) -> Array:
    return array if like.ndim == 1 else array[:, None]


def _pointwise(counts: Counts, eta: Array, phi: float) -> Array:
    """Log-likelihood of every run (rows) at its linear predictors."""
    k, n = _columns(counts.passed, eta), _columns(counts.total, eta)
    choose = _columns(counts.choose, eta)
    if np.isinf(phi):
        return np.asarray(choose + k * eta - n * np.logaddexp(0, eta))
    mu = np.clip(expit(eta), 1e-12, 1 - 1e-12)
    a, b = mu * phi, (1 - mu) * phi
    return np.asarray(choose + betaln(k + a, n - k + b) - betaln(a, b))


def _derivatives(counts: Counts, eta: Array, phi: float) -> tuple[Array, Array]:
    """Slope of the log-likelihood of every run in its linear predictor, and minus its curvature."""
    k, n = counts.passed, counts.total
    mu = expit(eta)
    spread = mu * (1 - mu)
    if np.isinf(phi):
        return k - n * mu, n * spread
    mu = np.clip(mu, 1e-12, 1 - 1e-12)
    a, b = mu * phi, (1 - mu) * phi
    first = phi * (digamma(k + a) - digamma(n - k + b) - digamma(a) + digamma(b))
    second = phi**2 * (polygamma(1, k + a) + polygamma(1, n - k + b) - polygamma(1, a) - polygamma(1, b))
    return first * spread, -(second * spread**2 + first * spread * (1 - 2 * mu))


def _logistic(counts: Counts) -> Array:
    """A few weighted least-squares steps of plain logistic regression, from smoothed rates."""
    x = counts.design
    mu = (counts.passed + 0.5) / (counts.total + 1)
    b = np.zeros(x.shape[1])
    for step in range(6):
        eta = np.log(mu / (1 - mu)) if step == 0 else np.clip(x @ b, -8, 8)
        mu = expit(eta)
        weight = counts.total * mu * (1 - mu)
        work = eta + (counts.passed - counts.total * mu) / weight
        b = np.linalg.lstsq(np.sqrt(weight)[:, None] * x, np.sqrt(weight) * work, rcond=None)[0]
    return np.clip(b, -8, 8)


def _minimise(f: Callable[[Array], float], start: Array) -> tuple[Array, Array]:
    """Minimum and Hessian: quasi-Newton to come near, Newton steps to be exact."""
    found = optimize.minimize(
        f, start, jac=lambda x: _gradient(f, x), method="BFGS", options={"gtol": 1e-4, "maxiter": 200}
    )
    x = np.asarray(found.x, dtype=float)
    hessian = _hessian(f, x)
    for _ in range(3):
        inverse = _inverse(hessian)
        step = np.zeros_like(x) if inverse is None else inverse @ _gradient(f, x)
        if np.abs(step).max() > 0.1 or f(x - step) > f(x):
            break
        x = x - step
        if np.abs(step).max() < 1e-7:
            break
    return x, _hessian(f, x)


def _gradient(f: Callable[[Array], float], x: Array, h: float = 1e-5) -> Array:
    units = h * np.eye(len(x))
    return np.array([(f(x + e) - f(x - e)) / (2 * h) for e in units])


def _hessian(f: Callable[[Array], float], x: Array, h: float = 1e-3) -> Array:
    units = h * np.eye(len(x))
    out = np.zeros((len(x), len(x)))
    middle = f(x)
    for i, a in enumerate(units):
        out[i, i] = (-f(x + 2 * a) + 16 * f(x + a) - 30 * middle + 16 * f(x - a) - f(x - 2 * a)) / (12 * h**2)
        for j in range(i):
            b = units[j]
            mixed = f(x + a + b) - f(x + a - b) - f(x - a + b) + f(x - a - b)
            out[i, j] = out[j, i] = mixed / (4 * h**2)
    return out


def _inverse(hessian: Array) -> Array | None:
    """Inverse of a positive definite matrix, or None."""
    values = np.linalg.eigvalsh(hessian)
    if not np.all(np.isfinite(values)) or values.min() <= 1e-8:
        return None
    return np.asarray(np.linalg.inv(hessian), dtype=float)
