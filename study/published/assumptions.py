"""What is assumed where values per run are drawn: said in every finding that rests on them."""

from __future__ import annotations

from collections.abc import Collection

import pandas as pd

from study.published.counts import Sizes
from study.published.evidence import FULL, Effort, Evidence
from study.published.variants import SCENARIOS

_WORDS = {"incremental": "incremental", "clean_state": "clean state"}


def assumptions(
    suites: pd.DataFrame, sizes: Sizes, replaced: Collection[tuple[str, str]], found: Evidence
) -> str:
    """All that values per run are assumed to be, in a few sentences.

    Parameters
    ----------
    suites : DataFrame
        project, scenario, service, tests, basis.
    sizes : mapping
        The test counts that were used.
    replaced : collection
        Projects and scenarios whose documented counts were not used, because they cannot give the cells.
    found : Evidence
        What was drawn and searched with these counts.
    """
    others = (
        f"The ranges include {found.effort.others} other sets of counts for Project-Management and for "
        "Train-Ticket in the clean state."
    )
    return " ".join(
        [test_counts(suites, sizes, replaced), others, *_nearest(found.unreachable), *_short(found.effort)]
    )


def test_counts(suites: pd.DataFrame, sizes: Sizes, replaced: Collection[tuple[str, str]]) -> str:
    """One sentence: the numbers of tests per service that are taken, each with where it comes from."""
    given = suites.sort_values("service").groupby(["project", "scenario"])
    tests = {key: "/".join(str(n) for n in rows["tests"]) for key, rows in given}
    inferred = {key for key, rows in given if (rows["basis"] == "inferred").any()}
    words = []
    for key in sorted(sizes, key=lambda key: (key[0], SCENARIOS.index(key[1]))):
        counts = "/".join(map(str, sizes[key]))
        basis = "inferred from the cells" if key in inferred else "counted in the repository"
        if key not in tests:
            basis = "as in the incremental suites, documented nowhere"
        if key in replaced:
            basis = (
                f"found by search and documented nowhere; {tests.get(key, 'those')}, {basis}, give less than "
                "half of the cells"
            )
        words.append(f"{key[0]}, {_WORDS[key[1]]}, {counts} ({basis})")
    return (
        "Assumed: the statistics are of pass rates per run, each cell is the mean of three services, and the "
        f"numbers of tests, which the paper does not print, are these: {'; '.join(words)}."
    )


def _nearest(unreachable: pd.DataFrame) -> list[str]:
    cells = [
        f"{row['agent']}, {row['project']}, {_WORDS[row['scenario']]}, {row['condition']}, "
        f"{row['printed']:.1f}"
        for row in unreachable.to_dict("records")
    ]
    if not cells:
        return []
    return [f"For cells that these counts cannot give, the nearest values are taken: {'; '.join(cells)}."]


def _short(effort: Effort) -> list[str]:
    if effort == FULL:
        return []
    return [
        f"The data are not the committed ones, so that this rests on a short search ({effort.draws} draws "
        f"per family of counts, {effort.steps} steps): its ranges are narrower, and what it does not reach "
        "may exist."
    ]
