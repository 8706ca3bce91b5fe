"""Own statistics beside scipy, statsmodels, scikit-posthocs and brute force, on data that no other test uses.

Also what these libraries are known to change: it must fail here before it changes a result.
"""

from __future__ import annotations

import inspect
from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from synthetic_runs import FACTORS, made

from study.statistics import (
    as_published,
    bootstrap,
    effects,
    gee,
    linear,
    mixed,
    models,
    normality,
    pairs,
    permutation,
    ranks,
    related,
    walsh,
)
from study.statistics.families import adjust

RUNS = made(7, effect=0.8)
PAIRS = pairs.pairs(RUNS, "pass_rate", "scenario", ("clean_state", "incremental"))
D = PAIRS["difference"].to_numpy()


@pytest.mark.parametrize("continuity", [False, True])
@pytest.mark.parametrize(
    ("zeros", "scipys"), [("dropped", "wilcox"), ("Pratt", "pratt"), ("zsplit", "zsplit")]
)
def test_signed_rank_equals_scipy(zeros: ranks.Zeros, scipys: str, continuity: bool) -> None:
    row = as_published.signed_rank(PAIRS, zeros=zeros, continuity=continuity).iloc[0]
    theirs = stats.wilcoxon(D, zero_method=scipys, correction=continuity, method="asymptotic")
    assert row["p"] == pytest.approx(theirs.pvalue, rel=1e-10)
    assert abs(row["statistic"]) == pytest.approx(abs(theirs.zstatistic), rel=1e-10)
    assert min(row["r_plus"], row["r_minus"]) == theirs.statistic


def test_exact_signed_rank_equals_all_sign_patterns() -> None:
    d = np.array([3.0, -1, 0, 2, 2, -2, 5, 0, 1])
    for zeros in ("dropped", "Pratt"):
        signed = ranks.signed_ranks(d, zeros)
        r = np.abs(signed[signed != 0])
        observed = abs(signed.sum())
        sums = np.array(list(product((-1, 1), repeat=len(r)))) @ r
        expected = np.mean(np.abs(sums) >= observed - 1e-9)
        assert ranks.signed_rank_exact_p(d, zeros) == pytest.approx(expected, rel=1e-12)


def test_rank_sum_kruskal_and_friedman_equal_scipy() -> None:
    x, y = (RUNS.loc[RUNS["scenario"] == level, "pass_rate"] for level in ("clean_state", "incremental"))
    for continuity in (False, True):
        row = as_published.rank_sum(
            RUNS, "pass_rate", "scenario", ("clean_state", "incremental"), continuity=continuity
        ).iloc[0]
        theirs = stats.mannwhitneyu(x, y, method="asymptotic", use_continuity=continuity)
        assert (row["u"], row["p"]) == (theirs.statistic, pytest.approx(theirs.pvalue, rel=1e-10))
    groups = [RUNS.loc[RUNS["agent"] == a, "pass_rate"] for a in "ABC"]
    assert as_published.kruskal_wallis(RUNS, "pass_rate", "agent")["p"][0] == pytest.approx(
        stats.kruskal(*groups).pvalue, rel=1e-10
    )
    wide = RUNS.groupby(["service", "agent"])["pass_rate"].mean().unstack()
    row = related.friedman(RUNS, "pass_rate", "agent").iloc[0]
    assert row["p"] == pytest.approx(stats.friedmanchisquare(*wide.to_numpy().round(9).T).pvalue, rel=1e-10)
    assert row["n"] == 12


def test_dunn_equals_scikit_posthocs() -> None:
    import scikit_posthocs

    theirs = scikit_posthocs.posthoc_dunn(RUNS, "pass_rate", "agent")
    for row in as_published.dunn(RUNS, "pass_rate", "agent").to_dict("records"):
        first, second = row["comparison"].split(" minus ")
        assert row["p"] == pytest.approx(theirs.loc[first, second], rel=1e-9)


def test_adjustments_equal_statsmodels() -> None:
    from statsmodels.stats.multitest import multipletests

    p = np.random.default_rng(3).uniform(size=9) ** 2
    for ours, theirs in (("holm", "holm"), ("hochberg", "simes-hochberg"), ("fdr_bh", "fdr_bh"),
                         ("fdr_by", "fdr_by"), ("bonferroni", "bonferroni")):  # fmt: skip
        assert adjust(p, ours) == pytest.approx(multipletests(p, method=theirs)[1], rel=1e-12)


