"""What a time limit would have done to the runs of a dataset: the advice of 15 to 20 minutes, replayed.

`study.published.economy.runs_cut` asks the same of the paper's box plots, with the same columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd

from study.schema import StudyError

if TYPE_CHECKING:
    from study.records.dataset import Dataset

LIMITS_MIN = (15.0, 20.0)
"""The paper's advice, in minutes."""


def replay(data: Dataset, minutes: Sequence[float] = LIMITS_MIN) -> pd.DataFrame:
    """Runs that a time limit would have cut off, and what that may do to the pass rate.

    A run is over the limit if `time_min` is larger. Nobody knows of a run without a time, nor of one that was
    stopped (outcome `timeout`) before the limit asked about: it would have gone on.

    Returns
    -------
    DataFrame
        One row per limit, agent and kind: limit_min; agent; kind; fewest and most (runs over it; they differ
        by the runs of which nobody knows); runs; share_percent (fewest / runs); pass_rate_percent (mean of
        the runs that have one, as they ended); if_zero_percent (the same, if runs over the limit scored 0);
        lost_points (their difference); low_percent and high_percent (the same, if runs over the limit, and
        those of which nobody knows, may score anything from 0 to 100, since a part of their work was there).

    Raises
    ------
    StudyError
        If a limit is not a positive number.
    """
    for limit in minutes:
        if not 0 < limit < float("inf"):
            raise StudyError(f"--minutes: {limit:g} is no time limit; give a number above 0")
    groups = data.runs.groupby(["agent", "kind"], sort=False)
    rows = [
        {"limit_min": float(limit), "agent": agent, "kind": kind, **_cut(runs, limit)}
        for limit in minutes
        for (agent, kind), runs in groups
    ]
    return pd.DataFrame(rows)


def _cut(runs: pd.DataFrame, limit: float) -> dict[str, float]:
    over = runs["time_min"] > limit
    unknown = runs["time_min"].isna() | ((runs["outcome"] == "timeout") & ~over)
    rate = runs["pass_rate_percent"]
    scored = rate.notna()
    return {
        "fewest": int(over.sum()),
        "most": int((over | unknown).sum()),
        "runs": len(runs),
        "share_percent": 100 * float(over.mean()),
        "pass_rate_percent": float(rate.mean()),
        "if_zero_percent": float(rate.mask(over & scored, 0.0).mean()),
        "lost_points": float(rate.mean() - rate.mask(over & scored, 0.0).mean()),
        "low_percent": float(rate.mask((over | unknown) & scored, 0.0).mean()),
        "high_percent": float(rate.mask((over | unknown) & scored, 100.0).mean()),
    }
