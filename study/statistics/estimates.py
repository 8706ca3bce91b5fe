"""Estimates with intervals that respect the services: runs of one service are not independent."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy import stats

from study.statistics import bootstrap
from study.statistics.summary import SERVICE, numeric

TOO_FEW = "not enough data"


def ratio(
    frame: pd.DataFrame,
    value: str,
    reference: str,
    by: Sequence[str],
    cluster: Sequence[str] = tuple(SERVICE),
) -> pd.DataFrame:
    r"""Ratio of a value to the reference's, within the same service.

    :math:`\exp(\bar{l})` with :math:`l = \ln(\mathrm{value} / \mathrm{reference})`, averaged per service
    first; interval :math:`\exp(\bar{l} \pm t_{0.975, k-1}\, s_l / \sqrt{k})` over :math:`k` services.
    Rows in which either number is zero or missing have no ratio; `n_left_out` counts them.

    Returns
    -------
    DataFrame
        One row per level of `by`: n (runs), n_left_out, n_clusters, estimate, low, high (95 %), method.

    Examples
    --------
    Three services at 1/2, 1 and 2 times the reference: the geometric mean is 1, and with s = ln 2 and
    t = 4.302653 the interval is exp(-+ 4.302653 ln 2 / sqrt 3) = 0.1787 to 5.595.

    >>> frame = pd.DataFrame({"a": "x", "s": [1, 2, 3], "v": [5, 10, 20], "r": [10, 10, 10]})
    >>> row = ratio(frame, "v", "r", ["a"], cluster=["s"]).iloc[0]
    >>> round(row["estimate"], 4), round(row["low"], 4), round(row["high"], 4)
    (np.float64(1.0), np.float64(0.1787), np.float64(5.595))
    """
    table = numeric(frame, [value, reference])
    positive = (table[value] > 0) & (table[reference] > 0)
    table = table.assign(log=np.log((table[value] / table[reference]).where(positive)))
    rows = []
    for key, group in table.groupby(list(by), sort=False):
        logs = group.groupby(list(cluster), sort=False)["log"].mean().dropna().to_numpy()
        k = len(logs)
        half = stats.t.ppf(0.975, k - 1) * np.std(logs, ddof=1) / np.sqrt(k) if k > 1 else np.nan
        mean = np.mean(logs) if k else np.nan
        counted = {"n": int(group["log"].notna().sum()), "n_left_out": int(group["log"].isna().sum())}
        bounds = {"estimate": np.exp(mean), "low": np.exp(mean - half), "high": np.exp(mean + half)}
        method = "geometric mean over services, t interval of the logs" if k > 1 else TOO_FEW
        rows.append(
            dict(zip(by, key, strict=True)) | counted | {"n_clusters": k} | bounds | {"method": method}
        )
    return pd.DataFrame(rows)


def ratios(frame: pd.DataFrame, values: Sequence[str], by: Sequence[str]) -> pd.DataFrame:
    """`ratio` of several columns to those of the same name with `_reference`, in one frame."""
    tables = [ratio(frame, value, f"{value}_reference", by) for value in values]
    for value, table in zip(values, tables, strict=True):
        table.insert(0, "metric", value)
    return pd.concat(tables, ignore_index=True)


def service_interval(cell: pd.DataFrame, value: str) -> tuple[float, float, float]:
    """Mean over services of a column without missing values, and its 95 % bootstrap interval (`expanded`).

    Returns
    -------
    tuple
        Mean, low, high; the bounds are NaN below 5 services.
    """
    means = cell.groupby(SERVICE, sort=False)[value].mean().to_numpy(dtype=float)
    low, high = bootstrap.mean_interval(means)
    return float(means.mean()) if len(means) else np.nan, low, high