def test_gee_equals_statsmodels() -> None:
    import statsmodels.api as sm

    table = models.design_matrix(RUNS, ["scenario", "agent"])
    codes = pd.factorize(RUNS["service"])[0].astype(np.intp)
    for structure, theirs in (
        ("independence", sm.cov_struct.Independence()),
        ("exchangeable", sm.cov_struct.Exchangeable()),
    ):
        ours = gee.fit(table.to_numpy(), RUNS["pass_rate"].to_numpy() / 100, codes, structure=structure)
        model = sm.GEE(
            RUNS["pass_rate"] / 100, table, groups=codes, family=sm.families.Binomial(), cov_struct=theirs
        )
        fitted = model.fit(cov_type="bias_reduced", maxiter=200, ctol=1e-12)
        assert ours.coefficients == pytest.approx(fitted.params.to_numpy(), rel=1e-7)
        assert np.sqrt(np.diag(ours.bias_reduced)) == pytest.approx(fitted.bse.to_numpy(), rel=1e-6)


def test_mixed_model_without_service_variance_is_logistic_regression() -> None:
    import statsmodels.api as sm

    table = models.design_matrix(RUNS, ["scenario", "agent"])
    codes = pd.factorize(RUNS["service"])[0].astype(np.intp)
    passed, total = (RUNS[name].to_numpy(dtype=float) for name in ("passed", "total"))
    fit = mixed.fit_counts(mixed.Counts(table.to_numpy(), passed, total, codes), random=False)
    theirs = sm.GLM(np.column_stack([passed, total - passed]), table, family=sm.families.Binomial()).fit()
    assert fit.coefficients == pytest.approx(theirs.params.to_numpy(), rel=1e-6)
    assert fit.se == pytest.approx(theirs.bse.to_numpy(), rel=1e-5)
    assert fit.loglik == pytest.approx(theirs.llf, rel=1e-10)


def test_quadrature_equals_numerical_integration() -> None:
    """The marginal likelihood of two small services, integrated by scipy on a fine grid."""
    from scipy.integrate import quad

    design = np.ones((4, 1))
    k, n, codes = np.array([1.0, 3, 4, 2]), np.array([5.0, 4, 4, 6]), np.array([0, 0, 1, 1])
    counts = mixed.Counts(design, k, n, codes)
    fit = mixed.fit_counts(counts, nodes=25)

    def density(u: float, g: int) -> float:
        p = 1 / (1 + np.exp(-(fit.coefficients[0] + fit.sd * u)))
        rows = codes == g
        return float(np.prod(stats.binom.pmf(k[rows], n[rows], p)) * stats.norm.pdf(u))

    total = sum(np.log(quad(density, -8, 8, args=(g,))[0]) for g in (0, 1))
    assert fit.loglik == pytest.approx(total, abs=1e-6)


def test_linear_mixed_model_equals_statsmodels_in_an_unbalanced_design() -> None:
    import statsmodels.api as sm

    runs = RUNS.drop(RUNS.sample(30, random_state=2).index)
    runs = runs.assign(time_min=runs["time_min"] * np.exp(pd.factorize(runs["service"])[0] / 10))
    table = linear.linear_mixed(runs, "time_min", ["agent", "scenario"])
    design = models.design_matrix(runs, ["agent", "scenario"])
    theirs = sm.MixedLM(np.log(runs["time_min"]), design, groups=runs["service"]).fit(reml=True)
    assert table["estimate"].iloc[:4].to_numpy() == pytest.approx(theirs.fe_params.to_numpy(), rel=1e-4)
    # statsmodels' se allow for the estimated variance where the design is unbalanced; ours are lme4's
    assert table["se"].iloc[:4].to_numpy() == pytest.approx(theirs.bse_fe.to_numpy(), rel=2e-3)
    assert table["estimate"].iloc[4] == pytest.approx(theirs.cov_re.iloc[0, 0], rel=1e-3)
    assert table["estimate"].iloc[5] == pytest.approx(theirs.scale, rel=1e-4)


def test_median_regression_equals_statsmodels() -> None:
    import statsmodels.formula.api as smf

    table = linear.median_regression(RUNS, "time_min", ["scenario"], resamples=50)
    theirs = smf.quantreg("time_min ~ scenario", RUNS).fit(q=0.5, max_iter=5000)
    loss = [
        np.abs(RUNS["time_min"] - b0 - b1 * (RUNS["scenario"] == "clean_state")).sum()
        for b0, b1 in (
            table["estimate"],
            (theirs.params.sum(), -theirs.params.iloc[1]),  # patsy takes clean_state as reference
        )
    ]
    assert loss[0] <= loss[1] * (1 + 1e-9)
    assert loss[0] == pytest.approx(loss[1], rel=1e-3)
    assert (table["low"] <= table["estimate"]).all()
    assert (table["estimate"] <= table["high"]).all()


