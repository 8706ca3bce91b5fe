"""Shared by all tests: a toy project and designs of it, small enough to run in a second."""

from __future__ import annotations

import signal
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from study.projects import load_project
from study.projects.loading import LoadedProject

collect_ignore = ["toy"]
"""A subject system: its tests score runs and are not ours."""

HERE = Path(__file__).parent
TOY_MANIFEST = HERE / "toy.yaml"

AGENT = """
import pathlib, sys
prompt = sys.stdin.read()
target = pathlib.Path("services/greeter")
target.mkdir(parents=True, exist_ok=True)
(target / "__init__.py").write_text("")
(target / "rules.py").write_text('''
def greet(name, hour):
    if not name:
        raise ValueError("missing")
    return f"Good morning, {name}"
''')
"""


def pytest_configure() -> None:
    """Let Ctrl-C end the programs under test, also where a shell started the tests in the background.

    Such a shell has SIGINT ignored, children inherit that through ``exec``, and Python then installs no
    handler: tests that interrupt a run would wait for it in vain.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def toy() -> LoadedProject:
    """The toy project's manifest."""
    return load_project("toy", TOY_MANIFEST)


@pytest.fixture
def toy_design(tmp_path: Path) -> Callable[..., Path]:
    """Write a design of the toy project with one scripted agent; returns its path."""

    def write(
        script: str = AGENT, *, extra: str = "", prompts: str = "[minimal]", seconds: float = 20
    ) -> Path:
        program = tmp_path / "agent.py"
        program.write_text(script)
        design = tmp_path / "toy-design.yaml"
        design.write_text(
            textwrap.dedent(f"""
            name: toy-design
            title: A design for tests
            seed: 1
            agents:
              - name: scripted
                adapter: command
                kind: simulated
                settings:
                  command: ["{{python}}", "{program}"]
                  readable: ["{program}"]
            projects:
              - {{name: toy, services: [greeter], manifest: "{TOY_MANIFEST}"}}
            scenarios: [incremental, clean_state]
            prompts: {prompts}
            controls: {{absent: 1, reference: 2}}
            limits: {{agent_seconds: {seconds}, test_seconds: 20, single_test_seconds: 2,
                     output_megabytes: 1, disk_megabytes: 60}}
            """)
            + textwrap.dedent(extra)
        )
        return design

    return write
