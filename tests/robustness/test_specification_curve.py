"""Specifications on numbers computed by hand; a planted change moves the curve as it has to."""

from __future__ import annotations

import doctest
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from synthetic import make_dataset

from study.robustness import choices, curve
from study.robustness.choices import MAIN_RATE, MAIN_SIZE, Specification, specifications
from study.robustness.curve import analyses, curves
from study.robustness.estimators import estimate
from study.robustness.frames import frames, scored
from study.robustness.headlines import Headline, headlines
from study.schema import StudyError
from study.statistics.effects import mean_difference, ratio
from study.statistics.pairs import pairs
from study.statistics.permutation import sign_flip

PROMPT = Headline("prompt", "prompt", "summary", "minimal")


def make_pairs(clusters: str, first: list[float], second: list[float]) -> pd.DataFrame:
    frame = pd.DataFrame({"cluster": [*clusters], "first": first, "second": second}, dtype=object)
    frame = frame.astype({"first": float, "second": float})
    return frame.assign(difference=frame["first"] - frame["second"])


@pytest.mark.parametrize(("module", "examples"), [(choices, 2), (curve, 1)])
def test_examples_hold(module, examples: int) -> None:
    assert doctest.testmod(module) == (0, examples)


def test_services_count_alike_and_runs_do_not() -> None:
    """Differences 10, 10, 40 in services a, a, b: the services' mean is 25, that of the runs 20."""
    found = make_pairs("aab", [30, 40, 90], [20, 30, 50])
    assert estimate(found, MAIN_RATE).estimate == pytest.approx(25)
    assert estimate(found, replace(MAIN_RATE, unit="run")).estimate == pytest.approx(20)


def test_t_interval_and_sign_flips_by_hand() -> None:
    """Service means 1, 2, 3: 2 -+ 4.302653 / sqrt 3; of 8 sign patterns two reach the sum 6."""
    found = make_pairs("abc", [11, 12, 13], [10, 10, 10])
    flips = estimate(found, MAIN_RATE)
    assert (flips.estimate, flips.p, flips.units, flips.n) == (2, 0.25, 3, 3)
    assert (flips.low, flips.high) == pytest.approx((-0.4841, 4.4841), abs=1e-4)
    t = estimate(found, replace(MAIN_RATE, test="t"))
    assert t.p == pytest.approx(0.0742, abs=1e-4)  # t = 2 sqrt 3 with 2 df


def test_arcsine_goes_back_to_points_exactly_where_a_level_is_constant() -> None:
    """Constant 75 and 25 % are 50 points on any scale; arcsin sqrt 0.5 is pi/4, so 50 against 0 is 50."""
    arcsine = replace(MAIN_RATE, scale="arcsine", test="t")
    assert estimate(make_pairs("abc", [75] * 3, [25] * 3), arcsine).estimate == pytest.approx(50)
    mixed = estimate(make_pairs("ab", [100, 0], [0, 0]), arcsine)  # mean angle pi/4: 50 %
    assert mixed.estimate == pytest.approx(50)


def test_sizes_are_percent_above_the_original() -> None:
    """Ratios 2 and 1/2: 0 % as factors; sums 25 over 30 are -16.67 %."""
    found = make_pairs("ab", [20, 10], [10, 20])
    assert estimate(found, MAIN_SIZE).estimate == pytest.approx(0)
    found = make_pairs("ab", [20, 5], [10, 20])
    means = estimate(found, replace(MAIN_SIZE, scale="ratio of means"))
    assert means.estimate == pytest.approx(-100 / 6)


def test_ratio_of_means_has_no_error_where_every_ratio_is_the_same() -> None:
    """Twice the original throughout: however much the sizes differ, the ratio is known exactly."""
    found = make_pairs("abc", [20, 60, 200], [10, 30, 100])
    result = estimate(found, replace(MAIN_SIZE, scale="ratio of means"))
    assert (result.estimate, result.low, result.high) == pytest.approx((100, 100, 100))


def test_ranks_by_hand() -> None:
    """Walsh averages of 0, 1, 5 have the median 1.75; R+ of 1, 2, 3, all positive, has p = 2 / 8."""
    ranks = replace(MAIN_RATE, test="signed-rank")
    assert estimate(make_pairs("abc", [0, 1, 5], [0, 0, 0]), ranks).estimate == 1.75
    assert estimate(make_pairs("abc", [1, 2, 3], [0, 0, 0]), ranks).p == 0.25
    unpaired = replace(MAIN_RATE, unit="run", test="rank-sum")
    result = estimate(make_pairs("abc", [4, 5, 6], [1, 2, 3]), unpaired)  # all 9 differences; U = 9
    assert (result.estimate, result.n) == (3, 6)
    assert result.p == pytest.approx(0.0495, abs=1e-4)  # z = 4.5 / sqrt 5.25


def test_a_median_of_zero_does_not_hide_what_the_ranks_say() -> None:
    """Of 27 differences 20 are 0 (210 of 378 Walsh averages); all 7 others are positive: p = 2 / 2**7."""
    found = make_pairs("a" * 27, [50] * 20 + [60] * 7, [50] * 27)
    result = estimate(found, replace(MAIN_RATE, unit="run", test="signed-rank"))
    assert result.estimate == 0
    assert result.p == pytest.approx(2 / 2**7)
    assert curve.says(result.sign, result.p) == "higher"


