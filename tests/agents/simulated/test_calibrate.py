from __future__ import annotations

import pytest

from study.agents.simulated.calibrate import (
    OracleSensitivity,
    expected_pass_rate,
    load_sensitivity,
    losses,
    solve,
)
from study.agents.simulated.profile import Condition, list_profiles, load_assumptions, load_profile
from study.agents.simulated.program.defects import DEFECTS

# Table III, rows "Avg. Agent Performance"
PUBLISHED: dict[tuple[str, Condition], float] = {
    ("claude-code", "Inc-P1"): 73.7,
    ("claude-code", "Inc-P2"): 63.2,
    ("claude-code", "CS-P1"): 96.9,
    ("claude-code", "CS-P2"): 97.8,
    ("codex", "Inc-P1"): 75.9,
    ("codex", "Inc-P2"): 50.3,
    ("codex", "CS-P1"): 98.1,
    ("codex", "CS-P2"): 81.4,
    ("code-qwen", "Inc-P1"): 50.5,
    ("code-qwen", "Inc-P2"): 47.2,
    ("code-qwen", "CS-P1"): 81.9,
    ("code-qwen", "CS-P2"): 89.5,
}
OUT_OF_REACH = {("codex", "CS-P1")}
"""Even without a defect a run loses a little more than the published rate allows."""


def oracle_of(condition: str) -> OracleSensitivity:
    sensitivity = load_sensitivity()
    return sensitivity.unit if condition.startswith("Inc") else sensitivity.integration


def test_the_cells_are_all_there() -> None:
    assert {(name, c) for name in list_profiles() for c in load_profile(name).conditions} == set(PUBLISHED)


@pytest.mark.parametrize(("cell", "rate"), PUBLISHED.items())
def test_the_expected_pass_rate_is_the_published_one(cell: tuple[str, Condition], rate: float) -> None:
    name, condition = cell
    published, assumptions = load_profile(name).conditions[condition], load_assumptions()
    assert published.pass_rate_percent == rate
    oracle = oracle_of(condition)
    classes = solve(published, condition, assumptions, oracle)
    assert sum(classes.values()) == pytest.approx(1)
    assert min(classes.values()) >= 0
    expected = expected_pass_rate(classes, assumptions, oracle)
    assert expected == pytest.approx(rate, abs=0.5 if cell in OUT_OF_REACH else 1e-9)


def test_losses_by_hand() -> None:
    """One or two defects, each equally often; one loses 0.2 of what is left, form 0.1."""
    assumptions = load_assumptions().model_copy(
        update={"defects": {"omit_endpoint": 1.0, "off_by_one": 1.0}, "defect_counts": {1: 1.0, 2: 1.0}}
    )
    lost = {"omit_endpoint": 0.3, "off_by_one": 0.1, "incompatible": 0.9, "form": 0.1}
    oracle = OracleSensitivity(services=1, floor_percent=20, ceiling_percent=100, lost=lost)
    found = losses(assumptions, oracle)
    assert found["flawed"] == pytest.approx(1 - 0.9 * (0.8 + 0.64) / 2)
    assert (found["faithful"], found["incompatible"], found["nothing"]) == (0.1, 0.9, 1.0)
    half = {"flawed": 0.5, "nothing": 0.5}
    assert expected_pass_rate(half, assumptions, oracle) == pytest.approx(  # type: ignore[arg-type]
        100 - 80 * (0.5 * found["flawed"] + 0.5)
    )


def test_runs_without_code_are_code_qwens_with_p1() -> None:
    shares = {
        (name, condition): published.no_code
        for name in list_profiles()
        for condition, published in load_profile(name).conditions.items()
        if published.no_code
    }
    assert shares == {("code-qwen", "Inc-P1"): 0.125, ("code-qwen", "CS-P1"): 0.125}
    assert sum(12 * share for share in shares.values()) == 3


def test_every_kind_of_defect_was_measured_on_both_oracles() -> None:
    for oracle in (load_sensitivity().unit, load_sensitivity().integration):
        assert set(oracle.lost) == {*DEFECTS, "incompatible", "form"}
        assert oracle.floor_percent < oracle.ceiling_percent
        assert oracle.lost["form"] < 0.03 < oracle.lost["negate_condition"] < oracle.lost["incompatible"]
