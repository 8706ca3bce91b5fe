"""The analysis finds what the simulated agents were built to score."""

from __future__ import annotations

from pathlib import Path

import pytest
from synthetic import make_dataset

from study.agents.simulated.profile import list_profiles
from study.calibration.recovery import planted_rates, recovered
from study.calibration.report import recovery_sentences
from study.records.dataset import load_dataset


def test_planted_rates_are_those_of_the_profiles() -> None:
    planted = planted_rates(list_profiles()).set_index(["profile", "condition"])["planted_percent"]
    assert planted["claude-code", "Inc-P1"] == pytest.approx(73.7, abs=0.05), "Table III"
    assert planted["codex", "CS-P1"] == pytest.approx(97.9, abs=0.05), "the one cell that cannot be reached"
    assert len(planted) == 12


def test_the_demo_holds_what_was_planted() -> None:
    found = recovered(load_dataset("demo"))
    assert len(found) == 12 and set(found["kind"]) == {"simulated"}
    # with 95 % intervals fewer than 9 of 12 would happen once in 4,000 studies
    assert found["inside"].sum() >= 9
    assert recovery_sentences(found)[0].startswith(f"{found['inside'].sum()} of 12 planted")


def test_agents_of_which_nothing_is_known(tmp_path: Path) -> None:
    make_dataset(tmp_path / "toy")
    found = recovered(load_dataset(str(tmp_path / "toy")))
    assert found.empty and "nothing is known to be planted" in recovery_sentences(found)[0]
