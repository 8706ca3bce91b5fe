"""Scores of runs for Inspect AI, by the tests of the reference where its controls are there."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, get_args

from study.records.rates import OracleFacts, oracle_facts, rates
from study.records.stages import RunRecord, Status
from study.records.store import RUN, read_record
from study.trajectories.story import Story

SCORER, RATE, EXECUTED = "tests", "pass_rate", "pass_rate_executed"
NO_CONTROLS = (
    "The control runs `reference` and `absent` are not beside this run, so it is not known which tests its "
    "suite never reached; they are in no count here, and there is no pass_rate."
)


class Oracles:
    """What the controls of the same experiment tell, read once for each oracle."""

    def __init__(self) -> None:
        self._known: dict[tuple[Path, str, str, str], OracleFacts | None] = {}

    def facts(self, story: Story) -> OracleFacts | None:
        """Of the run's oracle; None without its controls."""
        record, place = story.record, story.folder.resolve().parent
        key = (place, record.project, record.service, record.scenario)
        if key not in self._known:
            self._known[key] = _read(place, record)
        return self._known[key]


def _read(place: Path, record: RunRecord) -> OracleFacts | None:
    controls: dict[str, list[RunRecord]] = {"absent": [], "reference": []}
    for agent, found in controls.items():
        pattern = f"{agent}.{record.project}.{record.service}.{record.scenario}.*/{RUN}"
        read = (read_record(path, RunRecord) for path in sorted(place.glob(pattern)))
        found += [control for control in read if control is not None]
    return oracle_facts(controls) if controls["reference"] else None


def scores_of(record: RunRecord, facts: OracleFacts | None) -> dict[str, Any]:
    """Counts of tests by status, the pass rate, and that of the executed tests, from 0 to 1.

    `pass_rate` is the share of the reference's tests that passed: what a suite did not reach counts as not
    passed. `pass_rate_executed` leaves skipped and missing tests out, as the published study does. A run
    that was not evaluated has no scores.
    """
    evaluation = record.evaluation
    if evaluation.suite in {"not_applicable", "not_evaluated"}:
        return {}
    names = get_args(Status)
    if facts is None:
        seen = [test.status for test in evaluation.tests]
        counts = {name: seen.count(name) for name in names if name != "missing"}
        executed = counts["passed"] + counts["failed"] + counts["error"]
        found = {EXECUTED: counts["passed"] / executed} if executed else {}
    else:
        row = rates(evaluation, facts)
        if row["tests_reference"] is None:
            return {}
        counts = {name: row[f"tests_{name}"] for name in names}
        columns = {RATE: "pass_rate_percent", EXECUTED: "pass_rate_executed_percent"}
        found = {name: row[column] / 100 for name, column in columns.items() if row[column] is not None}
    remark = [NO_CONTROLS] if facts is None else []
    tests = {"value": counts, "answer": evaluation.suite, "explanation": "\n".join([*remark, *_bad(record)])}
    return {SCORER: tests, **{name: {"value": round(value, 6)} for name, value in found.items()}}


def _bad(record: RunRecord) -> list[str]:
    return [
        f"{test.status} {test.test_id}: {test.cause} {test.message}"
        for test in record.evaluation.tests
        if test.status != "passed"
    ]


def means_of(samples: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The mean of each rate over the samples that have it, as the log's results list them."""
    found = []
    for name in (RATE, EXECUTED):
        values = [sample["scores"][name]["value"] for sample in samples if name in sample["scores"]]
        if values:
            mean = {"name": "mean", "value": sum(values) / len(values)}
            found.append({"name": name, "scorer": name, "metrics": {"mean": mean}})
    return found
