"""`study plan` from end to end: what it prints, in every format, and what it refuses."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pandas as pd
import pytest
from synthetic import make_dataset
from typer.testing import CliRunner

from study.cli import app
from study.experiment import run_experiment
from study.plan import resolve
from study.planning import extend, write_extension
from study.schema import StudyError

QUICK = ["--studies", "200"]


def said(*arguments: str) -> str:
    done = CliRunner().invoke(app, ["plan", *arguments, *QUICK])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.stdout


def test_the_demo_as_a_table() -> None:
    text = said("demo", "--jobs", "2")
    assert "Designs, to find +10 points of the scenario (SIMULATED planning numbers)" in text
    assert "(from SIMULATED runs)" in text
    assert re.search(r"To find \+10 points of the scenario, twice the 144 runs .*: \d+ runs\.", text)
    assert re.search(r"Should the effect differ between services by 10 points \(sd\)", text)
    assert "time and cost are made up" in text


def test_designs_as_csv() -> None:
    text = said("demo", "--format", "csv", "--services", "12,24", "--replicates", "1,3", "--agents", "2,3")
    table = pd.read_csv(io.StringIO(text))
    assert len(table) == 8
    assert set(table["kind"]) == {"simulated"}
    assert table["runs"].tolist() == (table["services"] * table["replicates"] * table["agents"] * 4).tolist()
    assert table["power_t"].between(0, 1).all()


def test_everything_as_json() -> None:
    found = json.loads(said("demo", "--format", "json", "--effect", "-15", "--factor", "prompt"))
    assert found["kind"] == "simulated"
    assert found["question"] == {"factor": "prompt", "effect": -15.0, "power": 0.8}
    assert found["model"]["services"] == 12
    assert [row["agent"] for row in found["costs"]][-1] == "all"
    assert len(found["designs"]) == 9 and len(found["advice"]) == 2


def test_assumptions_without_a_dataset(tmp_path: Path) -> None:
    model = tmp_path / "model.yaml"
    model.write_text("name: mine\nservices: 8\nprojects: 4\nscenario_sd: 1.0\n")
    found = json.loads(said("--model", str(model), "--format", "json"))
    assert (found["dataset"], found["costs"], found["assumed"]) == ("mine", [], [])
    assert found["notes"] == ["assumed, not fitted to any runs"]
    # the effect differs much between services, so that replicates hardly help
    assert "replicates add little, projects add much" in found["advice"][0]


def test_assumptions_with_the_costs_of_a_dataset(tmp_path: Path) -> None:
    model = tmp_path / "model.yaml"
    model.write_text("name: mine\nagents: 1\n")
    found = json.loads(said("demo", "--model", str(model), "--format", "json", "--jobs", "2"))
    best = min(found["needed"], key=lambda row: row["runs"])
    (claude, total) = found["costs"]
    assert (claude["agent"], claude["runs"], total["runs"]) == ("simulated-claude-code", *[best["runs"]] * 2)
    assert claude["wall_hours"] == pytest.approx(claude["hours"] / 2)
    # 8.04375 min is the mean time of its runs in the demo
    assert claude["hours"] == pytest.approx(best["runs"] * 8.04375 / 60)


def test_a_spread_that_is_given_makes_replicates_worth_less() -> None:
    narrow, wide = (
        pd.read_csv(io.StringIO(said("demo", "--format", "csv", "--replicates", "1,3", *more)))
        for more in ([], ["--spread", "20"])
    )
    gains = [
        table.loc[1, "half_width_points"] / table.loc[0, "half_width_points"] for table in (narrow, wide)
    ]
    assert gains[0] < 0.65 < 0.8 < gains[1]


def test_the_extended_design_is_written_with_its_cost(tmp_path: Path) -> None:
    target = tmp_path / "my.yaml"
    text = said("demo", "--replicates", "2", "--out", str(target))
    assert "Cost of the added runs (from SIMULATED runs)" in text
    assert "The extended design has 288 runs: 144 more, and 0 more control runs" in text
    assert len(resolve(target, agents=False).design.runs()) == 288


def test_only_the_added_runs_are_run(toy_design, tmp_path: Path) -> None:
    base = toy_design(extra="replicates: 1")
    results = tmp_path / "results"
    first = run_experiment(resolve(base), results, jobs=2)
    target = tmp_path / "twice.yaml"
    write_extension(extend(base, replicates=2), base, target)
    then = run_experiment(resolve(target), results, jobs=2)
    assert then.already_done == len(first.done) == 2 + 6
    assert sorted(record.run_id for record in then.done) == [
        "scripted.toy.greeter.clean_state.minimal.r2",
        "scripted.toy.greeter.incremental.minimal.r2",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give a dataset to plan from, or --model FILE"),
        (["nowhere"], "no dataset 'nowhere'"),
        (["demo", "--services", "12,x"], "--services: '12,x': give whole numbers"),
        (["demo", "--services=-12"], "--services: -12: give numbers from 2 to 2000"),
        (["demo", "--replicates", "0"], "--replicates: 0"),
        (["demo", "--effect", "0"], "--effect: 0 points"),
        (["demo", "--effect", "90"], "do not fit on the scale"),
        (["demo", "--power", "80"], "--power: 80"),
        (["demo", "--factor", "agent", "--agents", "1"], "one agent: agents cannot be compared"),
        (["demo", "--jobs", "0"], "--jobs: 0"),
        (["demo", "--format", "xml"], "--format: 'xml'"),
        (["demo", "--spread=-3"], "--spread: -3"),
        (["demo", "--spread", "10", "--factor", "agent"], "--spread: is of the scenario or the prompt"),
        (["demo", "--design", "paper"], "is not the design of dataset 'demo'"),
        (["demo", "--replicates", "1,2", "--out", "new.yaml"], "a design has one number of replicates"),
        (["demo", "--out", "new.yaml"], "nothing is added"),
        (["demo", "--model", "nowhere.yaml"], "nowhere.yaml: cannot be read"),
    ],
)
def test_mistakes_are_one_message(arguments: list[str], message: str) -> None:
    with pytest.raises(StudyError, match=re.escape(message)):
        said(*arguments)
    assert not Path("new.yaml").exists()


@pytest.mark.parametrize(
    ("case", "factor", "message"),
    [
        ({"projects": ["toy-red"], "services": ["alpha-service"]}, "scenario", "1 service with a pass rate"),
        ({"agents": ["solo"]}, "agent", "has one agent"),
        ({"agents": ["solo"], "services": ["alpha-service"], "passed": 7}, "scenario", "all rates are 70 %"),
        ({"passed": -1}, "scenario", "no run has a pass rate"),
        ({"scenarios": ["incremental"]}, "scenario", "has one scenario only"),
    ],
)
def test_datasets_that_give_no_plan_are_refused(tmp_path: Path, case, factor: str, message: str) -> None:
    make_dataset(tmp_path / "toy", **case)
    with pytest.raises(StudyError, match=re.escape(message)):
        said(str(tmp_path / "toy"), "--factor", factor)
