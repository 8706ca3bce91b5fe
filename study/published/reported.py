"""The statistics as printed, one by one: what is shown, what is only compatible, what cannot be known."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import pandas as pd

from study.published import decisions
from study.published.case import Case, load_case
from study.published.judgements import COLUMNS, Row, p_of_a2, p_of_z, reach
from study.published.reanalysis import KIND
from study.published.variants import RANK_SUM, SIGNED_RANK

__all__ = ["FINDINGS", "Case", "Needs", "Question", "findings_to_read", "load_case", "statistic_findings"]
ALL = ("S1", "S2", "S3", "S4", "S5")


class Needs(NamedTuple):
    """The published cells that a finding is computed from."""

    values: tuple[str, ...] = ()
    """Statistics whose printed value is read."""
    p: str = ""
    """The statistic whose printed p value is read."""
    alpha: str = ""
    """The statistic whose significance level is read."""
    cells: bool = True
    """Whether the cells of Table III are read, generated services only."""
    baseline: bool = False
    """Whether those of the originals are."""
    drawn: bool = False
    """Whether values per run are drawn: then the numbers of tests are read, and assumptions are said."""


class Question(NamedTuple):
    """What is asked about a printed statistic."""

    statistic: str
    judge: Callable[[Case], Row]
    needs: Needs


FINDINGS = (
    Question(
        "S1", lambda case: reach(case, "S1", "A2, normality", case.printed.a2, ("A2",)),
        Needs(("S1",), drawn=True),
    ),
    Question("S1", lambda case: p_of_a2(case, "S1", "p, normality"), Needs(("S1",), p="S1", cells=False)),
    Question("S1", decisions.normality, Needs(alpha="S1")),
    Question(
        "S2",
        lambda case: reach(
            case, "S2", "Z, signed-rank, scenario", case.printed.signed_rank, (SIGNED_RANK,), "scenario"
        ),
        Needs(("S2",), drawn=True),
    ),
    Question(
        "S2", lambda case: p_of_z(case, "S2", "p, signed-rank, scenario", case.printed.signed_rank),
        Needs(("S2",), p="S2", cells=False),
    ),
    Question("S2", decisions.pairs, Needs(("S2",), cells=False)),
    Question(
        "S3",
        lambda case: reach(case, "S3", "Z, Dunn, scenario", case.printed.dunn, (RANK_SUM,), "scenario"),
        Needs(("S3",), drawn=True),
    ),
    Question(
        "S3", lambda case: p_of_z(case, "S3", "p, Dunn, scenario", case.printed.dunn),
        Needs(("S3",), p="S3", cells=False),
    ),
    Question("S3", decisions.same_z, Needs(("S1", "S2", "S3", "S5"), drawn=True)),
    Question("S4", decisions.points, Needs(("S4",), drawn=True)),
    Question("S4", decisions.mean_ranks, Needs(("S3", "S4"), drawn=True)),
    Question(
        "S5",
        lambda case: reach(
            case, "S5", "Z, prompt", case.printed.prompt, (SIGNED_RANK, RANK_SUM), "prompt"
        ),
        Needs(("S5",), drawn=True),
    ),
    Question(
        "S5", lambda case: p_of_z(case, "S5", "p, prompt", case.printed.prompt),
        Needs(("S5",), p="S5", cells=False),
    ),
    Question("S2-S5", decisions.which_test, Needs(ALL, drawn=True)),
    Question("S2", decisions.scenario_decision, Needs(alpha="S2", baseline=True)),
    Question("S5", decisions.prompt_decision, Needs(alpha="S5")),
)  # fmt: skip


def statistic_findings(case: Case, statistics: Iterable[str] = ()) -> pd.DataFrame:
    """Every printed statistic with our value, verdict, status and one sentence why.

    Parameters
    ----------
    case : Case
        What to judge.
    statistics : iterable of str
        Ids of the statistics; all, if none is given.

    Returns
    -------
    DataFrame
        kind (`re-analysed`), id (of the printed statistic), statistic, printed, ours, verdict (`agrees`,
        `partly`, `disagrees`, `not testable`), status (`shown`, `only compatible`, `cannot be known`), why,
        assumes (what the values per run are assumed to be; empty if none are drawn).
    """
    wanted = set(statistics)
    rows = [
        {"kind": KIND, **question.judge(case), "assumes": case.assumes if question.needs.drawn else ""}
        for question in FINDINGS
        if not wanted or question.statistic in wanted
    ]
    return pd.DataFrame(rows, columns=["kind", *COLUMNS, "assumes"])


def findings_to_read(case: Case) -> pd.DataFrame:
    """The same for a page: `assumes` says yes or no, and `case.assumes` stands below the table."""
    table = statistic_findings(case)
    return table.assign(assumes=table["assumes"].ne("").map({True: "yes, as below", False: "no"}))
