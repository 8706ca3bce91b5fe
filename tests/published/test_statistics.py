"""Statistics of the audit against R 4.2.2 (stats, coin 1.4.2, nortest 1.0.4), scipy, and counting by hand."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from study.published import statistics as s

RUNS = pd.read_csv(Path(__file__).parents[1] / "statistics" / "data" / "reference_runs.csv")
REST = {
    "scenario": ["agent", "service", "prompt", "replicate"],
    "prompt": ["agent", "service", "scenario", "replicate"],
}
PAIR = {"scenario": ("clean_state", "incremental"), "prompt": ("summary", "minimal")}
AGENTS = [RUNS.loc[RUNS["agent"] == name, "pass_rate"].to_numpy() for name in "ABC"]


def _pair(factor: str) -> tuple[np.ndarray, np.ndarray]:
    wide = RUNS.pivot(index=REST[factor], columns=factor, values="pass_rate")
    first, second = PAIR[factor]
    return wide[first].to_numpy(), wide[second].to_numpy()


# Z of coin (no continuity correction) and p of wilcox.test with continuity correction
@pytest.mark.parametrize(
    ("factor", "dropped", "pratt", "p_continuity"),
    [
        ("scenario", 5.06317503939, 4.94975383624, 4.16185524902e-07),
        ("prompt", -1.03905131652, -1.20446991719, 0.299750281745),
    ],
)
def test_signed_rank_equals_r(factor: str, dropped: float, pratt: float, p_continuity: float) -> None:
    x, y = _pair(factor)
    assert s.signed_rank(x - y).z() == pytest.approx(dropped, rel=1e-10)
    assert s.signed_rank(x - y, "Pratt").z() == pytest.approx(pratt, rel=1e-10)
    z = float(s.signed_rank(x - y).z(continuity=True))
    assert s.two_sided_p(z) == pytest.approx(p_continuity, rel=1e-9)


@pytest.mark.parametrize(
    ("factor", "z", "p_continuity", "mean_ranks"),
    [
        ("scenario", 4.43762622001, 9.12796439699e-06, 40.3402777778),
        ("prompt", -0.854829357927, 0.393068734091, -7.77083333333),
    ],
)
def test_rank_sum_equals_r_and_is_dunn_for_two_groups(
    factor: str, z: float, p_continuity: float, mean_ranks: float
) -> None:
    x, y = _pair(factor)
    result = s.rank_sum(x, y)
    assert result.z() == pytest.approx(z, rel=1e-10)
    assert s.dunn_z([x, y]) == pytest.approx(z, rel=1e-10)
    assert s.two_sided_p(float(result.z(continuity=True))) == pytest.approx(p_continuity, rel=1e-9)
    assert s.mean_rank_difference(x, y) == pytest.approx(mean_ranks, rel=1e-10)
    ties = float((result.z(ties=False) / result.z()) ** 2)
    assert mean_ranks / s.mean_rank_se(len(x), len(y), ties) == pytest.approx(z, rel=1e-10)
    corrected = s.mean_rank_difference(x, y, continuity=True)
    assert abs(corrected) == pytest.approx(abs(mean_ranks) - 0.5 / 144 - 0.5 / 144, rel=1e-10)


def test_dunn_of_three_groups_equals_r() -> None:
    expected = [(0, 1, -0.575868110132), (0, 2, 1.87964099635), (1, 2, 2.45550910649)]
    for first, second, z in expected:
        assert s.dunn_z(AGENTS, first, second) == pytest.approx(z, rel=1e-10)


def test_ties_can_be_ignored_and_scipy_agrees_where_it_ignores_them() -> None:
    """`scipy.stats.ranksums` has no ties correction; Mann-Whitney and Wilcoxon of scipy have one."""
    x, y = _pair("scenario")
    assert s.rank_sum(x, y).z(ties=False) == pytest.approx(stats.ranksums(x, y).statistic, rel=1e-12)
    for continuity in (False, True):
        options = {"method": "asymptotic", "use_continuity": continuity}
        p = s.two_sided_p(float(s.rank_sum(x, y).z(continuity=continuity)))
        assert p == pytest.approx(stats.mannwhitneyu(x, y, **options).pvalue, rel=1e-10)
    d = np.round(x - y, 9)
    for zeros, name in (("dropped", "wilcox"), ("Pratt", "pratt")):
        scipy = stats.wilcoxon(d, zero_method=name, correction=True, method="asymptotic")
        z = float(s.signed_rank(d, zeros).z(continuity=True))
        assert -abs(z) == pytest.approx(scipy.zstatistic, rel=1e-10)


def test_without_ties_both_standard_deviations_are_the_same() -> None:
    d = np.array([13, -6, 21, 18, -5, 25, 1, 7, 15, -12.0])
    result = s.signed_rank(d)
    assert result.sd_ties == pytest.approx(np.sqrt(10 * 11 * 21 / 24))
    assert result.z() == pytest.approx(result.z(ties=False))
    assert result.z() == pytest.approx((45 - 27.5) / np.sqrt(96.25))


def test_leading_axes_are_data_sets() -> None:
    x, y = (RUNS["pass_rate"].to_numpy().reshape(2, 4, 36)[i] for i in (0, 1))
    for row in range(4):
        assert s.signed_rank(x - y, "Pratt").z()[row] == s.signed_rank((x - y)[row], "Pratt").z()
        assert s.signed_rank(x - y).z(ties=False)[row] == s.signed_rank((x - y)[row]).z(ties=False)
        assert s.rank_sum(x, y).z()[row] == s.rank_sum(x[row], y[row]).z()
        assert s.anderson_darling(x)[row] == pytest.approx(s.anderson_darling(x[row]), rel=1e-12)


def test_what_cannot_be_tested_is_missing() -> None:
    assert np.isnan(s.signed_rank(np.zeros(5)).z())
    assert np.isnan(s.rank_sum([1, 1, 1], [1, 1]).z())
    assert np.isnan(s.anderson_darling([2, 2, 2, 2]))


# R, exactRankTests, on the pairs of tests/statistics/test_comparisons.py
@pytest.mark.parametrize(
    ("d", "p"),
    [
        ([13, -6, 21, 18, -5, 25, 1, 7, 15, -12], 0.083984375),
        ([0, 50, 50, 0, 50, -25, 25, 0, 67, 50, 25, 10], 0.01953125),
        ([50, 30, 10, 30, 5, 35], 2 / 2**6),
    ],
)
def test_exact_signed_rank_p(d: list[float], p: float) -> None:
    assert s.signed_rank_exact_p(d) == pytest.approx(p, rel=1e-12)


def test_exact_signed_rank_p_equals_counting_all_sign_patterns() -> None:
    d = np.array([3.0, 3, -1, 2, 2, -5, 8])
    ranks = stats.rankdata(abs(d))
    plus = [sum(r for r, up in zip(ranks, signs, strict=True) if up) for signs in product((0, 1), repeat=7)]
    far = abs(ranks[d > 0].sum() - ranks.sum() / 2)
    expected = np.mean([abs(value - ranks.sum() / 2) >= far for value in plus])
    assert s.signed_rank_exact_p(d) == pytest.approx(expected, rel=1e-12)


def test_sign_flips_of_clusters_equal_r() -> None:
    for factor, p in (("scenario", 0.0009765625), ("prompt", 0.4443359375)):
        x, y = _pair(factor)
        wide = RUNS.pivot(index=REST[factor], columns=factor, values="pass_rate")
        means = pd.Series(x - y, index=wide.index).groupby("service").mean()
        assert s.sign_flip_p(means) == p
    assert s.sign_flip_p([1, 2, 3, 4]) == 2 / 16
    with pytest.raises(ValueError, match="21 units are too many"):
        s.sign_flip_p(np.ones(21))


def test_equivalence_of_clusters_equals_r() -> None:
    x, y = _pair("prompt")
    wide = RUNS.pivot(index=REST["prompt"], columns="prompt", values="pass_rate")
    means = pd.Series(x - y, index=wide.index).groupby("service").mean()
    assert s.equivalence_p(means, 5) == pytest.approx(0.330390832739, rel=1e-9)


def test_anderson_darling_equals_r() -> None:
    a2 = float(s.anderson_darling(RUNS["pass_rate"]))
    assert a2 == pytest.approx(28.1132613315, rel=1e-10)
    assert s.anderson_darling_p(a2, 288) == pytest.approx(3.7e-24, rel=0.03)


@pytest.mark.parametrize(("adjusted", "p"), [(0.631, 0.10), (0.752, 0.05), (0.873, 0.025), (1.035, 0.01)])
def test_anderson_darling_p_has_stephens_percentage_points(adjusted: float, p: float) -> None:
    """Stephens (1986), table 4.7, case 3."""
    assert s.anderson_darling_p(adjusted, 10**9) == pytest.approx(p, rel=0.02)


def test_anderson_darling_p_falls_over_its_four_pieces() -> None:
    values = [s.anderson_darling_p(a, 100) for a in np.linspace(0.05, 12, 200)]
    assert 0.99 < values[0] <= 1
    assert (np.diff(values) <= 1e-3).all()
    # R, nortest: ad.test reports 3.7e-24 for everything beyond 10
    assert s.anderson_darling_p(20, 10**9) == s.anderson_darling_p(10, 10**9)


def test_largest_z_is_reached_and_never_exceeded() -> None:
    d = np.arange(1.0, 25)
    assert s.signed_rank(d).z() == pytest.approx(s.largest_signed_rank_z(24, tied=False))
    assert s.signed_rank(np.ones(24)).z() == pytest.approx(s.largest_signed_rank_z(24, tied=True))
    assert s.largest_signed_rank_z(24, tied=False) == pytest.approx(4.2857, abs=1e-4)
    assert s.largest_signed_rank_z(24, tied=True) == pytest.approx(4.8990, abs=1e-4)
    rng = np.random.default_rng(1)
    drawn = rng.integers(0, rng.integers(1, 30, size=(5000, 1)) + 1, size=(5000, 24)).astype(float)
    drawn[:, 0] = 1
    for zeros in ("dropped", "Pratt"):
        assert s.signed_rank(drawn, zeros).z().max() <= s.largest_signed_rank_z(24, tied=True) + 1e-9


def test_pairs_needed_for_the_printed_z() -> None:
    assert (s.pairs_needed(5.18, tied=True), s.pairs_needed(5.18, tied=False)) == (27, 36)
    assert s.largest_signed_rank_z(26, tied=True) < 5.18 <= s.largest_signed_rank_z(27, tied=True)
