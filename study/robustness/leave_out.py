"""Leave-one-out: every analysis again without one project, service, agent or condition."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TYPE_CHECKING

import pandas as pd

from study.robustness.curve import COLUMNS, NO_RESULT, UNDECIDED, curve
from study.robustness.frames import Frames, frames
from study.robustness.headlines import Headline, headlines

if TYPE_CHECKING:
    from study.records.dataset import Dataset

NOTHING = "nothing"
LEFT_OUT = ("project", "service", "agent", "scenario", "prompt")
"""Factors of which one level is left out at a time; never the factor that is compared."""
_KEYS = ["topic", "headline", "factor", "left_out"]


def without(found: Frames, headline: Headline) -> Iterator[tuple[str, str, Frames]]:
    """Factor, level and the pairs without that level, for every level that is not the only one.

    A service is named with its project, since two projects may name theirs alike.
    """
    every = pd.concat(found.values(), ignore_index=True)
    for factor in LEFT_OUT:
        column = "cluster" if factor == "service" else factor
        if factor == headline.factor or column not in every:
            continue
        levels = list(dict.fromkeys(every[column].dropna().astype(str)))
        for level in levels if len(levels) > 1 else []:
            yield (
                factor,
                level,
                {key: pairs[pairs[column].astype(str) != level] for key, pairs in found.items()},
            )


def leave_one_out(data: Dataset, *, jobs: int | None = None) -> pd.DataFrame:
    """The specification curves of all headlines, whole and with one level of one factor left out.

    Parameters
    ----------
    data : Dataset
        Runs of one kind.
    jobs : int, optional
        Processes; one per processor by default. The result does not depend on it.

    Returns
    -------
    DataFrame
        factor and left_out (both `nothing` for the whole), then the columns of `curve.curves`.
    """
    kind = ", ".join(sorted(data.kind))
    tasks = [(headline, frames(data, headline), kind) for headline in headlines(data)]
    if jobs == 1 or len(tasks) < 2:
        parts = [_cases(*task) for task in tasks]
    else:
        with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
            parts = list(pool.map(_cases, *zip(*tasks, strict=True)))
    columns = ["factor", "left_out", *COLUMNS]
    return pd.concat(parts, ignore_index=True)[columns] if parts else pd.DataFrame(columns=columns)


def _cases(headline: Headline, found: Frames, kind: str) -> pd.DataFrame:
    cases = [(NOTHING, NOTHING, found), *without(found, headline)]
    return pd.concat(
        [
            curve(pairs, headline, kind).assign(factor=factor, left_out=level)
            for factor, level, pairs in cases
        ],
        ignore_index=True,
    )


def influence(table: pd.DataFrame) -> pd.DataFrame:
    """What leaving out each level does to each headline.

    Parameters
    ----------
    table : DataFrame
        From `leave_one_out`.

    Returns
    -------
    DataFrame
        One row per headline and level left out, the whole first. effect_unit, estimate, low, high, p and says
        of this package's analysis; change: its estimate minus that of the whole; turns: whether its
        conclusion differs from that of the whole; analyses with a result, how many of them say higher,
        undecided and lower; kind.
    """
    counted = pd.crosstab([table[key] for key in _KEYS], table["says"])
    counts = counted.reindex(columns=["higher", UNDECIDED, "lower"], fill_value=0).reset_index()
    main = table.loc[
        table["main"], [*_KEYS, "effect_unit", "estimate", "low", "high", "p", "n", "units", "says"]
    ]
    whole = main.loc[main["left_out"] == NOTHING, ["topic", "headline", "estimate", "says"]]
    joined = main.merge(whole, on=["topic", "headline"], suffixes=("", "_whole"))
    joined["change"] = joined["estimate"] - joined["estimate_whole"]
    joined["turns"] = joined["says"] != joined["says_whole"]
    result = joined.drop(columns=["estimate_whole", "says_whole"]).merge(counts, on=_KEYS, how="left")
    result["analyses"] = result[["higher", UNDECIDED, "lower"]].sum(axis=1)
    return result.assign(kind=table["kind"].iloc[0] if len(table) else "")


def fragile(table: pd.DataFrame) -> list[str]:
    """One sentence per headline: what of it a single project, service, agent or condition carries.

    Parameters
    ----------
    table : DataFrame
        From `influence`.
    """
    sentences = []
    for (_, name), rows in table.groupby(["topic", "headline"], sort=False):
        whole, single = rows[rows["left_out"] == NOTHING].iloc[0], rows[rows["left_out"] != NOTHING]
        if whole["says"] == NO_RESULT or single.empty:
            sentences.append(f"{name}: nothing to leave out, or no result.")
            continue
        known = single.dropna(subset=["estimate"])
        span = f"{known['estimate'].min():+.1f} to {known['estimate'].max():+.1f} {whole['effect_unit']}"
        turned = [f"{row.factor} {row.left_out} ({row.says})" for row in single[single["turns"]].itertuples()]
        text = f"{name}: {whole['estimate']:+.1f} ({whole['says']}); with one level left out {span}"
        sentences.append(text + (f"; another conclusion without {', '.join(turned)}." if turned else
                                 f"; the same conclusion in all {len(single)} cases."))  # fmt: skip
    return sentences
