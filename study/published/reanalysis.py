"""What an analysis that fits the design says about the cells of Table III (kind: re-analysed).

The 24 pairs of cells are the smallest unit that is printed. They are not independent: six pairs share the
services and the tests of one project, so the four project means are shown beside them.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import stats

from study.published.data import Paper
from study.published.statistics import DECIMALS, Array, equivalence_p, sign_flip_p, signed_rank_exact_p
from study.published.variants import PROMPTS, SCENARIOS, Cells, Comparison, groups

BOUND = 10.0
"""Points within which two prompts are taken as equivalent."""
KIND = "re-analysed"
NAMES: dict[Comparison, str] = {"scenario": "clean state minus incremental", "prompt": "P2 minus P1"}


def fitting_analysis(rates: pd.DataFrame, alpha: float = 0.05) -> pd.DataFrame:
    """Differences of the cells with exact tests by pairs and by projects, and a test of equivalence.

    Returns
    -------
    DataFrame
        kind, comparison, question (difference, or equivalence within `BOUND`), unit, n, estimate (points),
        low, high (95 % t interval over the units), method, p, smallest_p (that so many
        non-zero units can give),
        says (`differs`, `equivalent` or `inconclusive` at alpha).
    """
    cells = Cells.of(rates)
    rows = []
    for comparison in NAMES:
        x, y = groups(cells.rates, comparison)
        units = {"pair of cells": (x - y).ravel(), "project": project_means(cells, comparison)}
        for unit, differences in units.items():
            exact = signed_rank_exact_p if unit == "pair of cells" else sign_flip_p
            method = f"exact {'signed-rank' if unit == 'pair of cells' else 'sign flips of the means'}"
            rows.append(_row(comparison, "difference", unit, differences, method, exact(differences), alpha))
            if comparison == "prompt":
                p = equivalence_p(differences, BOUND)
                method = f"two one-sided t tests, {BOUND:g} points"
                rows.append(_row(comparison, "equivalence", unit, differences, method, p, alpha))
    return pd.DataFrame(rows)


def paired_cells(paper: Paper) -> pd.DataFrame:
    """`fitting_analysis` of a paper's cells."""
    return fitting_analysis(paper["pass_rates"])


def scenarios_and_suites(paper: Paper) -> pd.DataFrame:
    """`confounding` of a paper's cells."""
    return confounding(paper["pass_rates"])


def project_means(cells: Cells, comparison: Comparison) -> Array:
    """Mean difference of each project over agents and over the levels of the other factor."""
    axis = {"scenario": 2, "prompt": 3}[comparison]
    first, second = np.take(cells.values, 1, axis), np.take(cells.values, 0, axis)
    return np.asarray((first - second).mean(axis=(0, 2)))


def _row(
    comparison: Comparison, question: str, unit: str, d: Array, method: str, p: float, alpha: float
) -> dict[str, object]:
    n = len(d)
    half = stats.t.ppf(0.975, n - 1) * d.std(ddof=1) / np.sqrt(n) if n > 1 else np.nan
    met = "differs" if question == "difference" else "equivalent"
    return {
        "kind": KIND,
        "comparison": NAMES[comparison],
        "question": question,
        "unit": unit,
        "n": n,
        "estimate": float(d.mean()),
        "low": float(d.mean() - half),
        "high": float(d.mean() + half),
        "method": method,
        "p": p,
        "smallest_p": 2.0 ** (1 - np.count_nonzero(np.round(d, DECIMALS)))
        if question == "difference"
        else np.nan,
        "says": met if p < alpha else "inconclusive",
    }


def confounding(rates: pd.DataFrame) -> pd.DataFrame:
    """Means of the cells per scenario, for generated services and for the originals.

    Each scenario is scored by another test suite, the service's own or its consumers', so a difference
    between scenarios is one of scenario and oracle together. That the oracles differ can be seen in the
    originals, which no scenario can change.

    Returns
    -------
    DataFrame
        kind, services (`generated`, `original`), incremental, clean_state (mean percent), difference.
    """
    cells = Cells.of(rates)
    generated = [float(cells.values[:, :, scenario].mean()) for scenario in (0, 1)]
    originals = rates[~rates["condition"].isin(PROMPTS)]
    means = originals.groupby("scenario")["pass_rate_percent"].mean()
    rows = []
    for services, (low, high) in {
        "generated": generated,
        "original": [float(means.get(name, np.nan)) for name in SCENARIOS],
    }.items():
        rows.append({"kind": KIND, "services": services, "incremental": low, "clean_state": high})
    table = pd.DataFrame(rows)
    return table.assign(difference=table["clean_state"] - table["incremental"])


def differences_in_points(cells: Cells) -> pd.DataFrame:
    """The difference between the scenarios in percentage points, in every way the cells admit.

    Returns
    -------
    DataFrame
        kind, measure, points.
    """
    x, y = groups(cells.rates, "scenario")
    d = x - y
    first, second = np.triu_indices(len(d))
    rows = {
        "mean of all cells": d.mean(),
        **{f"mean, {name} only": (v[:, :, 1] - v[:, :, 0]).mean() for name, v in _by_prompt(cells)},
        **{
            f"mean, {name} only": (cells.values[i, :, 1] - cells.values[i, :, 0]).mean()
            for i, name in enumerate(cells.agents)
        },
        "median of the pair differences": np.median(d),
        "median of pairwise averages (Hodges-Lehmann, paired)": np.median((d[first] + d[second]) / 2),
        "median of all differences (Hodges-Lehmann, two groups)": np.median(x[:, None] - y),
        "difference of the medians": np.median(x) - np.median(y),
    }
    return pd.DataFrame(
        [{"kind": KIND, "measure": name, "points": float(value)} for name, value in rows.items()]
    )


def _by_prompt(cells: Cells) -> list[tuple[str, Array]]:
    return [(name, cells.values[..., index]) for index, name in enumerate(PROMPTS)]
