"""Measure what the demo suites see: `python -m study.agents.simulated.sensitivity [trials]`.

Every kind of defect is planted alone into every target service, and the service scored like any run. The
shares of tests lost are written to `sensitivity.yaml`, from which `calibrate` solves the profiles'
probabilities. To be run again when a demo project or a transformation has changed; it takes some minutes.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import mean

import yaml

from study.agents.protocol import Task
from study.agents.simulated.adapter import make_order
from study.agents.simulated.calibrate import SENSITIVITY, OracleSensitivity, Sensitivity
from study.agents.simulated.profile import list_profiles
from study.agents.simulated.program.chance import shuffle
from study.agents.simulated.program.defects import DEFECTS
from study.agents.simulated.program.order import Order
from study.agents.simulated.program.text import Texts, apply
from study.agents.simulated.program.writer import Writer
from study.design import AgentLevel, Limits, Run
from study.evaluation.oracle import evaluate, suite_of
from study.evaluation.suites import Place
from study.projects.loading import LoadedProject, check_tree, list_projects, load_project
from study.projects.manifest import Service
from study.scenarios import SCENARIOS

LIMITS = Limits(test_seconds=60, single_test_seconds=10)
PROMPTS = ("minimal", "summary")


@dataclass(frozen=True)
class Oracle:
    """One target service in one scenario."""

    loaded: LoadedProject
    service: Service
    tree: Path
    scenario: str

    def order(self, profile: str, prompt: str) -> Order:
        level = AgentLevel(name=profile, adapter="simulated", kind="simulated", settings={"profile": profile})
        run = Run(profile, self.loaded.project.name, self.service.name, self.scenario, prompt, 1)
        nowhere = Path()
        return make_order(
            Task(run, level, self.loaded.project, self.service, "", nowhere, nowhere, self.tree, 0)
        )

    def score(self, files: dict[str, bytes]) -> tuple[set[str], int]:
        """The tests that pass with these files in the target's directory, and how many there were."""
        with tempfile.TemporaryDirectory(prefix="study-sensitivity-") as name:
            generated, logs = Path(name) / "generated", Path(name) / "logs"
            generated.mkdir()
            for file, data in files.items():
                (generated / file).parent.mkdir(parents=True, exist_ok=True)
                (generated / file).write_bytes(data)
            result = evaluate(
                self.loaded,
                self.service,
                SCENARIOS[self.scenario].oracle,
                self.tree,
                generated,
                LIMITS,
                Place(logs=logs),
            )
        passed = {test.test_id for test in result.tests if test.status == "passed"}
        return passed, len(result.tests)


@dataclass(frozen=True)
class Finding:
    """What was lost in one oracle."""

    oracle: Oracle
    tests: int
    floor: float
    ceiling: float
    """Percent of the tests."""
    lost: dict[str, list[float]]
    """Kind to share of the room between floor and ceiling, one number a trial."""


def oracles() -> Iterator[Oracle]:
    """All targets of the embedded projects, in each scenario in which they have a suite."""
    for name in list_projects():
        loaded = load_project(name)
        if loaded.project.source.embedded is None:
            continue
        tree = check_tree(loaded)
        for service in loaded.project.targets:
            for scenario in SCENARIOS:
                if suite_of(service, SCENARIOS[scenario].oracle).files:
                    yield Oracle(loaded, service, tree, scenario)


def examine(oracle: Oracle, trials: int) -> Finding:
    """Plant one thing at a time, and count."""
    order = oracle.order(list_profiles()[0], PROMPTS[0])
    files = {name: (Path(order["source"]) / name).read_bytes() for name in order["files"]}
    texts = {name: data.decode() for name, data in files.items() if name.endswith(".py")}
    other = {name: data for name, data in files.items() if name not in texts}

    def rate(changed: Texts) -> float:
        passed, _ = oracle.score(other | {name: text.encode() for name, text in changed.items()})
        return len(passed) / tests

    def share(changed: Texts) -> float:
        return min(1.0, max(0.0, (ceiling - rate(changed)) / (ceiling - floor)))

    best, tests = oracle.score(files)
    least, _ = oracle.score({})
    ceiling, floor = len(best) / tests, len(least & best) / tests
    lost: dict[str, list[float]] = {}
    for kind in [*DEFECTS, "incompatible", "form"] if ceiling > floor else []:
        versions = (_version(oracle, kind, trial, texts) for trial in range(trials))
        lost[kind] = [share(version) for version in versions if version is not None]
    return Finding(oracle, tests, 100 * floor, 100 * ceiling, lost)


def _version(oracle: Oracle, kind: str, trial: int, texts: Texts) -> Texts | None:
    """The service with one thing planted; None if it has no place for it."""
    random = Random(f"{oracle.service.name} {oracle.scenario} {kind} {trial}")
    if kind in DEFECTS:
        changes = list(DEFECTS[kind](texts))
        shuffle(changes, random)
        return next((done for change in changes if (done := apply(texts, change)) is not None), None)
    profiles = list_profiles()
    order = oracle.order(profiles[trial % len(profiles)], PROMPTS[trial // len(profiles) % len(PROMPTS)])
    writer = Writer(order, dict(texts), random)
    writer.write("incompatible" if kind == "incompatible" else "faithful")
    return writer.texts


def summarise(findings: list[Finding], name: str) -> OracleSensitivity:
    """Means over the services whose oracle can see its target."""
    seeing = [f for f in findings if SCENARIOS[f.oracle.scenario].oracle == name and f.ceiling > f.floor]
    kinds = seeing[0].lost
    return OracleSensitivity(
        services=len(seeing),
        floor_percent=round(mean(f.floor for f in seeing), 2),
        ceiling_percent=round(mean(f.ceiling for f in seeing), 2),
        lost={kind: round(mean(mean(f.lost[kind]) for f in seeing if f.lost[kind]), 4) for kind in kinds},
    )


def main() -> None:
    trials = int(sys.argv[1]) if len(sys.argv) > 1 else 6
    with ThreadPoolExecutor(2) as pool:
        findings = list(pool.map(lambda oracle: examine(oracle, trials), oracles()))
    for found in findings:
        shares = " ".join(f"{kind}={mean(v):.2f}" for kind, v in found.lost.items() if v)
        name = f"{found.oracle.loaded.project.name}.{found.oracle.service.name}.{found.oracle.scenario}"
        print(f"{name}: {found.tests} tests, {found.floor:.0f} to {found.ceiling:.0f} percent; {shares}")
    sensitivity = Sensitivity(
        trials=sum(len(values) for found in findings for values in found.lost.values()),
        unit=summarise(findings, "unit"),
        integration=summarise(findings, "integration"),
    )
    text = yaml.safe_dump(sensitivity.model_dump(), sort_keys=False, width=110)
    head = (
        "# Written by `python -m study.agents.simulated.sensitivity`; calibrate.py reads and explains it.\n"
    )
    SENSITIVITY.write_text(head + text, encoding="utf-8")


if __name__ == "__main__":
    main()
