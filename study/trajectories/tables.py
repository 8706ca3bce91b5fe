"""Trajectories as two tidy tables: one row per run, and one row per thing that happened."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated

import pandas as pd
from pydantic import NonNegativeFloat, NonNegativeInt

from study.agents.protocol import Outcome
from study.agents.tokens import Tokens
from study.agents.trajectory import AgentLog, End, Event, EventKind, ToolKind, tool_kind
from study.files import write_atomically
from study.records.columns import column
from study.records.dataset import (
    CHECKSUMS,
    RAW_DATA,
    checksums,
    read_table,
    refuse_to_replace,
    to_csv,
    verify_checksums,
)
from study.records.dictionary import data_dictionary
from study.schema import Kind, Model, StudyError
from study.trajectories.story import Story

COMMITTED = RAW_DATA / "trajectories"
LONGEST = 160
"""Characters of a text in the table; the logs have all of it."""


class TrajectoryRow(Model):
    """One run whose agent left a log that the study reads."""

    run_id: Annotated[str, column("Id of the run in its experiment")]
    kind: Annotated[
        Kind, column("Where it comes from; a scripted model, or an agent of this package, is simulated")
    ]
    agent: Annotated[str, column("Level of the factor agent")]
    project: Annotated[str, column("Level of the factor project")]
    service: Annotated[str, column("Target service")]
    scenario: Annotated[str, column("Level of the factor scenario")]
    prompt: Annotated[str, column("Level of the factor prompt")]
    replicate: Annotated[NonNegativeInt, column("Number of the repetition")]
    outcome: Annotated[Outcome, column("How the generation ended")]
    end: Annotated[End | None, column("How the agent itself says that it ended")]
    model: Annotated[str | None, column("Model as the agent names it")]
    version: Annotated[str | None, column("Version of the agent")]
    wall_seconds: Annotated[NonNegativeFloat, column("Wall time of the process", unit="s", compared=False)]
    complete: Annotated[bool, column("Whether the log's tokens cover the whole run")]
    service_failures: Annotated[
        NonNegativeInt | None,
        column("Failures of the model's service that the log tells of; retries in silence are not in it"),
    ]
    tokens_input: Annotated[
        NonNegativeInt | None, column("All input, cached or not, as the agent sums it", unit="tokens")
    ]
    tokens_output: Annotated[NonNegativeInt | None, column("All output, as the agent sums it", unit="tokens")]


class EventRow(Model):
    """One event of a run's log, in the log's order."""

    run_id: Annotated[str, column("Id of the run")]
    kind: Annotated[Kind, column("As of the run")]
    number: Annotated[NonNegativeInt, column("Place in the log, from 1")]
    event: Annotated[
        EventKind,
        column("What happened; `api_call` is one answer of the model, `failure` one of its service"),
    ]
    seconds: Annotated[
        float | None,
        column("Since the log's first time; missing where the log has none", unit="s", compared=False),
    ]
    duration: Annotated[
        NonNegativeFloat | None,
        column("Of an API call, or of what a failure cost, where the agent tells", unit="s", compared=False),
    ]
    tool: Annotated[str | None, column("Name of the tool as the agent has it")]
    tool_kind: Annotated[ToolKind | None, column("What the tool does, alike for all agents")]
    failed: Annotated[bool | None, column("Of a tool result")]
    status: Annotated[NonNegativeInt | None, column("HTTP status of a failure")]
    input_fresh: Annotated[
        NonNegativeInt | None, column("Input of an API call outside any cache", unit="tokens")
    ]
    cache_read: Annotated[
        NonNegativeInt | None, column("Input of an API call that was read from a cache", unit="tokens")
    ]
    cache_write: Annotated[
        NonNegativeInt | None, column("Input of an API call that was written to a cache", unit="tokens")
    ]
    output: Annotated[
        NonNegativeInt | None, column("Output of an API call, reasoning included", unit="tokens")
    ]
    reasoning: Annotated[NonNegativeInt | None, column("Reasoning in the output", unit="tokens")]
    subagent: Annotated[bool, column("Whether it happened in an agent that the agent started")]
    characters: Annotated[
        NonNegativeInt, column("Length of the text or of the arguments", unit="characters", compared=False)
    ]
    text: Annotated[
        str | None,
        column(
            f"Beginning of the text or of the arguments, on one line, at most {LONGEST} characters",
            compared=False,
        ),
    ]


_ROOM = re.compile(r"\S*/study-scratch-\w+/")
"""The place of one run, which says nothing."""
TABLES: Mapping[str, type[Model]] = {"trajectories": TrajectoryRow, "events": EventRow}


def run_row(story: Story, log: AgentLog) -> TrajectoryRow:
    """The row of a run."""
    record, tokens = story.record, log.all_tokens
    return TrajectoryRow(
        **{name: getattr(record, name) for name in (
            "run_id", "kind", "agent", "project", "service", "scenario", "prompt", "replicate",
        )},
        outcome=record.generation.outcome,
        end=log.end,
        model=log.model or record.generation.model,
        version=log.version or record.generation.version,
        wall_seconds=record.generation.wall_seconds,
        complete=log.complete,
        service_failures=len(log.of("failure")) if log.tells_failures else None,
        tokens_input=tokens.input,
        tokens_output=tokens.output,
    )  # fmt: skip


def event_rows(run_id: str, kind: Kind, log: AgentLog) -> list[EventRow]:
    """The rows of a run's events."""
    start = log.start
    return [_event_row(run_id, kind, number, event, start) for number, event in enumerate(log.events, 1)]


