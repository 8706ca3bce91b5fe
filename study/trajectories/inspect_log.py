"""Runs as evaluation logs of Inspect AI (inspect.aisi.org.uk), so that its viewer and its readers open them.

The files are written as its log format 2 has them, JSON; the package itself, with its many dependencies, is
not needed to write them. A test has the real package read them back.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from study.agents.trajectory import AgentLog
from study.files import write_atomically
from study.records.rates import OracleFacts
from study.records.store import RUN
from study.schema import StudyError
from study.trajectories.inspect_transcript import events_of, messages_of, model_of, usage_of
from study.trajectories.scores import Oracles, means_of, scores_of
from study.trajectories.story import Story

FORMAT = 2
_LIMITS = {"turn_limit": "turn", "tool_limit": "custom", "token_limit": "token", "cost_limit": "cost",
           "time_limit": "time"}  # fmt: skip


def write_inspect_logs(stories: Sequence[Story], folder: Path) -> list[Path]:
    """Write one log for each experiment and agent; a run is a sample, a repetition an epoch.

    Parameters
    ----------
    stories : sequence of Story
        The runs.
    folder : Path
        Where the files go; files of the same name are replaced.

    Returns
    -------
    list of Path
        The files.

    Raises
    ------
    StudyError
        If the folder cannot be written.
    """
    groups: dict[tuple[str, str], list[Story]] = {}
    for story in stories:
        groups.setdefault((story.experiment, story.record.agent), []).append(story)
    written = []
    for (experiment, agent), group in groups.items():
        # the viewer lists only files that are called time_task_id
        time, name = _moment(group).replace(":", "-"), f"{experiment}-{agent}".replace("_", "-")
        path = folder / f"{time}_{name}_{_identity(experiment, agent)}.json"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            text = json.dumps(inspect_log(group), indent=1, ensure_ascii=False)
            write_atomically(path, text + "\n")
        except OSError as error:
            raise StudyError(f"{path}: cannot be written: {error.strerror}") from None
        written.append(path)
    return written


def inspect_log(stories: Sequence[Story]) -> dict[str, Any]:
    """The log of one agent's runs in one experiment.

    Its scores are those of `study.trajectories.scores`: tests by status, and the tables' rates.
    """
    first = stories[0]
    agent, model = first.record.agent, model_of(first)
    kinds = sorted({story.record.kind for story in stories})
    identity = _identity(first.experiment, agent)
    oracles = Oracles()
    samples = [_sample(story, oracles.facts(story)) for story in stories]
    ids = list(dict.fromkeys(sample["id"] for sample in samples))
    return {
        "version": FORMAT,
        "status": "success",
        "eval": {
            "eval_id": identity,
            "run_id": identity,
            "created": _moment(stories),
            "task": first.experiment,
            "task_id": identity,
            "task_args": {},
            "tags": [f"kind: {kind}" for kind in kinds],
            "dataset": {"name": first.experiment, "samples": len(ids), "sample_ids": ids},
            "model": model,
            "solver": agent,
            "config": {"epochs": max(sample["epoch"] for sample in samples)},
            "packages": {"study": version("study")},
            "metadata": {"kind": kinds, "agent": agent},
        },
        "plan": {"name": "plan", "steps": [{"solver": agent, "params": {}}]},
        "results": {
            "total_samples": len(samples),
            "completed_samples": sum(story.record.generation.outcome == "completed" for story in stories),
            "scores": means_of(samples),
        },
        "stats": {"started_at": "", "completed_at": "", "model_usage": _sums(samples)},
        "samples": samples,
    }


def _sample(story: Story, facts: OracleFacts | None) -> dict[str, Any]:
    record, log = story.record, story.log or AgentLog()
    generation = record.generation
    messages = messages_of(story)
    answers = [message for message in messages if message["role"] == "assistant"]
    last = [{"message": message, "stop_reason": "stop"} for message in answers[-1:]]
    sample = {
        "id": ".".join((record.project, record.service, record.scenario, record.prompt)),
        "epoch": record.replicate,
        "uuid": _identity(story.experiment, record.run_id),
        "input": story.prompt,
        "target": "",
        "messages": messages,
        "output": {"model": model_of(story), "choices": last},
        "scores": scores_of(record, facts),
        "metadata": {
            "run_id": record.run_id,
            "kind": record.kind,
            "outcome": generation.outcome,
            "reason": generation.reason,
            "scenario": record.scenario,
            "prompt": record.prompt,
            "agent_end": log.end if story.log else None,
            "complete": log.complete if story.log else None,
        },
        "events": events_of(story),
        "model_usage": {
            model: usage for model, tokens in log.tokens.items() if (usage := usage_of(tokens)) is not None
        },
        "total_time": generation.wall_seconds,
    }  # fmt: skip
    if log.end in _LIMITS:
        sample["limit"] = {"type": _LIMITS[log.end], "limit": 0}
    if generation.outcome not in {"completed", "no_output"} and log.end not in _LIMITS:
        said = f"{generation.outcome}: {generation.reason}"
        sample["error"] = {"message": said, "traceback": "", "traceback_ansi": ""}
    return sample


def _sums(samples: Sequence[dict[str, Any]]) -> dict[str, Any]:
    sums: dict[str, dict[str, Any]] = {}
    for sample in samples:
        for model, usage in sample["model_usage"].items():
            before = sums.get(model)
            sums[model] = usage if before is None else {
                name: None if None in (value, usage[name]) else value + usage[name]
                for name, value in before.items()
            }  # fmt: skip
    return sums


def _identity(*parts: str) -> str:
    """An id of 22 letters and digits, the same at every export."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:22]


def _moment(stories: Sequence[Story]) -> str:
    """When the first of the runs was recorded."""
    seconds = min((story.folder / RUN).stat().st_mtime for story in stories)
    return datetime.fromtimestamp(int(seconds), UTC).isoformat()
