"""The tidy tables of a dataset: one model per row type. The data dictionary is generated from here."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from study.agents.protocol import Outcome
from study.records.columns import column as _column
from study.records.stages import Oracle, Status, SuiteOutcome
from study.records.usage import ToolRow, UsageRow
from study.schema import Kind, Model

Percent = Annotated[float, Field(ge=0, le=100)]


class RunRow(Model):
    """One row per run: factors, outcome, correctness, efficiency. `controls.csv` has the same columns."""

    run_id: Annotated[str, _column("Readable, stable id made of the factor levels")]
    kind: Annotated[Kind, _column("Where the numbers come from: published, measured or simulated")]
    agent: Annotated[str, _column("Agent level, or the control `absent` or `reference`")]
    model: Annotated[str | None, _column("Model identifier that the agent reported or the design names")]
    project: Annotated[str, _column("Microservice system")]
    service: Annotated[str, _column("Target service: removed and generated again")]
    scenario: Annotated[str, _column("What the agent may see: incremental, clean_state, or your own")]
    prompt: Annotated[str, _column("Prompt level; `none` for controls")]
    condition: Annotated[str, _column("Scenario x prompt as the paper abbreviates it, e.g. Inc-P1")]
    replicate: Annotated[int, _column("Repeat number, from 1")]
    outcome: Annotated[Outcome, _column("How the run ended; exactly one per run")]
    reason: Annotated[str, _column("Why it ended so, in words", compared=False)]
    oracle: Annotated[Oracle, _column("Which tests score the run")]
    suite: Annotated[SuiteOutcome, _column("What became of the test suite as a whole")]
    tests_reference: Annotated[int | None, _column("Tests the oracle has on the reference", unit="tests")]
    tests_passed: Annotated[int | None, _column("Of these, passed", unit="tests")]
    tests_failed: Annotated[int | None, _column("Of these, failed", unit="tests")]
    tests_error: Annotated[int | None, _column("Of these, ended in an error outside the test", unit="tests")]
    tests_skipped: Annotated[int | None, _column("Of these, skipped", unit="tests")]
    tests_missing: Annotated[int | None, _column("Of these, not reported at all", unit="tests")]
    pass_rate_percent: Annotated[
        Percent | None,
        _column("passed / tests_reference: a suite that is not collected scores 0 of n", unit="%"),
    ]
    pass_rate_executed_percent: Annotated[
        Percent | None,
        _column("passed / (passed + failed + error): skips and missing tests left out", unit="%"),
    ]
    pass_rate_adjusted_percent: Annotated[
        Percent | None,
        _column("As pass_rate_percent, over the tests that pass on the reference in every repeat", unit="%"),
    ]
    floor_percent: Annotated[
        Percent | None, _column("pass_rate_percent of the control `absent`, same oracle", unit="%")
    ]
    ceiling_percent: Annotated[
        Percent | None, _column("Mean pass_rate_percent of the control `reference`", unit="%")
    ]
    failure_cause: Annotated[
        str | None,
        _column(
            "Outcome of a run that did not complete, else of a suite that did not run, else the commonest "
            "exception among tests that pass on the reference in every repeat; empty: none of these failed"
        ),
    ]
    test_edits: Annotated[
        int | None, _column("Test files the agent changed (put back before scoring)", unit="files")
    ]
    files_written: Annotated[int | None, _column("Files generated in the target's directory", unit="files")]
    files_elsewhere: Annotated[
        int | None, _column("Other files changed (put back before scoring)", unit="files")
    ]
    time_min: Annotated[
        float | None,
        _column(
            "Duration of the agent's work: as it reports, else wall clock of its process; simulated for "
            "simulated agents, empty for controls",
            unit="min",
        ),
    ]
    input_tokens: Annotated[int | None, _column("All input: fresh + cache read + cache write", unit="tokens")]
    input_fresh_tokens: Annotated[int | None, _column("Input outside any cache", unit="tokens")]
    cache_read_tokens: Annotated[int | None, _column("Input read from a cache", unit="tokens")]
    cache_write_tokens: Annotated[int | None, _column("Input written to a cache", unit="tokens")]
    output_tokens: Annotated[int | None, _column("Output, reasoning included", unit="tokens")]
    reasoning_tokens: Annotated[int | None, _column("Reasoning part of the output", unit="tokens")]
    cost_usd: Annotated[
        float | None,
        _column("Cost of the run: all input at the list price, else as the agent reports it", unit="USD"),
    ]
    wall_seconds: Annotated[
        float | None, _column("Wall-clock time of the agent process", unit="s", compared=False)
    ]
    confinement: Annotated[str, _column("bubblewrap or plain", compared=False)]


class TestRow(Model):
    """One row per run (controls included) and test of its oracle."""

    __test__ = False

    run_id: Annotated[str, _column("The run")]
    kind: Annotated[Kind, _column("As in runs")]
    test_id: Annotated[str, _column("pytest class path and name")]
    status: Annotated[Status, _column("passed, failed, error, skipped or missing")]
    cause: Annotated[str | None, _column("Exception class of a failure, error or skip")]
    flaky: Annotated[bool, _column("Results differ between repeats on the reference")]


class QualityRow(Model):
    """One row per run (controls included) that has source code in the target's directory."""

    run_id: Annotated[str, _column("The run")]
    kind: Annotated[Kind, _column("As in runs")]
    files: Annotated[int | None, _column("Measured source files", unit="files")]
    functions: Annotated[int | None, _column("Functions and methods", unit="functions")]
    sloc: Annotated[
        int | None,
        _column(
            "Source lines of code, SonarQube's NCLOC rule; empty if no file could be counted", unit="lines"
        ),
    ]
    cyclomatic: Annotated[int | None, _column("Cyclomatic complexity, SonarQube's rule, sum", unit="points")]
    cognitive: Annotated[int | None, _column("Cognitive complexity, SonarQube's rule, sum", unit="points")]
    radon_sloc: Annotated[int | None, _column("SLOC as radon counts", unit="lines")]
    radon_cyclomatic: Annotated[int | None, _column("Cyclomatic complexity as radon counts", unit="points")]
    lizard_sloc: Annotated[int | None, _column("NLOC as lizard counts", unit="lines")]
    lizard_cyclomatic: Annotated[int | None, _column("Cyclomatic as lizard counts", unit="points")]
    lizard_cognitive: Annotated[int | None, _column("Cognitive as lizard counts", unit="points")]
    unparsed_files: Annotated[int | None, _column("Files that are no valid source text", unit="files")]


