"""The labelled form (`blocked/`): a quantity is told by its id, test, options and name of the statistic."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from typing import Any

import pandas as pd
from scipy import stats

from study.statistics import as_published, effects, equivalence, permutation, related, walsh
from study.statistics.aligned import aligned_ranks
from study.statistics.bootstrap import mean_interval
from study.statistics.families import Method, adjust
from study.statistics.pairs import DECIMALS, cluster_means, pairs
from study.statistics.ranks import p_of_z, rank_sum, signed_rank_exact_p, signed_rank_sums
from study.statistics.reference.labelled_fits import LabelledFits
from study.statistics.reference.quantities import LABELLED, NONE, ZERO_RULES

Answer = dict[str, float]
"""Numbers of one row: `value`, and where the row has them `p`, `se` and `df`."""
LAST = {"scenario": LABELLED.incremental, "prompt": LABELLED.second_prompt}
FACTORS = ("agent", "scenario", "prompt")


class Labelled:
    """Runs and toy vectors of the labelled form, and ours for each of its rows."""

    def __init__(self, runs: pd.DataFrame, toy: pd.DataFrame | None) -> None:
        passed = (runs[LABELLED.passed] == runs[LABELLED.total]).astype(float)
        self.runs = runs.assign(all_passed=passed)
        self.toy = toy
        self.fits = LabelledFits(runs)

    def answer(self, row: dict[str, str]) -> Answer | None:
        """Ours for one row of a values file; None if its quantity is not known."""
        handlers: tuple[tuple[str, Callable[[dict[str, str]], Answer | None]], ...] = (
            (r"^adjust$", self._adjusted),
            (r"^(a12|cliff|mean_difference|jmp|mwu|ranksums)_", self._unpaired),
            (r"^(ad|sw)_passrate$", self._normality),
            (r"^(kw|dunn|friedman|quade|cochran|mcnemar)_", self._groups),
            (r"^art_", self._aligned),
            (r"^(sr|flip)_(service|project)_", self._units),
            (r"^(sr|rbc|hl)_", self._paired),
            (r"^boot_", self._bootstrap),
            (r"^tost_", self._equivalence),
            (r"^(betabin_glmm|binom_glmm|gee_ind|lmm|ols_cr2)", self.fits.answer),
        )
        for pattern, handler in handlers:
            if re.search(pattern, row["id"]):
                return handler(row)
        return None

    def _adjusted(self, row: dict[str, str]) -> Answer | None:
        method, item = row["options"].split("; item ")
        given = [float(p) for p in row["dataset"].removeprefix("p=").split("|")]
        known: dict[str, Method] = {"holm": "holm", "bonferroni": "bonferroni", "fdr_bh": "fdr_bh"}
        return {"p": float(adjust(given, known[method])[int(item) - 1])} if method in known else None

    def _unpaired(self, row: dict[str, str]) -> Answer | None:
        kind, factor = row["id"].rsplit("_", 1)
        quoted = re.search(r"'([^']+)'", row["options"])
        level = quoted[1] if quoted else LAST[factor]
        other = next(name for name in self.runs[factor].unique() if name != level)
        of = (self.runs, "pass_rate", factor, (level, other))
        name = row["statistic_name"]
        if kind == "mean_difference":
            x, y = (self.runs.loc[self.runs[factor] == at, "pass_rate"] for at in (level, other))
            return {"value": float(x.mean() - y.mean())}
        if kind in ("cliff", "a12"):
            function = effects.cliffs_delta if kind == "cliff" else effects.vargha_delaney
            return {"value": function(*of, resamples=10).iloc[0]["estimate"]}
        if kind == "ranksums":
            x, y = (self.runs.loc[self.runs[factor] == at, "pass_rate"] for at in (level, other))
            z = float(rank_sum(x, y).z(ties=False))
            return {"value": z, "p": p_of_z(z)}
        corrected = name.endswith("_cc") or "correct=TRUE" in row["options"]
        corrected = corrected or "use_continuity=True" in row["options"]
        table = as_published.jmp_two_sample(*of[:3], level) if name.endswith("_cc") else None
        found = (table if table is not None else as_published.rank_sum(*of, continuity=corrected)).iloc[0]
        column = {
            "S": "rank_sum",
            "U": "u",
            "W": "u",
            "Z": "statistic",
            "Z_cc": "statistic",
            "score_mean_difference": "estimate",
            "score_mean_difference_cc": "estimate",
            "std_err_dif": "se",
        }.get(name)
        return {"value": found[column], "p": found["p"]} if column else None

    def _normality(self, row: dict[str, str]) -> Answer | None:
        test = as_published.shapiro_wilk if row["id"].startswith("sw") else as_published.anderson_darling
        found = test(self.runs, "pass_rate").iloc[0]
        return {"value": found["statistic"], "p": found["p"]}

    def _groups(self, row: dict[str, str]) -> Answer | None:
        kind, factor = row["id"].split("_")[0], row["id"].rsplit("_", 1)[-1]
        if kind == "kw":
            found = as_published.kruskal_wallis(self.runs, "pass_rate", factor).iloc[0]
        elif kind == "quade":
            found = related.quade(self.runs, "pass_rate", factor, unit="block", rounded=False).iloc[0]
        elif kind == "cochran":
            found = related.cochran_q(self.runs, "all_passed", factor).iloc[0]
        elif kind == "mcnemar":
            table = pairs(self.runs, "all_passed", factor, LABELLED.pair(factor))
            found = related.mcnemar(table).iloc[0]
        else:
            return self._posthoc(row, kind, factor)
        return {"value": found["statistic"], "p": found["p"]}

    def _posthoc(self, row: dict[str, str], kind: str, factor: str) -> Answer | None:
        if row["test"] in ("Friedman", "Kendall's W"):
            found = related.friedman(self.runs, "pass_rate", factor, unit="block").iloc[0]
            value = found["estimate"] if row["statistic_name"] == "W" else found["statistic"]
            return {"value": value, "p": found["p"]}
        functions: dict[str, Any] = {
            "Dunn": as_published.dunn,
            "Nemenyi after Friedman": lambda *a: related.nemenyi(*a, unit="block"),
            "Conover after Friedman": lambda *a: related.conover(*a, unit="block"),
        }
        if row["test"] not in functions:
            return None
        table = functions[row["test"]](self.runs, "pass_rate", factor)
        couple, _, how = row["options"].partition("; ")
        wanted = table[table["comparison"] == couple.replace("-", " minus ")]
        if wanted.empty or how not in ("", "holm", "unadjusted"):
            return None
        found = wanted.iloc[0]
        return {"value": found["statistic"], "p": found["p_adjusted" if how == "holm" else "p"]}

    @cached_property
    def _art(self) -> dict[bool, pd.DataFrame]:
        return {
            random: aligned_ranks(self.runs, "pass_rate", FACTORS, random=random).set_index("comparison")
            for random in (False, True)
        }

    def _aligned(self, row: dict[str, str]) -> Answer | None:
        name = row["id"].removeprefix("art_").replace("_x_", " x ")
        table = self._art["random" in row["options"]]
        if name not in table.index:
            return None
        found = table.loc[name]
        values: dict[str, Any] = {"value": found["statistic"], "p": found["p"]}
        return {key: float(value) for key, value in values.items()}

    def differences(self, name: str) -> pd.DataFrame | None:
        """Pairs by the name of a comparison: scenario72, prompt_incremental36, toy_clean and so on."""
        if name.startswith("toy_"):
            toy = self.toy
            part = toy[toy["set"] == name.removeprefix("toy_")] if toy is not None else pd.DataFrame()
            if part.empty:
                return None
            d = (part["x"] - part["y"]).astype("float64").round(DECIMALS)
            return pd.DataFrame({"comparison": name, "cluster": part["pair"].astype(str), "difference": d})
        factor = name.split("_")[0].rstrip("0123456789")
        if factor not in LAST:
            return None
        table = pairs(self.runs, "pass_rate", factor, LABELLED.pair(factor))
        if name.startswith("prompt_"):
            scenario = LABELLED.incremental if "incremental" in name else LABELLED.clean
            table = table[table["scenario"] == scenario]
        return table

    def _units(self, row: dict[str, str]) -> Answer | None:
        kind, level, name = row["id"].split("_", 2)
        table = self.differences(name)
        if table is None:
            return None
        unit = "cluster" if level == "service" else "project"
        if kind == "flip":
            found = permutation.sign_flip(table, unit=unit).iloc[0]
            return {"value": found["estimate"], "p": found["p"]}
        means = permutation.unit_means(table, unit).round(DECIMALS)
        return {"value": signed_rank_sums(means)[0], "p": signed_rank_exact_p(means)}

    def _paired(self, row: dict[str, str]) -> Answer | None:
        kind, name = row["id"].split("_", 1)
        table = self.differences(name)
        if table is None:
            return None
        d = table["difference"].to_numpy(dtype=float)
        if kind == "hl":
            return {"value": walsh.hodges_lehmann(d)}
        if kind == "rbc":
            # pingouin's p is scipy's own choice of method, with continuity correction
            p = (
                stats.wilcoxon(d, correction=True, method="auto").pvalue
                if "pingouin" in row["software"]
                else NONE
            )
            return {"value": as_published.signed_rank(table).iloc[0]["estimate"], "p": float(p)}
        return self._signed_rank(row, table)

    def _signed_rank(self, row: dict[str, str], table: pd.DataFrame) -> Answer | None:
        options, name = row["options"], row["statistic_name"]
        zero_rule = re.search(r"zero[_.]method=(\w+)", options)
        rule = zero_rule[1].lower().replace("wilcoxon", "wilcox") if zero_rule else "wilcox"
        if rule not in ZERO_RULES:
            return None
        zeros = ZERO_RULES[rule]
        continuity = any(mark in options for mark in ("; normal, cc", "correct=TRUE", "correction=True"))
        exact = "exact" in options
        own = name in ("Z", "Z_cc") and zeros == "zsplit"  # its variance leaves the zeros out: Pratt's Z
        found = as_published.signed_rank(
            table,
            zeros="Pratt" if own else zeros,
            continuity=continuity,
            distribution="exact" if exact and zeros != "zsplit" else "normal",
        ).iloc[0]
        d = table["difference"].to_numpy(dtype=float)
        plus, minus = signed_rank_sums(d, zeros) if d.any() else (0.0, 0.0)
        values = {
            "n_zero": float(found["n_zero"]),
            "V": plus,
            "V_plus": plus,
            "min(V+,V-)": min(plus, minus),
            "Z": found["statistic"],
            "Z_cc": found["statistic"],
            "zstatistic": -abs(found["statistic"]),
            "p only": NONE,
        }
        if name not in values:
            return None
        return {"value": values[name], "p": found["p"]}

    def _bootstrap(self, row: dict[str, str]) -> Answer | None:
        table = self.differences(row["id"].removeprefix("boot_"))
        if table is None:
            return None
        low, high = mean_interval(cluster_means(table), interval="percentile", resamples=20_000)
        return {"value": {"lower": low, "upper": high}.get(row["statistic_name"], NONE)}

    def _equivalence(self, row: dict[str, str]) -> Answer | None:
        table = self.differences(row["id"].removeprefix("tost_"))
        margin = re.search(r"\+-([\d.]+)", row["options"])
        if table is None or margin is None:
            return None
        test = equivalence.tost_signed_rank if "signed-rank" in row["test"] else equivalence.tost
        return {"p": test(table, float(margin[1])).iloc[0]["p"]}


def compute(runs: pd.DataFrame, values: pd.DataFrame, toy: pd.DataFrame | None) -> list[Answer | None]:
    """Ours for each row of a values file, in its order; None where a quantity is not known."""
    ours = Labelled(runs, toy)
    return [
        ours.answer({str(key): str(cell) for key, cell in row.items()}) for row in values.to_dict("records")
    ]
