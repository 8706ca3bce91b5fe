"""Data that no analysis should meet: a clear error or a stated degradation, no silent NaN, no warning."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from synthetic_runs import made

from study.schema import StudyError
from study.statistics import (
    agreement,
    aligned,
    as_published,
    effects,
    equivalence,
    linear,
    models,
    permutation,
    related,
    sensitivity,
)
from study.statistics.families import within
from study.statistics.pairs import pairs

RUNS = made(3)
PAIR = ("clean_state", "incremental")
TERMS = ["scenario", "prompt", "agent"]

OF_PAIRS: dict[str, Callable[[pd.DataFrame], pd.DataFrame]] = {
    "mean_difference": effects.mean_difference,
    "bootstrap": effects.bootstrap_difference,
    "hodges_lehmann": lambda p: effects.hodges_lehmann(p, resamples=200),
    "rank_biserial": effects.matched_rank_biserial,
    "ratio": effects.ratio,
    "sign_flip": permutation.sign_flip,
    "signed_rank": as_published.signed_rank,
    "signed_rank_exact": lambda p: as_published.signed_rank(p, distribution="exact"),
    "tost": lambda p: equivalence.tost(p, 5),
    "tost_signed_rank": lambda p: equivalence.tost_signed_rank(p, 5),
    "missing_bounds": sensitivity.missing_bounds,
}
OF_RUNS: dict[str, Callable[[pd.DataFrame], pd.DataFrame]] = {
    "anderson_darling": lambda r: as_published.anderson_darling(r, "pass_rate"),
    "shapiro_wilk": lambda r: as_published.shapiro_wilk(r, "pass_rate"),
    "rank_sum": lambda r: as_published.rank_sum(r, "pass_rate", "scenario", PAIR),
    "dunn": lambda r: as_published.dunn(r, "pass_rate", "agent"),
    "kruskal_wallis": lambda r: as_published.kruskal_wallis(r, "pass_rate", "agent"),
    "friedman": lambda r: related.friedman(r, "pass_rate", "agent"),
    "quade": lambda r: related.quade(r, "pass_rate", "agent"),
    "nemenyi": lambda r: related.nemenyi(r, "pass_rate", "agent"),
    "conover": lambda r: related.conover(r, "pass_rate", "agent"),
    "omnibus": lambda r: permutation.omnibus(r, "pass_rate", "agent", drawn=500),
    "interaction": lambda r: permutation.interaction(r, "pass_rate", "scenario", "prompt"),
    "cliffs_delta": lambda r: effects.cliffs_delta(r, "pass_rate", "scenario", PAIR),
    "vargha_delaney": lambda r: effects.vargha_delaney(r, "pass_rate", "scenario", PAIR),
    "odds_ratio": lambda r: effects.odds_ratio(r, "pass_rate", "scenario", PAIR),
    "replicates": lambda r: agreement.replicates(r, "pass_rate"),
}
OF_MODELS: dict[str, Callable[[pd.DataFrame], pd.DataFrame]] = {
    "binomial_mixed": lambda r: models.binomial_mixed(r, "passed", "total", TERMS, nodes=1),
    "beta_binomial": lambda r: models.beta_binomial(r, "passed", "total", TERMS, nodes=1),
    "marginal_logit": lambda r: models.marginal_logit(r, "pass_rate", TERMS),
    "cluster_ols": lambda r: linear.cluster_ols(r, "pass_rate", TERMS),
    "linear_mixed": lambda r: linear.linear_mixed(r, "time_min", TERMS),
    "median_regression": lambda r: linear.median_regression(r, "time_min", TERMS, resamples=20),
    "aligned_ranks": lambda r: aligned.aligned_ranks(r, "pass_rate", TERMS),
}
ALL = OF_RUNS | OF_MODELS


def of_pairs(name: str) -> Callable[[pd.DataFrame], pd.DataFrame]:
    return lambda runs: OF_PAIRS[name](pairs(runs, "pass_rate", "scenario", PAIR))


EVERY = {name: of_pairs(name) for name in OF_PAIRS} | ALL


def stated(table: pd.DataFrame) -> bool:
    """Where a number is missing that a row should have, the row says why."""
    if table.empty:
        return False
    no_p = table["p"].isna() & table["estimate"].isna()
    return bool((~no_p | table["note"].str.len().gt(0)).all())


def _all_missing_in_a_cell() -> pd.DataFrame:
    cell = (RUNS["agent"] == "A") & (RUNS["scenario"] == "clean_state") & (RUNS["prompt"] == "summary")
    gone = {name: RUNS[name].astype("float64").mask(cell) for name in ("pass_rate", "passed", "time_min")}
    return RUNS.assign(**gone)


ODD = {
    "one agent": RUNS[RUNS["agent"] == "A"],
    "one service": RUNS[RUNS["service"] == "s1"],
    "two services": RUNS[RUNS["service"].isin(["s1", "s2"])],
    "no variance": RUNS.assign(pass_rate=100.0, passed=RUNS["total"], time_min=3.0),
    "all zero": RUNS.assign(pass_rate=0.0, passed=0, time_min=3.0),
    "a cell all missing": _all_missing_in_a_cell(),
    "all missing": RUNS.assign(pass_rate=np.nan, passed=np.nan, time_min=np.nan),
    "unbalanced": RUNS.drop(RUNS.sample(40, random_state=1).index),
    "one scenario perfect": RUNS.assign(
        pass_rate=RUNS["pass_rate"].where(RUNS["scenario"] != "clean_state", 100.0),
        passed=RUNS["passed"].where(RUNS["scenario"] != "clean_state", RUNS["total"]),
    ),
}


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("case", ODD)
def test_odd_data_are_an_error_or_a_stated_degradation(name: str, case: str) -> None:
    """Warnings are errors here; a StudyError must name what is wrong."""
    try:
        table = EVERY[name](ODD[case])
    except StudyError as error:
        assert len(str(error)) > 20
        return
    assert stated(table), table.T.to_string()
    inside = table.dropna(subset=["low", "high"])
    assert (inside["low"] <= inside["high"]).all()
    assert table["p"].dropna().between(0, 1).all()


@pytest.mark.parametrize("name", OF_PAIRS)
def test_incomplete_pairs_are_counted(name: str) -> None:
    table = of_pairs(name)(ODD["a cell all missing"])
    rows = table if name != "missing_bounds" else table[table["quantity"] == "complete pairs"]
    lost = "of 72 pairs without two positive" if name == "ratio" else "12 of 72 pairs incomplete"
    assert rows["note"].str.contains(lost).all()
    assert (rows["n"] <= 60).all()


@pytest.mark.parametrize("name", EVERY)
def test_mixed_kinds_are_refused(name: str) -> None:
    mixed = RUNS.assign(kind=["measured", "simulated"] * (len(RUNS) // 2))
    with pytest.raises(StudyError, match="measured, simulated are mixed"):
        EVERY[name](mixed)


@pytest.mark.parametrize("value", [-0.5, 100.5, np.inf])
def test_rates_outside_their_range_are_refused(value: float) -> None:
    wrong = RUNS.assign(pass_rate=RUNS["pass_rate"].where(RUNS.index != 5, value))
    for compute in OF_RUNS.values():
        with pytest.raises(StudyError, match="pass_rate: row 5: .* is not a number from 0 to 100"):
            compute(wrong)
    with pytest.raises(StudyError, match="row 5"):
        pairs(wrong, "pass_rate", "scenario")


def test_text_for_numbers_is_refused() -> None:
    with pytest.raises(StudyError, match="is not a column of numbers"):
        pairs(RUNS.assign(pass_rate="many"), "pass_rate", "scenario")


def test_duplicated_runs_are_refused_with_an_example() -> None:
    with pytest.raises(StudyError, match="2 rows are not told apart by .*first: agent A"):
        pairs(pd.concat([RUNS, RUNS.head(1)]), "pass_rate", "scenario")


def test_unknown_columns_and_levels_are_named_with_what_there_is() -> None:
    with pytest.raises(StudyError, match="no column 'rate'; columns here: agent"):
        pairs(RUNS, "rate", "scenario")
    with pytest.raises(StudyError, match="no level 'clean'; levels here: incremental, clean_state"):
        pairs(RUNS, "pass_rate", "scenario", ("clean", "incremental"))
    with pytest.raises(StudyError, match="no rows"):
        pairs(RUNS.head(0), "pass_rate", "scenario")


def test_more_passed_than_tests_is_refused() -> None:
    with pytest.raises(StudyError, match="is no count of passed tests"):
        models.binomial_mixed(RUNS.assign(passed=RUNS["total"] + 1), "passed", "total", ["prompt"])


def test_separation_is_said() -> None:
    table = models.binomial_mixed(ODD["one scenario perfect"], "passed", "total", ["scenario"], nodes=1)
    assert table["note"].str.contains("not identified").all()
    row = effects.odds_ratio(ODD["one scenario perfect"], "pass_rate", "scenario", PAIR).iloc[0]
    assert "no odds ratio" in row["note"]


def test_floor_and_ceiling() -> None:
    runs = RUNS.rename(columns={"pass_rate": "pass_rate_percent"}).assign(
        floor_percent=0.0, ceiling_percent=100.0
    )
    runs.loc[0, "ceiling_percent"] = 0.0
    runs.loc[1, "floor_percent"] = np.nan
    table = sensitivity.normalised_score(runs)
    assert table["score_missing"].iloc[:3].tolist() == [
        "floor equals ceiling",
        "floor or ceiling unknown",
        "",
    ]
    assert table["score"].isna().tolist() == (table["score_missing"] != "").tolist()
    with pytest.raises(StudyError, match="floor_percent 100 is above ceiling_percent 50"):
        sensitivity.normalised_score(runs.assign(floor_percent=100.0, ceiling_percent=50.0))


def test_bounds_for_missing_runs_hold_the_truth() -> None:
    whole = pairs(RUNS, "pass_rate", "scenario", PAIR)
    truth = effects.mean_difference(whole)["estimate"][0]
    gone = RUNS.assign(pass_rate=RUNS["pass_rate"].mask(np.random.default_rng(1).random(len(RUNS)) < 0.1))
    table = sensitivity.missing_bounds(pairs(gone, "pass_rate", "scenario", PAIR)).set_index("quantity")
    worst, best = (table.loc[f"{side} case for the first", "estimate"] for side in ("worst", "best"))
    assert worst < truth < best


def test_a_negative_bound_is_refused() -> None:
    with pytest.raises(StudyError, match="must be a positive number"):
        equivalence.tost(pairs(RUNS, "pass_rate", "scenario"), -5)


def test_families_are_stated() -> None:
    table = within(permutation.sign_flip(pairs(RUNS, "pass_rate", "agent")), "RQ1: agents")
    assert table["family"].tolist() == ["RQ1: agents (3 p values, holm)"] * 3
    assert (table["p_adjusted"] >= table["p"]).all()
