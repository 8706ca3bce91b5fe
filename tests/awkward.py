"""A table of 144 made-up runs with awkward headings, whose true values are known."""

from __future__ import annotations

import csv
import random
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import yaml

AGENTS = {"CC": "Claude Code", "Cx": "Codex", "QW": "Code Qwen"}
SERVICES = {
    "PiggyMetrics": ("account-service", "notification-service", "statistics-service"),
    "Train-Ticket": ("ts-order-service", "ts-payment-service", "ts-preserve-service"),
    "TeamSync": ("courseservice", "notificationservice", "taskservice"),
    "Project-Management": ("analytics", "notification", "project"),
}
CONDITIONS = ("CS / P2", "CS / P1", "Inc / P1", "Inc / P2")
LEVELS = {"Inc": "incremental", "CS": "clean_state", "P1": "minimal", "P2": "summary"}


@dataclass(frozen=True)
class TrueRun:
    """One run as it is meant, before it is written down awkwardly."""

    short: str
    project: str
    service: str
    config: str
    tests: int
    passed: int
    seconds: int
    input_tokens: int
    output_tokens: int
    cents: int
    sloc: int
    reference_sloc: int

    @property
    def agent(self) -> str:
        return AGENTS[self.short]

    @property
    def outcome(self) -> str:
        return "completed" if self.sloc else "no_output"

    @property
    def run_id(self) -> str:
        scenario, prompt = (LEVELS[part] for part in self.config.split(" / "))
        agent, project = (name.lower().replace(" ", "-") for name in (self.agent, self.project))
        return f"{agent}.{project}.{self.service}.{scenario}.{prompt}.r1"


def _runs() -> list[TrueRun]:
    rng = random.Random(20260208)
    runs = []
    for short, project, place, config in product(AGENTS, SERVICES, range(3), CONDITIONS):
        tests = 10 + place
        # Code Qwen leaves no code in two runs with P1
        empty = short == "QW" and project == "TeamSync" and config.endswith("P1") and place == 0
        runs.append(
            TrueRun(
                short, project, SERVICES[project][place], config, tests,
                0 if empty else rng.randint(2, tests), rng.randint(120, 1200),
                1000 * rng.randint(900, 6000), rng.randint(900, 60_000),
                rng.randint(100, 2500), 0 if empty else rng.randint(150, 600), 400 + 10 * place,
            )
        )  # fmt: skip
    return runs


RUNS = _runs()
PASSED = {run.run_id: run.passed for run in RUNS}
MAPPING: dict[str, Any] = {
    "kind": "simulated",
    "columns": {
        "agent": "Tool", "project": "System", "service": "Micro service", "condition": "Config",
        "tests_passed": "passed", "tests_total": "of", "time": {"column": "Duration (sec)", "unit": "s"},
        "input_tokens": {"column": "in", "unit": "K"}, "output_tokens": "out",
        "cost": {"column": "cents", "unit": "cent"}, "sloc": "NCLOC", "reference_sloc": "NCLOC orig",
        "baseline": {"column": "original", "unit": "fraction"},
    },
    "values": {"agent": AGENTS},
}  # fmt: skip


def rows() -> list[dict[str, Any]]:
    """The rows of the table."""
    return [
        {
            "Tool": run.short, "System": run.project, "Micro service": run.service, "Config": run.config,
            "passed": run.passed, "of": run.tests, "Duration (sec)": run.seconds,
            "in": run.input_tokens / 1000, "out": run.output_tokens, "cents": run.cents, "NCLOC": run.sloc,
            "NCLOC orig": run.reference_sloc, "original": 0.95, "remark": "made up",
        }
        for run in RUNS
    ]  # fmt: skip


def write_table(path: Path, given: list[Mapping[str, Any]] | None = None) -> Path:
    """Write the table with semicolons, as some spreadsheet programs do."""
    lines = rows() if given is None else given
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(lines[0]), delimiter=";")
        writer.writeheader()
        writer.writerows(lines)
    return path


def write_mapping(path: Path) -> Path:
    """Write its mapping."""
    path.write_text(yaml.safe_dump(MAPPING, sort_keys=False), encoding="utf-8")
    return path
