"""What real agents consumed: the tables `usage` and `tools`."""

from __future__ import annotations

from typing import Annotated

from study.agents.trajectory import End, ToolKind, tool_kind
from study.records.columns import column
from study.records.stages import RunRecord
from study.schema import Kind, Model


class UsageRow(Model):
    """One row per run of an agent whose log could be read; empty for simulated agents."""

    run_id: Annotated[str, column("The run")]
    kind: Annotated[Kind, column("As in runs")]
    version: Annotated[str | None, column("Of the agent's command line, as it reports", compared=False)]
    session_id: Annotated[str | None, column("As the agent reports", compared=False)]
    end: Annotated[End, column("How the agent itself says that it ended", compared=False)]
    complete: Annotated[
        bool | None, column("False: the log stops before the run ended; tokens are at least these")
    ]
    turns: Annotated[int | None, column("Answers of the model", unit="answers", compared=False)]
    tool_calls: Annotated[int | None, column("Calls of tools; by tool in tools.csv", compared=False)]
    wall_min: Annotated[float, column("Wall-clock time of the process", unit="min", compared=False)]
    agent_min: Annotated[
        float | None,
        column("Duration as the agent reports, without failures of the service", unit="min", compared=False),
    ]
    api_min: Annotated[float | None, column("Time in answered API calls", unit="min", compared=False)]
    service_failures: Annotated[
        int | None,
        column("Failures of the model's service that the agent tells of", unit="failures", compared=False),
    ]
    failure_min: Annotated[
        float | None, column("Time that these cost, as far as the agent tells", unit="min", compared=False)
    ]
    attempts: Annotated[int, column("Attempts at the run, infrastructure errors included", compared=False)]
    cost_list_usd: Annotated[
        float | None, column("All input at the list price, as the paper has it", unit="USD", compared=False)
    ]
    cost_cached_usd: Annotated[
        float | None, column("With what a cache saves and costs", unit="USD", compared=False)
    ]
    cost_low_usd: Annotated[
        float | None, column("At least, whatever the log leaves open", unit="USD", compared=False)
    ]
    cost_high_usd: Annotated[
        float | None, column("At most; empty where nothing bounds it", unit="USD", compared=False)
    ]
    cost_agent_usd: Annotated[float | None, column("The agent's own figure", unit="USD", compared=False)]
    prices: Annotated[str | None, column("Model, day and source of the prices", compared=False)]
    problems: Annotated[str | None, column("What in the log does not fit together", compared=False)]


class ToolRow(Model):
    """One row per run and tool that its agent called."""

    run_id: Annotated[str, column("The run")]
    kind: Annotated[Kind, column("As in runs")]
    tool: Annotated[str, column("The tool's name, as the agent has it")]
    tool_kind: Annotated[ToolKind, column("What it does, the same words for all agents")]
    calls: Annotated[int, column("How often it was called", unit="calls", compared=False)]


def usage_rows(record: RunRecord) -> list[UsageRow]:
    """The consumption of one run; none if no log was read."""
    generation, usage, cost = record.generation, record.generation.usage, record.generation.cost
    if generation.end is None:
        return []
    return [
        UsageRow(
            run_id=record.run_id,
            kind=record.kind,
            version=generation.version,
            session_id=generation.session_id,
            end=generation.end,
            complete=usage.complete,
            turns=usage.turns,
            tool_calls=usage.tool_calls,
            wall_min=round(generation.wall_seconds / 60, 6),
            agent_min=usage.agent_minutes,
            api_min=usage.api_minutes,
            service_failures=usage.service_failures,
            failure_min=usage.failure_minutes,
            attempts=1 + len(generation.earlier),
            cost_list_usd=cost.list_usd if cost else None,
            cost_cached_usd=cost.cached_usd if cost else None,
            cost_low_usd=cost.low_usd if cost else None,
            cost_high_usd=cost.high_usd if cost else None,
            cost_agent_usd=usage.cost_usd,
            prices="; ".join(cost.prices) if cost else None,
            problems="; ".join(generation.problems) or None,
        )
    ]


def tool_rows(record: RunRecord) -> list[ToolRow]:
    """The tools of one run."""
    return [
        ToolRow(run_id=record.run_id, kind=record.kind, tool=name, tool_kind=tool_kind(name), calls=calls)
        for name, calls in record.generation.tools.items()
    ]
