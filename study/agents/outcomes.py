"""What the end of a process says about a run; one rule for all adapters."""

from __future__ import annotations

from pathlib import Path

from study.agents.protocol import Outcome, ProcessResult


def outcome_of(result: ProcessResult) -> tuple[Outcome, str]:
    """Outcome and reason of a run, as far as the end of its process tells.

    Returns
    -------
    tuple
        `timeout` if the time limit ended it; `infrastructure_error` if it never started or the
        machine failed it, which is not the agent's fault; `agent_error` for a limit on output or disk, a
        signal, or an exit code other than 0; else `completed`.
    """
    if result.ended == "timeout":
        return "timeout", f"stopped at the time limit after {result.wall_seconds:.0f} s"
    if result.ended == "not_started":
        return "infrastructure_error", f"could not be started: {result.message}"
    if result.ended == "broken":
        return "infrastructure_error", result.message
    if result.ended in {"output_limit", "disk_limit", "process_limit"}:
        return "agent_error", result.message or f"stopped at the {result.ended.replace('_', ' ')}"
    if result.exit_code is None:
        return "infrastructure_error", "ended without an exit code"
    if result.exit_code < 0:
        return "agent_error", f"killed by signal {-result.exit_code}"
    if result.exit_code > 0:
        said = last_line(result.stderr)
        return "agent_error", f"exit code {result.exit_code}" + (f": {said}" if said else "")
    return "completed", "ended by itself with exit code 0"


def last_line(path: Path, length: int = 200) -> str:
    """The last line with text of a log, shortened; empty if there is none."""
    try:
        with path.open("rb") as stream:
            stream.seek(0, 2)
            stream.seek(max(0, stream.tell() - 20_000))
            tail = stream.read().decode("utf-8", errors="replace")
    except OSError:
        return ""
    lines = [line.strip() for line in tail.splitlines() if line.strip()]
    return lines[-1][:length] if lines else ""
