"""The statistics as printed, and the ways in which all of them can be read together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
import pandas as pd

from study.published.variants import A2_RATES, MEAN_RANKS, RANK_SUM, SIGNED_RANK, Variant
from study.schema import StudyError

MEAN_RANK_DIFFERENCE = Variant("scenario", MEAN_RANKS)
_A2 = Variant("normality", A2_RATES)


@dataclass(frozen=True)
class Printed:
    """The statistics as printed."""

    a2: float
    signed_rank: float
    """Z of the scenario, under the name signed-rank."""
    dunn: float
    """Z of the scenario, under the name Dunn."""
    points: float
    """Difference of the scenarios, in percentage points."""
    prompt: float
    """Z of the prompt."""

    @classmethod
    def of(cls, statistics: pd.DataFrame) -> Self:
        """Read them from a frame with the columns id (S1 to S5) and statistic_value."""
        values = statistics.set_index("id")["statistic_value"]
        wanted = [f"S{number}" for number in range(1, 6)]
        missing = [name for name in wanted if name not in values.index]
        if missing:
            raise StudyError(f"printed statistics: no row {', '.join(missing)}")
        return cls(*(float(values[name]) for name in wanted))

    def target(self, variant: Variant) -> float:
        """The printed value that a variant may explain; NaN if none."""
        if variant.test.startswith("A2"):
            return self.a2
        if variant.test == MEAN_RANKS:
            return self.points if variant.comparison == "scenario" else np.nan
        if variant.comparison == "prompt":
            return self.prompt
        return self.signed_rank if variant.test == SIGNED_RANK else self.dunn


def readings(printed: Printed) -> dict[str, dict[Variant, float]]:
    """Ways to read all printed statistics at once: the wanted value of each variant.

    All with ties correction and without continuity correction, A-squared of the rates per run.
    """
    rank_sum, prompt_rank_sum = Variant("scenario", RANK_SUM), Variant("prompt", RANK_SUM)
    dropped, prompt_dropped = (Variant(name, SIGNED_RANK, "dropped") for name in ("scenario", "prompt"))
    pratt, prompt_pratt = (Variant(name, SIGNED_RANK, "Pratt") for name in ("scenario", "prompt"))
    a2 = {_A2: printed.a2}
    dunn = {rank_sum: printed.dunn}
    return {
        "rank-sum throughout": dunn | {prompt_rank_sum: printed.prompt} | a2,
        "rank-sum for the scenario, signed-rank for the prompt": dunn | {prompt_dropped: printed.prompt} | a2,
        "signed-rank throughout, zeros dropped": (
            {dropped: printed.signed_rank, prompt_dropped: printed.prompt} | a2
        ),
        "signed-rank throughout, Pratt": {pratt: printed.signed_rank, prompt_pratt: printed.prompt} | a2,
        "as named: signed-rank (zeros dropped) and Dunn": (
            {dropped: printed.signed_rank, prompt_dropped: printed.prompt} | dunn | a2
        ),
        "as named: signed-rank (Pratt) and Dunn": (
            {pratt: printed.signed_rank, prompt_pratt: printed.prompt} | dunn | a2
        ),
    }
