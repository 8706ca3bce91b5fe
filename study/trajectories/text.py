"""A run's story for the terminal: what was asked, what the agent did, what the tests said, what differs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from study.agents.trajectory import AgentLog, Event, tool_kind
from study.files import printable
from study.records.stages import Evaluation, Generation
from study.trajectories.story import Story
from study.trajectories.tables import event_text

WIDTH = 120
"""Characters of a step, without `--full`."""
LONGEST_DIFF = 200
"""Lines of a diff, without `--full`."""
_NAMES = {"api_call": "answer", "tool_call": "call", "tool_result": "result", "failure": "FAILURE"}


def head_lines(story: Story) -> Iterator[str]:
    """What the run is and how it ended; what nobody says is left out, never 0."""
    record, generation = story.record, story.record.generation
    yield f"{record.run_id}   kind: {record.kind}"
    if record.kind == "simulated":
        yield "SIMULATED: this says nothing about any real agent"
    yield f"outcome: {generation.outcome} ({generation.reason})"
    agent = [generation.model, generation.version and f"version {generation.version}"]
    if any(agent):
        yield "model: " + ", ".join(word for word in agent if word)
    if generation.timed:
        yield f"wall time: {_duration(generation.wall_seconds)}"
    yield from _usage_lines(generation)
    for name, files in (
        ("written", generation.files_written),
        ("changed elsewhere, put back", generation.files_elsewhere),
        ("tests changed, put back", generation.test_edits),
        ("refused", generation.refused_files),
        ("problems", generation.problems),
        ("planted", generation.planted),
    ):
        if files:
            yield f"{name}: {', '.join(files)}"
    for number, attempt in enumerate(generation.earlier, 1):
        yield f"attempt {number}, made again: {attempt.outcome} ({attempt.reason})"


def _usage_lines(generation: Generation) -> Iterator[str]:
    usage = generation.usage
    tokens = {
        "fresh input": usage.input_fresh_tokens,
        "read from a cache": usage.cache_read_tokens,
        "written to a cache": usage.cache_write_tokens,
        "output": usage.output_tokens,
        "reasoning in it": usage.reasoning_tokens,
    }
    if any(value is not None for value in tokens.values()):
        words = ", ".join(f"{name} {'not said' if v is None else f'{v:,}'}" for name, v in tokens.items())
        early = " (the log stops early: at least these)" if usage.complete is False else ""
        yield f"tokens: {words}{early}"
    cost = generation.cost
    if cost is not None:
        listed = "unknown" if cost.list_usd is None else f"{cost.list_usd:.4f}"
        low, high = f"{cost.low_usd:.4f}", "?" if cost.high_usd is None else f"{cost.high_usd:.4f}"
        cached = low if low == high else f"{low} to {high}"
        yield f"cost: {listed} USD at list prices; with the cache {cached} USD"
    elif usage.cost_usd is not None:
        yield f"cost: {usage.cost_usd:.4f} USD as the agent says"


def step_lines(log: AgentLog, full: bool = False) -> Iterator[str]:
    """The agent's steps, each with the seconds since the first; several lines each if `full`."""
    start = log.start
    for event in log.events:
        seconds = event.seconds_since(start)
        since = "" if seconds is None else f"{seconds:.1f} s"
        name = _NAMES.get(event.kind, event.kind)
        text = printable(_words(event))
        if not full:
            text = " ".join(text.split())
            text = text if len(text) <= WIDTH else f"{text[: WIDTH - 1]}…"
        indent = "  " if event.subagent else ""
        yield f"{since:>9}  {indent}{name:<8} {text}".rstrip()
    yield f"end: {log.end}{f' ({log.message})' if log.message else ''}"
    for problem in log.problems:
        yield f"problem of the log: {printable(problem)}"


def _words(event: Event) -> str:
    if event.kind == "api_call":
        known = {} if event.tokens is None else event.tokens.model_dump(exclude_none=True)
        words = ", ".join(f"{name.replace('_', ' ')} {value:,}" for name, value in known.items())
        seconds = "" if event.seconds is None else f" in {event.seconds:.1f} s"
        return f"{event.model or 'model'}{seconds}: {words or 'tokens not said'}"
    if event.kind == "tool_call":
        return f"{event.tool} [{tool_kind(event.tool or '')}] {event_text(event)}"
    if event.kind == "tool_result":
        return f"{'FAILED ' if event.failed else ''}{event.text}"
    if event.kind == "failure":
        status = "" if event.status is None else f"HTTP {event.status} "
        lost = "" if event.seconds is None else f" ({event.seconds:.1f} s lost)"
        return f"{status}{event.text}{lost}"
    return event.text


def oracle_lines(evaluation: Evaluation) -> Iterator[str]:
    """Counts of the tests by status, and each test that did not pass, with its cause."""
    reason = f" ({evaluation.reason})" if evaluation.reason else ""
    yield f"{evaluation.oracle} tests: {evaluation.suite}{reason}"
    counts = Counter(test.status for test in evaluation.tests)
    if counts:
        yield ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))
    for test in evaluation.tests:
        if test.status != "passed":
            yield printable(f"  {test.status}  {test.test_id}  {test.cause} {test.message}".rstrip())
    for line in evaluation.not_run:
        yield printable(f"  not run  {line}")


def _duration(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds < 100 else f"{seconds / 60:.1f} min"
