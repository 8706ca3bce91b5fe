"""Limits of a whole experiment: what counts, when no further run starts, and how it goes on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from study.agents.protocol import Outcome, Usage
from study.attempts import _broken
from study.budget import spent_by
from study.cli import app
from study.experiment import Tally, run_experiment
from study.plan import resolve
from study.records.stages import Attempt, Evaluation, RunRecord

Design = Callable[..., Path]
PAID = "print('{\"cost\": 1.5}')"


def design_with(toy_design: Design, script: str, limits: str) -> Path:
    """Four replicates of one scripted agent in one scenario, without controls."""
    path = toy_design(script, extra="replicates: 4\n")
    text = path.read_text()
    program = str(path.with_name("agent.py"))
    text = text.replace(
        f'readable: ["{program}"]', f'readable: ["{program}"]\n      log: {{usage: {{cost_usd: cost}}}}'
    )
    text = text.replace("[incremental, clean_state]", "[incremental]")
    text = text.replace("{absent: 1, reference: 2}", "{absent: 0, reference: 0}")
    path.write_text(text.replace("limits: {", f"limits: {{{limits}, "))
    return path


def run(design: Path, folder: Path) -> Tally:
    return run_experiment(resolve(design), folder, jobs=1)


def record(
    agent: str, outcome: Outcome, cost: float | None, earlier: list[Attempt] | None = None
) -> RunRecord:
    generation = _broken("").model_copy(
        update={
            "outcome": outcome,
            "usage": Usage(cost_usd=cost),
            "wall_seconds": 1800.0,
            "earlier": earlier or [],
        }
    )
    return RunRecord(
        run_id="x", kind="measured", agent=agent, project="p", service="s", scenario="incremental",
        prompt="minimal", replicate=1, digest="", generation=generation, quality=None,
        evaluation=Evaluation(oracle="unit", suite="ran", wall_seconds=360.0),
    )  # fmt: skip


def test_what_a_run_has_used() -> None:
    failed = Attempt(outcome="infrastructure_error", reason="", wall_seconds=900.0, cost_usd=0.25)
    outage = Attempt(outcome="infrastructure_error", reason="", wall_seconds=900.0, cost_usd=None)
    spent = spent_by(record("a", "completed", 2.0, [failed, outage]), None)
    # 30 min of the agent, two times 15 before, 6 of the tests
    assert (spent.usd, spent.untold, round(spent.hours, 6)) == (2.25, 0, 1.1)


def test_a_cost_that_nobody_knows_is_not_zero() -> None:
    assert spent_by(record("a", "timeout", None), None).untold == 1
    assert spent_by(record("a", "timeout", None), 3.0).usd == 3.0
    assert spent_by(record("a", "infrastructure_error", None), 3.0).usd == 0.0
    assert spent_by(record("reference", "completed", None), 3.0).usd == 0.0
    assert spent_by(record("reference", "completed", None), None).untold == 0


def test_no_run_starts_once_the_money_is_spent_and_more_of_it_goes_on(
    toy_design: Design, tmp_path: Path
) -> None:
    folder = tmp_path / "results"
    tally = run(design_with(toy_design, PAID, "experiment_usd: 2"), folder)
    # 1.5 is below the limit, 3.0 is not
    assert (len(tally.done), tally.held_back, tally.exit_code) == (2, 2, 3)
    assert tally.limit == "limits.experiment_usd: 3.00 of 2 USD are spent; raise it to go on"
    assert len(run(design_with(toy_design, PAID, "experiment_usd: 2"), folder).done) == 0
    more = run(design_with(toy_design, PAID, "experiment_usd: 4"), folder)
    assert (more.already_done, len(more.done), more.held_back) == (2, 1, 1)
    rest = run(design_with(toy_design, PAID, "experiment_usd: 40"), folder)
    assert (rest.already_done, len(rest.done), rest.exit_code) == (3, 1, 0)


def test_what_is_done_again_is_paid_again(toy_design: Design, tmp_path: Path) -> None:
    first = design_with(toy_design, PAID, "experiment_usd: 2")
    run_experiment(resolve(first), tmp_path / "results", only=["*.r1"], jobs=1)
    again = run_experiment(resolve(first), tmp_path / "results", only=["*.r1"], redo=True, jobs=1)
    assert [attempt.cost_usd for attempt in again.done[0].generation.earlier] == [1.5]
    assert run(first, tmp_path / "results").held_back == 3


def test_hours_are_those_of_all_processes(toy_design: Design, tmp_path: Path) -> None:
    script = "import time\ntime.sleep(0.4)\n"
    tally = run(design_with(toy_design, script, "experiment_hours: 0.0001"), tmp_path / "results")
    assert (len(tally.done), tally.held_back) == (1, 3), "0.36 s are allowed, and one run takes more"
    assert "0.0001 h are used" in tally.limit


def test_an_unknown_cost_makes_the_limit_impossible_to_keep(toy_design: Design, tmp_path: Path) -> None:
    tally = run(design_with(toy_design, "pass", "experiment_usd: 5"), tmp_path / "results")
    assert (len(tally.done), tally.held_back) == (1, 3)
    assert "1 runs do not tell their cost" in tally.limit
    tally = run(design_with(toy_design, "pass", "experiment_usd: 5, agent_usd: 3"), tmp_path / "other")
    assert (len(tally.done), tally.held_back) == (2, 2), "counted with the most that they may have cost"


@pytest.mark.parametrize(("limit", "code"), [(2, 3), (20, 0)])
def test_the_command_says_so(toy_design: Design, tmp_path: Path, limit: int, code: int) -> None:
    design = design_with(toy_design, PAID, f"experiment_usd: {limit}")
    said = CliRunner().invoke(app, ["run", str(design), "--results", str(tmp_path / "r"), "--jobs", "1"])
    assert said.exit_code == code
    assert ("2 runs are not started: limits.experiment_usd: 3.00 of 2 USD" in said.output) == (code == 3)
