"""How much a conclusion hangs on floor and ceiling of the oracle, and on runs that have no value."""

from __future__ import annotations

import numpy as np
import pandas as pd

from study.schema import StudyError
from study.statistics.effects import mean_difference
from study.statistics.pairs import DECIMALS, check_runs
from study.statistics.permutation import sign_flip
from study.statistics.results import results


def normalised_score(
    frame: pd.DataFrame,
    value: str = "pass_rate_percent",
    floor: str = "floor_percent",
    ceiling: str = "ceiling_percent",
) -> pd.DataFrame:
    """Rates on the scale from the oracle's floor (target absent) to its ceiling (the reference).

    (rate - floor) / (ceiling - floor): 0 is what nothing scores, 1 what the original scores; it can lie
    outside. Missing where floor and ceiling coincide: such an oracle cannot tell anything from nothing.

    Returns
    -------
    DataFrame
        The runs with `score` and `score_missing` (why it is missing, else empty).

    Examples
    --------
    >>> runs = pd.DataFrame({"pass_rate_percent": [75.0, 40.0], "floor_percent": [50.0, 40.0]})
    >>> runs["ceiling_percent"] = [100.0, 40.0]
    >>> normalised_score(runs)[["score", "score_missing"]].values.tolist()
    [[0.5, ''], [nan, 'floor equals ceiling']]
    """
    table = check_runs(check_runs(check_runs(frame, value), floor), ceiling)
    span = table[ceiling] - table[floor]
    inverted = span < -(10.0**-DECIMALS)
    if inverted.any():
        row = table[inverted].iloc[0]
        raise StudyError(
            f"runs: row {table.index[inverted][0]}: {floor} {row[floor]:g} is above {ceiling} "
            f"{row[ceiling]:g}; the control without a target scores more than the reference"
        )
    blind = span.abs() <= 10.0**-DECIMALS
    score = (table[value] - table[floor]) / span.where(~blind)
    why = np.select(
        [table[value].isna(), table[floor].isna() | table[ceiling].isna(), blind],
        ["no rate", "floor or ceiling unknown", "floor equals ceiling"],
        default="",
    )
    return table.assign(score=score, score_missing=why)


def missing_bounds(
    pairs: pd.DataFrame, *, lowest: float = 0.0, highest: float = 100.0, level: float = 0.95
) -> pd.DataFrame:
    """Mean difference if every missing run had the value that favours, or hurts, the first level most.

    No assumption on why runs are missing gives a result outside these two (Manski's bounds [1]_). Pairs that
    are missing on both sides enter with the full range too.

    Parameters
    ----------
    pairs : DataFrame
        From `study.statistics.pairs.pairs`: incomplete pairs are in it.
    lowest, highest : float
        The range of the value.
    level : float
        Of the intervals.

    Returns
    -------
    DataFrame
        Three rows per comparison (quantity): complete pairs, worst case and best case for the first level,
        each with the t interval over services and the sign-flip p.

    References
    ----------
    .. [1] Manski (1990), Am. Econ. Rev. 80(2), 319-323.

    Examples
    --------
    >>> d = {"comparison": "B minus A", "cluster": [*"abc"], "first": [60, 70, None], "second": [50, 50, 50]}
    >>> frame = pd.DataFrame(d).assign(difference=[10, 20, None])
    >>> missing_bounds(frame)["estimate"].round(4).tolist()
    [15.0, -6.6667, 26.6667]
    """
    if not lowest < highest:
        raise StudyError(f"missing runs: the range {lowest:g} to {highest:g} is empty")
    cases = {
        "complete pairs": (np.nan, np.nan),
        "worst case for the first": (lowest, highest),
        "best case for the first": (highest, lowest),
    }
    tables = []
    for quantity, (first, second) in cases.items():
        one, other = (pairs[side].astype("float64") for side in ("first", "second"))
        if not np.isnan(first):
            one, other = one.fillna(first), other.fillna(second)
        filled = pairs.assign(first=one, second=other, difference=(one - other).round(DECIMALS))
        table = mean_difference(filled, level=level)
        flipped = sign_flip(filled)
        table = table.assign(quantity=quantity, p=flipped["p"], statistic=table["estimate"])
        table["method"] = [
            f"{t} interval; {p}" for t, p in zip(table["method"], flipped["method"], strict=True)
        ]
        tables.append(table)
    if pairs.empty:
        return results([])
    whole = pd.concat(tables, ignore_index=True)
    order = {name: i for i, name in enumerate(dict.fromkeys(whole["comparison"]))}
    return whole.sort_values("comparison", key=lambda c: c.map(order), kind="stable", ignore_index=True)
