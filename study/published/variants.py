"""Every reading of the printed statistics, evaluated on the cells of Table III or on values per run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Self

import numpy as np
import pandas as pd

from study.published.statistics import (
    Array,
    Standardised,
    Zeros,
    anderson_darling,
    mean_rank_difference,
    rank_sum,
    signed_rank,
)
from study.schema import StudyError

Comparison = Literal["scenario", "prompt", "normality"]
SCENARIOS = ("incremental", "clean_state")
PROMPTS = ("P1", "P2")
_KEY = ["agent", "project", "scenario", "condition"]
_RATE = "pass_rate_percent"


@dataclass(frozen=True)
class Cells:
    """The cells of Table III without its baseline: agent x project x scenario x prompt, in percent."""

    agents: tuple[str, ...]
    projects: tuple[str, ...]
    values: Array

    @classmethod
    def of(cls, rates: pd.DataFrame) -> Self:
        """Read the cells from a frame with agent, project, scenario, condition, pass_rate_percent.

        Raises
        ------
        StudyError
            If a cell is missing, printed twice, or outside 0 to 100.
        """
        known = rates[rates["condition"].isin(PROMPTS)]
        agents, projects = (tuple(dict.fromkeys(known[name])) for name in ("agent", "project"))
        table = known.set_index(_KEY)[_RATE]
        if table.index.has_duplicates:
            raise StudyError(f"pass rates: printed twice: {table.index[table.index.duplicated()][0]}")
        wanted = pd.MultiIndex.from_product([agents, projects, SCENARIOS, PROMPTS], names=_KEY)
        values = pd.to_numeric(table.reindex(wanted)).to_numpy(dtype=float)
        bad = ~((values >= 0) & (values <= 100))
        if bad.any():
            raise StudyError(f"pass rates: {wanted[bad][0]} is missing or not between 0 and 100")
        return cls(agents, projects, values.reshape(len(agents), len(projects), 2, 2))

    @property
    def rates(self) -> Array:
        """The cells in the layout of `groups`: one value per cell."""
        return self.values[..., None]


def groups(rates: Array, comparison: Comparison) -> tuple[Array, Array]:
    """Clean state and incremental, or P2 and P1: two arrays whose last axes pair element by element.

    Parameters
    ----------
    rates : array
        Axes (...,) agent, project, scenario, prompt, unit (one cell, or the services of it).
    comparison : str
        `scenario` or `prompt`; `normality` has no groups.
    """
    axis = {"scenario": -3, "prompt": -2}[comparison]
    moved = np.moveaxis(rates, axis, 0)
    first, second = (np.ascontiguousarray(part) for part in (moved[1], moved[0]))
    flat = (*first.shape[:-4], -1)
    return first.reshape(flat), second.reshape(flat)


@dataclass(frozen=True)
class Variant:
    """One reading: which test or quantity, on what, with which corrections."""

    comparison: Comparison
    test: str
    zeros: Zeros | None = None
    ties: bool = True
    continuity: bool = False

    @property
    def paired(self) -> bool:
        """Whether it works on differences within pairs."""
        return self.test in (SIGNED_RANK, A2_DIFFERENCES)

    @property
    def label(self) -> str:
        """A line for a table or a figure."""
        parts = [self.test]
        if self.zeros:
            parts.append(f"zeros {self.zeros}" if self.zeros == "dropped" else "Pratt")
        if self.test in (RANK_SUM, SIGNED_RANK):
            parts.append("ties corrected" if self.ties else "ties ignored")
        if self.continuity:
            parts.append("continuity")
        return ", ".join(parts)


RANK_SUM, SIGNED_RANK = "rank-sum = Dunn", "signed-rank"
MEAN_RANKS, A2_RATES, A2_DIFFERENCES = "difference of mean ranks", "A2 of the rates", "A2 of the differences"


def _variants(comparison: Comparison) -> Iterable[Variant]:
    for continuity in (False, True):
        for ties in (True, False):
            yield Variant(comparison, RANK_SUM, None, ties, continuity)
            yield Variant(comparison, SIGNED_RANK, "dropped", ties, continuity)
            yield Variant(comparison, SIGNED_RANK, "Pratt", ties, continuity)
        yield Variant(comparison, MEAN_RANKS, continuity=continuity)
    yield Variant(comparison, A2_DIFFERENCES)


VARIANTS: tuple[Variant, ...] = (
    *_variants("scenario"),
    *_variants("prompt"),
    Variant("normality", A2_RATES),
)
"""All readings that are tried."""


def evaluate(rates: Array, wanted: Sequence[Variant] = VARIANTS) -> dict[Variant, Array]:
    """Value of each variant for every data set along the leading axes; each ranking is made once."""
    ranked: dict[Variant, Standardised] = {}
    result = {}
    for variant in wanted:
        if variant.comparison == "normality":
            result[variant] = anderson_darling(rates.reshape(*rates.shape[:-5], -1))
            continue
        x, y = groups(rates, variant.comparison)
        if variant.test == A2_DIFFERENCES:
            result[variant] = anderson_darling(x - y)
        elif variant.test == MEAN_RANKS:
            result[variant] = mean_rank_difference(x, y, continuity=variant.continuity)
        else:
            base = replace(variant, ties=True, continuity=False)
            if base not in ranked:
                ranked[base] = signed_rank(x - y, variant.zeros) if variant.zeros else rank_sum(x, y)
            result[variant] = ranked[base].z(ties=variant.ties, continuity=variant.continuity)
    return result


def describe(variant: Variant) -> dict[str, Any]:
    """The variant as columns of a tidy frame."""
    z_test = variant.test in (RANK_SUM, SIGNED_RANK)
    return {
        "comparison": variant.comparison,
        "test": variant.test,
        "zeros": variant.zeros or "",
        "ties_corrected": variant.ties if z_test else None,
        "continuity": variant.continuity,
        "label": variant.label,
    }


def cell_variants(cells: Cells) -> pd.DataFrame:
    """All variants on the printed cells: 24 pairs, or 24 + 24 values.

    Returns
    -------
    DataFrame
        comparison, test, zeros, ties_corrected, continuity, label, n (values that enter), value.
    """
    values = evaluate(cells.rates)
    pairs = cells.values.size // 2
    rows = [
        describe(variant) | {"n": pairs if variant.paired else 2 * pairs, "value": float(value)}
        for variant, value in values.items()
    ]
    return pd.DataFrame(rows)
