"""The files around the code agree with each other and hold nothing that belongs elsewhere."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]


def tracked() -> list[Path]:
    try:
        done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout")
    return [ROOT / name for name in done.stdout.split("\0") if name and (ROOT / name).is_file()]


def locked() -> dict[str, str]:
    return dict(
        re.findall(r"^([a-z0-9][a-z0-9._-]*)==(\S+)", (ROOT / "requirements.lock").read_text(), re.MULTILINE)
    )


def canonical(requirement: str) -> str:
    return re.split(r"[<>=!~ ;\[]", requirement)[0].lower().replace("_", "-")


def test_lock_holds_every_requirement_with_hashes() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wanted = [*project["project"]["dependencies"], *project["dependency-groups"]["dev"]]
    assert {canonical(item) for item in wanted} <= set(locked())
    blocks = re.split(r"^(?=[a-z0-9])", (ROOT / "requirements.lock").read_text(), flags=re.MULTILINE)
    assert all("--hash=sha256:" in block for block in blocks if "==" in block.split("\n")[0])


def test_conda_environment_installs_the_lock_file() -> None:
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())
    python = next(item for item in environment["dependencies"] if str(item).startswith("python="))
    minimum = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
    assert python.removeprefix("python=") == minimum.removeprefix(">=")
    pip = next(item["pip"] for item in environment["dependencies"] if isinstance(item, dict))
    assert pip == ["--require-hashes", "-r requirements.lock"], "no version is stated twice"


def test_make_lists_its_targets() -> None:
    done = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True)
    for target in ("setup", "reproduce", "test", "lint", "types", "notebooks", "lab"):
        assert re.search(rf"^{target}\s+\S", done.stdout, re.MULTILINE), target


def test_citation_and_licences() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert (citation["version"], citation["license"]) == (project["version"], project["license"])
    assert (ROOT / "LICENSE").read_text().startswith("MIT License")
    assert "CC0" in (ROOT / "raw_data" / "LICENSE.md").read_text()


def test_nothing_names_a_registry_or_a_home() -> None:
    hosts = [
        "pypi" + ".org",
        "pythonhosted" + ".org",
        "npmjs" + ".org",
        "debian" + ".org",
        "repo1" + ".maven",
    ]
    homes = re.compile(r"(?<![A-Za-z0-9_.])/(?:home|Users|root)/[a-z]")
    for path in tracked():
        if path.suffix in {".png", ".svg"}:
            continue
        text = path.read_bytes().decode("utf-8", errors="replace")
        assert not [host for host in hosts if host in text], path
        assert not homes.search(text), path


def test_modules_stay_readable() -> None:
    long = {
        path.relative_to(ROOT).as_posix(): lines
        for path in tracked()
        if path.suffix == ".py" and "demo" not in path.parts and ROOT / "study" in path.parents
        if (lines := len(path.read_text().splitlines())) > 300
    }
    assert long == {}
