"""All that the findings on the printed statistics are computed from."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from study.published.assumptions import assumptions
from study.published.counts import plausible_sizes
from study.published.evidence import FULL, Effort, Evidence, evidence
from study.published.readings import Printed
from study.published.variants import Cells


@dataclass(frozen=True)
class Case:
    """All that the findings are computed from."""

    rates: pd.DataFrame
    statistics: pd.DataFrame
    cells: Cells
    printed: Printed
    found: Evidence
    assumes: str
    """What is assumed of the values per run, in words."""

    @property
    def pairs(self) -> int:
        """Pairs of cells; three times as many if services are the unit."""
        return self.cells.values.size // 2

    def p(self, name: str) -> str:
        """A printed p value, with its relation sign; empty if none is printed."""
        value = self.statistics.set_index("id")["p_printed"][name]
        return "" if pd.isna(value) else str(value)

    def alpha(self, name: str) -> float:
        """The printed level of significance."""
        return float(self.statistics.set_index("id")["alpha"][name])


def load_case(
    rates: pd.DataFrame, statistics: pd.DataFrame, suites: pd.DataFrame, effort: Effort = FULL
) -> Case:
    """Collect the evidence for published pass rates, statistics and test counts.

    Parameters
    ----------
    rates : DataFrame
        agent, project, scenario, condition, pass_rate_percent.
    statistics : DataFrame
        id (S1 to S5), statistic_value, p_printed, alpha.
    suites : DataFrame
        project, scenario, service, tests, basis.
    effort : Effort
        Of drawing and searching, for other inputs than the stored ones.
    """
    cells, printed = Cells.of(rates), Printed.of(statistics)
    sizes, replaced = plausible_sizes(cells, suites)
    found = evidence(cells, sizes, printed, effort)
    return Case(rates, statistics, cells, printed, found, assumptions(suites, sizes, replaced, found))
