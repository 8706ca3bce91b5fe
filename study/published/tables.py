"""Row models of the published tables: every cell is checked, and every row says that it is published."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from study.schema import Kind, Model


def _column(description: str, unit: str = "") -> object:
    return Field(description=description, json_schema_extra={"unit": unit})


Published = Annotated[Literal["published"], _column("Always published")]
AgentName = Annotated[str, _column("Agent, one spelling throughout")]
Scenario = Annotated[Literal["incremental", "clean_state"], _column("What the agent may see")]
Percent = Annotated[float, Field(ge=0, le=100)]
Positive = Annotated[float, Field(gt=0)]
Whole = Annotated[int, Field(gt=0)]


class PassRateRow(Model):
    """Table III, p. 6: one row per cell; typed. The baseline is printed for every agent and kept so."""

    kind: Published
    agent: AgentName
    project: Annotated[str, _column("Microservice system")]
    scenario: Scenario
    condition: Annotated[Literal["baseline", "P1", "P2"], _column("Original, or prompt")]
    pass_rate_percent: Annotated[Percent, _column("Printed cell, one decimal", "%")]


class AverageRow(Model):
    """Table III, p. 6, rows of average agent performance; typed."""

    kind: Published
    agent: AgentName
    scenario: Scenario
    condition: Annotated[Literal["P1", "P2"], _column("Prompt")]
    average_pass_rate_percent: Annotated[Percent, _column("Printed average, one decimal", "%")]


class EfficiencyRow(Model):
    """Table IV, p. 7: one row per agent; typed."""

    kind: Published
    agent: AgentName
    avg_time_min: Annotated[Positive, _column("Average time per run", "min")]
    total_time_h: Annotated[Positive, _column("Time of all runs", "h")]
    input_tokens_k: Annotated[Positive, _column("Average input per run", "thousand tokens")]
    output_tokens_k: Annotated[Positive, _column("Average output per run", "thousand tokens")]
    avg_cost_usd: Annotated[Positive, _column("Average cost per run", "USD")]
    total_cost_usd: Annotated[Positive, _column("Cost of all runs", "USD")]
    runs: Annotated[Whole, _column("Runs of the agent", "runs")]


class QualityRow(Model):
    """Fig. 3, p. 7: one row per pair of bars; labels typed, heights from the vector drawing."""

    kind: Published
    grouping: Annotated[Literal["agent", "configuration"], _column("Top or bottom row of panels")]
    level: Annotated[str, _column("Agent, or configuration")]
    metric: Annotated[Literal["sloc", "cyclomatic", "cognitive"], _column("Average per service of")]
    original: Annotated[Positive, _column("Label of the bar of the original", "lines or points")]
    generated: Annotated[Positive, _column("Label of the bar of the generated code", "lines or points")]
    original_bar_height: Annotated[Positive, _column("The same before rounding", "lines or points")]
    generated_bar_height: Annotated[Positive, _column("The same before rounding", "lines or points")]


class BoxRow(Model):
    """Figs. 4, 5, 6a, 6b, p. 8: one row per box plot; from the vector drawing."""

    kind: Published
    figure: Annotated[str, _column("Number of the figure")]
    agent: AgentName
    configuration: Annotated[str, _column("Scenario and prompt, e.g. Inc-P1")]
    unit: Annotated[str, _column("Unit of the values")]
    n_runs: Annotated[Whole, _column("Not printed; follows from the design", "runs")]
    whisker_low: Annotated[Positive, _column("Smallest run within 1.5 box heights")]
    q1: Annotated[Positive, _column("Lower quartile, linearly interpolated")]
    median: Annotated[Positive, _column("Median")]
    q3: Annotated[Positive, _column("Upper quartile, linearly interpolated")]
    whisker_high: Annotated[Positive, _column("Largest run within 1.5 box heights")]
    mean: Annotated[Positive, _column("Dashed line")]
    outliers_drawn: Annotated[int, _column("Points drawn inside the axes", "points")]


class AgentBoxRow(Model):
    """Fig. 7, p. 8: box plots per agent over all configurations; from the vector drawing."""

    kind: Published
    figure: Annotated[str, _column("Number of the figure")]
    metric: Annotated[Literal["time", "cost"], _column("What is drawn")]
    agent: AgentName
    unit: Annotated[str, _column("Unit of the values")]
    n_runs: Annotated[Whole, _column("Not printed; follows from the design", "runs")]
    whisker_low: Annotated[Positive, _column("Smallest run within 1.5 box heights")]
    q1: Annotated[Positive, _column("Lower quartile, linearly interpolated")]
    median: Annotated[Positive, _column("Median")]
    q3: Annotated[Positive, _column("Upper quartile, linearly interpolated")]
    whisker_high: Annotated[Positive, _column("Largest run within 1.5 box heights")]
    mean: Annotated[Positive, _column("Dashed line")]
    outliers_drawn: Annotated[int, _column("Points drawn inside the axes", "points")]


class OutlierRow(Model):
    """Figs. 4 to 7, p. 8: one row per outlier; from the vector drawing, and one printed label."""

    kind: Published
    figure: Annotated[str, _column("Number of the figure")]
    metric: Annotated[str, _column("time, cost, input_tokens or output_tokens")]
    agent: AgentName
    configuration: Annotated[str, _column("Scenario and prompt; `all` in Fig. 7")]
    value: Annotated[Positive, _column("Value of the run, in `unit`")]
    unit: Annotated[str, _column("Unit of the value")]
    visibility: Annotated[
        Literal["drawn", "outside_axes", "printed_label"],
        _column("Drawn; in the drawing but above the cut axis; or the label of the maximum in Fig. 7"),
    ]


class ProjectRow(Model):
    """Table I, p. 4: one row per system; typed, description in other words."""

    kind: Published
    project: Annotated[str, _column("Microservice system")]
    source: Annotated[Literal["open_source", "private"], _column("Where it comes from")]
    role: Annotated[Literal["evaluation", "pilot"], _column("Use in the study")]
    language: Annotated[str, _column("Main language")]
    services: Annotated[Whole, _column("Services of the system", "services")]
    description: Annotated[str, _column("What it is")]
    services_generated: Annotated[int, _column("Target services, Sec. III-C5", "services")]


class AgentRow(Model):
    """Table II, p. 4: one row per agent; typed."""

    kind: Published
    agent: AgentName
    model_id: Annotated[str, _column("Identifier of the model")]
    model_note: Annotated[str | None, _column("What is added to it")]
    context_window_tokens: Annotated[str, _column("As printed", "tokens")]
    access_methods: Annotated[str, _column("Ways of access, separated by `; `")]
    access_used: Annotated[str, _column("The one printed in bold")]
    licence: Annotated[str, _column("Proprietary or open")]


class DesignRow(Model):
    """Sec. III and Fig. 1: factors, counts, selection of projects; typed, or derived if `place` says so."""

    kind: Published
    row_kind: Annotated[str, _column("factor, configuration, count, funnel, outcome or setting")]
    factor: Annotated[str, _column("Name of the factor, funnel or count")]
    level: Annotated[str, _column("Level or step")]
    description: Annotated[str, _column("What it is, in other words")]
    count: Annotated[float | None, _column("Number of levels, runs or projects")]
    place: Annotated[str, _column("Where it stands")]


class StatisticRow(Model):
    """Sec. III-C6 and IV-B: the five printed statistics; typed."""

    kind: Published
    id: Annotated[str, _column("Number of the statistic")]
    test: Annotated[str, _column("Test as named in the paper")]
    comparison: Annotated[str, _column("What is compared")]
    n_printed: Annotated[str | None, _column("Sample size; never printed")]
    statistic_name: Annotated[str, _column("A2, Z or mean difference")]
    statistic_value: Annotated[float, _column("Printed value")]
    p_printed: Annotated[str | None, _column("Printed p value, with its sign")]
    alpha: Annotated[float, _column("Significance level")]
    section: Annotated[str, _column("Section")]
    page: Annotated[int, _column("Page")]


class ClaimRow(Model):
    """Quantitative and directional sentences of paper and project page, in other words; numbers typed."""

    kind: Published
    claim_id: Annotated[str, _column("Number of the claim")]
    source: Annotated[Literal["paper", "page"], _column("The paper, or its project page")]
    section: Annotated[str, _column("Section, or heading")]
    page: Annotated[int | None, _column("Page of the PDF")]
    says: Annotated[str, _column("What is said, in other words")]
    low: Annotated[str | None, _column("Number, or the first of two, with its printed digits")]
    high: Annotated[str | None, _column("The same number, or the second")]
    unit: Annotated[str, _column("Unit of the numbers; `direction` for sentences without")]


class SuiteRow(Model):
    """Tests behind a cell of Table III, from the authors' public repository `sa4s-serc/microservices`."""

    kind: Published
    project: Annotated[str, _column("Microservice system")]
    scenario: Scenario
    service: Annotated[str, _column("Target service")]
    tests: Annotated[Whole, _column("Test methods of its oracle", "tests")]
    skips: Annotated[bool, _column("Whether tests of the suite skip themselves")]
    basis: Annotated[
        Literal["counted", "inferred"],
        _column("counted: target and tests are documented; inferred: chosen because they fit the cells"),
    ]
    source: Annotated[str, _column("Where the count comes from")]


