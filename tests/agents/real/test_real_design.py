"""A whole design, from `study run` to its tables, with the paper's three agents."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from real_agents import FIRST, LAST, MODELS

from study.agents.scripted import Case, Reply, Script, ScriptedServer, WriteFile
from study.projects.loading import load_project
from study.records.dataset import load_dataset

PROJECT, SERVICES = "clinic-rota", ["appointment-service", "reminder-service"]
AGENTS = ["claude-code", "codex", "qwen-code"]
DESIGN = {
    "name": "scripted",
    "title": "Three real agents with a scripted model",
    "agents": [{"name": name, "adapter": name, "model": MODELS[name]} for name in AGENTS],
    "projects": [{"name": PROJECT, "services": SERVICES}],
    "scenarios": ["incremental", "clean_state"],
    "prompts": ["minimal", "summary"],
    "controls": {"absent": 1, "reference": 1},
    "limits": {"agent_seconds": 60},
}


def script() -> Script:
    """Each service is written to its directory, then a last word."""
    loaded, cases = load_project(PROJECT), []
    for name in SERVICES:
        file = WriteFile(path=f"{loaded.service(name).directory}/__init__.py", text="ANSWER = 42\n")
        replies = [Reply(write=file, usage=FIRST), Reply(text="All done.", usage=LAST)]
        cases.append(Case(match=f"Service: {name}\n", replies=replies))
    return Script(cases=cases)


def study(place: Path, *arguments: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "study", *arguments], cwd=place, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_three_agents_from_design_to_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, require) -> None:
    for name in AGENTS:
        require(name)
    (tmp_path / "scripted.yaml").write_text(yaml.safe_dump(DESIGN))
    with ScriptedServer(script()) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.address)
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.address}/v1")
        study(tmp_path, "run", "scripted.yaml")
    for variable in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(variable)  # tables need no key
    study(tmp_path, "collect", "scripted.yaml")
    assert server.calls == 2 * 24
    data = load_dataset(tmp_path / "results" / "scripted" / "dataset")
    runs, usage = data.runs.set_index("run_id"), data.usage.set_index("run_id")
    assert len(runs) == 24
    assert set(runs["outcome"]) == {"completed"}
    assert set(runs["kind"]) == {"measured"}
    assert (runs["files_written"] == 1).all()
    assert (runs["input_tokens"] == FIRST.input + LAST.input).all()
    assert (runs["cache_read_tokens"] == FIRST.cache_read + LAST.cache_read).all()
    assert (runs["output_tokens"] == FIRST.output + LAST.output).all()
    assert (runs["reasoning_tokens"] == FIRST.reasoning + LAST.reasoning).all()
    assert runs.loc[runs["scenario"] == "incremental", "tests_reference"].notna().all()
    assert (usage["end"] == "completed").all()
    assert (usage["turns"] == 2).all()
    assert (usage["tool_calls"] == 1).all()
    assert (usage["service_failures"] == 0).all()
    assert usage["complete"].all()
    assert usage["session_id"].is_unique
    # 2500 input and 50 output tokens at each model's list price
    listed = {"claude-code": 0.0075 + 0.00075, "codex": 0.003125 + 0.0005, "qwen-code": 0.0025 + 0.0002}
    for agent, cost in listed.items():
        of = runs["agent"] == agent
        assert runs.loc[of, "model"].unique().tolist() == [MODELS[agent]]
        assert runs.loc[of, "cost_usd"].to_list() == pytest.approx([cost] * 8)
        written = runs.loc[of, "cache_write_tokens"]
        assert written.isna().all() if agent == "qwen-code" else (written == 110).all()
    assert usage.loc[runs["agent"] == "claude-code", "cost_agent_usd"].to_list() == pytest.approx(
        usage.loc[runs["agent"] == "claude-code", "cost_cached_usd"].to_list()
    )
    kinds = (
        data.tools.merge(data.runs[["run_id", "agent"]], on="run_id").groupby("agent")["tool_kind"].unique()
    )
    assert {agent: list(found) for agent, found in kinds.items()} == {
        "claude-code": ["write"],
        "codex": ["shell"],
        "qwen-code": ["write"],
    }
