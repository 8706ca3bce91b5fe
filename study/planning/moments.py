"""What a `StudyModel` expects of its runs: means, shares of 0 and 100, and covariances of two runs.

The score is a function of a normal latent score. Its Hermite coefficients in every cell give the mean and,
by Mehler's formula, the covariance of the scores of two runs whose latent scores share a part.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.special import ndtr

from study.calibration.model import MIDDLE
from study.statistics.ranks import Array

ORDER = 40
"""Hermite terms; the covariances of correlations up to .9 are then exact to far below a squared point."""
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(120)


@dataclass(frozen=True)
class Cells:
    """Latent normal scores of some cells, cut at `low` (scores of 0 below) and `high` (100 above)."""

    low: float
    high: float
    shift: Array
    """Latent mean of each cell."""
    sd: Array
    """Latent standard deviation of each cell."""

    @cached_property
    def _middle(self) -> tuple[Array, Array, Array]:
        """Standardised nodes (cells x nodes), their weights, and the scores in percent at the nodes."""
        x = (self.low + self.high) / 2 + (self.high - self.low) / 2 * _NODES
        z = (x - self.shift[:, None]) / self.sd[:, None]
        weights = (self.high - self.low) / 2 * _WEIGHTS * _density(z) / self.sd[:, None]
        floor, ceiling = ndtr(self.low), ndtr(self.high)
        scores = MIDDLE[0] + (MIDDLE[1] - MIDDLE[0]) * (ndtr(x) - floor) / (ceiling - floor)
        return z, weights, scores

    @property
    def full(self) -> Array:
        """Share of runs with score 100 in each cell."""
        return np.asarray(ndtr((self.shift - self.high) / self.sd))

    @cached_property
    def means(self) -> Array:
        """Expected score of each cell in percent."""
        _, weights, scores = self._middle
        return np.asarray(weights @ scores + 100 * self.full)

    def observed_shares(self, tests: Array) -> tuple[Array, Array]:
        """Expected shares of rates of exactly 0 and 100 %, over services with these numbers of tests.

        Few tests turn some scores between into rates of 0 or 100: binomial, so (1 - score) ** tests.
        """
        _, weights, scores = self._middle
        none = ((1 - scores[:, None] / 100) ** tests).mean(axis=1)
        every = ((scores[:, None] / 100) ** tests).mean(axis=1)
        zero = ndtr((self.low - self.shift) / self.sd)
        return np.asarray(zero + weights @ none), np.asarray(self.full + weights @ every)

    @cached_property
    def coefficients(self) -> Array:
        """Hermite coefficients 1 to `ORDER` of the score (normalised polynomials): cells x terms."""
        z, weights, scores = self._middle
        top = (self.high - self.shift) / self.sd
        inside, edge = _hermite(z), _hermite(top)
        order = np.arange(1, ORDER + 1)
        middle = np.einsum("cn,kcn->ck", weights * scores, inside[1:])
        return np.asarray(middle + (100 * _density(top) * edge[:-1]).T / np.sqrt(order))

    def covariance(self, first: Any, second: Any, shared: Any) -> Array:
        """Covariance in squared points of two runs of the cells `first` and `second`.

        Parameters
        ----------
        first, second : array of int
            Cells.
        shared : array of float
            Variance that the two latent scores share.
        """
        correlation = np.minimum(shared / (self.sd[first] * self.sd[second]), 1.0)
        powers = correlation[..., None] ** np.arange(1, ORDER + 1)
        return np.asarray((powers * self.coefficients[first] * self.coefficients[second]).sum(axis=-1))


def _density(z: Array) -> Array:
    return np.asarray(np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi))


def _hermite(z: Array) -> Array:
    """Normalised probabilists' Hermite polynomials 0 to `ORDER` at z: terms x shape of z."""
    values = np.empty((ORDER + 1, *z.shape))
    values[0], values[1] = 1.0, z
    for k in range(1, ORDER):
        values[k + 1] = (z * values[k] - np.sqrt(k) * values[k - 1]) / np.sqrt(k + 1)
    return values
