from __future__ import annotations

from pathlib import Path

import pytest

from study.agents import adapter
from study.agents.controls import code_files
from study.design import AgentLevel, Limits
from study.files import iter_files, snapshot
from study.projects.loading import LoadedProject, source_tree
from study.sandbox import run_confined
from study.schema import StudyError

ABSENT = AgentLevel(name="absent", adapter="absent")
REFERENCE = AgentLevel(name="reference", adapter="reference")


def written(workspace: Path) -> list[str]:
    return sorted(path.relative_to(workspace).as_posix() for path in iter_files(workspace))


def run(level: AgentLevel, make_task, tmp_path: Path):
    task = make_task(level)
    ended = run_confined(
        adapter(level).launch(task),
        workspace=task.workspace,
        home=task.home,
        logs=tmp_path / "logs",
        seconds=20,
        limits=Limits(),
    )
    return task, adapter(level).report(task, ended)


def test_code_files_are_those_of_the_target_without_its_tests(toy: LoadedProject) -> None:
    assert code_files(toy.service("greeter"), source_tree(toy)) == ["__init__.py", "rules.py"]


def test_absent_writes_nothing(make_task, tmp_path: Path) -> None:
    task, report = run(ABSENT, make_task, tmp_path)
    assert (report.outcome, report.usage.cost_usd) == ("completed", None)
    assert written(task.workspace) == []


def test_reference_puts_the_original_back_and_nothing_else(make_task, tmp_path: Path) -> None:
    task, report = run(REFERENCE, make_task, tmp_path)
    assert report.outcome == "completed"
    assert written(task.workspace) == ["services/greeter/__init__.py", "services/greeter/rules.py"]
    original = snapshot(task.reference / "services/greeter")
    assert snapshot(task.workspace / "services/greeter").items() <= original.items()


def test_controls_have_no_settings() -> None:
    for name in ("absent", "reference"):
        level = AgentLevel(name=name, adapter=name, settings={"speed": 2})
        with pytest.raises(StudyError, match=rf"agents\[{name}\].settings.speed: the adapter .* no settings"):
            adapter(level).check(level)
