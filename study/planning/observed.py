"""The moments of a dataset's runs that the model is fitted to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from study.planning.moments import Cells
from study.statistics.ranks import Array


@dataclass(frozen=True)
class Pairs:
    """Pairs of different runs of one service: their cells, and their mean covariance in squared points."""

    first: Array
    second: Array
    observed: float


@dataclass(frozen=True)
class Differences:
    """Pairs of differences (second minus first level) of one service."""

    cells: Array
    """Pairs x first, second difference x first, second level."""
    same_agent: Array
    observed: float
    """Mean covariance of the two differences."""


@dataclass(frozen=True)
class Moments:
    """Rates of all runs as services x agents x scenarios x prompts x replicates, and their moments."""

    rates: Array
    tests: Array
    """Of each service."""
    zero: float
    """Share of rates of exactly 0, of all rates."""
    full: float
    agents: tuple[str, ...]
    replicates: int
    missing: float
    """Share of runs without a rate, among targets that have any."""
    notes: tuple[str, ...]

    @property
    def shape(self) -> tuple[int, int, int]:
        _, agents, scenarios, prompts, _ = self.rates.shape
        return agents, scenarios, prompts

    @property
    def levels(self) -> tuple[Array, Array, Array]:
        """Agent, scenario and prompt of every cell."""
        agent, scenario, prompt = (index.ravel() for index in np.indices(self.shape))
        return agent, scenario, prompt

    @property
    def design(self) -> Array:
        """Cells x shifts: scenario and prompt where they have two levels, then the later agents."""
        agent, scenario, prompt = self.levels
        columns = [scenario] * (self.shape[1] > 1) + [prompt] * (self.shape[2] > 1)
        columns += [agent == later for later in range(1, self.shape[0])]
        return np.array(columns, dtype=float).reshape(len(columns), len(agent)).T

    @property
    def shifts(self) -> int:
        return int(self.design.shape[1])

    @property
    def contrasts(self) -> Array:
        """Effects x cells: mean under the level minus mean under the first level."""
        rows = []
        agent = self.levels[0]
        for column, is_agent in zip(self.design.T, self._is_agent, strict=True):
            base = (agent == 0) if is_agent else column == 0
            rows.append(column / column.sum() - base / base.sum())
        return np.array(rows).reshape(self.shifts, len(agent))

    @property
    def _is_agent(self) -> list[bool]:
        others = (self.shape[1] > 1) + (self.shape[2] > 1)
        return [i >= others for i in range(self.shifts)]

    @property
    def cell_means(self) -> Array:
        return np.asarray(np.nanmean(self.rates, axis=(0, 4)).ravel())

    @property
    def effects(self) -> Array:
        return np.asarray(self.contrasts @ self.cell_means)

    @property
    def between_agents(self) -> Pairs | None:
        """Runs of different agents, not both under the second level of a factor."""
        return self._pairs(same_agent=False)

    @property
    def within_agent(self) -> Pairs | None:
        return self._pairs(same_agent=True)

    def _pairs(self, *, same_agent: bool) -> Pairs | None:
        cells, values = self._columns()
        agent, scenario, prompt = (level[cells] for level in self.levels)
        one, other = np.triu_indices(len(cells), k=1)
        wanted = (agent[one] == agent[other]) == same_agent
        # what the effects' spread adds is left to the third step
        wanted &= (scenario[one] * scenario[other] + prompt[one] * prompt[other]) == 0
        covariance = _covariance(values)[one, other]
        wanted &= np.isfinite(covariance)
        if not wanted.any():
            return None
        one, other = one[wanted], other[wanted]
        return Pairs(cells[one], cells[other], float(covariance[wanted].mean()))

    def _columns(self) -> tuple[Any, Array]:
        """Cell of each column, and services x columns of rates."""
        services, *_, replicates = self.rates.shape
        cells = np.repeat(np.arange(int(np.prod(self.shape))), replicates)
        return cells, self.rates.reshape(services, -1)

    def differences(self, factor: str) -> Differences | None:
        """Pairs of differences of a factor; None where a service has only one difference."""
        axis = {"scenario": 1, "prompt": 2}[factor]
        if self.shape[axis] < 2:
            return None
        cell = np.arange(int(np.prod(self.shape))).reshape(self.shape)
        first, second = np.take(cell, 0, axis=axis).ravel(), np.take(cell, 1, axis=axis).ravel()
        before, after = (np.take(self.rates, level, axis=axis + 1) for level in (0, 1))
        values = (after - before).reshape(len(self.rates), -1)
        replicates = self.rates.shape[4]
        units = np.column_stack([np.repeat(first, replicates), np.repeat(second, replicates)])
        one, other = np.triu_indices(len(units), k=1)
        covariance = _covariance(values)[one, other]
        known = np.isfinite(covariance)
        if not known.any():
            return None
        one, other = one[known], other[known]
        agent = self.levels[0]
        return Differences(
            np.stack([units[one], units[other]], axis=1),
            agent[units[one, 0]] == agent[units[other, 0]],
            float(covariance[known].mean()),
        )

    def expected_spread(self, pairs: Differences, cells: Cells, variances: Sequence[float]) -> float:
        """What the model expects of the mean covariance of two differences.

        `variances`: shares of the service and of the agent on it, sds of the effects of scenario and prompt.
        """
        service, agent_service, scenario_sd, prompt_sd = variances
        _, scenario, prompt = self.levels
        total = np.zeros(len(pairs.cells))
        for i, j in np.ndindex(2, 2):
            first, second = pairs.cells[:, 0, i], pairs.cells[:, 1, j]
            shared = service + agent_service * pairs.same_agent
            shared = shared + scenario_sd**2 * scenario[first] * scenario[second]
            shared = shared + prompt_sd**2 * prompt[first] * prompt[second]
            total += (1 if i == j else -1) * cells.covariance(first, second, shared)
        return float(total.mean())

    def service_differences(self, factor: str) -> Array:
        """Mean difference of each service; NaN for services without a complete pair."""
        axis = {"agent": 1, "scenario": 2, "prompt": 3}[factor]
        if self.rates.shape[axis] < 2:
            return np.array([])
        before, after = (np.take(self.rates, level, axis=axis) for level in (0, 1))
        flat = (after - before).reshape(len(self.rates), -1)
        count = np.isfinite(flat).sum(axis=1)
        return np.where(count > 0, np.nansum(flat, axis=1) / np.maximum(count, 1), np.nan)


def _covariance(values: Array) -> Array:
    """Covariances of the columns over services, of the services that have both."""
    return np.asarray(pd.DataFrame(values).cov(min_periods=3))
