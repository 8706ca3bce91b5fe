"""Equivalence: the only way to a claim of "no effect"."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pandas as pd
from scipy import stats

from study.schema import StudyError
from study.statistics import ranks
from study.statistics.pairs import DECIMALS, cluster_means, known_differences, missing_pairs
from study.statistics.ranks import Array, Zeros, p_of_z, signed_rank_exact_p, signed_rank_sums
from study.statistics.results import notes, results

Unit = Literal["cluster", "pair"]


def two_one_sided_t(values: Any, bound: float) -> tuple[float, float, float, float]:
    """T and p against -bound, then t and p against +bound, of independent values."""
    x = np.asarray(values, dtype=float)
    se = x.std(ddof=1) / np.sqrt(len(x))
    lower, upper = (x.mean() + bound) / se, (x.mean() - bound) / se
    df = len(x) - 1
    return float(lower), float(stats.t.sf(lower, df)), float(upper), float(stats.t.cdf(upper, df))


def tost(pairs: pd.DataFrame, bound: float, *, unit: Unit = "cluster", alpha: float = 0.05) -> pd.DataFrame:
    """Two one-sided t tests [1]_ of the mean difference against -bound and +bound, over service means.

    Equivalence within the bounds is shown at `alpha` if the larger p is below it, that is if the interval of
    level 1 - 2 alpha lies inside the bounds. It is an error to read an insignificant difference as none.

    Parameters
    ----------
    pairs : DataFrame
        From `study.statistics.pairs.pairs`.
    bound : float
        Positive, in units of the value (points); stated before the data are seen.
    unit : str
        `cluster`: service means. `pair`: all pairs as if they were independent, for comparison only.
    alpha : float
        Level.

    Returns
    -------
    DataFrame
        One row per comparison: low and high bound 1 - 2 alpha, p is the larger of the two; also t_lower,
        p_lower (against -bound), t_upper, p_upper (against +bound), equivalent.

    References
    ----------
    .. [1] Schuirmann (1987), J. Pharmacokinet. Biopharm. 15(6), 657-680.

    Examples
    --------
    Service means -1, 0 and 1 against 5: t = 5 sqrt 3 both times, 2 df.

    >>> d = pd.DataFrame({"comparison": "B minus A", "cluster": [*"abc"], "difference": [-1, 0, 1]})
    >>> row = tost(d, 5).iloc[0]
    >>> round(row["t_lower"], 4), round(row["p"], 5), bool(row["equivalent"])
    (np.float64(8.6603), np.float64(0.00654), True)
    """
    _positive(bound)
    rows = []
    for name, part in pairs.groupby("comparison", sort=False):
        values = _values(part, unit)
        row = _row(
            str(name), part, values, bound, f"TOST, t over {_of(unit)}, {100 - 200 * alpha:g} % interval"
        )
        if len(values) < 2 or np.ptp(values) < 1e-12:
            rows.append(row | {"note": notes(row["note"], "fewer than two values, or no variance: no test")})
            continue
        t_lower, p_lower, t_upper, p_upper = two_one_sided_t(values, bound)
        width = stats.t.ppf(1 - alpha, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values))
        p = max(p_lower, p_upper)
        row |= {"low": values.mean() - width, "high": values.mean() + width, "df": len(values) - 1, "p": p}
        row |= {"statistic": t_lower if p_lower > p_upper else t_upper}
        row |= {"t_lower": t_lower, "p_lower": p_lower, "t_upper": t_upper, "p_upper": p_upper}
        rows.append(row | {"equivalent": p < alpha, "note": notes(row["note"], _verdict(p < alpha, bound))})
    return results(rows)


def tost_signed_rank(
    pairs: pd.DataFrame,
    bound: float,
    *,
    unit: Unit = "cluster",
    distribution: Literal["exact", "normal"] = "exact",
    zeros: Zeros = "dropped",
    continuity: bool = False,
    alpha: float = 0.05,
) -> pd.DataFrame:
    """Two one-sided signed-rank tests of the differences moved by +bound and by -bound.

    Parameters as in `tost` and `study.statistics.as_published.signed_rank`; also v_lower and v_upper, the R+
    of d + bound and of d - bound. The interval is left out: it is not one of means.

    Examples
    --------
    All four differences lie within 5: each one-sided p is 1 / 16.

    >>> d = pd.DataFrame({"comparison": "B minus A", "cluster": [*"abcd"], "difference": [-2, -1, 1, 3]})
    >>> tost_signed_rank(d, 5)["p"].tolist()
    [0.0625]
    """
    _positive(bound)
    rows = []
    for name, part in pairs.groupby("comparison", sort=False):
        d = _values(part, unit).round(DECIMALS)
        how = f"{distribution}{', continuity' if continuity else ''}"
        row = _row(str(name), part, d, bound, f"TOST, signed-rank of {_of(unit)}, zeros {zeros}, {how}")
        if not len(d):
            rows.append(row)
            continue
        up, down = (
            _one_sided(d + bound, "greater", distribution, zeros, continuity),
            _one_sided(d - bound, "less", distribution, zeros, continuity),
        )
        p = max(up[1], down[1])
        row |= {"p": p, "v_lower": up[0], "p_lower": up[1], "v_upper": down[0], "p_upper": down[1]}
        rows.append(row | {"equivalent": p < alpha, "note": notes(row["note"], _verdict(p < alpha, bound))})
    return results(rows)


def _one_sided(
    d: Array, alternative: ranks.Alternative, distribution: str, zeros: Zeros, continuity: bool
) -> tuple[float, float]:
    plus = signed_rank_sums(d, zeros)[0]
    if distribution == "exact":
        return plus, signed_rank_exact_p(d, zeros, alternative)
    standard = ranks.signed_rank(d, zeros)
    toward = 0.5 if alternative == "greater" else -0.5  # one-sided: always against the alternative
    excess = float(standard.excess) - (toward if continuity else 0.0)
    return plus, p_of_z(excess / float(standard.sd_ties), alternative) if standard.sd_ties > 0 else 1.0


def _values(part: pd.DataFrame, unit: Unit) -> Array:
    table = cluster_means(part) if unit == "cluster" else known_differences(part)["difference"]
    return table.to_numpy(dtype=float)


def _row(name: str, part: pd.DataFrame, values: Array, bound: float, method: str) -> dict[str, Any]:
    return {
        "comparison": name,
        "quantity": f"equivalence within -{bound:g} to {bound:g}",
        "estimate": values.mean() if len(values) else np.nan,
        "n": len(known_differences(part)),
        "clusters": known_differences(part)["cluster"].nunique(),
        "method": method,
        "note": notes(missing_pairs(part), "" if len(values) else "no complete pair"),
        "equivalent": False,
    }


def _verdict(shown: bool, bound: float) -> str:
    return f"equivalent within {bound:g}" if shown else f"equivalence within {bound:g} not shown"


def _of(unit: Unit) -> str:
    return "service means" if unit == "cluster" else "pairs, taken as independent"


def _positive(bound: float) -> None:
    if not (np.isfinite(bound) and bound > 0):
        raise StudyError(f"equivalence: the bound must be a positive number, not {bound!r}")