class FloorRow(Model):
    """What an oracle of the authors' repository scores without the target."""

    kind: Annotated[Kind, _column("measured: the suite was run; published: read from the public code")]
    project: Annotated[str, _column("Microservice system")]
    service: Annotated[str, _column("Target service")]
    oracle: Annotated[Literal["unit", "integration"], _column("Which tests")]
    consumers: Annotated[str | None, _column("Services that call the target")]
    tests: Annotated[int, _column("Tests of the oracle; 0: no consumer exists", "tests")]
    reference_passed: Annotated[int, _column("Passed with the original", "tests")]
    reference_skipped: Annotated[int, _column("Skipped with the original", "tests")]
    absent_passed: Annotated[int | None, _column("Passed with the target deleted", "tests")]
    absent_skipped: Annotated[int | None, _column("Skipped with the target deleted", "tests")]
    basis: Annotated[Literal["run", "read"], _column("Run, or read from the code")]
    source: Annotated[str, _column("How it was found")]


PAPER_TABLES: dict[str, type[Model]] = {
    "pass_rates": PassRateRow,
    "pass_rates_agent_average": AverageRow,
    "efficiency": EfficiencyRow,
    "code_quality": QualityRow,
    "boxplots_time": BoxRow,
    "boxplots_cost": BoxRow,
    "boxplots_input_tokens": BoxRow,
    "boxplots_output_tokens": BoxRow,
    "boxplots_agent": AgentBoxRow,
    "boxplot_outliers": OutlierRow,
    "projects": ProjectRow,
    "agents": AgentRow,
    "design": DesignRow,
    "statistics": StatisticRow,
    "claims": ClaimRow,
}
SUBJECT_TABLES: dict[str, type[Model]] = {"suites": SuiteRow, "floors": FloorRow}
