"""The population has the effects that it says, and its draws have them too."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from study.calibration.generate import draw
from study.calibration.model import StudyModel
from study.schema import StudyError

MODEL = StudyModel(
    scenario=25.0, prompt=-6.0, agent=(4.0, -9.0), scenario_sd=0.6, prompt_sd=0.3, service_share=0.2
)


def test_effects_in_points_are_met_at_once() -> None:
    means = MODEL.shifts.means
    assert (means[:, 1] - means[:, 0]).mean() == pytest.approx(25.0, abs=1e-6)
    assert (means[:, :, 1] - means[:, :, 0]).mean() == pytest.approx(-6.0, abs=1e-6)
    assert (means[1:] - means[0]).mean(axis=(1, 2)) == pytest.approx([4.0, -9.0], abs=1e-6)


def test_mean_score_is_the_integral() -> None:
    model = StudyModel()
    z = stats.norm.ppf((np.arange(1_000_000) + 0.5) / 1_000_000)
    for shift, extra in ((0.0, 0.0), (0.7, 0.0), (-0.4, 0.5)):
        expected = model.score(shift + np.sqrt(1 + extra) * z).mean()
        assert model.mean_score(shift, extra) == pytest.approx(expected, abs=0.01)


def test_reference_condition_has_the_shares_of_0_and_100() -> None:
    model = StudyModel(services=400, tests=(1000,))
    rates = draw(model, 20, 1).rates[:, :, 0, 0, 0, 0]
    assert (rates == 0).mean() == pytest.approx(model.zero, abs=0.02)
    assert (rates == 100).mean() == pytest.approx(model.full, abs=0.02)


def test_draws_have_the_effects_of_the_model() -> None:
    drawn = draw(MODEL, 3000, 2)
    assert drawn.pairs("scenario").mean() == pytest.approx(25.0, abs=0.8)
    assert drawn.pairs("prompt").mean() == pytest.approx(-6.0, abs=0.8)
    by_agent = drawn.by_agent().mean(axis=(0, 1))
    assert by_agent[1:] - by_agent[0] == pytest.approx([4.0, -9.0], abs=0.8)


def test_runs_of_a_service_are_alike_and_those_of_one_agent_more() -> None:
    model = StudyModel(services=5000, service_share=0.3, agent_service_share=0.3, tests=(1000,))
    rates = draw(model, 1, 3).rates[0, :, :, :, :, 0]

    def correlation(one: np.ndarray, other: np.ndarray) -> float:
        return float(np.corrcoef(one, other)[0, 1])

    same_agent = correlation(rates[:, 0, 0, 0], rates[:, 0, 0, 1])
    other_agent = correlation(rates[:, 0, 0, 0], rates[:, 1, 0, 1])
    assert 0.2 < other_agent < 0.35 and 0.5 < same_agent < 0.65


def test_a_seed_decides_everything_and_runs_can_be_lost() -> None:
    model = StudyModel(missing=0.1)
    assert np.array_equal(draw(model, 5, 7).rates, draw(model, 5, 7).rates, equal_nan=True)
    assert np.isnan(draw(model, 50, 7).rates).mean() == pytest.approx(0.1, abs=0.01)


def test_a_study_as_a_frame() -> None:
    frame = draw(StudyModel(replicates=2), 1, 1).frame()
    assert len(frame) == 12 * 3 * 2 * 2 * 2 and set(frame["kind"]) == {"simulated"}
    rate = 100 * frame["tests_passed"] / frame["tests_reference"]
    assert np.allclose(rate.astype(float), frame["pass_rate_percent"])
    assert not frame.duplicated(["agent", "service", "scenario", "prompt", "replicate"]).any()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"services": 1}, "services 1"),
        ({"zero": 0.6, "full": 0.5}, "sum below 1"),
        ({"service_share": 0.7, "agent_service_share": 0.4}, "not 1.1"),
        ({"missing": 1.0}, "missing"),
        ({"tests": (0,)}, "tests 1 or more"),
    ],
)
def test_impossible_populations_are_refused(wrong: dict, said: str) -> None:
    with pytest.raises(StudyError, match=said):
        StudyModel(**wrong)


def test_an_effect_beyond_the_scale_is_refused() -> None:
    with pytest.raises(StudyError, match="80, 0, 0, 0 points"):
        _ = StudyModel(scenario=80.0).shifts
