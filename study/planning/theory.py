"""Power, services and effects by the noncentral t, given the spread of the services' differences."""

from __future__ import annotations

import numpy as np
from scipy import stats

from study.statistics.power import paired_t

MAX_SERVICES = 100_000
ALPHA = 0.05


def theory(services: int, effect: float, sd: float, alpha: float = ALPHA) -> float:
    """Power of t over services; `effect` and `sd` (of the services' mean differences) in the same unit."""
    if sd <= 0:
        return 1.0
    power = paired_t(services, abs(effect) / sd, alpha)
    if np.isnan(power):  # scipy's noncentral t gives up far from zero, where the normal is as good
        critical = stats.t.ppf(1 - alpha / 2, services - 1)
        power = float(stats.norm.sf(critical - abs(effect) / sd * np.sqrt(services)))
    return power


def services_needed(effect: float, sd: float, power: float, alpha: float = ALPHA) -> int | None:
    """Fewest services with which t over services finds the effect with this power; None beyond 100,000.

    Examples
    --------
    R, ``power.t.test(power = .8, delta = .5, type = "paired")``: n = 33.36713.

    >>> services_needed(0.5, 1.0, 0.8)
    34
    """
    low, high = 2, 2
    while theory(high, effect, sd, alpha) < power:
        low, high = high, high * 2
        if high > MAX_SERVICES:
            return None
    while low < high:
        middle = (low + high) // 2
        enough = theory(middle, effect, sd, alpha) >= power
        low, high = (low, middle) if enough else (middle + 1, high)
    return high
