"""The pairs on which the specifications of a headline work, one frame for each measure and rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from study.robustness.choices import DENOMINATORS, TOOLS, levels_of
from study.robustness.headlines import Headline
from study.schema import StudyError
from study.statistics.pairs import BLOCK, DECIMALS, pairs
from study.statistics.sensitivity import normalised_score
from study.statistics.summary import SERVICE, TARGET, numeric, scored_runs

if TYPE_CHECKING:
    from study.records.dataset import Dataset

Frames = Mapping[tuple[str, str], pd.DataFrame]
"""Pairs by measure and rule: the factors of a run, cluster, first, second, difference."""
_RATES = [column for column, _ in DENOMINATORS.values() if column != "score_percent"]


def scored(data: Dataset) -> pd.DataFrame:
    """The runs with every rate in percent, and `score_percent` from floor (0) to ceiling (100).

    A floor above its ceiling has no score.
    """
    runs = numeric(scored_runs(data), _RATES)
    try:
        score = 100 * normalised_score(runs)["score"]
    except StudyError:
        score = pd.Series(np.nan, index=runs.index)
    return runs.assign(score_percent=score)


def frames(data: Dataset, headline: Headline, origin: Mapping[str, str] | None = None) -> Frames:
    """Pairs for every measure and every rule of exclusion; a frame may be empty.

    Raises
    ------
    StudyError
        If runs of several kinds are mixed, or runs are not told apart by their factors.
    """
    found = levels_of(headline)
    keys = [(measure, rule) for measure in found["measure"] for rule in found["runs"]]
    if headline.topic == "original":
        runs = _measured(data)
        return {key: _of_sizes(runs[_kept(runs, key[1])], headline.factor, key[0]) for key in keys}
    runs = scored(data).assign(origin=lambda table: table["project"].map(dict(origin or {})))
    return {key: rate_pairs(runs[_kept(runs, key[1])], headline, key[0]) for key in keys}


def _kept(runs: pd.DataFrame, rule: str) -> Any:
    if rule == "completed":
        return runs["outcome"] == "completed"
    if rule == "suite ran":
        return runs["suite"] == "ran"
    if rule == "oracle sees":
        return ~runs["blind"]
    if rule == "all files parsed":
        return (runs["unparsed_files"] == 0).fillna(False).astype(bool)
    return pd.Series(True, index=runs.index)


def rate_pairs(
    runs: pd.DataFrame, headline: Headline, measure: str, blocks: Sequence[str] = BLOCK
) -> pd.DataFrame:
    """Pairs of runs at the two levels; of origins, which no two runs of a project have, single runs."""
    pair = (headline.first, headline.second)
    if not set(pair) <= set(runs[headline.factor]):
        return _empty()
    # `score_percent` is no percentage: it may lie outside 0 to 100
    column = DENOMINATORS[measure][0]
    table = runs.rename(columns={column: "value"})
    unit = [name for name in SERVICE if name in blocks]
    if headline.topic == "origin":
        first, second = (table["value"].where(table["origin"] == level) for level in pair)
        found = table[[*blocks]].assign(
            cluster=table["project"], first=first, second=second, difference=np.nan
        )
        return found[table["origin"].isin(pair)]
    return pairs(table, "value", headline.factor, pair, blocks=blocks, cluster=unit)


def _measured(data: Dataset) -> pd.DataFrame:
    """Runs with the sizes of their code and, from the first control `reference`, of the original."""
    keys = [*BLOCK, "run_id", "kind", "outcome"]
    runs = data.runs[keys].merge(data.quality.drop(columns="kind"), on="run_id", how="left")
    originals = data.controls[data.controls["agent"] == "reference"].drop_duplicates(TARGET)
    sizes = originals[[*TARGET, "run_id"]].merge(data.quality.drop(columns="kind"), on="run_id")
    table = runs.merge(sizes.drop(columns="run_id"), on=TARGET, how="left", suffixes=("", "_original"))
    stated = data.references[[*TARGET, "sloc", "cyclomatic", "cognitive"]]
    return table.merge(stated, on=TARGET, how="left", suffixes=("", "_stated"))


def _of_sizes(runs: pd.DataFrame, metric: str, tool: str) -> pd.DataFrame:
    if runs["kind"].nunique() > 1:
        kinds = ", ".join(sorted(runs["kind"].unique()))
        raise StudyError(f"runs: kind: {kinds} are mixed in one analysis; select one kind first")
    column = f"{TOOLS[tool][0]}{metric}"
    original = f"{column}_original" if TOOLS[tool][0] else f"{metric}_stated"
    table = numeric(runs, [column, original])
    table = table.assign(first=table[column], second=table[original])
    known = (table["first"] > 0) & (table["second"] > 0)  # neither nothing nor a missing original has a ratio
    table = table.loc[known, [*BLOCK, "first", "second"]]
    return table.assign(
        cluster=table[SERVICE].astype(str).agg("/".join, axis=1) if len(table) else "",
        difference=(table["first"] - table["second"]).round(DECIMALS),
    )


def _empty() -> pd.DataFrame:
    return pd.DataFrame(columns=[*BLOCK, "cluster", "first", "second", "difference"])
