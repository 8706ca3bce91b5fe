"""Turn the run folders of one experiment into tidy tables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from study.design import Design
from study.projects.loading import LoadedProject
from study.records.rates import OracleFacts, oracle_facts
from study.records.rows import (
    function_rows,
    metric_rows,
    planted_rows,
    quality_rows,
    reference_row,
    run_row,
    test_rows,
)
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
from study.records.usage import ToolRow, UsageRow, tool_rows, usage_rows
from study.schema import Model, StudyError


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
    usage: list[UsageRow] = field(default_factory=list)
    tools: list[ToolRow] = field(default_factory=list)

    def items(self) -> Iterable[tuple[str, list[Model]]]:
        """(table name, rows) of every table."""
        return [(name, list(rows)) for name, rows in vars(self).items()]


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
        (tables.controls if run.is_control else tables.runs).append(run_row(design, record, fact))
        tables.tests += test_rows(record, fact)
        tables.quality += quality_rows(record)
        tables.functions += function_rows(record)
        tables.planted += planted_rows(record)
        tables.metrics += metric_rows(record)
        tables.usage += usage_rows(record)
        tables.tools += tool_rows(record)
    for (project, service, _), fact in facts.items():
        tables.references.append(reference_row(projects[project], service, fact))
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
