"""Runs that differ in one factor only, as pairs; and the checks that runs pass first."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from study.schema import StudyError
from study.statistics.summary import SERVICE, levels

BLOCK = ("agent", "project", "service", "scenario", "prompt", "replicate")
"""The factors of a run; a block is given by all of them but the one that is compared."""
DECIMALS = 9
"""Equal differences of k/n rates are unequal floats otherwise: ties and zeros would be lost."""


def check_runs(frame: pd.DataFrame, value: str, columns: Sequence[str] = ()) -> pd.DataFrame:
    """Copy of the runs whose value column is checked and a plain float.

    Parameters
    ----------
    frame : DataFrame
        One row per run.
    value : str
        Column of numbers. Rates (a name with `rate` or ending in `_percent`) must lie within 0 to 100.
    columns : sequence of str
        Other columns that must be there.

    Raises
    ------
    StudyError
        If a column or all rows are missing, a value is no number, infinite or no percentage, or if rows of
        several kinds (published, measured, simulated) are mixed.
    """
    absent = [name for name in (value, *columns) if name not in frame.columns]
    if absent:
        known = ", ".join(map(str, frame.columns))
        raise StudyError(f"runs: no column {absent[0]!r}; columns here: {known}")
    if frame.empty:
        raise StudyError(f"runs: no rows, so there is nothing to compare in {value!r}")
    if "kind" in frame.columns and frame["kind"].nunique() > 1:
        kinds = ", ".join(sorted(frame["kind"].dropna().unique()))
        raise StudyError(f"runs: kind: {kinds} are mixed in one analysis; select one kind first")
    try:
        numbers = pd.to_numeric(frame[value]).astype("float64")
    except (ValueError, TypeError) as error:
        raise StudyError(f"runs: {value}: is not a column of numbers ({error})") from None
    low, high = (0.0, 100.0) if "rate" in value or value.endswith("_percent") else (-np.inf, np.inf)
    wrong = numbers.notna() & ~(np.isfinite(numbers) & numbers.between(low, high))
    if wrong.any():
        where = frame.index[wrong.to_numpy()][0]
        wanted = "a number from 0 to 100" if np.isfinite(low) else "a finite number"
        raise StudyError(f"runs: {value}: row {where}: {numbers[where]:g} is not {wanted}")
    return frame.assign(**{value: numbers})


def pairs(
    frame: pd.DataFrame,
    value: str,
    factor: str,
    pair: tuple[str, str] | None = None,
    *,
    blocks: Sequence[str] | None = None,
    cluster: Sequence[str] = tuple(SERVICE),
) -> pd.DataFrame:
    """Pairs of runs at two levels of a factor and the same level of all others.

    Parameters
    ----------
    frame : DataFrame
        One row per run.
    value, factor : str
        Column that is compared, and column of the levels.
    pair : tuple of str, optional
        The two levels; differences are first minus second. Without it all pairs, the later minus the earlier.
    blocks : sequence of str, optional
        Columns that identify a block; by default all factors of a run that the frame has, but this one.
    cluster : sequence of str
        Columns of the unit that is independent of the others: the service.

    Returns
    -------
    DataFrame
        comparison, the blocks, cluster, first, second, difference (rounded to 9 decimals; missing where one
        side is missing).

    Raises
    ------
    StudyError
        As `check_runs`; also if a level does not exist or a block holds several runs of one level.
    """
    names = [name for name in (blocks or BLOCK) if name != factor and (blocks or name in frame.columns)]
    unit = [name for name in cluster if name in frame.columns]
    if not unit:
        raise StudyError(f"runs: none of the cluster columns {', '.join(cluster)} is there")
    table = check_runs(frame, value, [factor, *names])
    known = levels(table[factor])
    for level in pair or ():
        if level not in known:
            raise StudyError(f"runs: {factor}: no level {level!r}; levels here: {', '.join(map(str, known))}")
    _no_duplicates(table, [*names, factor])
    wide = table.pivot(index=names, columns=factor, values=value)
    label = wide.index.to_frame(index=False)[unit].astype(str).agg("/".join, axis=1)
    wanted = [pair] if pair else [(second, first) for first, second in combinations(known, 2)]
    parts = []
    for one, other in wanted:
        first, second = wide[one], wide[other]
        part = wide.index.to_frame(index=False).assign(
            cluster=label.to_numpy(),
            first=first.to_numpy(),
            second=second.to_numpy(),
            difference=(first - second).round(DECIMALS).to_numpy() + 0.0,
        )
        part.insert(0, "comparison", f"{one} minus {other}")
        parts.append(part)
    if not parts:
        return pd.DataFrame(columns=["comparison", *names, "cluster", "first", "second", "difference"])
    return pd.concat(parts, ignore_index=True)


def _no_duplicates(table: pd.DataFrame, names: list[str]) -> None:
    twice = table.duplicated(names, keep=False)
    if twice.any():
        row = table.loc[twice, names].iloc[0]
        what = ", ".join(f"{name} {row[name]}" for name in names)
        raise StudyError(
            f"runs: {int(twice.sum())} rows are not told apart by {', '.join(names)} (first: {what}); "
            "remove duplicated runs, or name all factors as blocks"
        )


def known_differences(part: pd.DataFrame) -> pd.DataFrame:
    """The complete pairs."""
    return part[part["difference"].notna()]


def cluster_means(part: pd.DataFrame) -> pd.Series:
    """Mean difference of every service, of the complete pairs; index: cluster.

    Every service counts alike, however many of its pairs are complete.
    """
    return known_differences(part).groupby("cluster", sort=False)["difference"].mean()


def missing_pairs(part: pd.DataFrame) -> str:
    """A remark on incomplete pairs, or nothing."""
    lost = int(part["difference"].isna().sum())
    return f"{lost} of {len(part)} pairs incomplete and left out" if lost else ""
