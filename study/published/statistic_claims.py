"""The printed statistics among the claims: the verdicts come from `study.published.reported`."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import pandas as pd

from study.published.claims import Claim
from study.published.evidence import QUICK
from study.published.reader import Reader
from study.published.reported import load_case, statistic_findings
from study.published.verdicts import Finding, Part

_HOLDS: dict[str, tuple[bool | None, ...]] = {
    "agrees": (True,),
    "partly": (True, False),
    "disagrees": (False,),
    "not testable": (None,),
}
_TABLES = ("pass_rates", "statistics", "suites")
_Rows = tuple[tuple[Any, ...], ...]


def statistic(reader: Reader, claim: Claim) -> Finding:
    """One printed statistic (S1 to S5): all findings on it."""
    return _summarise(_findings(reader), [str(claim.args["id"])])


def statistic_sentence(reader: Reader, claim: Claim) -> Finding:
    """A sentence that repeats printed statistics; `value_only`: without what follows from their p values."""
    found = _findings(reader)
    if claim.args.get("value_only"):
        found = found.drop_duplicates("id")
    return _summarise(found, [str(name) for name in claim.args["statistics"]])


def _findings(reader: Reader) -> pd.DataFrame:
    return _evaluate(tuple(_rows(reader.frame(name)) for name in _TABLES))


def _rows(frame: pd.DataFrame) -> _Rows:
    """Heading and rows as tuples, so that equal tables are evaluated once."""
    known = frame.astype(object).where(frame.notna(), None)
    return (tuple(frame.columns), *known.itertuples(index=False, name=None))


@lru_cache(maxsize=8)
def _evaluate(tables: tuple[_Rows, ...]) -> pd.DataFrame:
    rates, statistics, suites = (pd.DataFrame(rows[1:], columns=list(rows[0])) for rows in tables)
    # changed data are searched quickly: the committed ones have their stored evidence
    return statistic_findings(load_case(rates, statistics, suites, QUICK))


def _summarise(table: pd.DataFrame, ids: list[str]) -> Finding:
    rows = table[table["id"].isin(ids)].to_dict("records")
    parts = [Part(str(row["statistic"]), holds) for row in rows for holds in _HOLDS[str(row["verdict"])]]
    ours = "; ".join(f"{row['statistic']}: {row['ours']}" for row in rows)
    why = " ".join(f"{row['statistic']} ({row['verdict']}, {row['status']}): {row['why']}" for row in rows)
    return Finding(ours, tuple(parts), why)
