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

PROJECT_MANAGEMENT = "Project-Management"
ASSUMED: Counts = (4, 9, 13)
"""Used where the documented counts can give less than half of a project's cells in one scenario. That holds
for Project-Management: 4, 5 and 5 test methods per target service, 18 in all, of which 13 are executed, and
none of these counts can give its incremental cells. These three can; they were found by search and are
documented nowhere."""
TOLERANCE = 0.05 + 1e-9
"""Half a unit of the last printed digit, in points."""


def documented_sizes(suites: pd.DataFrame) -> Sizes:
    """Read the counts from a frame with project, scenario, service, tests.

    A project without counts for the clean state is given those of its incremental suites: an assumption,
    since nobody documents which consumers' tests were counted (Train-Ticket).
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


def plausible_sizes(cells: Cells, suites: pd.DataFrame) -> tuple[Sizes, tuple[str, ...]]:
    """The documented counts, with `ASSUMED` for the projects named in the second result."""
    sizes = documented_sizes(suites)
    reached = options(cells, sizes)[1] == 0
    share = reached.mean(axis=(0, 3)).min(axis=1)
    assumed = tuple(name for name, part in zip(cells.projects, share, strict=True) if part < 0.5)
    fallback = {(name, scenario): ASSUMED for name in assumed for scenario in SCENARIOS}
    return {**sizes, **fallback}, assumed


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
    incremental cells with the whole suite of 18 tests per service in the clean state. Train-Ticket in the
    clean state: the targets' own counts, or 12, 12 and 88 (consumers' tests of other targets), in any order.
    """
    if PROJECT_MANAGEMENT not in cells.projects:
        return [sizes] * count
    rng = np.random.default_rng(seed)
    place = cells.projects.index(PROJECT_MANAGEMENT)
    incremental, clean = (cells.values[:, place, scenario].ravel().tolist() for scenario in (0, 1))
    both = [(triple, triple) for triple in triples_for([*incremental, *clean], limit)]
    suite = [(triple, (18, 18, 18)) for triple in triples_for(incremental, limit)]
    orders = [*permutations((6, 11, 51)), *sorted(set(permutations((12, 12, 88))))]
    tickets: list[Counts] = [(a, b, c) for a, b, c in orders]
    drawn: list[Sizes] = []
    for number in range(count):
        pool = (both, suite)[number % 2] or [(ASSUMED, ASSUMED)]
        mine = pool[rng.integers(len(pool))]
        drawn.append(
            {
                **sizes,
                ("Train-Ticket", "clean_state"): tickets[rng.integers(len(tickets))],
                (PROJECT_MANAGEMENT, "incremental"): mine[0],
                (PROJECT_MANAGEMENT, "clean_state"): mine[1],
            }
        )
    return drawn
