"""The audit: every claim with our value, the verdict and one sentence why; nothing in it is typed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Literal, NamedTuple

import pandas as pd

from study.published.claims import Claim, list_claims
from study.published.data import Paper, load_paper
from study.published.evidence import QUICK, Effort
from study.published.reader import Cell, Reader, table_rows
from study.published.registry import Check, find_check
from study.published.run_checks import RUN_CHECKS
from study.published.run_reader import RunsReader
from study.published.verdicts import Finding, Part
from study.schema import StudyError

COLUMNS = (
    "claim_id", "kind", "replication", "source", "section", "page", "says", "printed", "unit", "tolerance",
    "ours", "verdict", "why", "check", "reads", "basis",
)  # fmt: skip


Basis = Literal["published", "runs"]
"""What a verdict rests on: published numbers, or runs (also where the dataset has none for the claim)."""


class Checked(NamedTuple):
    """A claim, what was found, and the cells that were read for it."""

    claim: Claim
    finding: Finding
    reads: frozenset[Cell]
    basis: Basis = "published"


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
    for claim in list_claims(paper.printed or paper) if claims is None else claims:
        reader = (RunsReader if paper.from_runs else Reader)(paper, rows, effort)
        finding = _finding(reader, claim)
        basis: Basis = "runs" if isinstance(reader, RunsReader) and reader.uses_runs else "published"
        if basis == "runs":  # tables and figures that the sentence names are those of the runs
            finding = replace(finding, why=f"From the runs: {finding.why}")
        found.append(Checked(claim, finding, frozenset(reader.reads), basis))
    return found


def check_of(paper: Paper, claim: Claim) -> Check:
    """The function that recomputes a claim: from runs directly where it can."""
    return _check(claim, from_runs=paper.from_runs)


def _check(claim: Claim, *, from_runs: bool) -> Check:
    published, _ = find_check(claim.check)
    return RUN_CHECKS.get(claim.check, published) if from_runs else published


def _finding(reader: Reader, claim: Claim) -> Finding:
    """Data that contradict each other, as in a changed copy, leave one claim untested and not the audit."""
    check = _check(claim, from_runs=isinstance(reader, RunsReader))
    try:
        return check(reader, claim)
    except StudyError as error:
        return Finding("cannot be computed", (Part("the data", None),), str(error))


def _row(paper: Paper, checked: Checked) -> dict[str, object]:
    claim, finding, reads, basis = checked
    return {
        "claim_id": claim.claim_id,
        "kind": kind_of(paper, basis),
        "replication": replication_of(paper, checked),
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
        "basis": basis,
    }


def kind_of(paper: Paper, basis: Basis) -> str:
    """Kind of the numbers that a verdict rests on."""
    return paper.kind if basis == "runs" or paper.printed is None else paper.printed.kind


def replication_of(paper: Paper, checked: Checked) -> str:
    """Kind of replication of a verdict."""
    analysis = find_check(checked.claim.check)[1]
    return paper.replication(analysis) if checked.basis == "runs" else analysis
