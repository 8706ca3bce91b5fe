"""The statistics as printed, one by one: what is shown, what is only compatible, what cannot be known."""

from __future__ import annotations

import pandas as pd

from study.published import decisions
from study.published.case import Case, load_case
from study.published.judgements import COLUMNS, p_of_a2, p_of_z, reach
from study.published.reanalysis import KIND
from study.published.variants import RANK_SUM, SIGNED_RANK

__all__ = ["Case", "load_case", "statistic_findings"]


def statistic_findings(case: Case) -> pd.DataFrame:
    """Every printed statistic with our value, verdict, status and one sentence why.

    Returns
    -------
    DataFrame
        kind (`re-analysed`), id (of the printed statistic), statistic, printed, ours, verdict (`agrees`,
        `partly`, `disagrees`, `not testable`), status (`shown`, `only compatible`, `cannot be known`), why.
    """
    printed, either = case.printed, (SIGNED_RANK, RANK_SUM)
    rows = [
        reach(case, "S1", "A2, normality", printed.a2, ("A2",)),
        p_of_a2(case, "S1", "p, normality"),
        reach(case, "S2", "Z, signed-rank, scenario", printed.signed_rank, (SIGNED_RANK,), "scenario"),
        p_of_z(case, "S2", "p, signed-rank, scenario", printed.signed_rank),
        decisions.pairs(case),
        reach(case, "S3", "Z, Dunn, scenario", printed.dunn, (RANK_SUM,), "scenario"),
        p_of_z(case, "S3", "p, Dunn, scenario", printed.dunn),
        decisions.same_z(case),
        decisions.points(case),
        decisions.mean_ranks(case),
        reach(case, "S5", "Z, prompt", printed.prompt, either, "prompt"),
        p_of_z(case, "S5", "p, prompt", printed.prompt),
        decisions.which_test(case),
        decisions.scenario_decision(case),
        decisions.prompt_decision(case),
    ]
    return pd.DataFrame([{"kind": KIND, **row} for row in rows], columns=["kind", *COLUMNS])
