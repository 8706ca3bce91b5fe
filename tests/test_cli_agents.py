from __future__ import annotations

import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from study.cli_agents import agents_app
from study.schema import StudyError

HERE = Path(__file__).parents[1]


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUDY_CACHE", str(tmp_path))
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-0123456789")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


def lines(*arguments: str, code: int = 0) -> list[str]:
    result = CliRunner().invoke(agents_app, list(arguments), catch_exceptions=False)
    assert result.exit_code == code
    assert "sk-0123456789" not in result.output
    return result.output.splitlines()


def test_list_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = {line.split()[0]: " ".join(line.split()) for line in lines("list") if line.strip()}
    assert found["claude-code"] == (
        "claude-code 2.1.332 none; missing: study agents install ANTHROPIC_API_KEY is set"
    )
    assert found["codex"].endswith("OPENAI_API_KEY is NOT set")
    assert found["installations:"] == f"installations: {tmp_path / 'agents'}"
    monkeypatch.setenv("PATH", "/nowhere")
    assert "missing: npm, which installs it" in "\n".join(lines("list"))
    monkeypatch.setenv("PATH", os.defpath)
    assert "opencode" in "\n".join(lines("list", str(HERE / "study/designs/opencode.yaml")))


def test_check_of_an_agent_that_is_not_there_is_one_message() -> None:
    assert lines("check", "codex", code=1)[0] == (
        "codex: agents[codex]: codex 0.171.0 is not installed; run `study agents install codex`, "
        "or give settings.program"
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["install", "claude"],
            "no adapter 'claude'; there are claude-code, codex, qwen-code, mini-swe-agent",
        ),
        (["install", "--version", "1.0"], "--version: give the name of one agent with it"),
    ],
)
def test_mistakes_are_named(arguments: list[str], said: str) -> None:
    with pytest.raises(StudyError) as error:
        lines(*arguments)
    assert said in str(error.value)
