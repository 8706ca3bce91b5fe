from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import yaml

from study.projects import check_tree, list_projects, load_project
from study.projects.loading import LoadedProject, tree_digest
from study.schema import StudyError

TOY = Path(__file__).parents[1] / "toy.yaml"


def changed(tmp_path: Path, old: str, new: str) -> Path:
    text = TOY.read_text()
    assert old in text
    path = tmp_path / "toy.yaml"
    path.write_text(text.replace(old, new))
    shutil.copytree(TOY.parent / "toy", tmp_path / "toy")
    return path


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "directory: services/greeter",
            "directory: services/greter",
            "services.greeter.directory: no such file",
        ),
        ("tests/test_rules.py", "tests/test_rule.py", "services.greeter.unit.files: no such file"),
        ("tests/test_ring.py", "tests/test_rang.py", "services.greeter.integration.files: no such file"),
        ("config/routes.yaml", "config/route.yaml", "services.greeter.clean_state: no such file"),
        ("requirements: README.md", "requirements: READ.md", "requirements: no such file"),
        ("consumers: [porch]", "consumers: [perch]", "unknown service 'perch'"),
        ("unit: {files: [services/greeter/tests/test_rules.py]}", "unit: {}", "at least one unit test file"),
        ("source: {path: toy}", "source: {path: tay}", "source: no folder"),
        ("directory: services/greeter", "directory: services/greeter/rules.py", "is a file, not a folder"),
        ("{files: [services/greeter/tests/test_rules.py]}", "{files: [services]}", "is a folder, not a file"),
        ("    target: true", "    target: true\n    exclude: ['**']", "matches all of services/greeter"),
        ("    target: true", "    target: true\n    exclude: []", "does not match the test file"),
    ],
)
def test_what_the_tree_lacks_is_named(tmp_path: Path, old: str, new: str, expected: str) -> None:
    with pytest.raises(StudyError) as caught:
        check_tree(load_project("toy", changed(tmp_path, old, new)))
    assert expected in str(caught.value)
    assert "toy.yaml" in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("name: toy", "name: tay", "is 'tay', but the design calls the project 'toy'"),
        ("    target: true", "    taget: true", "taget: unknown key; known here: aliases"),
        ("source: {path: toy}", "source: {path: toy, embedded: x}", "exactly one of embedded"),
        ("source: {path: toy}", "source: {}", "exactly one of embedded"),
        ("- name: porch", "- name: greeter", "duplicate service 'greeter'"),
        ("directory: services/porch", "directory: /services/porch", "directory"),
        ("directory: services/greeter", "directory: services/../..", "without `..`"),
        ("directory: services/greeter", "directory: .", "must be a path below"),
        ("file: config/routes.yaml", "file: a/../../../routes.yaml", "without `..`"),
        ("files: [tests/test_ring.py]", "files: [/etc/passwd]", "must be a path below the project"),
        ("- name: porch", "- name: ../porch", "services.1.name"),
        ('remove_key: "routes[service=greeter]"', "delete: true, replace: x", "exactly one of delete"),
    ],
)
def test_mistakes_in_a_manifest_are_named(tmp_path: Path, old: str, new: str, expected: str) -> None:
    with pytest.raises(StudyError) as caught:
        load_project("toy", changed(tmp_path, old, new))
    assert expected in str(caught.value)


def test_all_that_is_missing_is_named_at_once(tmp_path: Path) -> None:
    path = changed(tmp_path, "tests/test_ring.py", "tests/none.py")
    path.write_text(path.read_text().replace("requirements: README.md", "requirements: NONE.md"))
    with pytest.raises(StudyError) as caught:
        check_tree(load_project("toy", path))
    assert len(str(caught.value).splitlines()) == 2


def test_a_service_that_is_no_target(toy: LoadedProject) -> None:
    with pytest.raises(StudyError, match="no target service 'porch'; its targets are greeter"):
        toy.service("porch")


def test_every_manifest_of_the_package_is_valid() -> None:
    names = list_projects()
    assert len(names) == 9
    for name in names:
        loaded = load_project(name)
        assert len(loaded.project.targets) == (6 if name == "train-ticket" else 3), name
        if loaded.project.source.embedded:
            check_tree(loaded)
            assert loaded.project.reference == "reference_implementation"
            assert len(loaded.project.services) >= 4
        else:
            assert loaded.project.source.repository == "sa4s-serc/microservices"


def test_a_project_that_was_not_fetched_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STUDY_CACHE", str(tmp_path))
    with pytest.raises(StudyError, match="study projects fetch project-management"):
        check_tree(load_project("project-management"))


@pytest.mark.parametrize("name", ["library-desk", "market-hall", "parcel-post", "clinic-rota"])
def test_compose_names_every_service_of_a_demo(name: str) -> None:
    loaded = load_project(name)
    compose = yaml.safe_load((check_tree(loaded) / "compose.yaml").read_text())
    assert len(compose["services"]) == len(loaded.project.services)


def test_digest_changes_with_content_and_path(tmp_path: Path) -> None:
    digests = set()
    for path, text in (("a", "1"), ("a", "2"), ("b", "2")):
        shutil.rmtree(tmp_path / "t", ignore_errors=True)
        (tmp_path / "t").mkdir()
        (tmp_path / "t" / path).write_text(text)
        digests.add(tree_digest(tmp_path / "t"))
    assert len(digests) == 3


def test_a_target_behind_a_link_is_refused(tmp_path: Path) -> None:
    # a copy without links would leave the code under its other name
    path = changed(tmp_path, "The doorbell", "A doorbell")
    (tmp_path / "toy/services/greeter").rename(tmp_path / "toy/greeting")
    (tmp_path / "toy/services/greeter").symlink_to("../greeting")
    with pytest.raises(StudyError, match=r"greeter\.directory: is a symbolic link"):
        check_tree(load_project("toy", path))
