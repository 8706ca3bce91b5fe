"""The long form (`full/`): one id per quantity, `ID@R` and `ID@Python` where software differs."""

from __future__ import annotations

import re

import pandas as pd

from study.statistics import power
from study.statistics.families import Method, adjust
from study.statistics.reference import fits, quantities
from study.statistics.reference.quantities import NONE, Numbers

ADJUSTMENTS: dict[str, Method] = {
    "holm": "holm",
    "BH": "fdr_bh",
    "bonferroni": "bonferroni",
    "hochberg": "hochberg",
    "BY": "fdr_by",
}
EFFECT = 0.5


def from_data(runs: pd.DataFrame) -> Numbers:
    """All quantities that follow from the runs."""
    return {
        **quantities.normality(runs),
        **quantities.two_levels(runs, "scenario"),
        **quantities.two_levels(runs, "prompt"),
        **quantities.agents(runs),
        **quantities.aligned(runs),
        **fits.counts_models(runs),
        **fits.marginal_models(runs),
    }


def from_arguments(values: pd.DataFrame) -> Numbers:
    """Quantities whose input stands in their rows: lists of p values, numbers of pairs."""
    found: Numbers = {}
    for method, name in ADJUSTMENTS.items():
        rows = values[values["id"].str.startswith(f"adj.{method}.")]
        given = rows["comparison"].str.split("=").str[-1].astype(float)
        for key, p in zip(rows["id"], adjust(given, name), strict=True):
            found[key] = (float(p), float(p))
    for key in values["id"]:
        match = re.match(r"power\.(w|size|t)\.(\d+)", key)
        if not match:
            continue
        pairs = int(match[2])
        value = {
            "w": lambda: power.signed_rank_power(pairs, EFFECT)[0],  # noqa: B023
            "size": lambda: power.signed_rank_size(pairs)[1],  # noqa: B023
            "t": lambda: power.paired_t(pairs, EFFECT),  # noqa: B023
        }[match[1]]()
        found[key] = (value, NONE)
    return found


def compute(runs: pd.DataFrame, values: pd.DataFrame) -> list[tuple[float, float] | None]:
    """Ours for each row of a values file, in its order; None where an id is not known."""
    found = from_data(runs) | from_arguments(values)
    answers: list[tuple[float, float] | None] = []
    for key in values["id"]:
        base = key.split("@")[0]
        # a second set may have one id where the first has two, and the other way round
        answers.append(found.get(key) or found.get(base) or found.get(f"{base}@Python"))
    return answers
