"""Tables of what the draws and searches of `reconstruction` reach, beside the printed values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from study.published.readings import MEAN_RANK_DIFFERENCE, Printed, readings
from study.published.reconstruction import POOLED, Space, approach
from study.published.statistics import Array
from study.published.variants import (
    PROMPTS,
    RANK_SUM,
    SCENARIOS,
    SIGNED_RANK,
    VARIANTS,
    Cells,
    Variant,
    cell_variants,
    describe,
    groups,
)

NEAR = 0.01
"""A joint solution meets every printed statistic within this distance."""
HALF_DIGIT = 0.0005 + 1e-9
"""Half a unit of the third decimal."""
Drawn = Mapping[str, Mapping[Variant, Array]]
"""Values of every variant, by level: `service` (per run) and `cell` (unrounded means)."""


def variant_table(
    cells: Cells, printed: Printed, space: Space, drawn: Mapping[str, Drawn], seed: int, steps: int
) -> pd.DataFrame:
    """Every variant on the printed cells, on unrounded cells and, per family of counts, on values per run."""
    fixed = cell_variants(cells).rename(columns={"value": "median"})
    fixed = fixed.assign(
        basis="printed cells",
        printed=[printed.target(variant) for variant in VARIANTS],
        **dict.fromkeys(("low", "high", "smallest", "largest"), fixed["median"]),
    )
    fixed["gap"] = (fixed["median"] - fixed["printed"]).abs()
    rows = []
    for variant, n in zip(VARIANTS, fixed["n"], strict=True):
        target = printed.target(variant)
        unrounded = np.concatenate([levels["cell"][variant] for levels in drawn.values()])
        rows.append(_row(variant, "unrounded cells", n, unrounded, target))
        for name, levels in drawn.items():
            rows.append(_row(variant, name, 3 * n, levels["service"][variant], target))
            if name == "documented" and rows[-1]["gap"] > HALF_DIGIT:
                searched = approach(space, {variant: target}, seed=seed, steps=steps // 2).gap
                rows[-1]["gap"] = min(rows[-1]["gap"], searched)
    x, y = groups(cells.rates, "scenario")
    rows.append(_row(POOLED, "printed cells", cells.values.size, (x - y).mean(keepdims=True), printed.points))
    for name, levels in drawn.items():
        pooled = levels["service"][POOLED]
        rows.append(_row(POOLED, name, cells.values.size * 3, pooled, printed.points))
    return pd.concat([fixed, pd.DataFrame(rows)[list(fixed.columns)]], ignore_index=True)


def _row(variant: Variant, basis: str, n: int, values: Array, target: float) -> dict[str, Any]:
    low, median, high = np.percentile(values, [2.5, 50, 97.5])
    return describe(variant) | {
        "basis": basis,
        "n": n,
        "printed": target,
        "low": low,
        "median": median,
        "high": high,
        "smallest": values.min(),
        "largest": values.max(),
        "gap": np.abs(values - target).min(),
    }


def joint_table(printed: Printed, spaces: Sequence[tuple[str, Space]], seed: int, steps: int) -> pd.DataFrame:
    """Search each reading of all statistics at once, space after space until one reaches them all."""
    rows = []
    for reading, targets in readings(printed).items():
        for tried, (basis, space) in enumerate(spaces, start=1):
            found = approach(space, targets, seed=seed + tried, also=[MEAN_RANK_DIFFERENCE], steps=steps)
            mean_ranks = found.values[MEAN_RANK_DIFFERENCE][found.gaps <= NEAR]
            rows.append(
                {
                    "reading": reading,
                    "basis": basis,
                    "searches": tried,
                    "gap": found.gap,
                    "reached": found.gap <= NEAR,
                    "solutions": len(mean_ranks),
                    "mean_ranks_low": min(mean_ranks, default=np.nan),
                    "mean_ranks_high": max(mean_ranks, default=np.nan),
                }
            )
            if rows[-1]["reached"]:
                break
    return pd.DataFrame(rows)


def given_table(printed: Printed, drawn: Mapping[str, Drawn]) -> pd.DataFrame:
    """Of the draws whose scenario Z is near the printed one: how often the mean ranks differ as printed."""
    rank_sum, ignored = Variant("scenario", RANK_SUM), Variant("scenario", RANK_SUM, ties=False)
    tests = {
        rank_sum: printed.dunn,
        Variant("scenario", SIGNED_RANK, "dropped"): printed.signed_rank,
        Variant("scenario", SIGNED_RANK, "Pratt"): printed.signed_rank,
    }
    rows = []
    for basis, levels in drawn.items():
        values = levels["service"]
        ties = (values[ignored] / values[rank_sum]) ** 2
        for variant, target in tests.items():
            near = np.abs(values[variant] - target) <= NEAR
            differences = values[MEAN_RANK_DIFFERENCE][near]
            rounded = np.abs(differences - printed.points) <= 0.5
            equal = np.abs(values[variant] - values[rank_sum]) <= HALF_DIGIT
            rows.append(
                {
                    "basis": basis,
                    "test": variant.label,
                    "draws": len(near),
                    "near": int(near.sum()),
                    "share_mean_ranks": rounded.mean() if near.any() else np.nan,
                    "ties_low": ties.min(),
                    "ties_high": ties.max(),
                    "share_equal": equal.mean(),
                }
            )
    return pd.DataFrame(rows)


def unreachable_table(cells: Cells, space: Space) -> pd.DataFrame:
    """Cells that the counts of a space cannot give, with the distance of the nearest value they can."""
    rows = [
        (cells.agents[a], cells.projects[p], SCENARIOS[s], PROMPTS[q], cells.values[a, p, s, q], gap)
        for (a, p, s, q), gap in np.ndenumerate(space.gaps)
        if gap > 0
    ]
    return pd.DataFrame(rows, columns=["agent", "project", "scenario", "condition", "printed", "gap"])
