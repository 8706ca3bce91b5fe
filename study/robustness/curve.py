"""The specification curve: every defensible analysis of one headline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

import pandas as pd

from study.robustness.choices import DIMENSIONS, Specification, main, specifications
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


@dataclass(frozen=True)
class Analysis:
    """A headline with the pairs on which its specifications work, and the kind of the runs behind them."""

    headline: Headline
    frames: Frames
    kind: str

    @property
    def main(self) -> Specification:
        """Of this package; where the data have only another measure, with that one."""
        wanted = main(self.headline)
        if (wanted.measure, wanted.runs) in self.frames:
            return wanted
        measure, runs = next(iter(self.frames))
        return replace(wanted, measure=measure, runs=runs)


def analyses(data: Dataset, origin: Mapping[str, str] | None = None) -> list[Analysis]:
    """All headlines of a dataset.

    Parameters
    ----------
    data : Dataset
        Runs of one kind.
    origin : mapping, optional
        Project to `open_source` or `private`.
    """
    kind = ", ".join(sorted(data.kind))
    return [Analysis(one, frames(data, one, origin), kind) for one in headlines(data, origin)]


def curve(analysis: Analysis) -> pd.DataFrame:
    """All specifications of a headline that its data admit, in the order of the choices.

    Returns
    -------
    DataFrame
        topic, headline, effect_unit (points, or % above the original), the choices, main (the analysis of
        this package), estimate, low, high (95 %), p (two-sided, unadjusted), n (pairs of runs; runs of
        the unpaired tests), units (services, projects or pairs), says, note, kind.
    """
    headline, found = analysis.headline, analysis.frames
    rows = []
    for specification in specifications(headline):
        if (specification.measure, specification.runs) not in found:
            continue
        result = estimate(found[(specification.measure, specification.runs)], specification)
        rows.append(
            {
                "topic": headline.topic,
                "headline": headline.name,
                "effect_unit": headline.unit,
                **asdict(specification),
                "main": specification == analysis.main,
                **asdict(result),
                "says": says(result.sign, result.p),
                "kind": analysis.kind,
            }
        )
    return pd.DataFrame(rows, columns=COLUMNS)


def curves(found: Iterable[Analysis]) -> pd.DataFrame:
    """The curves of all headlines, one below the other."""
    parts = [curve(analysis) for analysis in found]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=COLUMNS)
