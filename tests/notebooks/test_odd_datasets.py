"""What the notebooks call, on datasets that a study can end with: no warning, no NaN in a sentence."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from study import display, figures, findings
from study.figures import answers, style
from study.figures import robustness as drawn
from study.records.dataset import Dataset, load_dataset
from study.robustness import curve, leave_out, summary, tables
from study.statistics import estimates, questions
from study.statistics.summary import EFFICIENCY, QUALITY, efficiency, measured_pairs, wide_pass_rates

RATES = ["pass_rate_percent", "pass_rate_executed_percent", "pass_rate_adjusted_percent"]
Keep = Callable[[pd.DataFrame], pd.Series]


@pytest.fixture(scope="module")
def demo() -> Dataset:
    return load_dataset("demo")


def part(data: Dataset, keep: Keep) -> Dataset:
    runs = data.runs[keep(data.runs)].reset_index(drop=True)
    ids = {*runs["run_id"], *data.controls["run_id"]}
    tests, quality = (table[table["run_id"].isin(ids)] for table in (data.tests, data.quality))
    return replace(data, runs=runs, tests=tests, quality=quality)


PARTS: dict[str, Keep] = {
    "one agent": lambda runs: runs["agent"] == runs["agent"].iloc[0],
    "one service": lambda runs: runs["service"] == "loan-service",
    "two services": lambda runs: runs["service"].isin(["loan-service", "member-service"]),
    "one run": lambda runs: runs["run_id"] == runs["run_id"].iloc[0],
    "one condition": lambda runs: (runs["scenario"] == "incremental") & (runs["prompt"] == "minimal"),
    "unbalanced": lambda runs: pd.Series(np.random.default_rng(1).random(len(runs)) < 0.3, index=runs.index),
}
CHANGES: dict[str, dict[str, float]] = {
    "no variance": {**dict.fromkeys(RATES, 50.0), "time_min": 1.0, "cost_usd": 0.0},
    "no rates": dict.fromkeys(RATES, np.nan),
    "no effort": dict.fromkeys(EFFICIENCY, np.nan),
}


@pytest.mark.parametrize("name", [*PARTS, *CHANGES])
def test_an_odd_dataset_has_its_answers_and_figures(demo: Dataset, name: str) -> None:
    data = part(demo, PARTS[name]) if name in PARTS else replace(demo, runs=demo.runs.assign(**CHANGES[name]))
    said = [*findings.outcomes(data), *findings.oracle_note(data), *findings.effort(data)]
    for ask in (questions.correctness, questions.quality, questions.efficiency):
        table = ask(data)
        said += findings.answer(table)
        display.answers(table, "Comparisons.", data.kind)
        answers.answer(table, "Comparisons", "stem", style.Source.of(data))
    questions.agents_as_published(data, ["pass_rate_percent", *EFFICIENCY])
    display.table(wide_pass_rates(data), "Rates.", data.kind)
    display.effort_rows(efficiency(data))
    estimates.ratios(measured_pairs(data), QUALITY, by=["agent", "condition"])
    for figure in figures.FIGURES:
        figure(data)
    said += _robustness(data)
    assert not [sentence for sentence in said if re.search(r"\bnan\b", sentence, re.IGNORECASE)]


def _robustness(data: Dataset) -> list[str]:
    analyses = curve.analyses(data)
    whole = curve.curves(analyses)
    verdicts = summary.verdicts(whole)
    shown = tables.pick(whole, None)
    drawn.specification_curves(whole, data.name)
    drawn.specification_choices(whole, shown, data.name)
    for table in (
        tables.headlines(verdicts),
        tables.weights(summary.weight_of_choices(whole)),
        tables.choices(summary.by_choice(whole), shown),
        tables.reasons(analyses),
        tables.excluded(analyses),
    ):
        display.table(table, "Robustness.", data.kind)
    said = summary.sentences(verdicts)
    if len(data.runs) < 20:
        left = leave_out.influence(leave_out.leave_one_out(analyses, jobs=1))
        drawn.leave_one_out(left, data.name)
        tables.turned(left)
        said += leave_out.fragile(left)
    return said
