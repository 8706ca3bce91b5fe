"""How near ours must be to a reference value, and why it may not be nearer."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import stats

Scale = Literal["relative", "absolute", "z"]
ZERO = 1e-9
"""A reference value below this is a zero with noise of its last digits: compared absolutely."""


@dataclass(frozen=True)
class Tolerance:
    """Largest deviation, how it is measured, and the reason."""

    limit: float
    scale: Scale = "relative"
    reason: str = ""

    def deviation(self, ours: float, reference: float, *, is_p: bool) -> float:
        """Distance of ours from the reference on the scale of this tolerance.

        `relative`: to the reference; absolute where it is zero (below 1e-9, unless a p). `z`: p values as the
        normal deviates that belong to them, relative to 1 or more; other values relative to 0.1 or more.
        """
        if self.scale == "z" and is_p:
            ours, reference = (float(stats.norm.isf(max(p, 1e-300) / 2)) for p in (ours, reference))
        distance = abs(ours - reference)
        if self.scale == "absolute":
            return distance
        if self.scale == "z":
            return distance / max(1.0 if is_p else 0.1, abs(reference))
        smallest = 0.0 if is_p else ZERO
        return distance / abs(reference) if abs(reference) > smallest else distance


EXACT = Tolerance(1e-6)
ART_MIXED = Tolerance(1e-3, reason="model fit: REML of another software; the same F in theory")
FIT = Tolerance(1e-3, "z", "model fit: optimisers and their tolerances differ between packages")
DEFAULT_LME4 = Tolerance(
    5e-3, "z", "lme4's default tolPwrss makes the se up to 0.2 % too small; met to 1e-3 where it is 1e-12"
)
FLAT = Tolerance(
    2e-2,
    "z",
    "model fit: lme4's default tolerance where the service variance is zero and the likelihood flat",
)
ROOT = Tolerance(2e-4, "absolute", "R stops its root search at 1e-4")
BOOT = Tolerance(1.0, "absolute", "Monte Carlo: points")
BOOT_LONG = Tolerance(0.6, "absolute", "Monte Carlo: points")
POWER = Tolerance(0.01, "absolute", "Monte Carlo: standard error 0.0016 on either side")
SHAPIRO = Tolerance(1e-6, "z", "p is an approximation that R and scipy evaluate at another precision")

RULES: tuple[tuple[str, Tolerance], ...] = (
    (r"^GLMMse_|^GLMM_.* p$|^binom_glmm_naive.* (p|se)$", DEFAULT_LME4),
    (r"^glmm\.|^GLMM_|^binom_glmm_naive", FIT),
    (r"^binom_glmm_olre", FLAT),
    (r"^betabin|^lmm|^LMM_", FIT),
    (r"^art\.lmer\.|^art_.*lme4", ART_MIXED),
    (r"Rwilcox", ROOT),
    (r"^boot_", BOOT),
    (r"\.boot\.mc\.", BOOT_LONG),
    (r"^power\.w\.", POWER),
    (r"^sw_", SHAPIRO),
)


def tolerance_of(key: str) -> Tolerance:
    """Tolerance of a number by its id, software (labelled form only) and item (value, p, se, df)."""
    return next((tolerance for pattern, tolerance in RULES if re.search(pattern, key)), EXACT)


def within(deviation: float, tolerance: Tolerance) -> bool:
    """Whether a deviation passes; an unknown one does not."""
    return bool(np.isfinite(deviation) and deviation <= tolerance.limit)
