"""What a suite is to the oracle: a job for one of the runners, whatever the language of the project."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from study.agents.protocol import ProcessResult
from study.design import Limits
from study.projects.loading import LoadedProject
from study.projects.manifest import Service, Suite
from study.records.stages import SuiteOutcome, TestResult


@dataclass(frozen=True)
class Place:
    """The machine-dependent circumstances of one execution of a suite."""

    logs: Path
    """Where stdout, stderr and the JUnit files are kept."""
    repeat: int = 1
    """From 1; chooses time zone and hash seed."""
    cancel: threading.Event | None = None
    """Set by the caller to stop the suite at once."""
    hidden: tuple[Path, ...] = ()
    """Folders that the suite may not see: original code, other runs."""


@dataclass(frozen=True)
class SuiteJob:
    """One execution of a suite on an assembled system."""

    loaded: LoadedProject
    service: Service
    """The target."""
    suite: Suite
    tree: Path
    """The project's original files; never written to."""
    system: Path
    """The assembled tree that is tested; may be written to."""
    home: Path
    """An empty folder that becomes HOME, for reports."""
    limits: Limits
    place: Place
    stub: bool = False
    """An empty service that answers health checks stands in for the target, to learn what the suite sees."""


@dataclass(frozen=True)
class SuiteResult:
    """What one execution of a suite reported."""

    suite: SuiteOutcome
    tests: list[TestResult]
    reason: str = ""
    not_run: list[str] = field(default_factory=list)
    """`file: what it needs and this machine lacks`; their tests are not in `tests` and not counted."""


Runner = Callable[[SuiteJob], tuple[ProcessResult, SuiteResult]]
"""Runs the suite in a sandbox and reads its reports; copies what a reader needs to `place.logs`."""
