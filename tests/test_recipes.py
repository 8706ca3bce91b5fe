"""The recipes of the README, run as they stand there."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from study.records.dataset import Dataset, load_dataset

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def file_block(name: str) -> str:
    """The code block whose first line names the file."""
    found = [text for _, text in BLOCKS if text.startswith(f"# {name}\n")]
    assert len(found) == 1, name
    return found[0]


def change(pattern: str) -> dict[str, object]:
    """The design fields of an inline `field: value` of a recipe."""
    found = re.findall(rf"in the design `({pattern}: .*?)`", README)
    assert len(found) == 1, pattern
    return dict(yaml.safe_load(found[0]))


@pytest.fixture
def place(tmp_path: Path) -> Path:
    for name in ("my.yaml", "my-agent.sh", "blind.py", "marks.py", "my-system.yaml"):
        (tmp_path / name).write_text(file_block(name))
    return tmp_path


def study(place: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "study", *arguments], cwd=place, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def with_change(place: Path, changed: dict[str, object]) -> Dataset:
    """Run the README's design with one field changed; only one repeat of the controls, for time."""
    design = yaml.safe_load((place / "my.yaml").read_text())
    design |= {"controls": {"absent": 1, "reference": 1}, **changed}
    (place / "my.yaml").write_text(yaml.safe_dump(design))
    study(place, "run", "my.yaml")
    study(place, "collect", "my.yaml")
    return load_dataset(place / "results" / "my" / "dataset")


def test_services_from_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "theirs.yaml").write_text(file_block("theirs.yaml"))
    original = ROOT / "study" / "projects" / "demo" / "library-desk" / "services" / "loan_service"
    shutil.copytree(original, tmp_path / "loans")
    study(tmp_path, "import", "services", "theirs.yaml")
    data = load_dataset(tmp_path / "results" / "theirs" / "dataset")
    assert data.runs["pass_rate_percent"].equals(data.runs["ceiling_percent"]), "the original itself"
    assert data.runs[["time_min", "cost_usd", "input_tokens"]].isna().all(axis=None)


def test_an_agent_and_a_design(place: Path) -> None:
    commands = next(text for _, text in BLOCKS if text.startswith("study run my.yaml"))
    for line in commands.splitlines():
        study(place, *line.split("#")[0].split()[1:])
    data = load_dataset(place / "results" / "my" / "dataset")
    run = data.runs.iloc[0]
    assert (run["kind"], run["outcome"], run["files_written"], run["files_elsewhere"]) == (
        "measured",
        "completed",
        1,
        1,
    )
    assert (run["tests_passed"], run["suite"]) == (0, "not_collected")
    assert len(data.controls) == 4
    assert (place / "results" / "my" / "report" / "index.html").is_file()


def test_a_prompt(place: Path) -> None:
    command = next(text for _, text in BLOCKS if "terse.md" in text)
    subprocess.run(["sh", "-c", command], cwd=place, check=True)
    data = with_change(place, change("prompts"))
    assert list(data.runs["prompt"]) == ["minimal", "terse"]
    prompt = place / "results" / "my" / data.runs["run_id"].iloc[1] / "prompt.txt"
    assert (
        prompt.read_text()
        == "Write loan-service in services/loan_service. Read docs/requirements.md first.\n"
    )


def test_a_scenario(place: Path) -> None:
    data = with_change(place, change("scenarios"))
    assert list(data.runs["scenario"]) == ["incremental", "no_tests"]
    record = place / "results" / "my" / data.runs["run_id"].iloc[1] / "run.json"
    assert (
        "tests/unit/test_lending.py"
        in yaml.safe_load(record.read_text())["generation"]["manipulation"]["hidden_tests"]
    )


def test_a_metric(place: Path) -> None:
    before = with_change(place, {})
    assert before.metrics.empty
    design = yaml.safe_load((place / "my.yaml").read_text()) | change("metrics")
    (place / "my.yaml").write_text(yaml.safe_dump(design))
    study(place, "measure", "my.yaml")
    study(place, "collect", "my.yaml")
    after = load_dataset(place / "results" / "my" / "dataset")
    assert after.metrics.set_index("run_id")["value"][before.runs["run_id"].iloc[0]] == 0
    assert set(after.metrics["metric"]) == {"todo_marks"}


def test_the_next_study(place: Path) -> None:
    (place / "assumed.yaml").write_text(file_block("assumed.yaml"))
    for start in ("study plan demo ", "study plan --model"):
        for line in next(text for _, text in BLOCKS if text.startswith(start)).splitlines():
            study(place, *line.split("#")[0].split()[1:])
    assert (place / "twice.yaml").is_file()


def test_a_project(place: Path) -> None:
    shutil.copytree(ROOT / "tests" / "toy", place / "my-system")
    (place / "my-agent.sh").write_text("mkdir -p services/greeter; echo x = 1 > services/greeter/rules.py\n")
    data = with_change(place, {**change("projects"), "scenarios": ["incremental", "clean_state"]})
    references = data.references.set_index("scenario")
    assert references["tests_reference"].to_dict() == {"incremental": 4, "clean_state": 2}
    assert set(references["reference"]) == {"human_baseline"}
    assert list(data.runs["outcome"]) == ["completed", "completed"]


def test_runs_from_elsewhere(place: Path) -> None:
    (place / "mapping.yaml").write_text(file_block("mapping.yaml"))
    rows = ["Tool,System,Service,Config,passed,total,Duration,USD"]
    rows += [
        f"CC,PiggyMetrics,{service},{config},9,{10 + i},300,1.5"
        for i, service in enumerate(("account", "notification", "statistics"))
        for config in ("Inc-P1", "Inc-P2", "CS-P1", "CS-P2")
    ]
    (place / "theirs.csv").write_text("\n".join(rows) + "\n")
    assert "columns:" in study(place, "import", "runs", "theirs.csv", "--show-columns")
    commands = next(text for _, text in BLOCKS if text.startswith("study import runs"))
    said = [study(place, *line.split("#")[0].split()[1:]) for line in commands.splitlines()]
    assert "12 runs imported" in said[0]
    assert (place / "results" / "theirs" / "report" / "index.html").is_file()
    assert "kind: measured" in said[2]
    data = load_dataset(place / "results" / "theirs" / "dataset")
    assert (data.runs["agent"].iloc[0], data.runs["time_min"].iloc[0]) == ("Claude Code", 5)


def test_every_file_that_the_readme_names_exists() -> None:
    named = re.findall(r"\]\(([^)#:]+)\)", README) + re.findall(
        r"`((?:study|raw_data|notebooks)/[\w./-]+)`", README
    )
    assert len(named) > 10
    for path in named:
        assert (ROOT / path).exists(), path
