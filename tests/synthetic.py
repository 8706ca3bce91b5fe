"""A clearly artificial dataset, valid against the schemas, for tests of what is drawn from datasets."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from study.records.collect import Tables
from study.records.dataset import Dataset, load_dataset, write_dataset
from study.records.rows import condition
from study.records.tables import FunctionRow, PlantedRow, QualityRow, ReferenceRow, RunRow, TestRow

AGENTS = ("toy-agent-one", "toy-agent-two", "toy-agent-three")
PROJECTS = ("toy-red", "toy-green", "toy-blue", "toy-grey")
SERVICES = ("alpha-service", "beta-service", "gamma-service")
SCENARIOS = ("incremental", "clean_state")
PROMPTS = ("minimal", "summary")
N_TESTS = 10
BLIND = ("toy-grey", "gamma-service", "clean_state")
WITHOUT_TESTS = ("toy-red", "gamma-service", "clean_state")


def make_dataset(
    folder: Path,
    *,
    agents: Sequence[str] = AGENTS,
    projects: Sequence[str] = PROJECTS,
    services: Sequence[str] = SERVICES,
    scenarios: Sequence[str] = SCENARIOS,
    prompts: Sequence[str] = PROMPTS,
    replicates: int = 1,
    kind: str = "simulated",
    seed: int = 1,
    passed: Any = None,
) -> Dataset:
    """Write and load a dataset; `passed` fixes the passed tests of every run, or is -1 for no rate at all."""
    rng = random.Random(seed)
    tables = Tables()
    keys = [(p, s, c) for p in projects for s in services for c in scenarios]
    for project, service, scenario in keys:
        tables.references.append(_reference(project, service, scenario))
        for control, repeats in (("absent", 1), ("reference", 3)):
            for repeat in range(1, repeats + 1):
                good = 2 if control == "absent" else N_TESTS
                row = _run(control, project, service, scenario, "none", repeat, "measured", good, rng)
                tables.controls.append(row)
    for agent in agents:
        for project, service, scenario in keys:
            for prompt in prompts:
                for replicate in range(1, replicates + 1):
                    good = rng.choice((0, 4, 8, 9, 10, 10, 10)) if passed is None else passed
                    row = _run(agent, project, service, scenario, prompt, replicate, kind, good, rng)
                    tables.runs.append(row)
                    _details(tables, row, rng)
    write_dataset(tables, folder, "An artificial dataset for tests")
    return load_dataset(folder)


def _reference(project: str, service: str, scenario: str) -> ReferenceRow:
    key = (project, service, scenario)
    tests = 0 if key == WITHOUT_TESTS else N_TESTS
    floor = None if tests == 0 else 100.0 if key == BLIND else 20.0
    flaky = service == "alpha-service" and project == "toy-blue"
    return ReferenceRow(
        project=project,
        service=service,
        scenario=scenario,
        oracle="unit" if scenario == "incremental" else "integration",
        kind="measured",
        language="python",
        reference="reference_implementation",
        tests_reference=tests,
        tests_adjusted=tests - flaky,
        failing_tests=None,
        flaky_tests="tests.test_toy.test_3" if flaky else None,
        repeats=3,
        floor_percent=floor,
        ceiling_percent=None if tests == 0 else 100.0,
        sees_target=None if tests == 0 else key != BLIND,
        sloc=200,
        cyclomatic=40,
        cognitive=20,
    )


def _run(
    agent: str,
    project: str,
    service: str,
    scenario: str,
    prompt: str,
    replicate: int,
    kind: str,
    passed: int,
    rng: random.Random,
) -> RunRow:
    key = (project, service, scenario)
    scored = passed >= 0 and key != WITHOUT_TESTS
    outcome = "no_output" if passed == 0 else "completed"
    reference = _reference(project, service, scenario)
    rate = 10.0 * passed if scored else None
    counts = {"tests_reference": N_TESTS, "tests_passed": passed, "tests_failed": N_TESTS - passed}
    time = round(rng.lognormvariate(2, 0.6), 1)
    tokens = int(1e5 * time)
    return RunRow(
        run_id=f"{agent}.{project}.{service}.{scenario}.{prompt}.r{replicate}",
        kind=kind,
        agent=agent,
        model="toy-model",
        project=project,
        service=service,
        scenario=scenario,
        prompt=prompt,
        condition=condition(scenario, prompt),
        replicate=replicate,
        outcome=outcome,
        reason="made up",
        oracle=reference.oracle,
        suite="ran" if scored else "not_applicable" if key == WITHOUT_TESTS else "not_evaluated",
        **(counts if scored else dict.fromkeys(counts)),
        **dict.fromkeys(("tests_error", "tests_skipped", "tests_missing"), 0 if scored else None),
        pass_rate_percent=rate,
        pass_rate_executed_percent=rate,
        pass_rate_adjusted_percent=rate,
        floor_percent=reference.floor_percent,
        ceiling_percent=reference.ceiling_percent,
        failure_cause=None
        if not scored or passed == N_TESTS
        else "no_output"
        if passed == 0
        else "AssertionError",
        test_edits=0,
        files_written=0 if passed == 0 else 3,
        files_elsewhere=0,
        time_min=time,
        input_tokens=tokens,
        input_fresh_tokens=tokens,
        cache_read_tokens=0,
        cache_write_tokens=0,
        output_tokens=tokens // 50,
        reasoning_tokens=None,
        cost_usd=round(tokens * 3e-6, 4),
        wall_seconds=0.1,
        confinement="plain",
    )


def _details(tables: Tables, row: RunRow, rng: random.Random) -> None:
    kinds = {"run_id": row.run_id, "kind": row.kind}
    if row.tests_passed is not None:
        tables.tests += [
            TestRow(
                **kinds,
                test_id=f"tests.test_toy.test_{i}",
                status="passed" if i < row.tests_passed else "failed",
                cause=None if i < row.tests_passed else "AssertionError",
                flaky=False,
            )
            for i in range(N_TESTS)
        ]
    if row.files_written:
        size = {
            "sloc": rng.randint(120, 260),
            "cyclomatic": rng.randint(25, 50),
            "cognitive": rng.randint(8, 30),
        }
        other = ("radon_sloc", "radon_cyclomatic", "lizard_sloc", "lizard_cyclomatic", "lizard_cognitive")
        tables.quality.append(
            QualityRow(**kinds, files=3, functions=2, unparsed_files=0, **size, **dict.fromkeys(other))
        )
        tables.functions += [
            FunctionRow(**kinds, file="main.py", function=name, line=line, cyclomatic=4, cognitive=3)
            for line, name in ((1, "Desk.open"), (20, "Desk.close"))
        ]
    if row.kind == "simulated" and row.failure_cause == "AssertionError":
        tables.planted.append(PlantedRow(**kinds, defect="broken_branch", place="main.py:Desk.open"))
