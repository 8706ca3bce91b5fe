"""The specification curve: every defensible analysis of one headline."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import pandas as pd

from study.robustness.choices import DIMENSIONS, main, specifications
from study.robustness.estimators import estimate
from study.robustness.frames import Frames, frames
from study.robustness.headlines import Headline, headlines

if TYPE_CHECKING:
    from study.records.dataset import Dataset

ALPHA = 0.05
HIGHER, LOWER, UNDECIDED, NO_RESULT = "higher", "lower", "undecided", "no result"
SAYS = (HIGHER, UNDECIDED, LOWER, NO_RESULT)
COLUMNS = [
    "topic", "headline", "effect_unit", *DIMENSIONS, "main", "estimate", "low", "high", "p", "n", "units",
    "says", "note", "kind",
]  # fmt: skip


def says(sign: float, p: float, alpha: float = ALPHA) -> str:
    """Conclusion of one analysis: `higher` or `lower`, by the sign, if p < alpha, else `undecided`.

    Examples
    --------
    >>> says(-3.0, 0.01), says(-3.0, 0.2), says(float("nan"), float("nan"))
    ('lower', 'undecided', 'no result')
    """
    if pd.isna(sign) or pd.isna(p):
        return NO_RESULT
    if p >= alpha or sign == 0:
        return UNDECIDED
    return HIGHER if sign > 0 else LOWER


def curve(found: Frames, headline: Headline, kind: str = "") -> pd.DataFrame:
    """All specifications of a headline, in the order of the choices.

    Parameters
    ----------
    found : mapping
        From `study.robustness.frames.frames`.
    headline : Headline
        What is compared.
    kind : str
        Kind of the runs, kept in every row.

    Returns
    -------
    DataFrame
        topic, headline, effect_unit (points, or % above the original), the choices, main (the analysis of
        this package), estimate, low, high (95 %), p (two-sided, unadjusted), n (pairs of runs; runs of
        the unpaired test), units (services or pairs), says, note, kind.
    """
    rows = []
    for specification in specifications(headline):
        result = estimate(found[(specification.measure, specification.runs)], specification)
        rows.append(
            {
                "topic": headline.topic,
                "headline": headline.name,
                "effect_unit": headline.unit,
                **asdict(specification),
                "main": specification == main(headline),
                **asdict(result),
                "says": says(result.sign, result.p),
                "kind": kind,
            }
        )
    return pd.DataFrame(rows, columns=COLUMNS)


def curves(data: Dataset) -> pd.DataFrame:
    """The curves of all headlines of a dataset, one below the other."""
    kind = ", ".join(sorted(data.kind))
    parts = [curve(frames(data, headline), headline, kind) for headline in headlines(data)]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=COLUMNS)
