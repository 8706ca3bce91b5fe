"""Agreement among replicates: how much of the variance lies between services, cells and repeats of a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from study.schema import StudyError
from study.statistics.pairs import check_runs
from study.statistics.results import notes, results
from study.statistics.summary import CELL, SERVICE


def replicates(
    frame: pd.DataFrame,
    value: str,
    *,
    cell: Sequence[str] = tuple(CELL),
    cluster: Sequence[str] = tuple(SERVICE),
) -> pd.DataFrame:
    r"""Variance components of services, cells within services and replicates, and the intraclass correlation.

    Moments of the nested analysis of variance (Searle et al. [1]_), for any number of replicates; a negative
    estimate is set to 0 and said so. A cell is one agent, service, scenario and prompt; its component holds
    the effects of the factors and all that differs between services in them. ICC(1) [2]_ of cells,
    :math:`(MS_b - MS_w) / (MS_b + (n_0 - 1) MS_w)`, with its F interval: the correlation of two replicates.

    Returns
    -------
    DataFrame
        Rows (comparison): service, cell within service, replicate (variances, in squared units of the value;
        share of their sum in `share`), then replicates (ICC; statistic F, df, p of no difference of cells).

    References
    ----------
    .. [1] Searle, Casella and McCulloch (1992), Variance Components, section 3.6.
    .. [2] Shrout and Fleiss (1979), Psychol. Bull. 86(2), 420-428.

    Examples
    --------
    The ratings of Shrout and Fleiss, six targets by four judges: ICC(1, 1) = .17.

    >>> ratings = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    >>> v = [(str(i), j, float(x)) for i, row in enumerate(ratings) for j, x in enumerate(row)]
    >>> runs = pd.DataFrame(v, columns=["service", "replicate", "v"])
    >>> round(replicates(runs, "v", cell=["service"])["estimate"].iloc[-1], 3)
    np.float64(0.166)
    """
    unit = [name for name in cluster if name in frame.columns]
    cells = [name for name in cell if name in frame.columns]
    table = check_runs(frame, value, [*unit, *cells])
    known = table.dropna(subset=[value])
    if known.empty or not cells:
        raise StudyError(f"replicates: no values of {value!r}, or no columns that make a cell")
    y = known[value].to_numpy(dtype=float)
    service = known.groupby(unit, sort=False).ngroup().to_numpy()
    inner = known.groupby([*dict.fromkeys([*unit, *cells])], sort=False).ngroup().to_numpy()
    parts, why = _components(y, service, inner)
    lost = len(table) - len(known)
    common: dict[str, Any] = {
        "n": len(y),
        "clusters": int(service.max()) + 1,
        "method": "nested analysis of variance, moments",
    }
    left_out = f"{lost} runs without a value left out" if lost else ""
    total = float(np.nansum(list(parts.values())))
    rows = [
        common
        | {
            "comparison": name,
            "quantity": "variance",
            "estimate": max(variance, 0.0) if not np.isnan(variance) else np.nan,
            "share": max(variance, 0.0) / total if total > 0 and not np.isnan(variance) else np.nan,
            "note": notes(left_out, why.get(name, "")),
        }
        for name, variance in parts.items()
    ]
    return results([*rows, common | _intraclass(y, inner) | {"comparison": "replicates"}])


def _components(y: Any, service: Any, inner: Any) -> tuple[dict[str, float], dict[str, str]]:
    n, s, c = len(y), int(service.max()) + 1, int(inner.max()) + 1
    n_cell, n_service = np.bincount(inner).astype(float), np.bincount(service).astype(float)
    of = np.zeros(c, dtype=int)
    of[inner] = service
    mean_cell = np.bincount(inner, weights=y) / n_cell
    mean_service = np.bincount(service, weights=y) / n_service
    within = float(((y - mean_cell[inner]) ** 2).sum())
    between_cells = float((n_cell * (mean_cell - mean_service[of]) ** 2).sum())
    between = float((n_service * (mean_service - y.mean()) ** 2).sum())
    nested = float((n_cell**2 / n_service[of]).sum())
    why: dict[str, str] = {}
    replicate = within / (n - c) if n > c else float(np.nan)
    if n == c:
        why["replicate"] = "one run per cell: replicates and cells are not told apart"
    base = replicate if n > c else 0.0
    inside = (between_cells / (c - s) - base) / ((n - nested) / (c - s)) if c > s else float(np.nan)
    if c == s:
        why["cell within service"] = "one cell per service"
    k2 = (nested - (n_cell**2).sum() / n) / (s - 1) if s > 1 else np.nan
    k3 = (n - (n_service**2).sum() / n) / (s - 1) if s > 1 else np.nan
    of_cell = max(inside, 0.0) if c > s else 0.0
    outer = (between / (s - 1) - base - k2 * of_cell) / k3 if s > 1 else float(np.nan)
    if s == 1:
        why["service"] = "one service"
    parts = {"service": float(outer), "cell within service": float(inside), "replicate": replicate}
    why |= {name: "estimate below zero, set to 0" for name, value in parts.items() if value < 0}
    return {name: max(value, 0.0) if value < 0 else value for name, value in parts.items()}, why


def _intraclass(y: Any, inner: Any, level: float = 0.95) -> dict[str, Any]:
    n, c = len(y), int(inner.max()) + 1
    sizes = np.bincount(inner).astype(float)
    means = np.bincount(inner, weights=y) / sizes
    row: dict[str, Any] = {"quantity": "intraclass correlation of replicates"}
    if c < 2 or n == c:
        return row | {"note": "one run per cell, or one cell: no agreement to measure"}
    ms_within = float(((y - means[inner]) ** 2).sum()) / (n - c)
    ms_between = float((sizes * (means - y.mean()) ** 2).sum()) / (c - 1)
    if ms_within == 0:
        same = "replicates are identical" if ms_between > 0 else "all values are equal"
        return row | {"estimate": 1.0 if ms_between > 0 else np.nan, "note": same}
    n0 = (n - (sizes**2).sum() / n) / (c - 1)
    f = ms_between / ms_within
    tail = (1 - level) / 2
    bounds = f / stats.f.isf(tail, c - 1, n - c), f * stats.f.isf(tail, n - c, c - 1)
    low, high = ((x - 1) / (x + n0 - 1) for x in bounds)
    row |= {"estimate": (f - 1) / (f + n0 - 1), "low": low, "high": high, "statistic": f, "df": c - 1}
    return row | {"p": stats.f.sf(f, c - 1, n - c), "note": f"{n0:.3g} replicates per cell on average"}