def test_model_gives_points_of_the_margin() -> None:
    """With as many runs in every service the marginal means are the plain means: 70 and 50 %."""
    found = make_pairs("abcdef", [60, 80, 70, 60, 80, 70], [40, 60, 50, 60, 40, 50])
    result = estimate(found, Specification("all tests", "all", "service", "logit", "GEE"))
    assert result.estimate == pytest.approx(20, abs=0.2)
    assert result.low < result.estimate < result.high
    flipped = estimate(found.rename(columns={"first": "second", "second": "first"}),
                       Specification("all tests", "all", "service", "logit", "GEE"))  # fmt: skip
    assert flipped.estimate == pytest.approx(-result.estimate)


def test_what_cannot_be_had_is_said() -> None:
    logit = Specification("all tests", "all", "service", "logit", "GEE")
    assert "no odds" in estimate(make_pairs("abc", [100] * 3, [50, 60, 70]), logit).note
    one = estimate(make_pairs("aa", [50, 60], [40, 40]), MAIN_RATE)
    assert (one.estimate, one.note) == (15, "one unit: no interval, no test")
    assert np.isnan(one.p)
    assert estimate(make_pairs("a", [np.nan], [1]), MAIN_RATE).note == "no complete pair"
    assert estimate(make_pairs("ab", [5, 6], [5, 6]), MAIN_RATE).note == "all differences are zero"


def test_main_specifications_are_the_package_s_functions(tmp_path: Path) -> None:
    data = make_dataset(tmp_path / "toy")
    table = curves(analyses(data))
    row = table[(table["topic"] == "prompt") & table["main"]].iloc[0]
    known = pairs(scored(data), "pass_rate_percent", "prompt", ("summary", "minimal"))
    expected = mean_difference(known).iloc[0]
    for column in ("estimate", "low", "high"):
        assert row[column] == pytest.approx(expected[column])
    assert row["p"] == pytest.approx(sign_flip(known)["p"].iloc[0])
    size = table[table["headline"].str.startswith("SLOC") & table["main"]].iloc[0]
    sloc = Headline("original", "sloc", "generated", "original")
    sizes = frames(data, sloc)["SonarQube's rule", "all"].assign(comparison="generated minus original")
    factor = ratio(sizes).iloc[0]
    assert size["estimate"] == pytest.approx(100 * (factor["estimate"] - 1))
    assert size["high"] == pytest.approx(100 * (factor["high"] - 1))


def test_every_combination_is_there_once_and_one_is_the_main_one() -> None:
    found = list(specifications(PROMPT))
    assert len(set(found)) == len(found)
    left_out = int(choices.excluded(PROMPT)["combinations"].sum())
    assert len(found) + left_out == 4 * 4 * 2 * 3 * 5
    assert found.count(MAIN_RATE) == 1
    # by denominator: 3 scales of rates 4 (points, arcsine) x 2 tests x 2 units, signed-rank, rank-sum, GEE
    assert len(found) == 4 * (3 * (8 + 2 + 1 + 1) + 4 + 2 + 1)


def test_a_planted_shift_moves_every_estimate_of_the_prompt_up(tmp_path: Path) -> None:
    """Rates 10, 30 and 50 % by service with one prompt, 30 points more with the other.

    Not 40: around 50 % the score residuals of a service cancel, and the model has no error to test with.
    """
    data = make_dataset(tmp_path / "toy", projects=["toy-blue", "toy-green"], passed=4)
    base = data.runs["service"].map({"alpha-service": 10.0, "beta-service": 30.0, "gamma-service": 50.0})
    rate = base + 30 * (data.runs["prompt"] == "summary")
    names = ["pass_rate_percent", "pass_rate_executed_percent", "pass_rate_adjusted_percent"]
    runs = data.runs.assign(**dict.fromkeys(names, rate))
    table = curves(analyses(replace(data, runs=runs))).query("topic == 'prompt'")
    assert set(table["says"]) == {"higher"}
    plain = table[(table["measure"] != "floor to ceiling") & (table["scale"] != "arcsine")]
    assert plain["estimate"].to_numpy() == pytest.approx(30, abs=1e-5)
    # mean angles: of 10, 30, 50 % 0.5623, of 40, 60, 80 % 0.8926
    angles = table[table["scale"] == "arcsine"]
    assert angles["estimate"].to_numpy() == pytest.approx(32.2232, abs=1e-4)
    scaled = table[table["measure"] == "floor to ceiling"]  # of the 80 points above the floor of 20
    assert scaled["estimate"].to_numpy() == pytest.approx(37.5, abs=1e-5)


def test_rules_leave_out_what_they_say(tmp_path: Path) -> None:
    data = make_dataset(tmp_path / "toy")
    found = frames(data, PROMPT)
    everything, seen = found["all tests", "all"], found["all tests", "oracle sees"]
    blind = everything.query("cluster == 'toy-grey/gamma-service' and scenario == 'clean_state'")
    assert len(everything) - len(seen) == len(blind) == 3
    completed = set(found["all tests", "completed"].dropna(subset=["difference"])["first"])
    assert 0 in set(everything["first"]), "the toy has runs without output"
    assert 0 not in completed


def test_degenerate_data_have_no_silent_results(tmp_path: Path) -> None:
    one = make_dataset(tmp_path / "one", agents=["a"], prompts=["minimal"], scenarios=["incremental"])
    assert {headline.topic for headline in headlines(one)} == {"original"}
    nothing = curves(analyses(make_dataset(tmp_path / "nothing", passed=-1))).query("topic != 'original'")
    assert set(nothing["says"]) == {"no result"}
    assert (nothing["note"] != "").all()


def test_mixed_kinds_are_refused(tmp_path: Path) -> None:
    data = make_dataset(tmp_path / "toy")
    mixed = data.runs.assign(kind=["measured", *data.runs["kind"][1:]])
    with pytest.raises(StudyError, match="are mixed"):
        curves(analyses(replace(data, runs=mixed)))
