"""Comparisons and estimates against values that R gives for the same data; see data/README.md."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from study.schema import StudyError
from study.statistics import compare, estimates

RUNS = pd.read_csv(Path(__file__).parent / "data" / "reference_runs.csv")
BLOCKS = ["agent", "project", "service", "prompt", "replicate"]

# x, y, V, p, rank-biserial; from R (exactRankTests, coin), zeros dropped, exact
TOY = {
    "no ties": (
        [83, 75, 61, 92, 40, 55, 70, 66, 81, 38],
        [70, 81, 40, 74, 45, 30, 69, 59, 66, 50],
        45,
        0.083984375,
        7 / 11,
    ),
    "ties and zeros": (
        [100, 100, 100, 0, 50, 75, 100, 33, 67, 100, 80, 90],
        [100, 50, 50, 0, 0, 100, 75, 33, 0, 50, 55, 80],
        42,
        0.01953125,
        0.8666666666666667,
    ),
    "one sign": ([100, 90, 80, 70, 60, 95], [50, 60, 70, 40, 55, 60], 21, 0.03125, 1.0),
}  # fmt: skip


def _toy(x: list[float], y: list[float]) -> pd.Series:
    frame = pd.DataFrame(
        {"pair": [*range(len(x))] * 2, "level": ["x"] * len(x) + ["y"] * len(y), "v": [*x, *y]}
    )
    return compare.paired(frame, "v", "level", ("x", "y"), blocks=["pair"], cluster=["pair"]).iloc[0]


@pytest.mark.parametrize("name", TOY)
def test_small_samples_are_tested_exactly_with_ties_and_zeros(name: str) -> None:
    x, y, statistic, p, effect = TOY[name]
    row = _toy(x, y)
    assert row["statistic"] == statistic
    assert row["p"] == pytest.approx(p, rel=1e-12)
    assert row["effect"] == pytest.approx(effect, rel=1e-12)
    assert row["method"].endswith("exact")


@pytest.mark.parametrize(
    ("factor", "pair", "expected"),
    [
        (
            "scenario",
            ("clean_state", "incremental"),
            {"n": 144, "n_zero": 46, "estimate": 20.1645171958, "statistic": 3853, "z": 5.06317503939,
             "p": 4.12330941835e-07, "effect": 0.588538445681},
        ),
        (
            "prompt",
            ("summary", "minimal"),
            {"n": 144, "n_zero": 56, "estimate": -3.19857804233, "statistic": 1708.5, "z": -1.03905131652,
             "p": 0.29878087076, "effect": -0.127425944842},
        ),
    ],
)  # fmt: skip
def test_paired_comparison_equals_r(factor: str, pair: tuple[str, str], expected: dict[str, float]) -> None:
    blocks = ["agent", "project", "service", "scenario", "prompt", "replicate"]
    blocks.remove(factor)
    row = compare.paired(RUNS, "pass_rate", factor, pair, blocks=blocks).iloc[0]
    for name, value in expected.items():
        assert row[name] == pytest.approx(value, rel=1e-8), name
    assert row["n_clusters"] == 12


@pytest.mark.parametrize(
    ("factor", "pair", "low", "high"),
    [
        # all 1,352,078 resamples of 12 services with their weights
        ("scenario", ("clean_state", "incremental"), 11.671626984124998, 29.136904761916668),
        ("prompt", ("summary", "minimal"), -10.378637566145834, 4.609788359770833),
    ],
)
def test_bootstrap_interval_is_near_the_exact_one(
    factor: str, pair: tuple[str, str], low: float, high: float
) -> None:
    blocks = [name for name in (*BLOCKS, "scenario") if name != factor]
    row = compare.paired(RUNS, "pass_rate", factor, pair, blocks=blocks).iloc[0]
    assert row["low"] == pytest.approx(low, abs=0.6)
    assert row["high"] == pytest.approx(high, abs=0.6)


def test_kruskal_wallis_equals_r() -> None:
    row = compare.kruskal_wallis(RUNS, "pass_rate", "agent").iloc[0]
    assert row["statistic"] == pytest.approx(6.59613288498, rel=1e-8)
    assert row["p"] == pytest.approx(0.0369545521175, rel=1e-8)
    assert row["effect"] == pytest.approx(0.0229830414110963, rel=1e-8)


def test_holm_equals_r_and_leaves_missing_values_out() -> None:
    p = pd.Series([0.0004, 0.011, 0.012, 0.04, np.nan, 0.04, 0.049, 0.2, 0.76])
    expected = [0.0032, 0.077, 0.077, 0.2, np.nan, 0.2, 0.2, 0.4, 0.76]
    assert compare.holm(p).tolist() == pytest.approx(expected, rel=1e-12, nan_ok=True)


def test_equal_rates_that_differ_in_the_last_bit_are_ties() -> None:
    third = 100 / 3
    row = _toy([third * 2, *[10.0] * 7], [200 / 3, *[0.0] * 7])
    assert row["n_zero"] == 1


@pytest.mark.parametrize(
    ("x", "y", "method"),
    [
        ([], [], "not enough data"),
        ([5.0] * 8, [5.0] * 8, "all differences are zero"),
        ([1.0, 2.0, 3.0], [0.0, 0.0, 0.0], "not enough data for a test: 3 non-zero pairs"),
    ],
)
def test_too_little_data_gives_no_p(x: list[float], y: list[float], method: str) -> None:
    row = _toy(x, y)
    assert np.isnan(row["p"])
    assert row["method"] == method


def test_pairs_with_a_missing_value_are_left_out() -> None:
    assert _toy([1.0, np.nan, 3.0], [0.0, 1.0, np.nan])["n"] == 1


def test_blocks_that_do_not_identify_a_run_are_refused() -> None:
    with pytest.raises(StudyError, match="hold several rows of one scenario"):
        compare.paired(
            RUNS, "pass_rate", "scenario", ("clean_state", "incremental"), blocks=["agent", "service"]
        )


def test_factors_compares_every_pair_of_levels_and_adjusts_within_the_factor() -> None:
    table = compare.factors(RUNS, "pass_rate")
    assert table.groupby("factor", sort=False).size().to_dict() == {"scenario": 1, "prompt": 1, "agent": 3}
    agents = table[table["factor"] == "agent"]
    assert agents["comparison"].tolist() == ["B minus A", "C minus A", "C minus B"]
    assert agents["p_holm"].tolist() == compare.holm(agents["p"]).tolist()
    single = table[table["factor"] == "prompt"].iloc[0]
    assert single["p"] == single["p_holm"]


def test_one_level_only_is_said() -> None:
    table = compare.factors(RUNS[RUNS["agent"] == "A"], "pass_rate", ["agent"])
    assert table["method"].tolist() == ["not enough data"]


def test_constant_values_have_no_kruskal_wallis() -> None:
    row = compare.kruskal_wallis(RUNS.assign(pass_rate=100.0), "pass_rate", "agent").iloc[0]
    assert np.isnan(row["p"])
    assert row["method"] == "not enough data"


def test_ratio_averages_services_first_and_counts_what_it_leaves_out() -> None:
    frame = pd.DataFrame(
        {
            "agent": "a",
            "project": "p",
            "service": ["s", "s", "s", "t", "t"],
            "v": [40.0, 40.0, 40.0, 5.0, 0.0],
            "r": 10.0,
        }
    )
    row = estimates.ratio(frame, "v", "r", ["agent"]).iloc[0]
    assert row["estimate"] == pytest.approx(np.sqrt(4 * 0.5))  # not the geometric mean of four runs
    assert (row["n"], row["n_left_out"], row["n_clusters"]) == (4, 1, 2)


def test_ratio_of_one_service_has_no_interval() -> None:
    frame = pd.DataFrame({"agent": ["a"], "project": "p", "service": "s", "v": [5.0], "r": [10.0]})
    row = estimates.ratio(frame, "v", "r", ["agent"]).iloc[0]
    assert row["estimate"] == pytest.approx(0.5)
    assert np.isnan(row["low"])
    assert row["method"] == "not enough data"


def test_four_clusters_have_no_bootstrap_interval() -> None:
    low, high, clusters = estimates.cluster_interval(np.arange(4.0), np.array([*"abcd"]))
    assert np.isnan(low)
    assert np.isnan(high)
    assert clusters == 4
