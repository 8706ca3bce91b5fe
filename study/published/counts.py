"""Which counts of passed tests give a printed cell that is the mean of the rates of three services."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations_with_replacement, permutations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from study.published.statistics import Array
from study.published.variants import SCENARIOS, Cells
from study.schema import StudyError

Counts = tuple[int, int, int]
Sizes = Mapping[tuple[str, str], Counts]
"""Number of tests of each of the three services, by project and scenario; same service order in both."""

PROJECT_MANAGEMENT, TRAIN_TICKET = "Project-Management", "Train-Ticket"
ASSUMED: Counts = (4, 9, 13)
"""Used for a project and scenario of whose cells the documented counts can give less than half, as holds for
Project-Management, incremental. These three can; they were found by search and are documented nowhere."""
WHOLE_SUITE: Counts = (18, 18, 18)
"""Tried beside: the whole suite of Project-Management for each target, its 18 test methods."""
OTHER_CONSUMERS: Counts = (12, 12, 88)
"""Tried beside: tests of the consumers of other targets that Train-Ticket's repository names."""
TOLERANCE = 0.05 + 1e-9
"""Half a unit of the last printed digit, in points."""


def documented_sizes(suites: pd.DataFrame) -> Sizes:
    """Read the counts from a frame with project, scenario, service, tests.

    A project without counts for the clean state is given those of its incremental suites: an assumption,
    since nobody documents which tests were counted; `assumptions.test_counts` says so to the reader.
    """
    sizes: dict[tuple[str, str], Counts] = {}
    for (project, scenario), rows in suites.groupby(["project", "scenario"], sort=False):
        counts = [int(tests) for tests in rows.sort_values("service")["tests"]]
        if len(counts) != 3 or min(counts) < 1:
            raise StudyError(f"test counts: {project}, {scenario}: expected 3 counts above 0, got {counts}")
        sizes[str(project), str(scenario)] = (counts[0], counts[1], counts[2])
    for project in dict.fromkeys(name for name, _ in sizes):
        if (project, "incremental") in sizes:
            sizes.setdefault((project, "clean_state"), sizes[project, "incremental"])
    return sizes


def plausible_sizes(cells: Cells, suites: pd.DataFrame) -> tuple[Sizes, tuple[tuple[str, str], ...]]:
    """The documented counts, with `ASSUMED` for the projects and scenarios named in the second result."""
    sizes = documented_sizes(suites)
    share = (options(cells, sizes)[1] == 0).mean(axis=(0, 3))
    replaced = tuple(
        (cells.projects[project], SCENARIOS[scenario])
        for project, scenario in np.argwhere(share < 0.5).tolist()
    )
    return {**sizes, **dict.fromkeys(replaced, ASSUMED)}, replaced


def means(sizes: Counts) -> Array:
    """Mean pass rate, in percent, for every triple of passed tests: axes are the three counts."""
    first, second, third = (np.arange(size + 1) / size * 100 for size in sizes)
    return np.asarray((first[:, None, None] + second[:, None] + third) / 3)


def reachable(cell: float, sizes: Counts) -> tuple[NDArray[np.intp], float]:
    """Triples of passed tests whose mean rate rounds to the printed cell.

    Returns
    -------
    triples : array
        One row per triple. Where none agrees with the printed digit, the nearest ones.
    gap : float
        0, or the distance in points of the nearest triples from the printed value.

    Examples
    --------
    Of tests 14, 18 and 16 only 12, 18 and 14 passed ones give 91.1 (85.714 + 100 + 87.5 = 273.214).

    >>> reachable(91.1, (14, 18, 16))
    (array([[12, 18, 14]]), 0.0)
    """
    distance = np.abs(means(sizes) - cell)
    nearest = float(distance.min())
    if nearest <= TOLERANCE:
        return np.argwhere(distance <= TOLERANCE), 0.0
    return np.argwhere(distance <= nearest + 1e-9), nearest


def options(cells: Cells, sizes: Sizes) -> tuple[list[Array], Array]:
    """Rates of the three services that agree with each cell, and the gap of each cell (0: reached).

    Returns
    -------
    options : list of array
        For each cell, in the order of `Cells.values`, one row of three rates for every triple.
    gaps : array
        In the shape of `Cells.values`.
    """
    found: list[Array] = []
    gaps = np.zeros(cells.values.shape)
    for place in np.ndindex(cells.values.shape):
        tests = _sizes_of(sizes, cells.projects[place[1]], SCENARIOS[place[2]])
        triples, gaps[place] = reachable(float(cells.values[place]), tests)
        found.append(triples / np.array(tests) * 100)
    return found, gaps


def _sizes_of(sizes: Sizes, project: str, scenario: str) -> Counts:
    try:
        return sizes[project, scenario]
    except KeyError:
        known = ", ".join(sorted({name for name, _ in sizes}))
        raise StudyError(f"no test counts for {project!r}, {scenario}; known are: {known}") from None


def triples_for(values: Iterable[float], limit: int) -> list[Counts]:
    """All triples of test counts up to a limit that can give every one of the printed values."""
    wanted = sorted(set(values))
    fits = []
    for triple in combinations_with_replacement(range(1, limit + 1), 3):
        possible = np.unique(means(triple))
        after = np.searchsorted(possible, wanted).clip(1, len(possible) - 1)
        gap = np.minimum(np.abs(possible[after - 1] - wanted), np.abs(possible[after] - wanted))
        if (gap <= TOLERANCE).all():
            fits.append(triple)
    return fits


def alternatives(cells: Cells, sizes: Sizes, count: int, seed: int, limit: int = 18) -> list[Sizes]:
    """Other plausible counts where none are documented, drawn at random.

    Project-Management: any triple up to `limit` that gives all of its cells, or one that gives the
    incremental cells with `WHOLE_SUITE` in the clean state. Train-Ticket in the clean state: the counts of
    its incremental suites, or `OTHER_CONSUMERS`, in any order.
    """
    if not {PROJECT_MANAGEMENT, TRAIN_TICKET} <= set(cells.projects):
        return [sizes] * count
    rng = np.random.default_rng(seed)
    place = cells.projects.index(PROJECT_MANAGEMENT)
    incremental, clean = (cells.values[:, place, scenario].ravel().tolist() for scenario in (0, 1))
    both = [(triple, triple) for triple in triples_for([*incremental, *clean], limit)]
    suite = [(triple, WHOLE_SUITE) for triple in triples_for(incremental, limit)]
    own = sorted(sizes[TRAIN_TICKET, "incremental"])
    orders = [*permutations(own), *sorted(set(permutations(OTHER_CONSUMERS)))]
    tickets: list[Counts] = [(a, b, c) for a, b, c in orders]
    drawn: list[Sizes] = []
    for number in range(count):
        pool = (both, suite)[number % 2] or [(ASSUMED, ASSUMED)]
        mine = pool[rng.integers(len(pool))]
        drawn.append(
            {
                **sizes,
                (TRAIN_TICKET, "clean_state"): tickets[rng.integers(len(tickets))],
                (PROJECT_MANAGEMENT, "incremental"): mine[0],
                (PROJECT_MANAGEMENT, "clean_state"): mine[1],
            }
        )
    return drawn
