"""Services generated elsewhere are scored with the original tests, and what nobody recorded is missing."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from study.cli import app
from study.importing.services import find_list, prepare_import
from study.plan import validate
from study.records.dataset import Dataset, load_dataset
from study.schema import StudyError, parse, read_yaml

TESTS = Path(__file__).parents[1]
ORIGINAL = TESTS / "toy" / "services" / "greeter"
WRONG = "def greet(name, hour):\n    return 'Good morning, ' + name\n"


def write_list(folder: Path, services: list[dict], **more: object) -> Path:
    path = folder / "theirs.yaml"
    manifests = {"toy": str(TESTS / "toy.yaml")}
    path.write_text(
        yaml.safe_dump(
            {"name": "theirs", "title": "Theirs", "manifests": manifests, "services": services, **more}
        )
    )
    return path


def entry(**changes: object) -> dict:
    run = {
        "agent": "them",
        "project": "toy",
        "service": "greeter",
        "scenario": "incremental",
        "prompt": "minimal",
    }
    return run | changes


def study_import(listing: Path, out: Path, *options: str) -> str:
    done = CliRunner().invoke(app, ["import", "services", str(listing), "--out", str(out), *options])
    assert done.exit_code == 0, done.output + repr(done.exception)
    return done.output


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> tuple[Dataset, Path, str]:
    """Three services: the original, a wrong one that changed the tests, and one that does not import."""
    folder = tmp_path_factory.mktemp("import")
    shutil.copytree(ORIGINAL, folder / "right")
    shutil.copytree(ORIGINAL, folder / "wrong")
    (folder / "wrong" / "rules.py").write_text(WRONG)
    (folder / "wrong" / "tests" / "test_rules.py").write_text("def test_all_is_well():\n    assert True\n")
    (folder / "broken").mkdir()
    (folder / "broken" / "rules.py").write_text("import no_such_module\n")
    listing = write_list(
        folder,
        [entry(folder="right"), entry(folder="wrong", replicate=2), entry(folder="broken", replicate=3)],
        models={"them": "a-model"},
    )
    said = study_import(listing, folder / "results")
    return load_dataset(folder / "results" / "dataset"), folder, said


def test_each_service_gets_its_score(imported: tuple[Dataset, Path, str]) -> None:
    runs = imported[0].runs.set_index("replicate")
    assert runs["pass_rate_percent"].to_dict() == {1: 100.0, 2: 25.0, 3: 0.0}
    assert runs["suite"].to_dict() == {1: "ran", 2: "ran", 3: "not_collected"}
    assert runs["test_edits"].to_dict() == {1: 0, 2: 1, 3: 0}, "a changed test file is put back"
    assert set(runs["kind"]) == {"measured"} and set(runs["model"]) == {"a-model"}


def test_what_nobody_recorded_is_missing_and_not_0(imported: tuple[Dataset, Path, str]) -> None:
    unknown = ["time_min", "cost_usd", "input_tokens", "output_tokens", "reasoning_tokens"]
    assert imported[0].runs[unknown].isna().all(axis=None)


def test_size_is_measured_beside_the_original(imported: tuple[Dataset, Path, str]) -> None:
    data = imported[0]
    sloc = data.quality.set_index("run_id")["sloc"]
    assert sloc["them.toy.greeter.incremental.minimal.r1"] == data.references["sloc"].iloc[0]
    assert sloc["them.toy.greeter.incremental.minimal.r2"] == 2


def test_only_the_listed_runs_and_their_controls_are_there(imported: tuple[Dataset, Path, str]) -> None:
    data, _, said = imported
    assert len(data.runs) == 3 and set(data.controls["scenario"]) == {"incremental"}
    assert "3 services; tables written to" in said


def test_a_second_import_does_nothing_twice_and_a_changed_file_is_scored_again(
    imported: tuple[Dataset, Path, str], tmp_path: Path
) -> None:
    listing = imported[1] / "theirs.yaml"
    assert "nothing to do" in study_import(listing, imported[1] / "results")
    (imported[1] / "wrong" / "rules.py").write_text((ORIGINAL / "rules.py").read_text())
    done = CliRunner().invoke(
        app, ["import", "services", str(listing), "--out", str(imported[1] / "results")]
    )
    assert done.exit_code != 0 and "--redo" in str(done.exception)


def test_services_from_a_commit(tmp_path: Path) -> None:
    repository = tmp_path / "mirror" / "they" / "theirs"
    shutil.copytree(ORIGINAL, repository / "deep" / "greeter")
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@localhost", "-C", str(repository)]
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "x"]):
        subprocess.run([*git, *arguments], check=True)
    commit = subprocess.run(
        [*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True
    ).stdout.strip()
    listing = write_list(tmp_path, [entry(commit=commit, folder="deep/greeter")], repository="they/theirs")
    prepared = prepare_import(listing, tmp_path / "results", tmp_path / "mirror")
    kept = tmp_path / "results" / "services" / "them" / "toy.greeter.incremental.minimal.r1" / "rules.py"
    assert prepared.services == 1 and kept.read_text() == (ORIGINAL / "rules.py").read_text()


@pytest.mark.parametrize(
    ("services", "said"),
    [
        (
            [entry(folder="nowhere"), entry(folder="empty", replicate=2)],
            "(?s)nowhere: no such folder.*empty: is empty",
        ),
        ([entry(folder="empty"), entry(folder="empty")], "is listed twice"),
        ([entry(folder="x", commit="a" * 40)], "names no repository"),
        ([entry(folder="x", commit="main")], "commit"),
        ([entry()], "folder"),
        ([], "at least 1"),
    ],
)
def test_lists_that_cannot_be_imported(tmp_path: Path, services: list[dict], said: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(StudyError, match=said):
        prepare_import(write_list(tmp_path, services), tmp_path / "results")
    assert not (tmp_path / "results" / "design.yaml").exists()


def test_unknown_list_and_unknown_service(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="there is authors"):
        find_list("nothing")
    shutil.copytree(ORIGINAL, tmp_path / "right")
    listing = write_list(tmp_path, [entry(folder="right", service="bell")])
    done = CliRunner().invoke(app, ["import", "services", str(listing), "--out", str(tmp_path / "results")])
    assert "no target service 'bell'" in str(done.exception)


def test_the_authors_list_is_valid(tmp_path: Path) -> None:
    from study.importing.services import ServiceList, _design

    found = parse(ServiceList, read_yaml(find_list("authors")), "authors")
    design = _design(found, find_list("authors"), tmp_path)
    assert len(design.runs()) == len(found.services) == 8
    path = tmp_path / "design.yaml"
    path.write_text(yaml.safe_dump(design.model_dump(mode="json", exclude_defaults=True)))
    assert {service.project for service in found.services} == set(validate(path).projects)