def _event_row(run_id: str, kind: Kind, number: int, event: Event, start: datetime | None) -> EventRow:
    tokens, text = event.tokens or Tokens(), event_text(event)
    return EventRow(
        run_id=run_id,
        kind=kind,
        number=number,
        event=event.kind,
        seconds=event.seconds_since(start),
        duration=event.seconds,
        tool=event.tool,
        tool_kind=tool_kind(event.tool) if event.tool else None,
        failed=event.failed,
        status=event.status,
        **tokens.model_dump(),
        subagent=event.subagent,
        characters=len(text),
        text=" ".join(_ROOM.sub("", text).split())[:LONGEST] or None,
    )


def event_text(event: Event) -> str:
    """What was said, or the arguments of a call: one argument as it is, several by name."""
    if event.arguments is None or event.text:
        return event.text
    if isinstance(event.arguments, str):
        return event.arguments
    values = {name: value for name, value in event.arguments.items() if value not in (None, "", [], {})}
    if len(values) == 1:
        return str(next(iter(values.values())))
    return ", ".join(f"{name}: {value}" for name, value in values.items())


def write_trajectories(stories: Sequence[Story], folder: Path, title: str) -> int:
    """Write both tables, their dictionary and checksums.

    Returns
    -------
    int
        Number of runs in the tables; runs without a log that can be read are left out.

    Raises
    ------
    StudyError
        If no run has a log, two runs have one id, or the folder holds anything else.
    """
    told = [(story, story.log) for story in stories if story.log is not None]
    if not told:
        raise StudyError("none of these runs has a log of its agent that the study can read")
    ids = [story.record.run_id for story, _ in told]
    twice = next((name for name in ids if ids.count(name) > 1), None)
    if twice:
        raise StudyError(f"two runs are called {twice}; export one experiment at a time")
    rows: dict[str, list[Model]] = {"trajectories": [], "events": []}
    for story, log in told:
        rows["trajectories"].append(run_row(story, log))
        rows["events"] += event_rows(story.record.run_id, story.record.kind, log)
    refuse_to_replace(folder, TABLES, "README.md")
    folder.mkdir(parents=True, exist_ok=True)
    for name, model in TABLES.items():
        write_atomically(folder / f"{name}.csv", to_csv(model, rows[name]))
    text = data_dictionary(title, schemas=TABLES, source="study/trajectories/tables.py")
    write_atomically(folder / "DICTIONARY.md", text)
    write_atomically(folder / CHECKSUMS, checksums(folder))
    return len(told)


def load_trajectories(folder: str | Path | None = None) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Runs and events of the committed trajectories, or of a folder of your own.

    Raises
    ------
    StudyError
        If a table is missing, damaged or not as its schema has it.
    """
    place = Path(folder) if folder else COMMITTED
    verify_checksums(place)
    runs, events = (read_table(place / f"{name}.csv", model) for name, model in TABLES.items())
    unknown = sorted(set(events["run_id"]) - set(runs["run_id"]))
    if unknown:
        raise StudyError(f"{place / 'events.csv'}: run_id {unknown[0]!r} is not in trajectories.csv")
    return runs, events
