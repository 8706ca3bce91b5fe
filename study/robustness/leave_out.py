"""Leave-one-out: every analysis again without one project, service, agent or condition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context

import pandas as pd

from study.robustness.curve import COLUMNS, NO_RESULT, UNDECIDED, Analysis, curve

NOTHING = "nothing"
LEFT_OUT = ("project", "service", "agent", "scenario", "prompt")
"""Factors of which one level is left out at a time; never the factor that is compared."""
_KEYS = ["topic", "headline", "factor", "left_out"]


def without(analysis: Analysis) -> Iterator[tuple[str, str, Analysis]]:
    """Factor, level and the analysis without that level, for every level that is not the only one.

    A service is named with its project, since two projects may name theirs alike.
    """
    found = {key: rows.assign(service=_services(rows)) for key, rows in analysis.frames.items()}
    every = pd.concat(found.values(), ignore_index=True)
    for factor in LEFT_OUT:
        levels = list(dict.fromkeys(every[factor].dropna())) if factor in every else []
        if factor == analysis.headline.factor or len(levels) < 2:
            continue
        for level in levels:
            kept = {key: rows[rows[factor] != level] for key, rows in found.items()}
            yield factor, str(level), replace(analysis, frames=kept)


def _services(rows: pd.DataFrame) -> pd.Series:
    """Project and service; none where what is compared are whole projects."""
    if "service" not in rows:
        return pd.Series(None, index=rows.index, dtype=object)
    return rows["project"].astype(str) + "/" + rows["service"].astype(str)


def leave_one_out(found: Sequence[Analysis], *, jobs: int | None = None) -> pd.DataFrame:
    """The specification curves of all headlines, whole and with one level of one factor left out.

    Parameters
    ----------
    found : sequence of Analysis
        From `curve.analyses`.
    jobs : int, optional
        Processes; one per processor by default. The result does not depend on it.

    Returns
    -------
    DataFrame
        factor and left_out (both `nothing` for the whole), then the columns of `curve.curves`.
    """
    if jobs == 1 or len(found) < 2:
        parts = [_cases(analysis) for analysis in found]
    else:
        with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
            parts = list(pool.map(_cases, found))
    columns = ["factor", "left_out", *COLUMNS]
    return pd.concat(parts, ignore_index=True)[columns] if parts else pd.DataFrame(columns=columns)


def _cases(analysis: Analysis) -> pd.DataFrame:
    cases = [(NOTHING, NOTHING, analysis), *without(analysis)]
    rows = [curve(case).assign(factor=factor, left_out=level) for factor, level, case in cases]
    return pd.concat(rows, ignore_index=True)


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
        with_result = single[single["says"] != NO_RESULT]
        turned = [
            f"{r.factor} {r.left_out} ({r.says})" for r in with_result[with_result["turns"]].itertuples()
        ]
        text = f"{name}: {whole['estimate']:+.1f} ({whole['says']}); with one level left out {span}"
        if turned:
            text += f"; p crosses 0.05 without {', '.join(turned)}"
        elif len(with_result):
            text += f"; the same conclusion in all {len(with_result)} cases"
        if len(with_result) < len(single):
            text += f"; no conclusion at all in {len(single) - len(with_result)} cases, with too little left"
        sentences.append(text + ".")
    return sentences
