from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from study.agents.simulated.adapter import size_goal
from study.agents.simulated.profile import (
    PROFILES,
    Assumptions,
    condition_of,
    list_profiles,
    load_assumptions,
    load_profile,
)
from study.schema import StudyError, parse


def test_condition_names() -> None:
    assert condition_of("incremental", "minimal") == "Inc-P1"
    assert condition_of("clean_state", "summary") == "CS-P2"
    assert condition_of("mine:NO_TESTS", "terse") == "Inc-P1"


@pytest.mark.parametrize(
    ("name", "ratios"),
    [
        # Figure 3, printed bars: 862/982, 117.5/146.3, 81.9/99.3 and so on
        ("claude-code", (0.878, 0.803, 0.825)),
        ("codex", (0.937, 0.951, 0.795)),
        ("code-qwen", (0.726, 0.694, 0.671)),
    ],
)
def test_the_mean_goal_over_conditions_is_the_agents_bar(name: str, ratios: tuple[float, ...]) -> None:
    profile, assumptions = load_profile(name), load_assumptions()
    goals = [size_goal(profile, assumptions, condition) for condition in profile.conditions]
    for metric, ratio in zip(("sloc", "cyclomatic", "cognitive"), ratios, strict=True):
        found = sum(goal[metric] for goal in goals) / 4  # type: ignore[literal-required]
        assert found == pytest.approx(ratio, abs=0.001)


def test_the_mean_goal_over_agents_is_the_conditions_bar() -> None:
    """Figure 3, configuration CS-P1: 717 of 982 lines."""
    goals = [size_goal(load_profile(name), load_assumptions(), "CS-P1") for name in list_profiles()]
    assert sum(goal["sloc"] for goal in goals) / 3 == pytest.approx(717 / 982, abs=0.001)


@pytest.fixture
def wrong(tmp_path: Path):
    def load(path: str, value: object) -> str:
        data = yaml.safe_load((PROFILES / "codex.yaml").read_text())
        *parents, last = path.split("/")
        inner = data
        for part in parents:
            inner = inner[part]
        inner[last] = value
        file = tmp_path / f"{last}.yaml"
        file.write_text(yaml.safe_dump(data))
        with pytest.raises(StudyError) as error:
            load_profile(str(file))
        assert str(file) in str(error.value)
        return str(error.value)

    return load


def test_mistakes_in_a_profile_are_named(wrong) -> None:
    assert "conditions.CS-P1.pass_rate_percent" in wrong("conditions/CS-P1/pass_rate_percent", 120)
    assert "must not decrease" in wrong("conditions/CS-P1/time_min/median", 0.5)
    assert "more outliers than 12 runs allow" in wrong("conditions/CS-P1/time_min/outliers", [30.0] * 9)
    assert "unknown key" in wrong("tempo", 1)


def test_an_unknown_profile_names_those_there_are() -> None:
    with pytest.raises(StudyError, match="no profile 'gpt'; there are claude-code, code-qwen, codex"):
        load_profile("gpt")


def test_an_unknown_kind_of_defect_is_named() -> None:
    data = load_assumptions().model_dump() | {"defects": {"omit_endpiont": 1}}
    with pytest.raises(StudyError, match="unknown kind 'omit_endpiont'; there are negate_condition"):
        parse(Assumptions, data, "assumptions.yaml")
