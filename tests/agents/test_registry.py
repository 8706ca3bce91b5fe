from __future__ import annotations

import sys
from pathlib import Path

import pytest

from study.agents import ADAPTERS, adapter
from study.agents.simulated.adapter import Simulated
from study.design import AgentLevel
from study.schema import StudyError


def level(name: str) -> AgentLevel:
    return AgentLevel(name="mine", adapter=name)


def test_every_registered_adapter_can_be_made() -> None:
    for name in ADAPTERS:
        assert type(adapter(level(name))).__name__ == "".join(part.capitalize() for part in name.split("-"))


def test_an_adapter_of_your_own_by_module_and_class() -> None:
    made = adapter(level("study.agents.simulated.adapter:Simulated"))
    assert isinstance(made, Simulated)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "claude",
            "agents[mine].adapter: unknown adapter 'claude'; there are absent, claude-code, codex, command",
        ),
        ("no_such_module_here:Agent", "no_such_module_here"),
        ("study.agents.command:Agent", "Agent"),
        ("study.agents.protocol:Task", "cannot be made without arguments"),
        ("collections:Counter", "is no agent; it has no method check, ready, fingerprint, launch, report"),
    ],
)
def test_an_adapter_that_is_none_is_named(name: str, said: str) -> None:
    with pytest.raises(StudyError) as error:
        adapter(level(name))
    assert said in str(error.value)
    assert str(error.value).startswith("agents[mine].adapter")


def test_a_module_of_your_own_with_a_mistake_in_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_broken_agent.py").write_text("import no_such_library\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(StudyError, match="no_such_library"):
        adapter(level("my_broken_agent:Agent"))
    sys.modules.pop("my_broken_agent", None)
