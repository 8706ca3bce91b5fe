from __future__ import annotations

from pathlib import Path

import pytest

from study.agents.outcomes import last_line, outcome_of
from study.agents.protocol import Ended, Outcome, ProcessResult


def result(ended: Ended, code: int | None, stderr: Path, message: str = "") -> ProcessResult:
    return ProcessResult(ended, code, 12.4, "plain", stderr, stderr, 0, message)


@pytest.mark.parametrize(
    ("ended", "code", "message", "outcome", "reason"),
    [
        ("exited", 0, "", "completed", "ended by itself with exit code 0"),
        ("exited", 3, "", "agent_error", "exit code 3: out of credit"),
        ("exited", -11, "", "agent_error", "killed by signal 11"),
        ("timeout", -9, "", "timeout", "stopped at the time limit after 12 s"),
        ("not_started", None, "no such file", "infrastructure_error", "could not be started: no such file"),
        ("output_limit", -15, "more than 1 MB of output", "agent_error", "more than 1 MB of output"),
        ("disk_limit", -15, "", "agent_error", "stopped at the disk limit"),
        ("broken", -15, "the log cannot be written", "infrastructure_error", "the log cannot be written"),
    ],
)
def test_each_way_to_end_has_one_outcome(
    tmp_path: Path, ended: Ended, code: int | None, message: str, outcome: Outcome, reason: str
) -> None:
    log = tmp_path / "stderr.log"
    log.write_text("warning: old version\nout of credit\n\n")
    assert outcome_of(result(ended, code, log, message)) == (outcome, reason)


def test_the_last_line_of_a_long_or_missing_log(tmp_path: Path) -> None:
    log = tmp_path / "stderr.log"
    log.write_bytes(b"x" * 100_000 + b"\nthe end \xff\n")
    assert last_line(log) == "the end \ufffd"
    assert last_line(tmp_path / "none") == ""
