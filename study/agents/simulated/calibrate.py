"""From published pass rates to the probabilities of a simulated agent.

A run is one of six classes (`program.order.CLASSES`). With F and C the mean floor and ceiling of the
oracle over the demo services whose oracle can see its target, a run of class k loses a share L_k of the
room between them on average, and the expected mean pass rate of a cell is::

    C - (C - F) * sum_k p_k * L_k

`nothing`, `too_long` and `agent_error` lose all (L = 1) and have given probabilities. For the rest L is
measured on the demo suites (`sensitivity.yaml`, written by `python -m
study.agents.simulated.sensitivity`): of one defect of each kind, of being incompatible, and of what every
run does to its code (`form`). Defects of one run are taken as independent::

    L_flawed = 1 - (1 - L_form) * sum_n P(n defects) * (1 - mean L of a defect) ** n

Of two unknowns, the probability of an incompatible run and the share of flawed runs among the others, the
second is assumed and the first solved for. Where even no incompatible run leaves the cell too low, the
share of flawed runs is lowered. Where that is not enough either, the cell cannot be reached: with the
sensitivities stored here that is Codex, clean state, P1, with 97.9 instead of 98.1 percent.

What the identity is not: realised rates vary around the expectation, as the published ones do. A cell is
the mean of 12 runs, most of which pass or fail as a whole, so its standard error is about 10 points in
incremental generation and for Code Qwen, and a few points elsewhere.
Services without an oracle in a scenario (nobody consumes them) have no pass rate and are left out, as in
the results; those whose oracle is blind have the ceiling whatever is written, and are left out here, so
that the mean over all services that have a rate lies a little above the published one. Sensitivities are
means over services, and F, C and L are averaged separately. Checked once on whole flawed runs: a mean loss of
0.168 (standard error 0.016, 96 runs) with the unit tests where the formula says 0.170, and 0.19 (0.03, 80
runs) with the integration tests where it says 0.24.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Literal

from pydantic import Field

from study.agents.simulated.profile import Assumptions, Condition, PublishedCondition
from study.agents.simulated.program.order import RunClass
from study.schema import Model, parse, read_yaml

SENSITIVITY = Path(__file__).parent / "sensitivity.yaml"
OracleName = Literal["unit", "integration"]


class OracleSensitivity(Model):
    """What one kind of oracle sees, over the demo services whose oracle can see its target."""

    services: int = Field(ge=1)
    floor_percent: float = Field(ge=0, le=100)
    ceiling_percent: float = Field(ge=0, le=100)
    lost: dict[str, float]
    """Share of the room between floor and ceiling that is lost: per kind of defect, and by `incompatible`
    and `form`."""


class Sensitivity(Model):
    """Measured once on the demo projects; a result about them, not about any agent."""

    trials: int
    """Evaluations behind the shares."""
    unit: OracleSensitivity
    integration: OracleSensitivity


@lru_cache(maxsize=1)
def load_sensitivity() -> Sensitivity:
    return parse(Sensitivity, read_yaml(SENSITIVITY), str(SENSITIVITY))


def losses(assumptions: Assumptions, oracle: OracleSensitivity) -> dict[RunClass, float]:
    """Expected share of the room between floor and ceiling that a run of each class loses."""
    weight = sum(assumptions.defects.values())
    one = sum(share * oracle.lost[kind] for kind, share in assumptions.defects.items()) / weight
    counts = assumptions.defect_counts
    kept = sum(share * (1 - one) ** count for count, share in counts.items()) / sum(counts.values())
    form = oracle.lost["form"]
    return {
        "nothing": 1.0,
        "too_long": 1.0,
        "agent_error": 1.0,
        "incompatible": oracle.lost["incompatible"],
        "flawed": 1 - (1 - form) * kept,
        "faithful": form,
    }


def solve(
    published: PublishedCondition, condition: Condition, assumptions: Assumptions, oracle: OracleSensitivity
) -> dict[RunClass, float]:
    """Probabilities of the classes of runs with which the expected pass rate is the published one.

    Parameters
    ----------
    published : PublishedCondition
        The cell.
    condition : str
        The cell's column.
    assumptions : Assumptions
        Probabilities that are not published.
    oracle : OracleSensitivity
        Of the oracle that scores the cell's scenario.

    Returns
    -------
    dict
        Class to probability; they add up to 1.
    """
    lost = losses(assumptions, oracle)
    room = oracle.ceiling_percent - oracle.floor_percent
    wanted = (oracle.ceiling_percent - published.pass_rate_percent) / room
    too_long, agent_error = assumptions.too_long[condition], assumptions.agent_error[condition]
    given = published.no_code + too_long + agent_error
    rest = 1 - given
    left = (wanted - given) / rest  # what a run that writes code to the end may lose on average
    flawed = assumptions.flawed_share
    usable = flawed * lost["flawed"] + (1 - flawed) * lost["faithful"]
    incompatible = _share(left, usable, lost["incompatible"])
    if incompatible == 0:
        flawed = min(flawed, _share(left, lost["faithful"], lost["flawed"]))
    return {
        "nothing": published.no_code,
        "too_long": too_long,
        "agent_error": agent_error,
        "incompatible": rest * incompatible,
        "flawed": rest * (1 - incompatible) * flawed,
        "faithful": rest * (1 - incompatible) * (1 - flawed),
    }


def expected_pass_rate(
    classes: dict[RunClass, float], assumptions: Assumptions, oracle: OracleSensitivity
) -> float:
    """Expected mean pass rate in percent over the services whose oracle can see its target."""
    lost = losses(assumptions, oracle)
    room = oracle.ceiling_percent - oracle.floor_percent
    return oracle.ceiling_percent - room * sum(share * lost[name] for name, share in classes.items())


def _share(mean: float, low: float, high: float) -> float:
    """Weight of `high` with which the mean of `low` and `high` is `mean`, kept within 0 and 1."""
    return min(1.0, max(0.0, (mean - low) / (high - low))) if high > low else 0.0
