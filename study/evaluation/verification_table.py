"""The tables of a verification: counts, rates with every denominator in use, floor, stub and ceiling."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from statistics import median

from study.evaluation.verification import ALL, AnyOracle, Control, Seen
from study.projects.loading import LoadedProject
from study.records.rates import always_passed, sees_target
from study.records.stages import Status, SuiteOutcome
from study.schema import Kind, Model


class VerificationRow(Model):
    """One oracle of one target under one control; counts are those of the first repeat.

    The rates differ in their denominator only, and in what they take for a pass: `reference` divides by all
    tests that the reference reports, as this package does for runs; `executed` by those that passed, failed
    or erred, as the paper does for Project-Management's baseline; `collected` by all that this execution
    reported; `not_failed` counts a skip as a pass, as the project's own script prints it.
    """

    kind: Kind = "measured"
    project: str
    service: str
    oracle: AnyOracle
    control: Control
    suite: SuiteOutcome
    repeats: int
    tests: int | None
    """That the reference reports, over all its repeats; None where no repeat reported any."""
    passed: int | None = None
    failed: int | None = None
    errors: int | None = None
    skipped: int | None = None
    missing: int | None = None
    """Tests of the reference that were not reported here."""
    flaky: int | None = None
    """Tests with different results in different repeats; reference only, and only if there are repeats."""
    reference_percent: float | None = None
    executed_percent: float | None = None
    collected_percent: float | None = None
    not_failed_percent: float | None = None
    seconds: float | None = None
    """Median over the repeats, start of the services included."""
    not_run: str = ""
    """Test files that need what this machine lacks; never counted."""
    reason: str = ""


class TestRow(Model):
    """One test in one execution."""

    __test__ = False

    kind: Kind = "measured"
    project: str
    service: str
    oracle: AnyOracle
    control: Control
    repeat: int
    test_id: str
    status: Status
    cause: str


def test_rows(loaded: LoadedProject, seen: Iterable[Seen]) -> list[TestRow]:
    """Every test of every execution."""
    return [
        TestRow(
            project=loaded.project.name,
            service=one.case.target,
            oracle=one.case.oracle,
            control=one.case.control,
            repeat=one.case.repeat,
            test_id=test.test_id,
            status=test.status,
            cause=test.cause,
        )
        for one in seen
        for test in one.result.tests
    ]


def verification_rows(loaded: LoadedProject, seen: list[Seen]) -> list[VerificationRow]:
    """One row for each target, oracle and control, those included that do not apply, with the reason."""
    groups = _groups(seen)
    rows = []
    for (target, oracle, control), repeats in groups.items():
        tests = _tests_of(groups.get((_reference_of(target, oracle), oracle, "reference"), []))
        rows.append(_row(loaded.project.name, target, oracle, control, repeats, tests))
    return sorted([*rows, *_not_applicable(loaded, {key[:2] for key in groups})], key=_order)


def blind_oracles(seen: Iterable[Seen]) -> list[tuple[str, AnyOracle]]:
    """Targets and oracles where all that passes on the reference passes without the target too."""
    groups = _groups(seen)
    blind = []
    for target, oracle, control in groups:
        if control == "absent":
            reference = groups.get((_reference_of(target, oracle), oracle, "reference"), [])
            adjusted = always_passed([_statuses(one) for one in reference]) if reference else []
            absent = [_statuses(one) for one in groups[target, oracle, "absent"]]
            if sees_target(absent, adjusted) is False:
                blind.append((target, oracle))
    return blind


def _groups(seen: Iterable[Seen]) -> dict[tuple[str, AnyOracle, Control], list[Seen]]:
    groups: dict[tuple[str, AnyOracle, Control], list[Seen]] = {}
    for one in seen:
        groups.setdefault((one.case.target, one.case.oracle, one.case.control), []).append(one)
    return groups


def _reference_of(target: str, oracle: AnyOracle) -> str:
    """The whole suite runs on the reference once, whatever is the target."""
    return ALL if oracle == "whole" else target


def _statuses(one: Seen) -> dict[str, Status]:
    return {test.test_id: test.status for test in one.result.tests}


def _order(row: VerificationRow) -> tuple[bool, str, list[str], list[str]]:
    return row.service != ALL, row.service, [row.oracle[::-1]], [row.control]


def _tests_of(reference: list[Seen]) -> list[str]:
    return sorted({test.test_id for one in reference for test in one.result.tests})


def _row(
    project: str,
    target: str,
    oracle: AnyOracle,
    control: Control,
    repeats: list[Seen],
    tests: list[str],
) -> VerificationRow:
    first = repeats[0].result
    statuses = [_statuses(one) for one in repeats]
    base = VerificationRow(
        project=project,
        service=target,
        oracle=oracle,
        control=control,
        suite=first.suite,
        repeats=len(repeats),
        tests=len(tests) or None,
        not_run="; ".join(first.not_run),
        reason=" ".join(first.reason.split()),
    )
    if first.suite == "not_evaluated" or not tests:
        return base
    counts = Counter(statuses[0].get(test, "missing") for test in tests)
    executed = counts["passed"] + counts["failed"] + counts["error"]
    seconds = [one.seconds for one in repeats if one.seconds is not None]
    flaky = sum(len({repeat.get(test, "missing") for repeat in statuses}) > 1 for test in tests)
    return base.model_copy(
        update={
            "passed": counts["passed"],
            "failed": counts["failed"],
            "errors": counts["error"],
            "skipped": counts["skipped"],
            "missing": counts["missing"],
            "flaky": flaky if control == "reference" and len(repeats) > 1 else None,
            "reference_percent": _percent(counts["passed"], len(tests)),
            "executed_percent": _percent(counts["passed"], executed),
            "collected_percent": _percent(counts["passed"], len(statuses[0])),
            "not_failed_percent": _percent(counts["passed"] + counts["skipped"], len(statuses[0])),
            "seconds": round(median(seconds), 1) if seconds else None,
        }
    )


def _not_applicable(loaded: LoadedProject, done: set[tuple[str, AnyOracle]]) -> list[VerificationRow]:
    reasons: dict[AnyOracle, str] = {"unit": "", "integration": "no consumer of the target has tests"}
    return [
        VerificationRow(
            project=loaded.project.name,
            service=service.name,
            oracle=oracle,
            control="reference",
            suite="not_applicable",
            repeats=0,
            tests=None,
            reason=reason or service.untested,
        )
        for service in loaded.project.targets
        for oracle, reason in reasons.items()
        if (service.name, oracle) not in done
    ]


def _percent(part: int, whole: int) -> float | None:
    return round(100 * part / whole, 2) if whole else None
