"""What the adapter orders the program to do: the content of the file `TASK_FILE` in HOME."""

from __future__ import annotations

from typing import Literal, TypedDict

from .usage import Consumption

TASK_FILE = "simulated-task.json"

RunClass = Literal["nothing", "too_long", "agent_error", "incompatible", "flawed", "faithful"]
CLASSES: tuple[RunClass, ...] = (
    "nothing",
    "too_long",
    "agent_error",
    "incompatible",
    "flawed",
    "faithful",
)
"""What may become of a run. `incompatible`: all is there, but the tests cannot use it."""


class Goal(TypedDict):
    """Size wanted, relative to the reference."""

    sloc: float
    cyclomatic: float
    cognitive: float
    spread: float
    """Standard deviation of the logarithm of the factor by which one run differs from these."""


class Habits(TypedDict):
    """Probabilities of what does not show in a pass rate."""

    rename_modules: float
    rename_names: float
    extra_endpoint: float
    docstrings: float
    """Share of the functions without one that get one."""
    edit_test: float
    ignore_sigterm: float
    """Of the runs that take too long."""


class Order(TypedDict):
    """One run."""

    seed: int
    agent: str
    model: str
    scenario: str
    source: str
    """Absolute path of the reference of the target."""
    destination: str
    """Directory of the target, relative to the workspace."""
    package: str
    """The same as a dotted path."""
    files: list[str]
    test_files: list[str]
    """The target's unit tests, relative to the workspace."""
    spared: list[str]
    """Routes, and names of functions, that somebody asks for; see `mentions`."""
    classes: dict[RunClass, float]
    defects: dict[str, float]
    """Kind of defect to weight."""
    defect_counts: dict[str, float]
    """Number of defects of a flawed run (as text, for JSON) to probability."""
    goal: Goal
    habits: Habits
    consumption: Consumption
