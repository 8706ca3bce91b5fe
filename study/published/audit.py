"""The audit: every claim with our value, the verdict and one sentence why; nothing in it is typed."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from study.published.claims import Claim, list_claims
from study.published.data import Paper, load_paper
from study.published.evidence import QUICK, Effort
from study.published.reader import Cell, Reader, table_rows
from study.published.registry import find_check
from study.published.verdicts import Finding, Part
from study.schema import StudyError

COLUMNS = (
    "claim_id", "kind", "replication", "source", "section", "page", "says", "printed", "unit", "tolerance",
    "ours", "verdict", "why", "check", "reads",
)  # fmt: skip


class Checked(NamedTuple):
    """A claim, what was found, and the cells that were read for it."""

    claim: Claim
    finding: Finding
    reads: frozenset[Cell]


def audit(folder: str | Path | None = None) -> pd.DataFrame:
    """Audit the published paper.

    Parameters
    ----------
    folder : path, optional
        A copy of raw_data/published/paper in which a value was changed; the committed data, if not given.

    Returns
    -------
    DataFrame
        One row per claim: where it stands, what it says, our value, verdict, why, and `reads`, the number of
        published cells on which the verdict depends.
    """
    return audit_paper(load_paper(folder))


def audit_paper(paper: Paper) -> pd.DataFrame:
    """The same for data that are loaded already."""
    return pd.DataFrame([_row(paper, checked) for checked in check_all(paper)], columns=list(COLUMNS))


def check_all(paper: Paper, claims: Iterable[Claim] | None = None, effort: Effort = QUICK) -> list[Checked]:
    """Check claims (all of the paper, if not given), and record what each one reads.

    Parameters
    ----------
    paper : Paper
        The tables.
    claims : iterable of Claim, optional
        Those to check.
    effort : Effort
        How much may be searched for printed statistics of changed data; the committed ones have their
        stored evidence. A finding that rests on a short search says so.
    """
    rows = table_rows(paper)
    found = []
    for claim in list_claims(paper) if claims is None else claims:
        reader = Reader(paper, rows, effort)
        finding = _finding(reader, claim)
        found.append(Checked(claim, finding, frozenset(reader.reads)))
    return found


def _finding(reader: Reader, claim: Claim) -> Finding:
    """Data that contradict each other, as in a changed copy, leave one claim untested and not the audit."""
    check, _ = find_check(claim.check)
    try:
        return check(reader, claim)
    except StudyError as error:
        return Finding("cannot be computed", (Part("the data", None),), str(error))


def _row(paper: Paper, checked: Checked) -> dict[str, object]:
    claim, finding, reads = checked
    return {
        "claim_id": claim.claim_id,
        "kind": paper.kind,
        "replication": find_check(claim.check)[1],
        "source": claim.source,
        "section": claim.section,
        "page": claim.page,
        "says": claim.says,
        "printed": claim.printed,
        "unit": claim.unit,
        "tolerance": finding.tolerance,
        "ours": finding.ours,
        "verdict": finding.verdict,
        "why": finding.why,
        "check": claim.check,
        "reads": len(reads),
    }
