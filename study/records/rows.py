"""One run record as rows of the tidy tables."""

from __future__ import annotations

from collections import Counter

from study.design import Design
from study.projects.loading import LoadedProject
from study.records.rates import OracleFacts, rates
from study.records.stages import RunRecord
from study.records.tables import (
    FunctionRow,
    MetricRow,
    PlantedRow,
    QualityRow,
    ReferenceRow,
    RunRow,
    TestRow,
)

_SHORT = {"incremental": "Inc", "clean_state": "CS"}
_SHORT_PROMPT = {"minimal": "P1", "summary": "P2"}


def condition(scenario: str, prompt: str) -> str:
    """The paper's abbreviation of scenario x prompt: `Inc-P1`; other prompts keep their own name."""
    return f"{_SHORT.get(scenario, scenario)}-{_SHORT_PROMPT.get(prompt, prompt)}"


def run_row(design: Design, record: RunRecord, fact: OracleFacts) -> RunRow:
    """Outcome, correctness and efficiency of one run."""
    generation, evaluation = record.generation, record.evaluation
    usage = generation.usage
    buckets = (usage.input_fresh_tokens, usage.cache_read_tokens, usage.cache_write_tokens)
    known = [bucket for bucket in buckets if bucket is not None]
    return RunRow(
        **record.model_dump(
            include={"run_id", "kind", "agent", "project", "service", "scenario", "prompt", "replicate"}
        ),
        model=generation.model or design.agent(record.agent).model,
        condition=condition(record.scenario, record.prompt),
        outcome=generation.outcome,
        reason=generation.reason,
        oracle=evaluation.oracle,
        suite=evaluation.suite,
        **rates(evaluation, fact),
        floor_percent=fact.floor_percent,
        ceiling_percent=fact.ceiling_percent,
        failure_cause=_failure_cause(record, fact),
        test_edits=len(generation.test_edits),
        files_written=len(generation.files_written),
        files_elsewhere=len(generation.files_elsewhere),
        time_min=_minutes(record),
        # without the fresh part the sum would be a part that looks like a whole
        input_tokens=None if usage.input_fresh_tokens is None else sum(known),
        input_fresh_tokens=usage.input_fresh_tokens,
        cache_read_tokens=usage.cache_read_tokens,
        cache_write_tokens=usage.cache_write_tokens,
        output_tokens=usage.output_tokens,
        reasoning_tokens=usage.reasoning_tokens,
        cost_usd=generation.cost_usd,
        wall_seconds=generation.wall_seconds,
        confinement=generation.confinement,
    )


def _minutes(record: RunRecord) -> float | None:
    """What the agent reports of itself, else what its process took, unless nothing real ran in it."""
    reported = record.generation.usage.agent_minutes
    if not record.generation.timed:
        return None
    if reported is None and record.kind == "measured" and record.agent not in {"absent", "reference"}:
        return round(record.generation.wall_seconds / 60, 4)
    return reported


def _failure_cause(record: RunRecord, fact: OracleFacts) -> str | None:
    """The outcome if the agent did not complete, else the suite's if it did not run, else the commonest
    exception among tests that pass on the reference; None if nothing failed.
    """
    if record.generation.outcome != "completed":
        return record.generation.outcome
    if record.evaluation.suite == "not_applicable":
        return None
    if record.evaluation.suite != "ran":
        return record.evaluation.suite
    adjusted = set(fact.adjusted_tests)
    causes = Counter(
        test.cause or test.status
        for test in record.evaluation.tests
        if test.test_id in adjusted and test.status != "passed"
    )
    # ties are broken by name, so that the same records give the same table
    return min(causes, key=lambda cause: (-causes[cause], cause)) if causes else None


def test_rows(record: RunRecord, fact: OracleFacts) -> list[TestRow]:
    """One row for each test that the reference has; none where the oracle was not run."""
    reported = {test.test_id: test for test in record.evaluation.tests}
    if record.evaluation.suite in {"not_applicable", "not_evaluated"}:
        return []
    return [
        TestRow(
            run_id=record.run_id,
            kind=record.kind,
            test_id=test_id,
            status=reported[test_id].status if test_id in reported else "missing",
            cause=(reported[test_id].cause or None) if test_id in reported else None,
            flaky=test_id in fact.flaky_tests,
        )
        for test_id in fact.tests
    ]


def quality_rows(record: RunRecord) -> list[QualityRow]:
    """Size and complexity; none if nothing was generated."""
    if record.quality is None:
        return []
    values = record.quality.model_dump(exclude={"per_function", "unparsed", "metrics"})
    return [
        QualityRow(
            run_id=record.run_id, kind=record.kind, unparsed_files=len(record.quality.unparsed), **values
        )
    ]


def function_rows(record: RunRecord) -> list[FunctionRow]:
    """Complexity per function."""
    if record.quality is None:
        return []
    return [
        FunctionRow(run_id=record.run_id, kind=record.kind, **function.model_dump())
        for function in record.quality.per_function
    ]


def planted_rows(record: RunRecord) -> list[PlantedRow]:
    """What a simulated agent planted."""
    rows = []
    for entry in record.generation.planted:
        defect, _, place = entry.partition(": ")
        rows.append(PlantedRow(run_id=record.run_id, kind="simulated", defect=defect, place=place))
    return rows


def metric_rows(record: RunRecord) -> list[MetricRow]:
    """Metrics of the user's own."""
    metrics = record.quality.metrics if record.quality else {}
    return [
        MetricRow(run_id=record.run_id, kind=record.kind, metric=name, value=value)
        for name, value in metrics.items()
    ]


def reference_row(loaded: LoadedProject, service: str, fact: OracleFacts) -> ReferenceRow:
    """What the reference scores, and what its oracle can see."""
    quality = fact.reference.quality
    return ReferenceRow(
        project=loaded.project.name,
        service=service,
        scenario=fact.reference.scenario,
        oracle=fact.reference.evaluation.oracle,
        kind=fact.reference.kind,
        language=loaded.project.language,
        reference=loaded.project.reference,
        tests_reference=len(fact.tests),
        tests_adjusted=len(fact.adjusted_tests),
        failing_tests="; ".join(fact.failing_tests) or None,
        flaky_tests="; ".join(fact.flaky_tests) or None,
        repeats=fact.repeats,
        floor_percent=fact.floor_percent,
        ceiling_percent=fact.ceiling_percent,
        sees_target=fact.sees_target,
        sloc=quality.sloc if quality else None,
        cyclomatic=quality.cyclomatic if quality else None,
        cognitive=quality.cognitive if quality else None,
    )
