from __future__ import annotations

from pathlib import Path

import pytest

from study.evaluation import assemble, harvest
from study.evaluation.harvest import MAX_FILE_BYTES, Harvest, diff_against, project_test_files
from study.files import snapshot
from study.projects import check_tree
from study.projects.loading import LoadedProject
from study.scenarios import SCENARIOS, prepare

TESTS = ["services/greeter/tests/test_rules.py", "tests/test_ring.py"]


@pytest.fixture
def workspace(toy: LoadedProject, tmp_path: Path) -> Path:
    prepare(toy.project, toy.service("greeter"), SCENARIOS["incremental"], check_tree(toy), tmp_path / "w")
    return tmp_path / "w"


def take(toy: LoadedProject, workspace: Path, before: dict[str, str]) -> Harvest:
    tests = project_test_files(check_tree(toy), TESTS)
    return harvest(toy.service("greeter"), tests, before, workspace, workspace.parent / "generated")


def test_what_was_written_where(toy: LoadedProject, workspace: Path) -> None:
    before = snapshot(workspace)
    target = workspace / "services/greeter"
    (target / "rules.py").write_text("x = 1\n")
    (target / "deep/er").mkdir(parents=True)
    (target / "deep/er/data.bin").write_bytes(b"\xff\xfe")
    (target / "tests/test_rules.py").write_text("def test_ok(): pass\n")
    (target / "tests/test_more.py").write_text("def test_ok(): pass\n")
    (workspace / "services/porch/bell.py").unlink()
    (workspace / "tests/conftest.py").write_text("x")
    taken = take(toy, workspace, before)
    assert taken.written == ["services/greeter/deep/er/data.bin", "services/greeter/rules.py"]
    assert taken.test_edits == ["services/greeter/tests/test_more.py", "services/greeter/tests/test_rules.py"]
    assert taken.elsewhere == ["services/porch/bell.py", "tests/conftest.py"]
    assert set(snapshot(workspace.parent / "generated")) == {"rules.py", "deep/er/data.bin"}
    diff = diff_against(check_tree(toy), workspace, taken.test_edits)
    assert "+def test_ok(): pass" in diff
    assert "-def test_too_long():" in diff


def test_links_and_giants_are_refused(toy: LoadedProject, workspace: Path) -> None:
    before = snapshot(workspace)
    target = workspace / "services/greeter"
    (target / "out.py").symlink_to("/etc/hostname")
    (target / "folder").symlink_to("/etc")
    with (target / "giant.py").open("wb") as stream:
        stream.truncate(MAX_FILE_BYTES + 1)
    taken = take(toy, workspace, before)
    assert taken.written == []
    assert [line.split(": ")[0].rsplit("/", 1)[1] for line in taken.refused] == [
        "folder",
        "giant.py",
        "out.py",
    ]
    assert not list((workspace.parent / "generated").iterdir())


def test_target_directory_replaced_by_a_link(toy: LoadedProject, workspace: Path, tmp_path: Path) -> None:
    before = snapshot(workspace)
    outside = tmp_path / "outside"
    (workspace / "services/greeter").rename(outside)
    (outside / "rules.py").write_text("stolen")
    (workspace / "services/greeter").symlink_to(outside)
    taken = take(toy, workspace, before)
    assert taken.written == []
    assert taken.elsewhere == ["services/greeter"]


def test_assembly_restores_all_but_the_target(toy: LoadedProject, tmp_path: Path) -> None:
    tree = check_tree(toy)
    generated = tmp_path / "generated"
    (generated / "tests").mkdir(parents=True)
    (generated / "rules.py").write_text("new\n")
    (generated / "tests/test_rules.py").write_text("forged\n")
    (generated / "conftest.py").write_text("forged\n")
    assemble(toy.service("greeter"), tree, generated, tmp_path / "system")
    old, new = snapshot(tree), snapshot(tmp_path / "system")
    changed = {path for path in old.keys() | new.keys() if old.get(path) != new.get(path)}
    assert changed == {"services/greeter/rules.py", "services/greeter/__init__.py"}
    assert (tmp_path / "system/services/greeter/rules.py").read_text() == "new\n"
