from __future__ import annotations

import ast
import subprocess
from pathlib import Path

import pytest
import yaml

from study.files import iter_files
from study.projects import check_tree, load_project
from study.projects.loading import LoadedProject
from study.projects.manifest import Edit
from study.scenarios import SCENARIOS, LeakError, prepare
from study.scenarios.aliases import trace_pattern

DEMO = ["library-desk", "market-hall", "parcel-post", "clinic-rota"]
TARGETS = [(name, target.name) for name in DEMO for target in load_project(name).project.targets]


def names(workspace: Path) -> set[str]:
    return {path.relative_to(workspace).as_posix() for path in iter_files(workspace)}


def test_incremental_takes_the_code_and_nothing_else(toy: LoadedProject, tmp_path: Path) -> None:
    tree = check_tree(toy)
    done = prepare(toy.project, toy.service("greeter"), SCENARIOS["incremental"], tree, tmp_path / "w")
    assert done.removed_files == ["services/greeter/__init__.py", "services/greeter/rules.py"]
    assert names(tree) - names(tmp_path / "w") == set(done.removed_files)
    assert (tmp_path / "w/services/greeter/tests/test_rules.py").is_file()


def test_clean_state_takes_every_trace(toy: LoadedProject, tmp_path: Path) -> None:
    service = toy.service("greeter")
    done = prepare(toy.project, service, SCENARIOS["clean_state"], check_tree(toy), tmp_path / "w")
    assert done.hidden_tests == ["services/greeter/tests/test_rules.py", "tests/test_ring.py"]
    assert done.edited_files == ["config/routes.yaml", "services/porch/bell.py"]
    assert not (tmp_path / "w/services/greeter").exists()
    assert yaml.safe_load((tmp_path / "w/config/routes.yaml").read_text()) == {
        "routes": [{"service": "porch", "path": "/ring"}]
    }
    assert "greet" not in (tmp_path / "w/services/porch/bell.py").read_text()
    assert done.allowed_traces == ["README.md:3", "README.md:4"]


def test_workspace_is_one_commit_with_a_constant_id(toy: LoadedProject, tmp_path: Path) -> None:
    heads = set()
    for name in ("a", "b"):
        prepare(
            toy.project, toy.service("greeter"), SCENARIOS["clean_state"], check_tree(toy), tmp_path / name
        )
        log = subprocess.run(
            ["git", "log", "--all", "--format=%H"],
            cwd=tmp_path / name,
            capture_output=True,
            text=True,
            check=True,
        )
        heads.add(log.stdout)
        status = subprocess.run(
            ["git", "status", "--porcelain"], cwd=tmp_path / name, capture_output=True, text=True, check=True
        )
        assert status.stdout == ""
    assert len(heads) == 1
    assert len(heads.pop().split()) == 1


def test_a_trace_left_fails_and_is_named(toy: LoadedProject, tmp_path: Path) -> None:
    service = toy.service("greeter")
    sloppy = service.model_copy(update={"clean_state": service.clean_state[:1]})
    with pytest.raises(LeakError, match=r"services/porch/bell.py:13: greet"):
        prepare(toy.project, sloppy, SCENARIOS["clean_state"], check_tree(toy), tmp_path / "w")


def test_a_trace_in_a_binary_file_or_a_path_is_found(toy: LoadedProject, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    prepare(
        toy.project, toy.service("greeter"), SCENARIOS["incremental"], check_tree(toy), tree
    )  # any copy will do
    (tree / "logo.bin").write_bytes(b"\xff\x00 greeter \x00")
    (tree / "greeter.txt").write_text("empty")
    service = toy.service("greeter").model_copy(
        update={
            "clean_state": [
                *toy.service("greeter").clean_state,
                Edit(file="services/__init__.py", delete=True),
            ]
        }
    )
    with pytest.raises(LeakError) as caught:
        prepare(toy.project, service, SCENARIOS["clean_state"], tree, tmp_path / "w")
    assert "logo.bin:1: greeter" in str(caught.value)
    assert "greeter.txt: the path itself" in str(caught.value)


def test_a_copy_of_removed_code_elsewhere_fails(toy: LoadedProject, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    source = check_tree(toy)
    prepare(toy.project, toy.service("greeter"), SCENARIOS["incremental"], source, tree)
    code = (source / "services/greeter/rules.py").read_text()
    (tree / "services/greeter/rules.py").write_text(code)
    (tree / "backup").mkdir()
    (tree / "backup/old.py").write_text(code)
    with pytest.raises(LeakError, match="backup/old.py"):
        prepare(toy.project, toy.service("greeter"), SCENARIOS["incremental"], tree, tmp_path / "w")


@pytest.mark.parametrize(("project", "service"), TARGETS)
def test_demo_targets_leave_no_trace(project: str, service: str, tmp_path: Path) -> None:
    loaded = load_project(project)
    target = loaded.service(service)
    done = prepare(loaded.project, target, SCENARIOS["clean_state"], check_tree(loaded), tmp_path / "w")
    pattern = trace_pattern(target)
    allowed = {entry.rsplit(":", 1)[0] for entry in done.allowed_traces}
    assert allowed <= {loaded.project.requirements, *target.allowed_traces}
    for path in iter_files(tmp_path / "w"):
        relative = path.relative_to(tmp_path / "w").as_posix()
        text = path.read_text(encoding="utf-8")
        assert relative in allowed or not pattern.search(text)
        if path.suffix == ".py":
            ast.parse(text)
        elif path.suffix in {".yaml", ".yml"}:
            yaml.safe_load(text)
