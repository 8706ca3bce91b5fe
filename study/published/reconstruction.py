"""What the printed statistics are compatible with: values per run that agree with the cells of Table III.

The paper prints no values per run. Here they are drawn, or searched for, among all counts of passed tests
that give the printed cells (the nearest counts where none does, see `Space.gaps`), only to learn which
statistics such values can have. Nothing drawn here is data: no value per run leaves this module, none may be
used or saved as a result, and a range over draws is no probability, because nobody knows how likely the
counts are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from study.published.counts import Sizes, options
from study.published.statistics import Array
from study.published.variants import SCENARIOS, Cells, Variant, evaluate

POOLED = Variant("scenario", "difference in points")
"""Of the printed cells: of their means. Of values per run: of cells in which all tests are pooled."""
CHUNK = 5_000
HOT, COLD = 0.05, 0.0005
"""First and last temperature of the search, in units of the statistics."""


@dataclass(frozen=True)
class Space:
    """All combinations of triples of rates, one triple for each cell."""

    table: Array
    """Cell x option x service, padded; rates in percent."""
    sizes: NDArray[np.intp]
    """Number of options of each cell."""
    tests: Array
    """Number of tests of each service: cell x service."""
    gaps: Array
    """Distance of each cell from the nearest rates that its counts can give; 0 where they agree."""

    @classmethod
    def of(cls, cells: Cells, sizes: Sizes) -> Space:
        """The combinations for given test counts; StudyError where a project's counts are unknown."""
        found, gaps = options(cells, sizes)
        lengths = np.array([len(rows) for rows in found])
        table = np.zeros((len(found), lengths.max(), 3))
        for row, rates in zip(table, found, strict=True):
            row[: len(rates)] = rates
        order = [(p, s) for _, p, s, _ in np.ndindex(gaps.shape)]
        tests = np.array([sizes[cells.projects[p], SCENARIOS[s]] for p, s in order], dtype=float)
        return cls(table, lengths, tests, gaps)

    def all_or_nothing(self) -> Space:
        """The same, with only those triples in which most services pass all of their tests or none."""
        table, sizes = self.table.copy(), self.sizes.copy()
        for cell, size in enumerate(self.sizes):
            rates = self.table[cell, :size]
            whole = (np.isclose(rates, 0) | np.isclose(rates, 100)).sum(axis=1)
            kept = rates[whole == whole.max()]
            table[cell, : len(kept)], sizes[cell] = kept, len(kept)
        return Space(table, sizes, self.tests, self.gaps)

    @property
    def free(self) -> NDArray[np.intp]:
        """The cells with more than one triple."""
        return np.flatnonzero(self.sizes > 1)

    def draw(self, count: int, rng: np.random.Generator) -> NDArray[np.intp]:
        """Uniform over the triples of each cell, cells independent: one row of choices per draw."""
        return rng.integers(self.sizes, size=(count, len(self.sizes)))

    def rates(self, chosen: NDArray[np.intp]) -> Array:
        """Rates of the chosen triples: axes are draw, agent, project, scenario, prompt, service."""
        picked = self.table[np.arange(len(self.sizes)), chosen]
        return picked.reshape(len(chosen), *self.gaps.shape, 3)

    def pooled_difference(self, rates: Array) -> Array:
        """Clean state minus incremental in points, if each cell pooled its tests over the services."""
        weights = self.tests.reshape(*self.gaps.shape, 3)
        pooled = (rates * weights).sum(axis=-1) / weights.sum(axis=-1)
        return np.asarray((pooled[..., 1, :] - pooled[..., 0, :]).mean(axis=(1, 2, 3)))


def sample(spaces: Sequence[Space], draws: int, seed: int) -> dict[str, dict[Variant, Array]]:
    """Every variant on random combinations, shared out over the spaces.

    Returns
    -------
    dict
        `service`: variants on the 144 rates (72 pairs), and `POOLED`; `cell`: variants on the 48 unrounded
        means (24 pairs).
    """
    rng = np.random.default_rng(seed)
    parts: dict[str, list[dict[Variant, Array]]] = {"service": [], "cell": []}
    for space, size in _shares(spaces, draws):
        rates = space.rates(space.draw(size, rng))
        parts["service"].append(evaluate(rates) | {POOLED: space.pooled_difference(rates)})
        parts["cell"].append(evaluate(rates.mean(axis=-1, keepdims=True)))
    return {
        level: {variant: np.concatenate([part[variant] for part in found]) for variant in found[0]}
        for level, found in parts.items()
    }


def _shares(spaces: Sequence[Space], draws: int) -> Iterator[tuple[Space, int]]:
    for space in spaces:
        left = draws // len(spaces)
        while left > 0:
            yield space, min(left, CHUNK)
            left -= CHUNK


@dataclass(frozen=True)
class Approach:
    """The best combination of every chain of a search: how near it came, and its statistics."""

    gaps: Array
    """Per chain, the largest distance of a wanted statistic from its target."""
    values: dict[Variant, Array]

    @property
    def gap(self) -> float:
        """The nearest any chain came."""
        return float(self.gaps.min())


def approach(
    space: Space,
    targets: Mapping[Variant, float],
    *,
    seed: int,
    also: Sequence[Variant] = (),
    chains: int = 64,
    steps: int = 800,
) -> Approach:
    """Search combinations whose statistics are all as near as possible to the targets.

    Simulated annealing in many chains at once: each step proposes another triple for one cell of each chain.
    A gap near zero shows that such values exist; a large one shows only that this search found none.

    Parameters
    ----------
    space : Space
        The combinations.
    targets : mapping
        Wanted value of each variant, all at the same time.
    seed : int
        Of the start and of the steps.
    also : sequence of Variant
        What else to evaluate on the combinations that are found.
    chains, steps : int
        Size of the search.
    """
    rng = np.random.default_rng(seed)
    state = space.draw(chains, rng)
    gaps = _gaps(space, state, targets)
    best, best_gaps = state.copy(), gaps.copy()
    for heat in np.geomspace(HOT, COLD, steps if len(space.free) else 0):
        trial = _step(space, state, rng)
        trial_gaps = _gaps(space, trial, targets)
        better = rng.random(chains) < np.exp(np.minimum(gaps - trial_gaps, 0.0) / heat)
        state[better], gaps[better] = trial[better], trial_gaps[better]
        record = gaps < best_gaps
        best[record], best_gaps[record] = state[record], gaps[record]
    return Approach(best_gaps, evaluate(space.rates(best), [*targets, *also]))


def _step(space: Space, state: NDArray[np.intp], rng: np.random.Generator) -> NDArray[np.intp]:
    trial = state.copy()
    cells = rng.choice(space.free, size=len(state))
    trial[np.arange(len(state)), cells] = rng.integers(space.sizes[cells])
    return trial


def _gaps(space: Space, state: NDArray[np.intp], targets: Mapping[Variant, float]) -> Array:
    values = evaluate(space.rates(state), list(targets))
    distances = [np.abs(values[variant] - target) for variant, target in targets.items()]
    return np.asarray(np.max(distances, axis=0))
