"""Run one command, confined: own session, limits, and nothing left alive afterwards."""

from __future__ import annotations

from pathlib import Path

from study.agents.protocol import Launch, ProcessResult
from study.design import Limits


def run_confined(
    launch: Launch, *, workspace: Path, home: Path, logs: Path, seconds: float, limits: Limits
) -> ProcessResult:
    """Placeholder until the real one lands."""
    raise NotImplementedError
