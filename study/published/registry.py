"""Which function recomputes a claim, and as what kind of replication."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from study.published import cells, drawings, statistic_claims
from study.published.claims import Claim
from study.published.reader import Reader
from study.published.sentences import correctness, design, efficiency, quality
from study.published.verdicts import Finding
from study.schema import StudyError

Check = Callable[[Reader, Claim], Finding]
Replication = Literal["reproduced", "re-analysed"]
"""reproduced: their data, their analysis; re-analysed: their data, another analysis. The other two kinds,
replicated (new runs) and simulated, do not occur in an audit of published numbers."""

REPRODUCED: tuple[Check, ...] = (
    cells.average_cell,
    cells.efficiency_cell,
    correctness.agents_above,
    correctness.average,
    correctness.average_range,
    correctness.best_average,
    correctness.cells_within,
    correctness.correct_share,
    correctness.open_source_better,
    correctness.prompt_consistency,
    correctness.prompt_direction,
    correctness.recovered_points,
    correctness.some_setting_at_most,
    design.funnel,
    design.number_of_projects,
    design.number_of_runs,
    design.runs_per_agent,
    design.scenario_difference,
    design.services_range,
    design.significance_level,
    design.two_sided_p,
    design.untestable,
    efficiency.cost_gap,
    efficiency.efficiency_mean,
    efficiency.efficiency_range,
    efficiency.efficiency_within,
    efficiency.fewer_input_tokens,
    efficiency.fewer_tokens_with_p2,
    efficiency.little_difference,
    efficiency.longest_run,
    efficiency.most_runs_within,
    efficiency.total_cost,
    quality.bars_lower,
    quality.comparable_lines,
    quality.complexity_range,
    quality.largest_reduction,
    quality.most_concise,
    quality.no_such_bars,
)
REANALYSED: tuple[Check, ...] = (
    cells.rate_cell,
    correctness.failed_tests_against_cell,
    correctness.service_against_cell,
    drawings.agent_box_mean,
    drawings.box_mean,
    drawings.quality_bar,
    efficiency.developer_time,
    efficiency.slower_with_context,
    efficiency.time_limit,
    quality.runs_without_code,
    quality.short_output,
    statistic_claims.statistic,
    statistic_claims.statistic_sentence,
)


def find_check(name: str) -> tuple[Check, Replication]:
    """The function of this name and its kind of replication.

    Raises
    ------
    StudyError
        If no check has the name.
    """
    for checks, kind in ((REPRODUCED, "reproduced"), (REANALYSED, "re-analysed")):
        for check in checks:
            if check.__name__ == name:
                return check, "reproduced" if kind == "reproduced" else "re-analysed"
    known = ", ".join(sorted(check.__name__ for check in (*REPRODUCED, *REANALYSED)))
    raise StudyError(f"no check {name!r}; known are {known}")
