"""An extended design adds runs and changes none: the same ids and digests, or a refusal."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from synthetic import make_dataset

from study.design import DESIGNS, load_design
from study.plan import resolve
from study.planning.extend import Additions, extend, read_additions
from study.planning.unchanged import base_of, check_unchanged, write_extension
from study.projects import load_project
from study.records.dataset import load_dataset
from study.schema import StudyError

AGENT = {
    "name": "newcomer", "adapter": "simulated", "kind": "simulated", "model": "simulated-gpt-5",
    "settings": {"profile": "codex"},
}  # fmt: skip


def more(**levels) -> list[tuple[Additions, str]]:
    return [(Additions.model_validate(levels), "more.yaml")]


def test_a_second_replicate_leaves_every_run_as_it_was(tmp_path: Path) -> None:
    found = extend("demo", replicates=2)
    target = tmp_path / "folder" / "my.yaml"
    write_extension(found, "demo", target)
    old, new = resolve("demo", agents=False), resolve(target, agents=False)
    runs = [*old.design.runs(), *old.design.control_runs()]
    assert [old.digest(run) for run in runs] == [new.digest(run) for run in runs]
    assert {run.run_id for run in runs} < {
        run.run_id for run in [*new.design.runs(), *new.design.control_runs()]
    }
    added = {run.run_id for run in new.design.runs()} - {run.run_id for run in old.design.runs()}
    assert added == {run.run_id for run in found.added}
    assert len(added) == 144 and all(name.endswith(".r2") for name in added)
    assert found.by_agent == dict.fromkeys([agent.name for agent in old.design.agents], 48)
    assert not found.added_controls
    assert new.design.name == "demo"
    assert [path.name for path in target.parent.iterdir()] == ["my.yaml"]


def test_new_agents_scenarios_and_prompts_add_runs() -> None:
    found = extend("demo", replicates=2, additions=more(agents=[AGENT]))
    assert found.by_agent["newcomer"] == 96
    assert len(found.added) == 144 + 96
    assert set(load_design("demo").runs()) < set(found.extended.runs())
    assert "agent newcomer" in found.text


def test_a_new_project_adds_its_controls(toy_design, tmp_path: Path) -> None:
    base = toy_design()
    additions = more(projects=[{"name": "library-desk", "services": ["loan-service", "member-service"]}])
    found = extend(base, additions=additions)
    assert {(run.project, run.service) for run in found.added} == {
        ("library-desk", "loan-service"),
        ("library-desk", "member-service"),
    }
    assert len(found.added_controls) == 2 * 2 * 3
    target = tmp_path / "more.yaml"
    write_extension(found, base, target)
    assert check_unchanged(base, target) == len(found.base.runs()) + len(found.base.control_runs())


def test_services_are_added_to_a_project_that_is_there() -> None:
    base = load_design("paper")
    project = next(project for project in base.projects if project.name == "train-ticket")
    others = {service.name for service in load_project("train-ticket").project.targets} - {*project.services}
    added = sorted(others)[:2]
    found = extend("paper", additions=more(projects=[{"name": "train-ticket", "services": added}]))
    assert {run.service for run in found.added} == set(added)
    assert len(found.added) == len(added) * len(base.runs()) // 12
    assert [p.name for p in found.extended.projects] == [p.name for p in base.projects]


def test_a_design_whose_prompts_are_not_written_yet_can_be_extended(tmp_path: Path) -> None:
    write_extension(extend("paper", replicates=2), "paper", tmp_path / "twice.yaml")
    assert load_design(tmp_path / "twice.yaml").replicates == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"replicates": 1}, "nothing is added"),
        ({}, "nothing is added"),
        ({"replicates": 0}, "runs would be taken away"),
        ({"replicates": 5000}, "replicates: .*less than or equal to 1000"),
        (
            {"additions": more(agents=[AGENT | {"name": "simulated-codex"}])},
            "'simulated-codex' is in the design",
        ),
        ({"additions": more(prompts=["minimal"])}, "'minimal' is in the design already"),
        (
            {"additions": more(projects=[{"name": "library-desk", "services": ["loan-service"]}])},
            "'loan-service' is in the design already",
        ),
        (
            {"additions": more(projects=[{"name": "library-desk", "services": ["x"], "manifest": "m.yaml"}])},
            "another one would change its runs",
        ),
    ],
)
def test_what_would_change_runs_or_add_none_is_refused(arguments, message: str) -> None:
    with pytest.raises(StudyError, match=message):
        extend("demo", **arguments)


def test_fewer_replicates_would_take_runs_away(toy_design) -> None:
    with pytest.raises(StudyError, match="has 3, so runs would be taken away; give 3 or more"):
        extend(toy_design(extra="replicates: 3"), replicates=2)


@pytest.mark.parametrize("field", ["seed: 3", "limits: {agent_seconds: 5}", "replicates: 2", "name: other"])
def test_additions_cannot_name_what_changes_runs(tmp_path: Path, field: str) -> None:
    path = tmp_path / "more.yaml"
    path.write_text(field)
    with pytest.raises(StudyError, match="unknown key; known here: agents, projects, prompts, scenarios"):
        read_additions(path)


def test_unknown_levels_are_named_and_nothing_is_written(tmp_path: Path) -> None:
    found = extend("demo", additions=more(projects=[{"name": "nowhere", "services": ["x"]}]))
    with pytest.raises(StudyError, match="no manifest for project 'nowhere'"):
        write_extension(found, "demo", tmp_path / "my.yaml")
    assert list(tmp_path.iterdir()) == []


def test_existing_files_are_kept(tmp_path: Path) -> None:
    target = tmp_path / "my.yaml"
    target.write_text("mine")
    with pytest.raises(StudyError, match="exists already"):
        write_extension(extend("demo", replicates=2), "demo", target)
    assert target.read_text() == "mine"
    with pytest.raises(StudyError, match="a design is a .yaml file"):
        write_extension(extend("demo", replicates=2), "demo", tmp_path / "my.txt")


def test_a_design_with_relative_paths_stays_in_its_folder(toy_design, tmp_path: Path) -> None:
    base = toy_design(prompts="[minimal, terse.md]")
    (tmp_path / "terse.md").write_text("Write {{ service }}.")
    found = extend(base, replicates=2)
    with pytest.raises(StudyError, match="names terse.md relative to its own folder"):
        write_extension(found, base, tmp_path / "elsewhere" / "new.yaml")
    write_extension(found, base, tmp_path / "new.yaml")
    assert check_unchanged(base, tmp_path / "new.yaml") == 4 + 6


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": 7}, "determinants differ"),
        ({"limits": {"agent_seconds": 11}}, "determinants differ"),
        ({"prompts": ["minimal"]}, "is missing"),
        ({"name": "other"}, "its runs stand elsewhere"),
        ({"replicates": 4}, None),
    ],
)
def test_any_two_designs_are_compared_run_by_run(tmp_path: Path, change, message: str | None) -> None:
    raw = yaml.safe_load((DESIGNS / "demo.yaml").read_text())
    path = tmp_path / "changed.yaml"
    path.write_text(yaml.safe_dump(raw | change))
    if message is None:
        assert check_unchanged("demo", path) == 144 + 96
    else:
        with pytest.raises(StudyError, match=message):
            check_unchanged("demo", path)


def test_the_design_of_a_dataset(tmp_path: Path) -> None:
    data = load_dataset("demo")
    assert base_of(data, None) == "demo"
    with pytest.raises(StudyError, match="paper: is not the design of dataset 'demo': 144 of its 144 runs"):
        base_of(data, "paper")
    with pytest.raises(StudyError, match="no design of that name.*say with --design"):
        base_of(make_dataset(tmp_path / "toy"), None)


def test_added_paths_are_relative_to_the_new_design(tmp_path: Path) -> None:
    found = extend("demo", additions=more(prompts=["terse.md"]))
    with pytest.raises(StudyError, match="terse.md"):
        write_extension(found, "demo", tmp_path / "new.yaml")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "terse.md").write_text("Write {{ service }}.")
    write_extension(found, "demo", tmp_path / "new.yaml")
    assert len(load_design(tmp_path / "new.yaml").runs()) == 144 + 72
