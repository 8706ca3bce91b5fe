"""The printed statistics among the claims: the verdicts come from `study.published.reported`."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import pandas as pd

from study.published.claims import Claim
from study.published.evidence import Effort
from study.published.reader import Reader
from study.published.reported import FINDINGS, Case, Needs, load_case, statistic_findings
from study.published.variants import PROMPTS
from study.published.verdicts import Finding, Part

_HOLDS: dict[str, tuple[bool | None, ...]] = {
    "agrees": (True,),
    # whether its other parts do not hold or cannot be tested, the verdict on the whole is the same
    "partly": (True, None),
    "disagrees": (False,),
    "not testable": (None,),
}
_TABLES = ("pass_rates", "statistics", "suites")
_Rows = tuple[tuple[Any, ...], ...]


def statistic(reader: Reader, claim: Claim) -> Finding:
    """One printed statistic (S1 to S5): all findings on it."""
    return _summarise(_findings(reader, [str(claim.args["id"])]))


def statistic_sentence(reader: Reader, claim: Claim) -> Finding:
    """A sentence that repeats printed statistics: all findings on them."""
    return _summarise(_findings(reader, [str(name) for name in claim.args["statistics"]]))


def _findings(reader: Reader, ids: list[str]) -> pd.DataFrame:
    for question in FINDINGS:
        if question.statistic in ids:
            _mark(reader, question.needs)
    case = _load(tuple(_rows(reader.frame(name)) for name in _TABLES), reader.effort)
    return statistic_findings(case, ids)


def _mark(reader: Reader, needs: Needs) -> None:
    """Count as read what a finding names."""
    for name in needs.values:
        reader.mark("statistics", "statistic_value", id=name)
    for column, name in (("p_printed", needs.p), ("alpha", needs.alpha)):
        if name:
            reader.mark("statistics", column, id=name)
    for condition in (*(PROMPTS if needs.cells else ()), *(("baseline",) if needs.baseline else ())):
        reader.mark("pass_rates", "pass_rate_percent", condition=condition)
    for column in ("tests", "basis") if needs.drawn else ():
        reader.mark("suites", column)


def _rows(frame: pd.DataFrame) -> _Rows:
    """Heading and rows as tuples, so that equal tables are evaluated once."""
    known = frame.astype(object).where(frame.notna(), None)
    return (tuple(frame.columns), *known.itertuples(index=False, name=None))


@lru_cache(maxsize=8)
def _load(tables: tuple[_Rows, ...], effort: Effort) -> Case:
    rates, statistics, suites = (pd.DataFrame(rows[1:], columns=list(rows[0])) for rows in tables)
    return load_case(rates, statistics, suites, effort)


def _summarise(table: pd.DataFrame) -> Finding:
    """All findings in one; what several of them assume is said once."""
    rows = table.to_dict("records")
    parts = [Part(str(row["statistic"]), holds) for row in rows for holds in _HOLDS[str(row["verdict"])]]
    ours = "; ".join(f"{row['statistic']}: {row['ours']}" for row in rows)
    why = [f"{row['statistic']} ({row['verdict']}, {row['status']}): {row['why']}" for row in rows]
    assumed = [text for text in dict.fromkeys(table["assumes"]) if text]
    return Finding(ours, tuple(parts), " ".join([*why, *assumed]))
