"""Multiplicity: which p values are one family, and what they are after adjustment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd

from study.schema import StudyError
from study.statistics.ranks import Array

Method = Literal["holm", "hochberg", "bonferroni", "fdr_bh", "fdr_by"]
METHODS = ("holm", "hochberg", "bonferroni", "fdr_bh", "fdr_by")


def adjust(p: Any, method: Method = "holm") -> Array:
    """Adjusted p values of one family; missing values stay missing and do not count.

    Parameters
    ----------
    p : array of float
        Along one axis.
    method : str
        `holm` [1]_ (family-wise error, any dependence), `hochberg` [2]_ (independent or positively
        dependent), `bonferroni`, `fdr_bh` [3]_ (false discovery rate), `fdr_by` [4]_ (the same, any
        dependence).

    References
    ----------
    .. [1] Holm (1979), Scand. J. Stat. 6(2), 65-70.
    .. [2] Hochberg (1988), Biometrika 75(4), 800-802.
    .. [3] Benjamini and Hochberg (1995), J. R. Stat. Soc. B 57(1), 289-300.
    .. [4] Benjamini and Yekutieli (2001), Ann. Stat. 29(4), 1165-1188.

    Examples
    --------
    R, ``p.adjust(c(0.01, 0.04, 0.03), "holm")``: 0.03 0.06 0.06; with "BH": 0.03 0.04 0.04.

    >>> adjust([0.01, 0.04, 0.03]).tolist(), adjust([0.01, 0.04, 0.03], "fdr_bh").tolist()
    ([0.03, 0.06, 0.06], [0.03, 0.04, 0.04])
    """
    if method not in METHODS:
        raise StudyError(f"p adjustment: {method!r} is not known; give one of {', '.join(METHODS)}")
    values = np.asarray(p, dtype=float)
    known = np.flatnonzero(~np.isnan(values))
    m = len(known)
    order = known[np.argsort(values[known], kind="stable")]
    ordered = values[order]
    steps = np.arange(m, 0, -1)
    if method == "holm":
        raw = np.maximum.accumulate(ordered * steps)
    elif method == "bonferroni":
        raw = ordered * m
    else:
        whole = m * np.sum(1 / np.arange(1, m + 1)) if method == "fdr_by" else m
        factors = steps if method == "hochberg" else whole / np.arange(1, m + 1)
        raw = np.minimum.accumulate((ordered * factors)[::-1])[::-1]
    adjusted = np.full(values.shape, np.nan)
    adjusted[order] = np.minimum(raw, 1.0)
    return adjusted


def within(
    table: pd.DataFrame, family: str, *, by: Sequence[str] = (), method: Method = "holm"
) -> pd.DataFrame:
    """State the family of every p value of a frame of results, and adjust within it.

    Parameters
    ----------
    table : DataFrame
        Results with a column p.
    family : str
        Its name: the research question.
    by : sequence of str
        Columns that split the frame into families of their own; their values join the name.
    method : str
        As in `adjust`.

    Returns
    -------
    DataFrame
        A copy with `family` (name, number of p values, method) and `p_adjusted` filled.
    """
    parts = [((), table)] if not by else [(key, part) for key, part in table.groupby(list(by), sort=False)]
    done = []
    for key, part in parts:
        name = ", ".join([family, *map(str, key)])
        label = f"{name} ({int(part['p'].notna().sum())} p values, {method})"
        done.append(part.assign(p_adjusted=adjust(part["p"], method), family=label))
    return pd.concat(done).loc[table.index] if len(table) else table
