"""The published headlines on the cells of Table III, since the paper prints no runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from study.published.frames import rates
from study.robustness.curve import Analysis
from study.robustness.frames import rate_pairs
from study.robustness.headlines import between_levels

if TYPE_CHECKING:
    from study.published.data import Paper

EXECUTED = "executed tests"
_BLOCKS = ["agent", "project", "scenario", "prompt"]


def published_analyses(paper: Paper) -> list[Analysis]:
    """Scenario, prompt, agent and origin of the projects, on mean rates of agent, project and configuration.

    The only measure is the published one, of executed tests. A unit is a project here, and a pair two cells.
    """
    cells = rates(paper)
    table = paper["projects"]
    sources = dict(zip(table["project"], table["source"], strict=True))
    cells = cells.assign(
        pass_rate_executed_percent=cells["pass_rate_percent"], origin=cells["project"].map(sources)
    )
    kind = ", ".join(sorted(cells["kind"].unique()))
    return [
        Analysis(headline, {(EXECUTED, "all"): rate_pairs(cells, headline, EXECUTED, _BLOCKS)}, kind)
        for headline in between_levels(cells, sources)
    ]
