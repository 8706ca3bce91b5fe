"""Judgements on printed statistics and p values: can the published cells, or values per run, give them."""

from __future__ import annotations

import re

import pandas as pd

from study.published.case import Case
from study.published.ranges import HALF_DIGIT
from study.published.statistics import anderson_darling_p, largest_signed_rank_z, two_sided_p
from study.published.variants import SIGNED_RANK
from study.published.verdicts import Verdict, half_unit

COLUMNS = ["id", "statistic", "printed", "ours", "verdict", "status", "why"]
SHOWN, COMPATIBLE, UNKNOWN = "shown", "only compatible", "cannot be known"
Row = dict[str, str]
_NOT_PER_RUN = ("printed cells", "unrounded cells")


def row(name: str, statistic: str, printed: str, ours: str, verdict: Verdict, status: str, why: str) -> Row:
    """One finding."""
    return dict(zip(COLUMNS, (name, statistic, printed, ours, verdict, status, why), strict=True))


def per_run(variants: pd.DataFrame) -> pd.DataFrame:
    """The rows on values per run."""
    return variants[~variants["basis"].isin(_NOT_PER_RUN)]


def reach(
    case: Case, name: str, statistic: str, printed: float, tests: tuple[str, ...], comparison: str = ""
) -> Row:
    """Judge a printed statistic by what its readings give on the cells, and can give on values per run."""
    table = case.found.variants
    table = table[table["test"].str.startswith(tests) & table["gap"].notna()]
    table = table[table["comparison"] == comparison] if comparison else table
    cells, runs = table[table["basis"] == "printed cells"], per_run(table)
    nearest = float(cells.sort_values("gap")["median"].iloc[0])
    reached = runs[runs["gap"] <= HALF_DIGIT]
    shown = runs[runs["label"].isin(reached["label"])] if len(reached) else runs
    ours = (
        f"{nearest:.3f} (nearest reading of the printed cells); {shown['smallest'].min():.2f} to "
        f"{shown['largest'].max():.2f} (drawn values per run)"
    )

    def judged(verdict: Verdict, status: str, why: str) -> Row:
        return row(name, statistic, f"{printed:.3f}", ours, verdict, status, why)

    limit = largest_signed_rank_z(3 * case.pairs, tied=True)
    if cells["gap"].min() <= HALF_DIGIT:
        return judged("agrees", SHOWN, f"The printed cells alone give {nearest:.3f}.")
    if tests == (SIGNED_RANK,) and abs(printed) > limit:
        why = f"No values of {3 * case.pairs} pairs give a signed-rank Z above {limit:.2f}."
        return judged("disagrees", SHOWN, why)
    if reached.empty:
        why = (
            "Neither the printed cells nor a search over values per run give it (nearest "
            f"{runs['gap'].min():.3f} away); a search cannot exclude it."
        )
        return judged("not testable", UNKNOWN, why)
    unrounded = table[(table["basis"] == "unrounded cells") & (table["gap"] <= HALF_DIGIT)]
    also = f" (and unrounded cells: {'; '.join(unrounded['label'])})" if len(unrounded) else ""
    why = (
        f"The printed cells do not give it, but values per run that agree with Table III do{also}, under "
        f"{reached['label'].nunique()} of {runs['label'].nunique()} readings; the paper prints no values per "
        "run."
    )
    return judged("not testable", COMPATIBLE, why)


def p_of_z(case: Case, name: str, statistic: str, z: float) -> Row:
    """Whether a printed p is the two-sided normal p of the printed Z, within the rounding of both."""
    ours = [two_sided_p(abs(z) + step) for step in (HALF_DIGIT, -HALF_DIGIT)]
    return _p_row(name, statistic, case.p(name), two_sided_p(z), ours, f"Z = {z:.3f}")


def p_of_a2(case: Case, name: str, statistic: str) -> Row:
    """Whether a printed p follows from the printed A-squared, for the n (not printed) with the largest p."""
    a2 = case.printed.a2
    ours = [anderson_darling_p(a2 - step, 10**9) for step in (-HALF_DIGIT, HALF_DIGIT)]
    return _p_row(name, statistic, case.p(name), ours[1], ours, f"A2 = {a2:.3f}")


def _p_row(name: str, statistic: str, printed: str, p: float, bounds: list[float], of: str) -> Row:
    match = re.fullmatch(r"\s*([<=])\s*([0-9.]+)\s*", printed)
    if match is None:
        why = "No p value is printed that could be compared."
        return row(name, statistic, printed, f"{p:.3g}", "not testable", UNKNOWN, why)
    said = f"{p:.4g}" if p >= 1e-9 else "below 1e-9"
    limit, half = float(match[2]), half_unit(match[2])
    if match[1] == "<":
        holds = max(bounds) < limit
    else:
        holds = min(bounds) <= limit + half and max(bounds) >= limit - half
    why = f"The p of {of} is {said}, printed is p {match[1]} {match[2]}."
    return row(name, statistic, printed, said, "agrees" if holds else "disagrees", SHOWN, why)
