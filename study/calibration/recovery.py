"""The embedded experiment: what its simulated agents were built to score, beside what the analysis finds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from study.agents.simulated.calibrate import expected_pass_rate, load_sensitivity, solve
from study.agents.simulated.profile import condition_of, list_profiles, load_assumptions, load_profile
from study.statistics.bootstrap import MIN_CLUSTERS
from study.statistics.effects import mean_difference
from study.statistics.summary import scored_runs

if TYPE_CHECKING:
    from study.records.dataset import Dataset

RATE = "pass_rate_percent"
COLUMNS = (
    "kind", "agent", "condition", "estimate", "low", "high", "clusters", "planted_percent", "inside",
)  # fmt: skip


def planted_rates(profiles: list[str]) -> pd.DataFrame:
    """Expected pass rate of each simulated agent in each condition, from its profile.

    Returns
    -------
    DataFrame
        profile, scenario, prompt, condition, planted_percent: over the services whose oracle sees its target.
    """
    assumptions, sensitivity = load_assumptions(), load_sensitivity()
    rows = []
    for name in profiles:
        profile = load_profile(name)
        for scenario in ("incremental", "clean_state"):
            oracle = sensitivity.integration if scenario == "clean_state" else sensitivity.unit
            for prompt in ("minimal", "summary"):
                condition = condition_of(scenario, prompt)
                classes = solve(profile.conditions[condition], condition, assumptions, oracle)
                rows.append(
                    {
                        "profile": name,
                        "scenario": scenario,
                        "prompt": prompt,
                        "condition": condition,
                        "planted_percent": expected_pass_rate(classes, assumptions, oracle),
                    }
                )
    return pd.DataFrame(rows)


def recovered(data: Dataset) -> pd.DataFrame:
    """Planted and estimated pass rates of a dataset of simulated agents.

    Parameters
    ----------
    data : Dataset
        With agents named `simulated-PROFILE`.

    Returns
    -------
    DataFrame
        kind, agent, condition, estimate, low, high (95 % t interval over services), clusters,
        planted_percent, inside (whether the interval holds the planted value; missing without an interval).
        Without rows where no agent of the dataset is a simulated one of this package.
    """
    names = {f"simulated-{name}": name for name in list_profiles()}
    runs = scored_runs(data)
    runs = runs[runs["agent"].isin(list(names)) & ~runs["blind"] & runs[RATE].notna()]
    planted = planted_rates(sorted({names[agent] for agent in runs["agent"]}))
    rows = []
    for (agent, condition), cell in runs.groupby(["agent", "condition"], sort=False):
        services = cell["project"] + "/" + cell["service"]
        # the mean of a cell is a mean difference from zero: the same estimator, the same interval
        differences = pd.DataFrame({"comparison": "", "cluster": services, "difference": cell[RATE]})
        found = mean_difference(differences).iloc[0]
        about = {"kind": "simulated", "agent": agent, "profile": names[str(agent)], "condition": condition}
        rows.append(about | dict(found[["estimate", "low", "high", "clusters"]]))
    if not rows:
        return pd.DataFrame(columns=[*COLUMNS])
    table = pd.DataFrame(rows).merge(planted[["profile", "condition", "planted_percent"]])
    inside = table["planted_percent"].between(table["low"], table["high"]).astype("boolean")
    enough = table["clusters"] >= MIN_CLUSTERS
    return table.assign(inside=inside.where(enough & table["low"].notna())).drop(columns="profile")
