"""Tasks of the toy and demo projects, and a way to run a launch without the sandbox."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from study.agents.protocol import Launch, ProcessResult, Task
from study.design import AgentLevel, Run
from study.projects.loading import LoadedProject, load_project, source_tree

MakeTask = Callable[..., Task]


@pytest.fixture
def make_task(tmp_path: Path, toy: LoadedProject) -> MakeTask:
    """A task of a project's service in a new workspace."""

    def make(
        level: AgentLevel,
        project: str = "toy",
        service: str = "greeter",
        scenario: str = "incremental",
        prompt: str = "minimal",
        seed: int = 1,
    ) -> Task:
        loaded = toy if project == "toy" else load_project(project)
        room = tmp_path / f"{level.name}-{service}-{scenario}-{prompt}-{seed}"
        (room / "workspace").mkdir(parents=True)
        (room / "home").mkdir()
        run = Run(level.name, loaded.project.name, service, scenario, prompt, 1)
        return Task(
            run,
            level,
            loaded.project,
            loaded.service(service),
            "Write the service.\n",
            room / "workspace",
            room / "home",
            source_tree(loaded),
            seed,
        )

    return make


@pytest.fixture
def run_plainly(tmp_path: Path) -> Callable[..., ProcessResult]:
    """Run a launch as a plain process and give what the sandbox would."""

    def run(task: Task, launch: Launch, **environment: str) -> ProcessResult:
        for name, text in launch.files.items():
            (task.home / name).parent.mkdir(parents=True, exist_ok=True)
            (task.home / name).write_text(text)
        logs = task.home.parent
        with (logs / "stdout.log").open("wb") as out, (logs / "stderr.log").open("wb") as err:
            done = subprocess.run(
                launch.command,
                cwd=task.workspace,
                env={
                    "PATH": os.defpath,
                    "HOME": str(task.home),
                    **launch.environment,
                    **launch.secrets,
                    **environment,
                },
                input=launch.stdin.encode(),
                stdout=out,
                stderr=err,
                timeout=30,
                check=False,
            )
        return ProcessResult(
            "exited", done.returncode, 0.1, "plain", logs / "stdout.log", logs / "stderr.log", 0
        )

    return run
