"""Coverage and level with 12 services, in a small simulation, and the intervals beside known values."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from study.statistics import bootstrap, permutation

SETS = 600
SERVICES = 12


def _means(seed: int) -> np.ndarray:
    """Service means of differences of bounded, tied rates, true mean about 15 points: skewed."""
    rng = np.random.default_rng(seed)
    values = rng.choice([-50.0, -10.0, 0.0, 0.0, 20.0, 60.0, 85.0], size=(SETS, SERVICES, 6))
    return values.mean(axis=2) + rng.normal(0, 12, size=(SETS, SERVICES))


TRUE = float(np.mean([-50.0, -10.0, 0.0, 0.0, 20.0, 60.0, 85.0]))


def _coverage(interval: bootstrap.Interval) -> float:
    bounds = [bootstrap.mean_interval(m, interval=interval, resamples=2_000, seed=1) for m in _means(5)]
    return float(np.mean([low <= TRUE <= high for low, high in bounds]))


@pytest.mark.parametrize("interval", ["expanded", "studentised"])
def test_intervals_cover_with_twelve_services(interval: bootstrap.Interval) -> None:
    assert 0.93 <= _coverage(interval) <= 0.97


def test_plain_percentiles_do_not() -> None:
    """Why they are not the default."""
    assert _coverage("percentile") < _coverage("expanded")


def test_sign_flips_keep_their_level() -> None:
    p = np.array([permutation.sign_flip_p(m - TRUE) for m in _means(11)])
    error = 3 * np.sqrt(0.05 * 0.95 / SETS)
    assert np.mean(p <= 0.05) <= 0.05 + error


def test_expanded_interval_is_as_wide_as_that_of_t() -> None:
    means = np.random.default_rng(3).normal(10, 5, 12)
    low, high = bootstrap.mean_interval(means, resamples=100_000)
    t_low, t_high = stats.t.interval(0.95, 11, means.mean(), stats.sem(means))
    assert (high - low) / (t_high - t_low) == pytest.approx(1, abs=0.08)


def test_monte_carlo_is_near_the_exact_bootstrap() -> None:
    values = pd.read_csv(Path(__file__).parent / "data" / "long_values.csv").set_index("id")["value"]
    exact = [float(values[f"scenario.boot.exact.{side}95"]) for side in ("lo", "hi")]
    runs = pd.read_csv(Path(__file__).parent / "data" / "reference_runs.csv")
    wide = runs.groupby(["service", "scenario"])["pass_rate"].mean().unstack()
    means = (wide["clean_state"] - wide["incremental"]).to_numpy()
    assert bootstrap.mean_interval(means, interval="percentile") == pytest.approx(exact, abs=0.6)
    assert bootstrap.exact_quantiles(means, [0.025, 0.975]) == pytest.approx(exact, rel=1e-12)


def test_bca_moves_with_skewness_and_equals_scipy() -> None:
    means = np.random.default_rng(9).exponential(10, 12)
    ours = bootstrap.mean_interval(means, interval="bca", resamples=100_000)
    theirs = stats.bootstrap(
        (means,), np.mean, n_resamples=100_000, method="BCa", rng=np.random.default_rng(0)
    ).confidence_interval
    assert ours == pytest.approx((theirs.low, theirs.high), abs=0.25)


def test_the_same_seed_gives_the_same_interval() -> None:
    means = np.random.default_rng(8).normal(0, 10, 12)
    assert bootstrap.mean_interval(means, seed=4) == bootstrap.mean_interval(means, seed=4)
    assert bootstrap.mean_interval(means, seed=4) != bootstrap.mean_interval(means, seed=5)
