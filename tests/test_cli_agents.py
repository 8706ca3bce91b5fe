from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from urllib.request import Request, urlopen

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


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_serve_says_its_addresses_and_ends_with_the_signal(tmp_path: Path, number: signal.Signals) -> None:
    """A real process, asked by HTTP and then stopped as Ctrl-C or `kill` stops it."""
    script = tmp_path / "script.yaml"
    script.write_text("cases: [{replies: [{text: hello from the script}]}]")
    command = [sys.executable, "-m", "study", "agents", "serve", str(script), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        address = server.stdout.readline().split()[1]
        assert server.stdout.readline().split()[1] == f"{address}/v1"
        server.stdout.readline()
        tool = {"type": "function", "function": {"name": "shell", "parameters": {}}}
        body = {"model": "m", "messages": [{"role": "user", "content": "hi"}], "tools": [tool]}
        request = Request(
            f"{address}/v1/chat/completions", json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        with urlopen(request, timeout=10) as answer:
            assert "hello from the script" in answer.read().decode()
        server.send_signal(number)
        assert "1 requests of scripted conversations" in server.stdout.read()
        assert server.wait(10) == 0


def test_check_says_when_there_is_nothing_to_check(tmp_path: Path) -> None:
    design = tmp_path / "own.yaml"
    design.write_text(
        "{name: own, title: own, scenarios: [incremental], prompts: [minimal],\n"
        "agents: [{name: own, adapter: command, settings: {command: [bash, -c, 'true']}}],\n"
        "projects: [{name: library-desk, services: [loan-service]}]}\n"
    )
    assert "it is given no address of a model" in " ".join(lines("check", str(design), code=1))
    assert "opencode" in " ".join(lines("check", "opencode", code=1)), "a design by its name"


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
