"""One run, tried again while the machine and not the agent is at fault."""

from __future__ import annotations

from concurrent.futures import CancelledError
from contextlib import suppress

from study.agents.protocol import Usage
from study.files import printable
from study.records.stages import Evaluation, Generation, Manipulation, RunRecord
from study.records.store import RUN, write_record
from study.run import RunContext, execute, record_of

ATTEMPTS = 3
"""How often a run is tried within one start while it ends in infrastructure errors."""


def with_attempts(context: RunContext) -> RunRecord:
    """One run, tried again while the machine and not the agent is at fault."""
    for _ in range(ATTEMPTS - 1):
        record = _guarded(context)
        if record.generation.outcome != "infrastructure_error" or context.cancel.is_set():
            return record
    return _guarded(context)


def _guarded(context: RunContext) -> RunRecord:
    """Whatever goes wrong in the harness becomes this run's infrastructure error, and no one else's."""
    try:
        return execute(context)
    except CancelledError:
        raise
    except Exception as error:
        return _give_up(context, printable(f"{type(error).__name__}: {error}"))


def _give_up(context: RunContext, reason: str) -> RunRecord:
    """The record of a run that the harness could not bring to its end.

    What its stages have written stays, so that the next attempt goes on from there: an agent that did its
    work is not paid twice because the disk was full afterwards.
    """
    oracle = context.plan.scenarios[context.run.scenario].oracle
    verdict = Evaluation(oracle=oracle, suite="not_evaluated", reason=reason)
    record = record_of(context, _broken(reason), verdict, None)
    with suppress(OSError):  # without this file the run is not done either
        write_record(context.folder / RUN, record)
    return record


def _broken(reason: str) -> Generation:
    return Generation(
        outcome="infrastructure_error",
        reason=reason,
        usage=Usage(),
        model=None,
        version=None,
        manipulation=Manipulation(removed_files=[], edited_files=[], hidden_tests=[], allowed_traces=[]),
        prompt_sha256="",
        confinement="none",
        exit_code=None,
        wall_seconds=0.0,
        leftovers=0,
        files_written=[],
        files_elsewhere=[],
        test_edits=[],
    )
