"""Scenarios: what the agent may see of a project, and the check that it sees nothing else."""

from study.scenarios.leaks import LeakError
from study.scenarios.workspace import (
    SCENARIOS,
    Scenario,
    hide_tests,
    keep_all,
    prepare,
    rehearse,
    remove_traces,
)

__all__ = [
    "SCENARIOS",
    "LeakError",
    "Scenario",
    "hide_tests",
    "keep_all",
    "prepare",
    "rehearse",
    "remove_traces",
]
