"""Workspaces of the real Java systems; skipped where they have not been fetched."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from study.files import iter_files, snapshot
from study.projects import check_tree, load_project
from study.scenarios import SCENARIOS, prepare
from study.scenarios.java_edits import check_java
from study.schema import StudyError

TARGETS = [
    (name, target.name)
    for name in ("piggymetrics", "teamsync", "train-ticket")
    for target in load_project(name).project.targets
]


def test_all_targets_of_the_paper_and_of_the_authors_prompts_are_there() -> None:
    assert len(TARGETS) == 3 + 3 + 6


@pytest.mark.parametrize(("project", "service"), TARGETS)
def test_clean_state_leaves_no_trace_and_nothing_broken(project: str, service: str, tmp_path: Path) -> None:
    loaded = load_project(project)
    try:
        tree = check_tree(loaded)
    except StudyError as error:
        pytest.skip(str(error))
    target = loaded.service(service)
    done = prepare(loaded.project, target, SCENARIOS["clean_state"], tree, tmp_path / "w")
    before, after = snapshot(tree), snapshot(tmp_path / "w")
    # all but what was edited, hidden or removed is byte for byte the original
    changed = {path for path in after if after[path] != before[path]}
    assert changed == set(done.edited_files) & set(after)
    for path in iter_files(tmp_path / "w"):
        if path.relative_to(tmp_path / "w").as_posix() not in changed:
            continue
        if path.suffix == ".java":
            check_java(path.read_text(encoding="utf-8"))
        elif path.suffix == ".xml":
            ElementTree.parse(path)


@pytest.mark.parametrize(
    ("target", "other"),
    [
        ("ts-order-service", "ts-admin-order-service"),
        ("ts-order-service", "ts-order-other-service"),
        ("ts-payment-service", "ts-inside-payment-service"),
        ("ts-preserve-service", "ts-preserve-other-service"),
    ],
)
def test_a_name_within_another_does_no_damage(target: str, other: str, tmp_path: Path) -> None:
    loaded = load_project("train-ticket")
    try:
        tree = check_tree(loaded)
    except StudyError as error:
        pytest.skip(str(error))
    prepare(loaded.project, loaded.service(target), SCENARIOS["clean_state"], tree, tmp_path / "w")
    for file in ("pom.xml", "docker-compose.yml", "ts-gateway-service/src/main/resources/application.yml"):
        old, new = ((root / file).read_text().count(other) for root in (tree, tmp_path / "w"))
        assert old == new > 0
    assert (tmp_path / "w" / other / "pom.xml").is_file()
