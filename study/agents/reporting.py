"""What the end of a process and the log of its agent say together about a run."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

from study.agents.cost import cost_of
from study.agents.logs.json_lines import JsonLog
from study.agents.logs.parts import SESSION
from study.agents.outcomes import outcome_of
from study.agents.prices import PriceList
from study.agents.protocol import Outcome, ProcessResult, Report, Usage
from study.agents.trajectory import AgentLog, End
from study.files import is_regular
from study.redaction import redact_file
from study.schema import StudyError

REFUSED = {400, 413, 422}
"""HTTP statuses by which the service refuses what the agent asked for, as it would again."""
_LIMITS: dict[End, str] = {
    "turn_limit": "limit on turns",
    "tool_limit": "limit on tool calls",
    "token_limit": "limit on tokens",
    "cost_limit": "limit on money",
    "time_limit": "own time limit",
}


def keep_sessions(patterns: list[str], home: Path, logs: Path, secrets: dict[str, str]) -> None:
    """Copy the files that the agent kept in its HOME beside its stdout, without following any link."""
    folder = logs / SESSION
    for path in sorted(path for pattern in patterns for path in home.glob(pattern)):
        inside = path.resolve().is_relative_to(home.resolve()) and is_regular(path)
        if inside and path.resolve() == home.resolve() / path.relative_to(home):
            folder.mkdir(exist_ok=True)
            shutil.copyfile(path, folder / path.name, follow_symlinks=False)
            redact_file(folder / path.name, secrets)


def decide(result: ProcessResult, log: AgentLog) -> tuple[Outcome, str]:
    """Outcome of a run and the reason for it.

    A failure of the model's service that the agent did not get over is an infrastructure error: nobody's
    fault in the experiment, to be run again. That is also so if the time limit came while the service was
    down, or before it had given a single answer.

    Parameters
    ----------
    result : ProcessResult
        How the process ended. Limits of the sandbox count before what the log says.
    log : AgentLog
        What the agent says.
    """
    outcome, reason = outcome_of(result)
    if result.ended == "timeout":
        if log.down:
            return "infrastructure_error", f"the model's service was down at the time limit: {_failure(log)}"
        if log.tells_calls and not log.of("api_call"):
            return (
                "infrastructure_error",
                f"the model's service gave no answer in {result.wall_seconds:.0f} s",
            )
    if result.ended != "exited":
        return outcome, reason
    if log.end == "completed":
        return outcome, reason
    if log.end == "api_error":
        status = "" if log.status is None else f" (HTTP {log.status})"
        if log.status in REFUSED:
            return "agent_error", f"the model's service refused the request{status}: {log.message}"
        return "infrastructure_error", f"the model's service failed{status}: {log.message}"
    if log.end in _LIMITS:
        stopped: Outcome = "timeout" if log.end == "time_limit" else "agent_error"
        return stopped, f"the agent stopped at its {_LIMITS[log.end]}: {log.message}"
    if log.end == "unsaid":
        if not log.tells_end:
            return outcome, reason
        if outcome == "completed":
            return "agent_error", "ended with exit code 0, but its log stops before an end"
        return outcome, reason
    said = "an interruption" if log.end == "interrupted" else "an error"
    return "agent_error", f"the log reports {said}: {log.message}"


def _failure(log: AgentLog) -> str:
    return log.of("failure")[-1].text


def report_of(
    result: ProcessResult,
    log: AgentLog,
    prices: PriceList,
    model: str | None,
    *,
    reader: JsonLog | str,
    priced: bool = True,
    turns: int | None = None,
) -> Report:
    """The report of a run from its log.

    Parameters
    ----------
    result, log
        As for `decide`.
    prices : PriceList
        Where the costs come from.
    model : str or None
        Of the design.
    reader : JsonLog or str
        What read the log, kept so that it can be read again.
    priced : bool
        Whether a model without a price is a problem to be recorded.
    turns : int, optional
        As the agent counts them, where the log does not show each answer.
    """
    outcome, reason = decide(result, log)
    problems, cost = list(log.problems), None
    if log.tokens:
        try:
            cost = cost_of(log, prices, datetime.now(UTC).date(), model)
        except StudyError as error:
            problems += [str(error)] if priced else []
    return Report(
        outcome=outcome,
        reason=reason,
        usage=usage_of(log, result.wall_seconds, turns),
        model=log.model or model,
        version=log.version,
        session_id=log.session_id,
        end=log.end,
        tools=dict(sorted(log.tools.items())),
        log=reader,
        cost=cost,
        problems=problems,
    )


def usage_of(log: AgentLog, wall_seconds: float, turns: int | None = None) -> Usage:
    """The numbers of a log; time lost by the model's service is taken out of the duration."""
    tokens, failures = log.all_tokens, len(log.of("failure"))
    lost = log.failure_seconds or 0.0
    seconds = wall_seconds if log.seconds is None and lost else log.seconds
    return Usage(
        input_fresh_tokens=tokens.input_fresh,
        cache_read_tokens=tokens.cache_read,
        cache_write_tokens=tokens.cache_write,
        output_tokens=tokens.output,
        reasoning_tokens=tokens.reasoning,
        agent_minutes=None if seconds is None else _minutes(max(0.0, seconds - lost)),
        cost_usd=log.cost_usd,
        turns=len(log.of("api_call")) if log.tells_calls else turns,
        tool_calls=sum(log.tools.values()) if log.tells_tools else None,
        api_minutes=None if log.api_seconds is None else _minutes(log.api_seconds),
        service_failures=failures if log.tells_failures else None,
        failure_minutes=None if log.failure_seconds is None else _minutes(lost),
        complete=log.complete if log.tells_calls else None,
    )


def _minutes(seconds: float) -> float:
    return round(seconds / 60, 6)
