"""Pass rates and their frame of reference: what the oracle scores with and without the reference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from study.records.stages import Evaluation, RunRecord, Status


@dataclass(frozen=True)
class OracleFacts:
    """What the controls tell of one oracle (of one service and scenario)."""

    reference: RunRecord
    """The first repeat of the reference."""
    repeats: int
    tests: list[str]
    """All tests that any repeat on the reference reported."""
    adjusted_tests: list[str]
    """Those that passed in every repeat."""
    failing_tests: list[str]
    """Those that never passed."""
    flaky_tests: list[str]
    """Those with different results in different repeats."""
    floor_percent: float | None
    ceiling_percent: float | None
    sees_target: bool | None
    """False: every test that passes on the reference passes without the target too, so the oracle is
    blind to it. None: there are no such tests, or the control `absent` was not run."""


def oracle_facts(controls: Mapping[str, list[RunRecord]]) -> OracleFacts:
    """Read the frame of reference off the controls `absent` and `reference` of one oracle."""
    references = controls["reference"]
    statuses = [_statuses(record.evaluation) for record in references]
    tests = sorted({test for repeat in statuses for test in repeat})
    per_test = {test: [repeat.get(test, "missing") for repeat in statuses] for test in tests}
    adjusted = always_passed(statuses)
    flaky = [test for test, seen in per_test.items() if len(set(seen)) > 1]
    return OracleFacts(
        reference=references[0],
        repeats=len(references),
        tests=tests,
        adjusted_tests=adjusted,
        failing_tests=[test for test in tests if test not in adjusted and test not in flaky],
        flaky_tests=flaky,
        floor_percent=_mean_rate(controls["absent"], tests),
        ceiling_percent=_mean_rate(references, tests),
        sees_target=sees_target([_statuses(record.evaluation) for record in controls["absent"]], adjusted),
    )


def always_passed(repeats: Sequence[Mapping[str, Status]]) -> list[str]:
    """Tests that passed in every repeat, by name; a test that a repeat did not report did not pass in it."""
    return sorted(test for test in repeats[0] if all(statuses.get(test) == "passed" for statuses in repeats))


def sees_target(absent: Sequence[Mapping[str, Status]], adjusted: Sequence[str]) -> bool | None:
    """Whether an oracle can see its target, as `OracleFacts.sees_target` says, test by test.

    Parameters
    ----------
    absent : sequence of mappings
        Status by test, for each execution without the target.
    adjusted : sequence of str
        Tests that pass on the reference, from `always_passed`.
    """
    if not absent or not adjusted:
        return None
    return any(statuses.get(test) != "passed" for statuses in absent for test in adjusted)


def rates(evaluation: Evaluation, fact: OracleFacts) -> dict[str, Any]:
    """Counts and rates of one run, as the columns of `study.records.tables.RunRow`.

    A run that was not evaluated, or whose oracle does not apply, has no rate: None, never 0 or 100.
    """
    names = get_args(Status)
    if evaluation.suite in {"not_applicable", "not_evaluated"} or not fact.tests:
        columns = ["tests_reference", *(f"tests_{name}" for name in names)]
        columns += ["pass_rate_percent", "pass_rate_executed_percent", "pass_rate_adjusted_percent"]
        return dict.fromkeys(columns)
    statuses = _statuses(evaluation)
    seen: list[Status] = [statuses.get(test, "missing") for test in fact.tests]
    counts = {f"tests_{name}": sum(status == name for status in seen) for name in names}
    passed = counts["tests_passed"]
    executed = passed + counts["tests_failed"] + counts["tests_error"]
    adjusted = sum(statuses.get(test) == "passed" for test in fact.adjusted_tests)
    return {
        "tests_reference": len(fact.tests),
        **counts,
        "pass_rate_percent": _percent(passed, len(fact.tests)),
        "pass_rate_executed_percent": _percent(passed, executed),
        "pass_rate_adjusted_percent": _percent(adjusted, len(fact.adjusted_tests)),
    }


def _percent(part: int, whole: int) -> float | None:
    return round(100 * part / whole, 4) if whole else None


def _statuses(evaluation: Evaluation) -> dict[str, Status]:
    return {test.test_id: test.status for test in evaluation.tests}


def _mean_rate(records: list[RunRecord], tests: list[str]) -> float | None:
    scored = [
        record for record in records if record.evaluation.suite not in {"not_applicable", "not_evaluated"}
    ]
    if not scored or not tests:
        return None
    passed = sum(_statuses(record.evaluation).get(test) == "passed" for record in scored for test in tests)
    return _percent(passed, len(tests) * len(scored))
