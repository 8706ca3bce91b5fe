"""Turn the run folders of one experiment into tidy tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from study.design import Design
from study.projects.loading import LoadedProject
from study.records.rates import OracleFacts, oracle_facts, rates
from study.records.stages import RunRecord
from study.records.store import finished
from study.records.tables import (
    FunctionRow,
    MetricRow,
    PlantedRow,
    QualityRow,
    ReferenceRow,
    RunRow,
    TestRow,
)
from study.schema import Model, StudyError

_SHORT = {"incremental": "Inc", "clean_state": "CS"}
_SHORT_PROMPT = {"minimal": "P1", "summary": "P2"}


@dataclass
class Tables:
    """Rows of every table of a dataset, in the order of the design."""

    runs: list[RunRow] = field(default_factory=list)
    controls: list[RunRow] = field(default_factory=list)
    tests: list[TestRow] = field(default_factory=list)
    quality: list[QualityRow] = field(default_factory=list)
    functions: list[FunctionRow] = field(default_factory=list)
    references: list[ReferenceRow] = field(default_factory=list)
    planted: list[PlantedRow] = field(default_factory=list)
    metrics: list[MetricRow] = field(default_factory=list)

    def items(self) -> Iterable[tuple[str, list[Model]]]:
        """(table name, rows) of every table."""
        return [(name, list(rows)) for name, rows in vars(self).items()]


def condition(scenario: str, prompt: str) -> str:
    """The paper's abbreviation of scenario x prompt: `Inc-P1`; other prompts keep their own name."""
    return f"{_SHORT.get(scenario, scenario)}-{_SHORT_PROMPT.get(prompt, prompt)}"


def collect(design: Design, projects: dict[str, LoadedProject], folder: Path) -> Tables:
    """Build all tables from the run folders.

    Parameters
    ----------
    design : Design
        Says which runs there should be.
    projects : dict
        Loaded manifests by name.
    folder : Path
        Results folder of the experiment.

    Raises
    ------
    StudyError
        If runs are missing: a table of a part of the design would look like one of the whole.
    """
    records = _read_all(design, folder)
    facts: dict[tuple[str, str, str], OracleFacts] = {}
    for key, group in _control_groups(design, records).items():
        facts[key] = oracle_facts(group)
    tables = Tables()
    for run in [*design.runs(), *design.control_runs()]:
        record = records[run.run_id]
        fact = facts[(run.project, run.service, run.scenario)]
        (tables.controls if run.is_control else tables.runs).append(_run_row(design, record, fact))
        tables.tests += _test_rows(record, fact)
        tables.quality += _quality_rows(record)
        tables.functions += _function_rows(record)
        tables.planted += _planted_rows(record)
        tables.metrics += _metric_rows(record)
    for (project, service, _), fact in facts.items():
        tables.references.append(_reference_row(projects[project], service, fact))
    return tables


def _read_all(design: Design, folder: Path) -> dict[str, RunRecord]:
    records: dict[str, RunRecord] = {}
    missing: list[str] = []
    for run in [*design.runs(), *design.control_runs()]:
        record = finished(folder, run.run_id)
        if record is None:
            missing.append(run.run_id)
        else:
            records[run.run_id] = record
    if missing:
        raise StudyError(
            f"{folder}: {len(missing)} of {len(missing) + len(records)} runs are not done, for instance "
            f"{missing[0]}; `study run` goes on where it stopped"
        )
    return records


def _control_groups(
    design: Design, records: dict[str, RunRecord]
) -> dict[tuple[str, str, str], dict[str, list[RunRecord]]]:
    """Records of the controls by (project, service, scenario), then by control."""
    groups: dict[tuple[str, str, str], dict[str, list[RunRecord]]] = {}
    for run in design.runs():
        groups[(run.project, run.service, run.scenario)] = {"absent": [], "reference": []}
    for run in design.control_runs():
        groups[(run.project, run.service, run.scenario)][run.agent].append(records[run.run_id])
    for key, group in groups.items():
        if not group["reference"]:
            raise StudyError(
                f"{'/'.join(key)}: the control `reference` has no run, so nobody knows how many tests "
                "the oracle has; set controls.reference to 1 or more"
            )
    return groups


def _run_row(design: Design, record: RunRecord, fact: OracleFacts) -> RunRow:
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
        time_min=usage.agent_minutes,
        # without the fresh part the sum would be a part that looks like a whole
        input_tokens=None if usage.input_fresh_tokens is None else sum(known),
        input_fresh_tokens=usage.input_fresh_tokens,
        cache_read_tokens=usage.cache_read_tokens,
        cache_write_tokens=usage.cache_write_tokens,
        output_tokens=usage.output_tokens,
        reasoning_tokens=usage.reasoning_tokens,
        cost_usd=usage.cost_usd,
        wall_seconds=generation.wall_seconds,
        confinement=generation.confinement,
    )


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


def _test_rows(record: RunRecord, fact: OracleFacts) -> list[TestRow]:
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


def _quality_rows(record: RunRecord) -> list[QualityRow]:
    if record.quality is None:
        return []
    values = record.quality.model_dump(exclude={"per_function", "unparsed", "metrics"})
    return [
        QualityRow(
            run_id=record.run_id, kind=record.kind, unparsed_files=len(record.quality.unparsed), **values
        )
    ]


def _function_rows(record: RunRecord) -> list[FunctionRow]:
    if record.quality is None:
        return []
    return [
        FunctionRow(run_id=record.run_id, kind=record.kind, **function.model_dump())
        for function in record.quality.per_function
    ]


def _planted_rows(record: RunRecord) -> list[PlantedRow]:
    rows = []
    for entry in record.generation.planted:
        defect, _, place = entry.partition(": ")
        rows.append(PlantedRow(run_id=record.run_id, kind="simulated", defect=defect, place=place))
    return rows


def _metric_rows(record: RunRecord) -> list[MetricRow]:
    metrics = record.quality.metrics if record.quality else {}
    return [
        MetricRow(run_id=record.run_id, kind=record.kind, metric=name, value=value)
        for name, value in metrics.items()
    ]


def _reference_row(loaded: LoadedProject, service: str, fact: OracleFacts) -> ReferenceRow:
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
