"""Scenarios: what the agent may see of a project, and the check that it sees nothing else."""

from study.scenarios.leaks import LeakError
from study.scenarios.workspace import prepare

__all__ = ["LeakError", "prepare"]
