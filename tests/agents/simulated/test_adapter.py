"""The whole program, as a process, on demo services."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from study.agents.protocol import ProcessResult, Usage
from study.agents.simulated.adapter import Simulated
from study.agents.simulated.program.order import CLASSES
from study.design import AgentLevel, Limits
from study.files import iter_files, snapshot
from study.sandbox import run_confined
from study.schema import StudyError

SERVICE = {"project": "library-desk", "service": "loan-service"}


def level(**settings: str) -> AgentLevel:
    given = {"profile": "codex", **settings}
    return AgentLevel(name="sim", adapter="simulated", kind="simulated", model="sim-1", settings=given)


def events(result: ProcessResult) -> list[dict[str, object]]:
    return [json.loads(line) for line in result.stdout.read_text().splitlines()]


@pytest.mark.parametrize("scenario", ["incremental", "clean_state"])
@pytest.mark.parametrize("only", ["incompatible", "flawed", "faithful"])
def test_everything_follows_from_the_seed(make_task, run_plainly, scenario: str, only: str) -> None:
    """Three processes with different hash seeds write the same bytes and log the same lines."""
    seen = []
    for number in range(3):
        mine = level(only=only)
        task = make_task(mine.model_copy(update={"name": f"sim{number}"}), **SERVICE, scenario=scenario)
        launch = Simulated().launch(task)
        launch.command.remove("-I")  # it would ignore the hash seed
        ended = run_plainly(task, launch, PYTHONHASHSEED=str(number))
        assert ended.exit_code == 0, ended.stderr.read_text()
        seen.append((snapshot(task.workspace), events(ended)[1:]))
    assert seen[0] == seen[1] == seen[2]
    assert "services/loan_service/__init__.py" in seen[0][0]


def test_another_seed_gives_another_service(make_task, run_plainly) -> None:
    seen = []
    for seed in (1, 2):
        task = make_task(level(only="flawed"), **SERVICE, seed=seed)
        run_plainly(task, Simulated().launch(task))
        seen.append(snapshot(task.workspace))
    assert seen[0] != seen[1]


def test_in_the_sandbox_as_outside(make_task, run_plainly, tmp_path: Path) -> None:
    """The program needs nothing of this package, of which the sandbox hides the rest."""
    outside = make_task(level(only="flawed"), **SERVICE)
    run_plainly(outside, Simulated().launch(outside))
    inside = make_task(level(only="flawed").model_copy(update={"name": "sim2"}), **SERVICE)
    ended = run_confined(
        Simulated().launch(inside),
        workspace=inside.workspace,
        home=inside.home,
        logs=tmp_path / "logs",
        seconds=20,
        limits=Limits(),
    )
    report = Simulated().report(inside, ended)
    assert (report.outcome, report.model) == ("completed", "sim-1")
    assert snapshot(inside.workspace) == snapshot(outside.workspace) != {}
    assert report.usage.agent_minutes is not None and report.usage.agent_minutes > 4
    assert report.usage.cache_read_tokens is None
    assert report.planted[0] == "run_class: flawed"
    assert len(report.planted) > 2


def test_nothing_is_told_in_the_workspace(make_task, run_plainly) -> None:
    task = make_task(level(only="incompatible"), **SERVICE)
    ended = run_plainly(task, Simulated().launch(task))
    report = Simulated().report(task, ended)
    assert any(entry.startswith("rename_module: ") for entry in report.planted)
    kinds = {entry.split(":")[0] for entry in report.planted} | {"simulated", "planted"}
    for path in iter_files(task.workspace):
        assert not any(kind in path.read_text() for kind in kinds)


def test_a_run_without_code(make_task, run_plainly) -> None:
    task = make_task(level(only="nothing"), **SERVICE)
    report = Simulated().report(task, run_plainly(task, Simulated().launch(task)))
    assert (report.outcome, report.planted) == ("completed", ["run_class: nothing"])
    assert report.usage.output_tokens is not None
    assert list(iter_files(task.workspace)) == []


def test_a_run_that_the_service_ends(make_task, run_plainly) -> None:
    task = make_task(level(only="agent_error"), **SERVICE)
    report = Simulated().report(task, run_plainly(task, Simulated().launch(task)))
    assert report.outcome == "agent_error"
    assert report.reason == "the conversation is longer than the model's context"
    assert list(iter_files(task.workspace)) == []


@pytest.mark.parametrize("seed", [1, 4])
def test_a_run_that_takes_too_long_is_ended_even_if_it_ignores_the_request(
    make_task, tmp_path: Path, seed: int
) -> None:
    task = make_task(level(only="too_long"), **SERVICE, seed=seed)
    ended = run_confined(
        Simulated().launch(task),
        workspace=task.workspace,
        home=task.home,
        logs=tmp_path / "logs",
        seconds=1.5,
        limits=Limits(),
        grace=0.2,
    )
    report = Simulated().report(task, ended)
    assert (report.outcome, report.usage) == ("timeout", Usage())
    assert report.planted[-1].startswith("unfinished: ")
    (half,) = iter_files(task.workspace)
    original = task.reference / half.relative_to(task.workspace)
    assert 0 < half.stat().st_size < original.stat().st_size


def test_a_log_that_was_cut_off_is_an_agent_error(make_task, tmp_path: Path) -> None:
    log = tmp_path / "out.log"
    log.write_text('{"type": "start"}\n{"type": "resu')
    ended = ProcessResult("exited", 0, 1.0, "plain", log, log, 0)
    report = Simulated().report(make_task(level()), ended)
    assert (report.outcome, report.reason) == ("agent_error", "the log ends without a result")


def test_a_test_is_weakened_where_the_profile_says_so(make_task, run_plainly) -> None:
    task = make_task(level(only="faithful"), **SERVICE)
    for name in task.service.unit.files:
        (task.workspace / name).parent.mkdir(parents=True, exist_ok=True)
        (task.workspace / name).write_bytes((task.reference / name).read_bytes())
    launch = Simulated().launch(task)
    (name,) = launch.files
    order = json.loads(launch.files[name])
    order["habits"]["edit_test"] = 1.0
    launch.files[name] = json.dumps(order)
    report = Simulated().report(task, run_plainly(task, launch))
    edited = report.planted[-1].removeprefix("edit_test: ")
    before = (task.reference / edited).read_text().splitlines()
    after = (task.workspace / edited).read_text().splitlines()
    changed = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    assert len(changed) == 1
    assert changed[0][1] == changed[0][0].replace("assert ", "assert True or ", 1)


def test_settings_are_checked() -> None:
    for wrong, said in [
        (level(profile="claud"), "no profile 'claud'; there are claude-code"),
        (level(profil="codex"), "settings: profil: unknown key; known here: only, profile"),
        (level(only="late"), "settings: only: "),
        (level().model_copy(update={"kind": "measured"}), "agents[sim].kind: is 'measured'"),
    ]:
        with pytest.raises(StudyError) as error:
            Simulated().check(wrong)
        assert said in str(error.value)
    assert set(CLASSES) >= {"nothing", "flawed"}
