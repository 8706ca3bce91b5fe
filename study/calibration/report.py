"""Tables and sentences of the calibration, for notebook 9."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from study.calibration import store
from study.calibration.check import ALPHA, COVERED
from study.calibration.settings import describe


def load(folder: str | Path | None = None) -> pd.DataFrame:
    """The committed calibration, or one of your own."""
    return store.load(Path(folder) if folder else store.COMMITTED)


def populations() -> pd.DataFrame:
    """Settings with what differs between them."""
    columns = {
        "setting": "setting", "why": "why", "services": "services", "replicates": "replicates",
        "scenario": "scenario", "prompt": "prompt", "agent": "agents", "scenario_sd": "spread of scenario",
        "prompt_sd": "spread of prompt", "missing": "lost",
    }  # fmt: skip
    return describe()[list(columns)].rename(columns=columns)


def intervals(table: pd.DataFrame) -> pd.DataFrame:
    """Methods with an interval, in every setting."""
    known = table.dropna(subset=["coverage_percent"])
    columns = ["method", "standing", "setting", "quantity", "truth", "mean_estimate", "coverage_percent",
               "mean_width", "verdict"]  # fmt: skip
    return (
        known[columns].sort_values(["standing", "method"], kind="stable", key=_order).reset_index(drop=True)
    )


def errors(table: pd.DataFrame) -> pd.DataFrame:
    """Rejections of true null hypotheses: one row per test, one column per setting (dash: not a null)."""
    return _wide(table[table["null"].astype(bool)])


def power(table: pd.DataFrame) -> pd.DataFrame:
    """Rejections where there is an effect."""
    return _wide(table[~table["null"].astype(bool)])


def _wide(part: pd.DataFrame) -> pd.DataFrame:
    known = part.dropna(subset=["rejections_percent"])
    wide = known.pivot(index=["standing", "method"], columns="setting", values="rejections_percent")
    order = list(dict.fromkeys(known["setting"]))
    return wide[order].reset_index().sort_values("standing", key=_order, kind="stable", ignore_index=True)


def _order(values: pd.Series) -> pd.Series:
    places = {"recommended": 0, "companion": 1, "not recommended": 2, "as published": 3}
    return values.map(places) if set(values) <= set(places) else values


def sentences(table: pd.DataFrame) -> list[str]:
    """What the tables come to; every number is computed."""
    said = []
    best = table[table["standing"] == "recommended"]
    covered = best.dropna(subset=["coverage_percent"])
    held = int((covered["verdict"] == "holds").sum())
    low, high = covered["coverage_percent"].min(), covered["coverage_percent"].max()
    said.append(
        f"Recommended intervals: {held} of {len(covered)} (method x setting) cover {COVERED[0]:g} to "
        f"{COVERED[1]:g} % within the Monte Carlo error; the range is {low:.1f} to {high:.1f} %."
    )
    nulls = best[best["null"].astype(bool)].dropna(subset=["rejections_percent"])
    kept = int((nulls["verdict"] != "too many errors").sum())
    said.append(
        f"Recommended tests: {kept} of {len(nulls)} keep the {100 * ALPHA:g} % level within the Monte Carlo "
        f"error; the highest error rate is {nulls['rejections_percent'].max():.1f} %."
    )
    others = table[table["standing"].isin(["as published", "not recommended"]) & table["null"].astype(bool)]
    worst = others.dropna(subset=["rejections_percent"]).sort_values("rejections_percent").tail(3)
    for row in worst.iloc[::-1].to_dict("records"):
        said.append(
            f"{row['method']}: rejects in {row['rejections_percent']:.1f} % of the studies of the setting "
            f"'{row['setting']}', in which there is nothing to find."
        )
    failed = best[best["verdict"].isin(["narrow", "wide", "too many errors"])]
    said += [
        f"Recommended, but {row['verdict']} in '{row['setting']}': {row['method']}."
        for row in failed.to_dict("records")
    ]
    return said


def recovery_sentences(found: pd.DataFrame) -> list[str]:
    """How many planted pass rates lie within their intervals."""
    if found.empty:
        return [
            "No agent of this dataset is a simulated one of this package, so nothing is known to be planted."
        ]
    known = found.dropna(subset=["inside"])
    inside = int(known["inside"].sum())
    return [
        f"{inside} of {len(known)} planted pass rates (agent x condition) lie within the 95 % interval of "
        "their estimate."
    ]
