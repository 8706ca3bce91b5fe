"""The fit finds the model that the runs were drawn from, and refuses runs that say nothing of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from study.calibration.generate import draw
from study.calibration.model import StudyModel
from study.planning.arranged import moments
from study.planning.fit import fit
from study.planning.fitted import from_runs, sd_bounds
from study.planning.moments import Cells
from study.schema import StudyError

PAPER = StudyModel(services=400, scenario=15, prompt=-8, agent=(-8.0, -16.0), scenario_sd=0.5, prompt_sd=0.3)
CASES = {
    "like the paper": PAPER,
    "services differ much": StudyModel(
        services=400, service_share=0.4, agent_service_share=0.2, scenario=30, scenario_sd=0.8
    ),
    "replicates, runs lost": StudyModel(services=400, agents=2, replicates=2, prompt_sd=0.6, missing=0.1),
}


def runs(model: StudyModel, seed: int = 3) -> pd.DataFrame:
    return draw(model, 1, seed).frame(0)


@pytest.mark.parametrize("name", CASES)
def test_the_model_behind_many_services_is_found_again(name: str) -> None:
    true = CASES[name]
    found = from_runs(runs(true), name).model
    for field in ("zero", "full"):
        assert getattr(found, field) == pytest.approx(getattr(true, field), abs=0.03), field
    for field in ("service_share", "agent_service_share"):
        assert getattr(found, field) == pytest.approx(getattr(true, field), abs=0.07), field
    for field in ("scenario_sd", "prompt_sd"):
        # a spread near 0 is found with large errors: compare what it adds to the variance
        assert getattr(found, field) ** 2 == pytest.approx(getattr(true, field) ** 2, abs=0.17), field
    for field in ("scenario", "prompt"):
        assert getattr(found, field) == pytest.approx(getattr(true, field), abs=2.5), field
    assert found.missing == pytest.approx(true.missing, abs=0.03)


def test_estimates_from_studies_of_usual_size_scatter_around_the_truth() -> None:
    true = StudyModel(services=24, service_share=0.3, agent_service_share=0.2, scenario=10, scenario_sd=0.6)
    studies = draw(true, 40, 11)
    found = [fit(moments(studies.frame(i))) for i in range(40)]
    for field, slack in (("service_share", 0.06), ("zero", 0.04), ("full", 0.05)):
        values = [getattr(model, field) for model in found]
        assert np.mean(values) == pytest.approx(getattr(true, field), abs=slack), field
    effects = [(model.means[:, 1] - model.means[:, 0]).mean() for model in found]
    assert np.mean(effects) == pytest.approx(10, abs=3)
    total = np.mean([model.service_share + model.agent_service_share for model in found])
    assert total == pytest.approx(0.5, abs=0.06)
    assert np.median([model.scenario_sd for model in found]) == pytest.approx(0.6, abs=0.15)


def test_expected_covariances_are_those_of_simulated_scores() -> None:
    model = StudyModel()
    cells = Cells(-0.806, 0.44, np.array([0.0, 0.7]), np.array([1.0, 1.2]))
    rng = np.random.default_rng(0)
    n = 400_000
    common, own = rng.standard_normal(n) * np.sqrt(0.4), rng.standard_normal((2, n))
    first = model.score(common + own[0] * np.sqrt(0.6))
    second = model.score(0.7 + common + own[1] * np.sqrt(1.44 - 0.4))
    shares = replace(model, zero=float(np.mean(first == 0)), full=float(np.mean(first == 100)))
    assert cells.means[0] == pytest.approx(shares.mean_score(0.0), abs=0.3)
    assert cells.means[1] == pytest.approx(second.mean(), abs=0.3)
    expected = cells.covariance(np.array([0]), np.array([1]), np.array([0.4]))[0]
    assert expected == pytest.approx(np.cov(first, second)[0, 1], rel=0.02)


def test_few_tests_turn_middling_scores_into_zero_or_full() -> None:
    cells = Cells(-0.8, 0.4, np.zeros(1), np.ones(1))
    few, many = cells.observed_shares(np.array([1])), cells.observed_shares(np.array([100_000]))
    # with one test every rate is 0 or 100, and the mean rate decides between them
    assert few[1][0] == pytest.approx(cells.means[0] / 100, abs=1e-9)
    assert few[0][0] + few[1][0] == pytest.approx(1, abs=1e-9)
    assert many[1][0] == pytest.approx(cells.full[0], abs=1e-3)


def test_one_agent_is_said_and_its_part_is_in_the_service() -> None:
    population = from_runs(runs(StudyModel(services=300, agents=1, service_share=0.4)), "solo")
    assert population.model.agent_service_share == 0
    assert population.model.service_share == pytest.approx(0.5, abs=0.08)  # 0.4 and the agent's 0.1
    assert any("one agent" in note for note in population.notes)


def test_one_prompt_and_two_scenarios() -> None:
    frame = runs(PAPER)
    population = from_runs(frame[frame["prompt"] == "minimal"], "one prompt")
    assert (population.scenarios, population.prompts) == (2, 1)
    assert population.model.prompt == 0
    assert population.runs(12, 2, 3) == 144


def test_a_third_prompt_is_left_out_and_said() -> None:
    frame = runs(PAPER)
    third = frame[frame["prompt"] == "summary"].assign(prompt="verbose")
    population = from_runs(pd.concat([frame, third]), "three prompts")
    assert any("of 3 levels the first two" in note for note in population.notes)


def test_what_was_observed_stands_beside_the_model() -> None:
    frame = runs(replace(PAPER, services=24))
    table = from_runs(frame, "s").components.set_index("quantity")
    assert table.loc["runs with a rate of 0", "observed"] == pytest.approx(
        100 * (frame["pass_rate_percent"] == 0).mean()
    )
    means = frame.groupby("scenario")["pass_rate_percent"].mean()
    assert table.loc["effect of the scenario", "observed"] == pytest.approx(
        means["clean_state"] - means["incremental"]
    )
    spread = table.loc["sd of the services' scenario differences"]
    wide = frame.pivot_table(index="service", columns="scenario", values="pass_rate_percent")
    assert spread["observed"] == pytest.approx((wide["clean_state"] - wide["incremental"]).std())
    assert spread["low"] < spread["observed"] < spread["high"]


def test_bounds_of_a_standard_deviation() -> None:
    # chi-square tables: 21.920 and 3.816 are the 97.5 % and 2.5 % points at 11 degrees of freedom
    assert sd_bounds(11) == pytest.approx((np.sqrt(11 / 21.920), np.sqrt(11 / 3.816)), abs=1e-4)


def _rate(value: float | None):
    return lambda frame: frame.assign(pass_rate_percent=value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_rate(None), "no run has a pass rate"),
        (_rate(60.0), "all rates are 60 %"),
        (_rate(120.0), "120 is not a number from 0 to 100"),
        (lambda f: f[f["service"] == "service-1"], "1 service with a pass rate"),
        (lambda f: f[f["service"].isin(["service-1", "service-2"])], "2 services with a pass rate"),
        (lambda f: pd.concat([f, f.head(1)]), "two runs for agent-1 project-1 service-1"),
        (lambda f: f.drop(columns="agent"), "no column 'agent'"),
        (lambda f: f.assign(kind=["measured", *f["kind"][1:]]), "are mixed"),
        (
            lambda f: f.assign(pass_rate_percent=f["pass_rate_percent"].mask(f["agent"] == "agent-2")),
            "agent agent-2.*fewer than two runs",
        ),
    ],
)
def test_runs_that_give_no_model_are_refused(change, message: str) -> None:
    with pytest.raises(StudyError, match=message):
        from_runs(change(runs(StudyModel())), "bad")


def test_a_target_without_a_rate_is_no_lost_run() -> None:
    frame = runs(StudyModel())
    blind = (frame["service"] == "service-1") & (frame["scenario"] == "clean_state")
    seen = moments(frame.assign(pass_rate_percent=frame["pass_rate_percent"].mask(blind)))
    assert seen.missing == 0
    assert any("without any pass rate" in note for note in seen.notes)
