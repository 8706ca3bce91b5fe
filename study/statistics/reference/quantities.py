"""What the long form names of two levels and of the agents: rank tests, effects, intervals, exact tests."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats

from study.statistics import as_published, effects, equivalence, permutation, related, walsh
from study.statistics.aligned import aligned_ranks
from study.statistics.bootstrap import exact_quantiles, mean_interval
from study.statistics.families import adjust
from study.statistics.normality import adjusted
from study.statistics.pairs import DECIMALS, cluster_means, pairs
from study.statistics.ranks import Array, Zeros, p_of_z, rank_sum, signed_rank, signed_rank_exact_p
from study.statistics.ranks import signed_rank_sums as rank_sums
from study.statistics.sandwich import least_squares

Numbers = dict[str, tuple[float, float]]
"""Value and p (NaN: none) of each id."""
NONE = float("nan")
ZERO_RULES: dict[str, Zeros] = {"wilcox": "dropped", "pratt": "Pratt", "zsplit": "zsplit"}
BOUND = 5.0


@dataclass(frozen=True)
class Names:
    """Columns and levels of a data set in one of the reference forms."""

    passed: str
    total: str
    clean: str
    incremental: str
    first_prompt: str
    second_prompt: str

    def pair(self, factor: str) -> tuple[str, str]:
        """Levels of a comparison: the estimate is the first minus the second."""
        if factor == "scenario":
            return self.clean, self.incremental
        return self.second_prompt, self.first_prompt


LONG = Names("tests_passed", "tests_total", "clean_state", "incremental", "minimal", "summary")
LABELLED = Names("n_passed", "n_tests", "clean_state", "incremental", "P1", "P2")


def two_levels(runs: pd.DataFrame, factor: str, names: Names = LONG) -> Numbers:
    """All quantities of one factor with two levels; ids start with the factor."""
    table = pairs(runs, "pass_rate", factor, names.pair(factor))
    d = table["difference"].to_numpy(dtype=float)
    means = cluster_means(table).to_numpy(dtype=float)
    x, y = (runs.loc[runs[factor] == level, "pass_rate"].to_numpy() for level in names.pair(factor))
    found: Numbers = {"n": (len(d), NONE), "n0": (float((d == 0).sum()), NONE)}
    found |= _prefixed("sr", _signed_ranks(d)) | _prefixed("hl", _hodges_lehmann(d))
    for project, part in table.groupby("project"):
        found |= _prefixed(f"sr.{project}", _signed_ranks(part["difference"].to_numpy(dtype=float)))
    found |= _prefixed("sr.service_means", _signed_ranks(means.round(DECIMALS)))
    if "time_min" in runs:
        found |= _prefixed("logtime", _log_time(runs, factor, names.pair(factor)))
    found |= _unpaired(runs, factor, names.pair(factor), x, y) | _biserial(d)
    found |= _clusters(table, d, means) | _equivalence(table)
    return _prefixed(factor, found)


def _prefixed(prefix: str, found: Numbers) -> Numbers:
    return {f"{prefix}.{name}": value for name, value in found.items()}


def _signed_ranks(d: Array) -> Numbers:
    found: Numbers = {}
    for name, zeros in ZERO_RULES.items():
        plus, minus = rank_sums(d, zeros)
        standard = signed_rank(d, zeros)
        z, zc = float(standard.z()), float(standard.z(continuity=True))
        found[f"{name}.Tplus"], found[f"{name}.Tminus"] = (plus, NONE), (minus, NONE)
        found[f"{name}.z"], found[f"{name}.zc"] = (z, p_of_z(z)), (zc, p_of_z(zc))
        if zeros != "zsplit":
            found[f"{name}.exact"] = (plus, signed_rank_exact_p(d, zeros))
    pratt = float(signed_rank(d, "Pratt").z())
    return found | {"zsplit.z_conditional": (pratt, p_of_z(pratt))}


def _hodges_lehmann(d: Array) -> Numbers:
    found: Numbers = {}
    for name, values in (("zeros_kept", d), ("zeros_dropped", d[d != 0])):
        found[name] = (walsh.hodges_lehmann(values), NONE)
        for level in (95, 90):
            low, high, _ = walsh.normal_interval(values, level / 100)
            found[f"{name}.lo{level}"], found[f"{name}.hi{level}"] = (low, NONE), (high, NONE)
    found["Rwilcox"] = (walsh.root_of_signed_rank(d), NONE)
    for level in (95, 90):
        z = stats.norm.ppf((1 + level / 100) / 2)
        found[f"Rwilcox.lo{level}"] = (walsh.root_of_signed_rank(d, z, continuity=True), NONE)
        found[f"Rwilcox.hi{level}"] = (walsh.root_of_signed_rank(d, -z, continuity=True), NONE)
    return found


def _log_time(runs: pd.DataFrame, factor: str, pair: tuple[str, str]) -> Numbers:
    logs = runs.assign(log_time=np.log(runs["time_min"]))
    means = cluster_means(pairs(logs, "log_time", factor, pair)).to_numpy(dtype=float)
    low, high = walsh.exact_interval(means)
    return {
        "exact": (rank_sums(means)[0], signed_rank_exact_p(means)),
        "hl": (walsh.hodges_lehmann(means), NONE),
        "hl.lo95": (low, NONE),
        "hl.hi95": (high, NONE),
    }


def _unpaired(runs: pd.DataFrame, factor: str, pair: tuple[str, str], x: Array, y: Array) -> Numbers:
    row = as_published.rank_sum(runs, "pass_rate", factor, pair).iloc[0]
    corrected = as_published.rank_sum(runs, "pass_rate", factor, pair, continuity=True).iloc[0]
    plain = float(rank_sum(x, y).z(ties=False))
    dunn = as_published.dunn(runs[runs[factor].isin(pair)], "pass_rate", factor).iloc[0]
    sign = 1 if dunn["comparison"] == row["comparison"] else -1
    delta = effects.cliffs_delta(runs, "pass_rate", factor, pair).iloc[0]["estimate"]
    a12 = effects.vargha_delaney(runs, "pass_rate", factor, pair).iloc[0]["estimate"]
    return {
        "rs.U1": (row["u"], NONE),
        "rs.U2": (len(x) * len(y) - row["u"], NONE),
        "rs.S1": (row["rank_sum"], NONE),
        "rs.z": (row["statistic"], row["p"]),
        "rs.zc": (corrected["statistic"], corrected["p"]),
        "rs.z_noties": (plain, p_of_z(plain)),
        "rs.mrd": (row["estimate"], NONE),
        "dunn2.z": (sign * dunn["statistic"], dunn["p"]),
        "cliff": (delta, NONE),
        "a12": (a12, NONE),
        "hl2": (float(np.median((x[:, None] - y[None, :]).round(DECIMALS))), NONE),
        "hl2.Rwilcox": (walsh.root_of_rank_sum(x, y), NONE),
    }


def _biserial(d: Array) -> Numbers:
    frame = pd.DataFrame({"comparison": "", "cluster": np.arange(len(d)), "difference": d})
    dropped = as_published.signed_rank(frame).iloc[0]["estimate"]
    ranked = as_published.signed_rank(frame, zeros="Pratt").iloc[0]
    n = len(d)
    found = {
        "rbc.pratt": ranked["estimate"],
        "rbc.allranks": (ranked["r_plus"] - ranked["r_minus"]) / (n * (n + 1) / 2),
    }
    found |= dict.fromkeys(("rbc.wilcox", "rbc.effectsize", "rbc.pingouin"), dropped)
    return {name: (float(value), NONE) for name, value in found.items()}


def _clusters(table: pd.DataFrame, d: Array, means: Array) -> Numbers:
    codes = pd.factorize(table["cluster"])[0].astype(np.intp)
    fit = least_squares(np.ones((len(d), 1)), d, codes)
    naive = stats.ttest_1samp(d, 0)
    row = effects.mean_difference(table).iloc[0]
    flip = permutation.sign_flip(table).iloc[0]
    low, high = exact_quantiles(means, [0.025, 0.975]) if len(means) <= 12 else (NONE, NONE)
    drawn = mean_interval(means, interval="percentile", resamples=50_000)
    return {
        "md": (float(d.mean()), NONE),
        "md.t": (naive.statistic, naive.pvalue),
        "md.se": (float(d.std(ddof=1) / np.sqrt(len(d))), NONE),
        "cl.CR0": (float(fit.cr0[0]), NONE),
        "cl.CR1": (float(fit.cr1[0]), NONE),
        "cl.CR2": (float(fit.cr2[0]), NONE),
        "cl.t": (row["statistic"], row["p"]),
        "cl.lo95": (row["low"], NONE),
        "cl.hi95": (row["high"], NONE),
        "cl.se": (row["se"], NONE),
        "boot.se": (float(means.std() / np.sqrt(len(means))), NONE),
        "boot.exact.lo95": (float(low), NONE),
        "boot.exact.hi95": (float(high), NONE),
        "boot.mc.lo95": (drawn[0], NONE),
        "boot.mc.hi95": (drawn[1], NONE),
        "signflip": (flip["estimate"], flip["p"]),
    }


def _equivalence(table: pd.DataFrame) -> Numbers:
    found: Numbers = {}
    units: dict[str, equivalence.Unit] = {"runs": "pair", "services": "cluster"}
    for name, unit in units.items():
        row = equivalence.tost(table, BOUND, unit=unit).iloc[0]
        found[f"tost.t.{name}.lower"] = (row["t_lower"], row["p_lower"])
        found[f"tost.t.{name}.upper"] = (row["t_upper"], row["p_upper"])
        found[f"tost.t.{name}.p"] = (row["p"], row["p"])
    for name, continuity in (("cc", True), ("nocc", False)):
        row = equivalence.tost_signed_rank(
            table, BOUND, unit="pair", distribution="normal", continuity=continuity
        ).iloc[0]
        found[f"tost.w.{name}.lower"] = (row["v_lower"], row["p_lower"])
        found[f"tost.w.{name}.upper"] = (row["v_upper"], row["p_upper"])
        found[f"tost.w.{name}.p"] = (row["p"], row["p"])
    return found


def agents(runs: pd.DataFrame) -> Numbers:
    """Kruskal-Wallis, Friedman and Dunn over the agents."""
    kw = as_published.kruskal_wallis(runs, "pass_rate", "agent").iloc[0]
    fr = related.friedman(runs, "pass_rate", "agent", unit="block").iloc[0]
    found: Numbers = {
        "agent.kw": (kw["statistic"], kw["p"]),
        "agent.kw.uncorrected": (kw["h_uncorrected"], stats.chi2.sf(kw["h_uncorrected"], kw["df"])),
        "agent.kw.C": (kw["ties"], NONE),
        "agent.kw.eps2": (kw["estimate"], NONE),
        "agent.kw.eta2": (kw["eta_squared"], NONE),
        "agent.friedman": (fr["statistic"], fr["p"]),
        "agent.kendallW": (fr["estimate"], NONE),
        "agent.imandavenport": (fr["f"], fr["f_p"]),
    }
    dunn = as_published.dunn(runs, "pass_rate", "agent")
    for row, bh in zip(dunn.to_dict("records"), adjust(dunn["p"], "fdr_bh"), strict=True):
        key = "agent.dunn." + "".join(row["comparison"].split(" minus "))
        found[key] = (row["statistic"], row["p"])
        found[f"{key}.holm"] = (row["p_adjusted"], row["p_adjusted"])
        found[f"{key}.BH"] = (float(bh), float(bh))
        found[f"{key}.mrd"] = (row["estimate"], NONE)
    return found


def aligned(runs: pd.DataFrame, factors: tuple[str, ...] = ("scenario", "prompt", "agent")) -> Numbers:
    """Aligned ranks with a fixed and with a random block."""
    found: Numbers = {}
    for prefix, random in (("art", False), ("art.lmer", True)):
        for row in aligned_ranks(runs, "pass_rate", factors, random=random).to_dict("records"):
            found[f"{prefix}.{row['comparison'].replace(' x ', ':')}"] = (row["statistic"], row["p"])
    return found


def normality(runs: pd.DataFrame) -> Numbers:
    """Anderson-Darling of the rates and of the services' mean log times; p of statsmodels beside."""
    from statsmodels.stats.diagnostic import normal_ad

    means = np.log(runs["time_min"]).groupby(runs["service"], sort=False).mean()
    found: Numbers = {}
    for name, values in (("pass_rate", runs["pass_rate"]), ("logtime_service", means)):
        row = as_published.anderson_darling(pd.DataFrame({"v": values}), "v").iloc[0]
        found[f"ad.{name}"] = (row["statistic"], row["p"])
        found[f"ad.{name}.adj"] = (adjusted(row["statistic"], int(row["n"])), NONE)
        a2, p = normal_ad(values.to_numpy(dtype=float))
        found[f"ad.{name}.statsmodels_p"] = (float(a2), float(p))
    return found
