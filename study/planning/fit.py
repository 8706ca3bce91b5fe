"""Fit a `StudyModel` to the runs of a dataset, by moments.

1. Shares of rates of 0 and of 100 % over all runs, the mean rate, and the mean differences between the levels
   give the two cuts of the latent score and the shifts (least squares: one moment more than parameters). That
   few tests turn middling scores into 0 or 100 is allowed for.
2. The mean covariance of runs of one service by different agents gives the service's part of the variance;
   that of runs of one service by one agent gives the part of the agent on the service beyond it.
3. The mean covariance of two differences (second minus first scenario, or prompt) of one service gives how
   much the effect differs between services.

Cuts, shifts and variances depend on each other, so the steps are repeated until nothing moves. A moment that
no variance can give (a negative covariance) sets the variance to 0, and a note says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from scipy.optimize import brentq, least_squares
from scipy.special import ndtr

from study.planning.moments import Cells
from study.planning.observed import Differences, Moments
from study.statistics.ranks import Array

ROUNDS = 12
MAX_SHARE, MAX_SD = 0.95, 3.0
_CUT = 2.9
"""Latent bound of the cuts: fewer than 0.2 % of runs with score 0 (or 100) cannot be told from none."""


@dataclass(frozen=True)
class Fitted:
    """Parameters in latent units, and the effects in points that they imply."""

    zero: float
    full: float
    service_share: float
    agent_service_share: float
    scenario_sd: float
    prompt_sd: float
    means: Array
    """Expected rates in percent: agents x scenarios x prompts."""
    notes: tuple[str, ...]


@dataclass
class _State:
    low: float = -0.8
    high: float = 0.4
    shifts: Array | None = None
    service: float = 0.1
    agent_service: float = 0.1
    scenario_sd: float = 0.0
    prompt_sd: float = 0.0


def fit(seen: Moments) -> Fitted:
    """Find the parameters under which the expected moments are those of the runs."""
    state, notes = _State(), dict[str, str]()
    for _ in range(ROUNDS):
        before = np.array([state.low, state.high, *_variances(state)])
        _fit_cuts(state, seen, notes)
        _fit_shares(state, seen, notes)
        _fit_spread(state, seen, notes)
        if np.abs(before - [state.low, state.high, *_variances(state)]).max() < 1e-4:
            break
    shape = seen.shape
    return Fitted(
        zero=float(ndtr(state.low)),
        full=float(ndtr(-state.high)),
        service_share=state.service,
        agent_service_share=state.agent_service,
        scenario_sd=state.scenario_sd,
        prompt_sd=state.prompt_sd,
        means=_cells(state, seen).means.reshape(shape),
        notes=tuple(notes.values()),
    )


def _variances(state: _State) -> list[float]:
    return [state.service, state.agent_service, state.scenario_sd, state.prompt_sd]


def _cells(state: _State, seen: Moments, found: Array | None = None) -> Cells:
    """The cells under the state, or under other cuts and shifts: low, log of the gap, shifts."""
    if found is None:
        shifts = np.zeros(seen.shifts) if state.shifts is None else state.shifts
        low, high = state.low, state.high
    else:
        low, high, shifts = float(found[0]), _upper(found), found[2:]
    _, scenario, prompt = seen.levels
    variance = 1 + scenario * state.scenario_sd**2 + prompt * state.prompt_sd**2
    return Cells(low, high, seen.design @ shifts, np.sqrt(variance))


def _upper(found: Array) -> float:
    """The upper cut, of the lower one and the log of the gap."""
    return min(float(found[0] + np.exp(found[1])), _CUT)


def _fit_cuts(state: _State, seen: Moments, notes: dict[str, str]) -> None:
    """Step 1: shares of 0 and 100, and mean effects."""

    def off_by(found: Array) -> Array:
        cells = _cells(state, seen, found)
        zero, full = (float(share.mean()) for share in cells.observed_shares(seen.tests))
        level = [
            100 * (zero - seen.zero),
            100 * (full - seen.full),
            cells.means.mean() - seen.cell_means.mean(),
        ]
        return np.concatenate([level, seen.contrasts @ cells.means - seen.effects])

    shifts = np.zeros(seen.shifts) if state.shifts is None else state.shifts
    start = np.array([state.low, np.log(max(state.high - state.low, 0.06)), *shifts])
    low = np.array([-_CUT, np.log(0.05), *[-4.0] * seen.shifts])
    high = np.array([_CUT - 0.1, np.log(2 * _CUT), *[4.0] * seen.shifts])
    found = least_squares(off_by, np.clip(start, low + 1e-6, high - 1e-6), bounds=(low, high))
    state.low, state.shifts = float(found.x[0]), found.x[2:]
    state.high = _upper(found.x)
    worst = float(np.abs(off_by(found.x)).max())
    notes.pop("cuts", None)
    if worst > 1:
        notes["cuts"] = (
            f"the model's form (scores between 0 and 100 spread evenly over 20 to 98) meets the "
            f"shares of 0 and 100, the mean rate and the effects only to {worst:.1f} points"
        )


def _fit_shares(state: _State, seen: Moments, notes: dict[str, str]) -> None:
    """Step 2: parts of the variance of the service, and of the agent on it."""
    cells = _cells(state, seen)
    outer, inner = seen.between_agents, seen.within_agent
    if outer is None and inner is None:
        state.service = state.agent_service = 0.0
        notes["shares"] = "one run of each service: no covariance to take the services' part from"
        return
    first = outer or inner
    assert first is not None
    state.service = _solve(
        lambda share: cells.covariance(first.first, first.second, share).mean(),
        first.observed, MAX_SHARE, "part of the service", notes,
    )  # fmt: skip
    if outer is None or inner is None:
        state.agent_service = 0.0
        notes["agent"] = "one agent: its part on a service is in the part of the service"
        return
    total = _solve(
        lambda share: cells.covariance(inner.first, inner.second, share).mean(),
        inner.observed, MAX_SHARE, "part of the agent on the service", notes,
    )  # fmt: skip
    state.agent_service = max(total - state.service, 0.0)
    if total < state.service:
        notes["part of the agent on the service"] = (
            "part of the agent on the service: estimate below zero, set to 0"
        )


def _fit_spread(state: _State, seen: Moments, notes: dict[str, str]) -> None:
    """Step 3: how much the effects of scenario and prompt differ between services."""
    for name in ("scenario", "prompt"):
        pairs = seen.differences(name)
        if pairs is None:
            setattr(state, f"{name}_sd", 0.0)
            if seen.shape[1 if name == "scenario" else 2] > 1:
                notes[name] = f"{name}: one pair of runs per service: the spread of its effect is set to 0"
            continue
        found = _solve(
            partial(_spread_at, state, seen, pairs, name),
            pairs.observed, MAX_SD, f"spread of the effect of the {name}", notes,
        )  # fmt: skip
        setattr(state, f"{name}_sd", found)


def _spread_at(state: _State, seen: Moments, pairs: Differences, name: str, sd: float) -> float:
    changes: dict[str, Any] = {f"{name}_sd": sd}
    trial = replace(state, **changes)
    return seen.expected_spread(pairs, _cells(trial, seen), _variances(trial))


def _solve(
    expected: Callable[[float], float], observed: float, most: float, what: str, notes: dict[str, str]
) -> float:
    """Parameter at which the expected moment is the observed one; 0 or `most` where none is."""
    notes.pop(what, None)
    if expected(0.0) >= observed:
        notes[what] = f"{what}: estimate below zero, set to 0"
        return 0.0
    if expected(most) <= observed:
        notes[what] = f"{what}: estimate above {most:g}, set to that"
        return most
    return float(brentq(lambda x: expected(x) - observed, 0.0, most, xtol=1e-6))
