"""Real command lines against the scripted model server: installed here if npm is, else skipped."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from real_agents import KEYS, MODELS, Ran

from study.agents import adapter
from study.agents.cli_agent import CliAgent
from study.agents.install import install
from study.agents.protocol import Task
from study.agents.scripted import Case, Reply, Script, ScriptedServer
from study.design import AgentLevel, Limits
from study.sandbox import run_confined
from study.schema import StudyError


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def require() -> Callable[[str], None]:
    """Have an agent installed, or skip."""
    return _require


def _require(name: str) -> None:
    agent = adapter(AgentLevel(name=name, adapter=name))
    assert isinstance(agent, CliAgent)
    if agent.package.manager == "npm" and shutil.which("npm") is None:
        pytest.skip(f"{name}: npm is not on PATH")
    try:
        install(agent.package, seconds=90)
    except StudyError as error:
        pytest.skip(f"{name} cannot be installed here: {error}")


@pytest.fixture
def run(make_task: Callable[..., Task], tmp_path: Path) -> Callable[..., Ran]:
    """Run an agent with scripted replies."""
    number = iter(range(100))

    def run_agent(
        name: str,
        *replies: Reply,
        seconds: float = 30,
        limits: Limits | None = None,
        settings: dict[str, object] | None = None,
        environment: dict[str, str] | None = None,
        meanwhile: Callable[[ScriptedServer, Task], None] | None = None,
        before: Callable[[ScriptedServer, Task], None] = lambda server, task: None,
    ) -> Ran:
        _require(name)
        with ScriptedServer(Script(cases=[Case(replies=list(replies))])) as server:
            url = server.address if name == "claude-code" else f"{server.address}/v1"
            given = {"base_url": url, "environment": environment or {}, **(settings or {})}
            level = AgentLevel(name=name, adapter=name, model=MODELS[name], settings=given)
            agent = adapter(level)
            agent.check(level)
            agent.ready(level)
            task = make_task(level, seed=next(number))
            task = Task(**{**vars(task), "limits": limits or Limits()})
            before(server, task)
            with _beside(meanwhile, server, task):
                result = run_confined(
                    agent.launch(task),
                    workspace=task.workspace,
                    home=task.home,
                    logs=task.home.parent / "agent",
                    seconds=seconds,
                    limits=task.limits,
                )
            return Ran(agent.report(task, result), result, task, server)

    return run_agent


@contextmanager
def _beside(
    action: Callable[[ScriptedServer, Task], None] | None, server: ScriptedServer, task: Task
) -> Iterator[None]:
    if action is None:
        yield
        return
    thread = threading.Thread(target=action, args=(server, task))
    thread.start()
    yield
    thread.join()
