"""Runs of the four real command lines whose model is a script: the trajectories in raw_data/trajectories.

``python tests/agents/real/trajectories.py raw_data/trajectories`` makes these again. The logs are real, the
words and token counts of the model are made up, so the rows are of the kind `simulated`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml
from real_agents import KEYS, MODELS

from study.agents.scripted import Case, Reply, Script, ScriptedServer, ScriptedUsage, WriteFile
from study.projects.loading import load_project

PROJECT, SERVICES = "clinic-rota", ["appointment-service", "reminder-service"]
DESIGN = {
    "name": "scripted-model",
    "title": "Four real command lines with a scripted model",
    "agents": [
        {"name": name, "adapter": name, "model": model, "kind": "simulated"} for name, model in MODELS.items()
    ],
    "projects": [{"name": PROJECT, "services": SERVICES}],
    "scenarios": ["incremental"],
    "prompts": ["minimal"],
    "controls": {"absent": 0, "reference": 0},
    "limits": {"agent_seconds": 60},
}


def script() -> Script:
    """A conversation for each service: the context grows, and most of it comes from the cache."""
    first, second = (load_project(PROJECT).service(name).directory for name in SERVICES)
    return Script(
        cases=[
            Case(match=f"Service: {SERVICES[0]}\n", replies=[
                Reply(thought="First I look around.", run="ls", usage=usage(12_000, 0, 240, 90)),
                Reply(run="cat docs/no-such-file.md", usage=usage(12_900, 12_000, 120, 30)),
                Reply(status=503),
                Reply(write=WriteFile(path=f"{first}/__init__.py", text="SLOTS = {}\n"),
                      usage=usage(13_400, 12_900, 1_900, 700)),
                Reply(run="python3 -c 'print(6 * 7)'", usage=usage(15_600, 13_400, 110, 0)),
                Reply(text="The service is written.", usage=usage(15_900, 15_600, 60, 0)),
            ]),
            Case(match=f"Service: {SERVICES[1]}\n", replies=[
                Reply(write=WriteFile(path=f"{second}/__init__.py", text="DUE = []\n"),
                      usage=usage(11_700, 0, 1_300, 400)),
                Reply(run="ls", usage=usage(13_300, 11_700, 90, 0)),
                Reply(text="Done.", usage=usage(13_600, 13_300, 30, 0)),
            ]),
        ]
    )  # fmt: skip


def usage(whole: int, read: int, output: int, reasoning: int) -> ScriptedUsage:
    """Half of what is new in the input is written to a cache."""
    return ScriptedUsage(
        input=whole, cache_read=read, cache_write=(whole - read) // 2, output=output, reasoning=reasoning
    )


def make(place: Path) -> Path:
    """Run the design in an empty folder; return the folder of its runs."""
    (place / "design.yaml").write_text(yaml.safe_dump(DESIGN))
    with ScriptedServer(script()) as server:
        addresses = {"ANTHROPIC_BASE_URL": server.address, "OPENAI_BASE_URL": f"{server.address}/v1"}
        done = subprocess.run(
            [sys.executable, "-m", "study", "run", "design.yaml", "--jobs", "1"],
            cwd=place, env={**os.environ, **KEYS, **addresses}, capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return place / "results" / "scripted-model"


if __name__ == "__main__":
    from study.trajectories.story import find_stories
    from study.trajectories.tables import write_trajectories

    with tempfile.TemporaryDirectory() as room:
        title = "raw_data/trajectories"
        print(write_trajectories(find_stories([make(Path(room))]), Path(sys.argv[1]), title), "runs")
