"""The short form: 75 quantities from R alone, with ids of their own."""

from __future__ import annotations

import re

import pandas as pd

from study.statistics import models
from study.statistics.reference import fits, quantities
from study.statistics.reference.quantities import LONG, NONE, Numbers

OF_TWO_LEVELS = {
    "N": ("n", "n"),
    "NZ": ("n0", "n0"),
    "MD": ("md", ""),
    "SRc": ("sr.wilcox.Tplus", "sr.wilcox.zc"),
    "SR": ("sr.wilcox.Tplus", "sr.wilcox.z"),
    "SRZ_Wilcoxon": ("sr.wilcox.z", "sr.wilcox.z"),
    "SRZ_Pratt": ("sr.pratt.z", "sr.pratt.z"),
    "RSc": ("rs.U1", "rs.zc"),
    "RS": ("rs.U1", "rs.z"),
    "RSZ": ("rs.z", "rs.z"),
    "MRD": ("rs.mrd", ""),
    "CD": ("cliff", ""),
    "A12": ("a12", ""),
    "RBC": ("rbc.wilcox", ""),
    "HL": ("hl.zeros_kept", ""),
    "CLT": ("cl.t", "cl.t"),
    "CLSE": ("cl.se", ""),
    "CLlo": ("cl.lo95", ""),
    "CLhi": ("cl.hi95", ""),
    "TOST": ("tost.t.services.p", "tost.t.services.p"),
}
"""Id of the short form: where the value, and where the p stands in the long form."""


def from_data(runs: pd.DataFrame) -> Numbers:
    """All quantities of the short form."""
    ad = quantities.normality(runs)["ad.pass_rate"]
    agent = quantities.agents(runs)
    found: Numbers = {"AD": ad, "KW": agent["agent.kw"], "FR": agent["agent.friedman"]}
    for factor in ("scenario", "prompt"):
        long = quantities.two_levels(runs, factor)
        for key, (value, p) in OF_TWO_LEVELS.items():
            found[f"{key}_{factor}"] = (
                long[f"{factor}.{value}"][0],
                long[f"{factor}.{p}"][1] if p else NONE,
            )
        flip = long[f"{factor}.signflip"][1]
        found[f"SF_{factor}"] = (flip, flip)
    couples = [key for key in agent if re.fullmatch(r"agent\.dunn\.[^.]+", key)]
    for i, key in enumerate(couples, start=1):
        found[f"DUNN_{i}"] = agent[key]
        found[f"DUNNh_{i}"] = agent[f"{key}.holm"]
        found[f"DUNNb_{i}"] = agent[f"{key}.BH"]
        found[f"DUNNm_{i}"] = agent[f"{key}.mrd"]
    return found | _models(runs)


def _models(runs: pd.DataFrame) -> Numbers:
    reference = fits.references(runs, LONG)
    table = models.binomial_mixed(runs, LONG.passed, LONG.total, fits.TERMS, reference=reference, nodes=1)
    found: Numbers = {}
    for row in table.to_dict("records"):
        if row["quantity"].startswith("sd"):
            found["GLMM_sd"] = (row["estimate"], NONE)
            continue
        name = _as_r(row["comparison"])
        found[f"GLMM_{name}"], found[f"GLMMse_{name}"] = (row["estimate"], row["p"]), (row["se"], NONE)
    times = fits.linear_model(runs, LONG, "time_min", ["agent", "scenario", "prompt"], log=True)
    for row in times.to_dict("records"):
        if row["quantity"] != "variance":
            found[f"LMM_{_as_r(row['comparison'])}"] = (row["estimate"], NONE)
    return found


def _as_r(name: str) -> str:
    """Our name of a coefficient as R writes it: factor and level without a sign between them."""
    return name.replace("=", "")


def compute(runs: pd.DataFrame, values: pd.DataFrame) -> list[tuple[float, float] | None]:
    """Ours for each row of a values file, in its order; None where an id is not known."""
    found = from_data(runs)
    return [found.get(key) for key in values["id"]]
