"""The columns that every result has, and how a frame of results is built."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

TEXT = ("comparison", "quantity", "family", "method", "note")
COLUMNS = (
    "comparison",
    "quantity",
    "estimate",
    "low",
    "high",
    "statistic",
    "df",
    "p",
    "p_adjusted",
    "family",
    "n",
    "clusters",
    "method",
    "note",
)
"""Of every frame of results, in this order; columns of a function's own follow."""


def results(rows: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    """Frame of results; what a row leaves out is missing (text: empty).

    Examples
    --------
    >>> results([{"comparison": "B minus A", "estimate": 2.0, "n": 4}])[["comparison", "estimate", "p"]]
      comparison  estimate   p
    0  B minus A       2.0 NaN
    """
    rows = list(rows)
    extra = list(dict.fromkeys(name for row in rows for name in row if name not in COLUMNS))
    table = pd.DataFrame(rows, columns=[*COLUMNS, *extra])
    for name in COLUMNS:
        if name in TEXT:
            table[name] = table[name].astype("object").where(table[name].notna(), "").astype("str")
        elif name in ("n", "clusters"):
            table[name] = table[name].astype("Int64")
        else:
            table[name] = table[name].astype("float64")
    return table


def notes(*parts: str) -> str:
    """Join the remarks that are not empty."""
    return "; ".join(part for part in parts if part)


def nan() -> float:
    """What a number that cannot be had is."""
    return float(np.nan)