class FunctionRow(Model):
    """One row per function of a run's generated (or reference) code."""

    run_id: Annotated[str, _column("The run")]
    kind: Annotated[Kind, _column("As in runs")]
    file: Annotated[str, _column("Path below the target's directory")]
    function: Annotated[str, _column("Qualified name")]
    line: Annotated[int, _column("First line")]
    cyclomatic: Annotated[int, _column("Cyclomatic complexity, SonarQube's rule", unit="points")]
    cognitive: Annotated[int, _column("Cognitive complexity, SonarQube's rule", unit="points")]


class ReferenceRow(Model):
    """One row per target service and scenario: what the reference scores, and what the oracle can see."""

    project: Annotated[str, _column("Microservice system")]
    service: Annotated[str, _column("Target service")]
    scenario: Annotated[str, _column("Decides the oracle")]
    oracle: Annotated[Oracle, _column("Which tests")]
    kind: Annotated[Kind, _column("As in runs")]
    language: Annotated[str | None, _column("Of the project")]
    reference: Annotated[
        Literal["human_baseline", "reference_implementation"],
        _column("human_baseline only where people wrote the original"),
    ]
    tests_reference: Annotated[
        int | None, _column("Tests the oracle has; 0: no consumer exists", unit="tests")
    ]
    tests_adjusted: Annotated[int | None, _column("Of these, passed in every repeat", unit="tests")]
    failing_tests: Annotated[str | None, _column("Tests that fail in every repeat, separated by `; `")]
    flaky_tests: Annotated[str | None, _column("Tests whose result differs between repeats")]
    repeats: Annotated[int | None, _column("Runs of the reference", unit="runs")]
    floor_percent: Annotated[Percent | None, _column("Pass rate with the target absent", unit="%")]
    ceiling_percent: Annotated[Percent | None, _column("Mean pass rate of the reference", unit="%")]
    sees_target: Annotated[
        bool | None,
        _column("False: floor equals ceiling, the oracle is blind to the target; missing: no tests"),
    ]
    sloc: Annotated[int | None, _column("Of the reference", unit="lines")]
    cyclomatic: Annotated[int | None, _column("Of the reference", unit="points")]
    cognitive: Annotated[int | None, _column("Of the reference", unit="points")]


class PlantedRow(Model):
    """One row per defect that a simulated agent planted: the truth behind simulated results, kept apart."""

    run_id: Annotated[str, _column("The run")]
    kind: Annotated[Literal["simulated"], _column("Always simulated")]
    defect: Annotated[str, _column("Name of the transformation")]
    place: Annotated[str, _column("File and function, or what was renamed")]


class MetricRow(Model):
    """One row per run and metric of your own (`metrics:` in the design); empty without any."""

    run_id: Annotated[str, _column("The run")]
    kind: Annotated[Kind, _column("As in runs")]
    metric: Annotated[str, _column("Name of the metric's function")]
    value: Annotated[float | None, _column("What it returned; empty where it does not apply")]


TABLES: dict[str, type[Model]] = {
    "runs": RunRow,
    "controls": RunRow,
    "tests": TestRow,
    "quality": QualityRow,
    "functions": FunctionRow,
    "references": ReferenceRow,
    "planted": PlantedRow,
    "metrics": MetricRow,
    "usage": UsageRow,
    "tools": ToolRow,
}
OPTIONAL = {"usage", "tools"}
"""Tables that a dataset has only if they have rows."""