def test_resampled_effects_equal_the_effect_of_resampled_runs() -> None:
    """Weights of services against runs that are really copied, for every vectorised effect."""
    known = PAIRS.assign(code=pd.factorize(PAIRS["cluster"])[0])
    codes, d = known["code"].to_numpy().astype(np.intp), known["difference"].to_numpy()
    weights = bootstrap.draws(12, 6, seed=2)
    hl = walsh.resampled(d, codes, weights)
    rbc = effects._biserial_resamples(d, codes, weights)
    for w, one, other in zip(weights, hl, rbc, strict=True):
        copies = np.concatenate([np.tile(d[codes == g], int(times)) for g, times in enumerate(w)])
        assert one == pytest.approx(walsh.hodges_lehmann(copies), abs=1e-9)
        plus, minus = ranks.signed_rank_sums(copies)
        assert other == pytest.approx((plus - minus) / (plus + minus), abs=1e-9)


def test_cliffs_delta_interval_resamples_services() -> None:
    resamples = 5
    row = effects.cliffs_delta(
        RUNS, "pass_rate", "scenario", ("clean_state", "incremental"), resamples=resamples
    ).iloc[0]
    deltas = []
    for w in bootstrap.draws(12, resamples):
        copies = pd.concat(
            RUNS[RUNS["service"] == f"s{g}"] for g, times in enumerate(w) for _ in range(int(times))
        )
        x, y = (
            copies.loc[copies["scenario"] == s, "pass_rate"].to_numpy() for s in FACTORS["scenario"][::-1]
        )
        deltas.append(np.sign((x[:, None] - y).round(9)).mean())
    assert (row["low"], row["high"]) == pytest.approx(
        bootstrap.percentiles(np.array(deltas), clusters=12), abs=1e-9
    )


def test_drawn_permutations_agree_with_scipy() -> None:
    means = pairs.cluster_means(PAIRS).to_numpy()
    theirs = stats.permutation_test(
        (means, np.zeros(12)), lambda x, y, axis: (x - y).mean(axis=axis), permutation_type="samples",
        vectorized=True, n_resamples=np.inf,
    )  # fmt: skip
    assert permutation.sign_flip_p(means) == pytest.approx(theirs.pvalue, rel=1e-12)
    many = np.random.default_rng(0).normal(0.4, 1, 25)
    exactly = permutation.sign_flip_p(many[:20])
    assert permutation.sign_flip_p(many[:20], drawn=0) == exactly  # 20 units are still enumerated
    t = stats.ttest_1samp(many, 0).pvalue
    assert permutation.sign_flip_p(many) == pytest.approx(t, abs=0.02)


def test_omnibus_of_two_levels_is_the_sign_flip_test() -> None:
    row = permutation.omnibus(RUNS, "pass_rate", "scenario", drawn=20_000).iloc[0]
    exact = permutation.sign_flip(PAIRS).iloc[0]["p"]
    assert row["p"] == pytest.approx(exact, abs=4 * np.sqrt(0.25 / 20_000))


def test_interaction_is_the_sign_flip_of_differences_of_differences() -> None:
    table = permutation.interaction(RUNS, "pass_rate", "scenario", "agent")
    assert len(table) == 4  # three pairs of agents and the omnibus row
    effect = RUNS.groupby(["service", "agent", "scenario"])["pass_rate"].mean().unstack()
    effect = (effect["clean_state"] - effect["incremental"]).unstack()
    for row, (a, b) in zip(table.to_dict("records"), combinations("ABC", 2), strict=False):
        d = (effect[b] - effect[a]).to_numpy()
        assert abs(row["estimate"]) == pytest.approx(abs(d.mean()), rel=1e-9)
        assert row["p"] == pytest.approx(permutation.sign_flip_p(d.round(12)), abs=1e-3)
    assert table["p_adjusted"].iloc[:3].tolist() == adjust(table["p"].iloc[:3]).tolist()
    assert np.isnan(table["p_adjusted"].iloc[3])


def test_anderson_of_scipy_still_takes_a_method_and_agrees() -> None:
    x = RUNS["pass_rate"].to_numpy()
    assert "method" in inspect.signature(stats.anderson).parameters
    theirs = stats.anderson(x, "norm", method="interpolate")
    assert normality.anderson_darling(x) == pytest.approx(theirs.statistic, rel=1e-10)


def test_wilcoxon_of_scipy_still_switches_and_is_still_wrong_when_forced_to_be_exact() -> None:
    """Why the exact test here is own code: scipy's exact distribution knows neither ties nor zeros."""
    tied = np.array([1.0, 1, 1, 1, -1, 0])
    forced = stats.wilcoxon(tied, method="exact").pvalue
    assert ranks.signed_rank_exact_p(tied) == pytest.approx(2 * (1 + 5) / 32)
    assert forced != pytest.approx(ranks.signed_rank_exact_p(tied), rel=1e-3)
    untied = np.array([1.5, -0.5, 2.5, 3.5, -1.0, 4.5])
    assert stats.wilcoxon(untied).pvalue == pytest.approx(ranks.signed_rank_exact_p(untied), rel=1e-12)
