"""Checks of printed cells of Tables III and IV: each against other published numbers."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from study.published.checks import mean, mean_from_total
from study.published.claims import EFFICIENCY_COLUMNS, Claim
from study.published.counts import Counts, means, reachable
from study.published.reader import Reader
from study.published.verdicts import Finding, Part, close, half_unit, list_parts

RATE = "pass_rate_percent"
VALUES = 1001
ALWAYS = (0.0, 33.3, 66.7, 100.0)
"""Means of three services that pass all of their tests or none, whatever the numbers of tests are."""
HALF_TENTH = half_unit("0.0")
BOX_OF = {
    "avg_time_min": ("boxplots_time", 1.0),
    "avg_cost_usd": ("boxplots_cost", 1.0),
    "input_tokens_k": ("boxplots_input_tokens", 1000.0),
    "output_tokens_k": ("boxplots_output_tokens", 1.0),
}
"""Where the means of the four cells of an agent are drawn, and the factor to the unit of Table IV."""


def rate_cell(reader: Reader, claim: Claim) -> Finding:
    """A cell of Table III: can counts of passed tests give it? The baseline: is it the same throughout?"""
    args = {key: str(claim.args[key]) for key in ("agent", "project", "scenario", "condition")}
    value = reader.value("pass_rates", RATE, **args)
    parts, ours, why = _granularity(reader, args["project"], args["scenario"], value)
    if args["scenario"] == "clean_state" and any(part.holds is not None for part in parts):
        why += " That the tests of the calling services are behind the cell is taken from the paper's method."
    if args["condition"] == "baseline":
        others = {key: args[key] for key in ("project", "scenario", "condition")}
        same = set(reader.values("pass_rates", RATE, **others)) == {value}
        testable = any(part.holds is not None for part in parts)
        # equal copies of one number are no evidence for it, unequal ones are against it
        if testable or not same:
            parts = [Part("the baseline is printed alike for every agent", same), *parts]
        ours = f"{ours}; baseline alike for every agent: {'yes' if same else 'no'}"
    return Finding(ours, tuple(parts), why, HALF_TENTH)


def _granularity(reader: Reader, project: str, scenario: str, value: float) -> tuple[list[Part], str, str]:
    keys = {"project": project, "scenario": scenario}
    sizes = [round(number) for number in reader.values("suites", "tests", **keys)]
    if len(sizes) != 3:
        why = "The numbers of tests behind the cell are not known, and no other published number gives it."
        return [Part("no published count of tests", None)], "no independent source", why
    tests: Counts = (sizes[0], sizes[1], sizes[2])
    named = f"{tests[0]}, {tests[1]} and {tests[2]} tests"
    found, gap = reachable(value, tests)
    total = sum(tests)
    pooled = [k for k in range(total + 1) if close(100 * k / total, value, HALF_TENTH)]
    # of several triples, the one with the most services that pass all or nothing
    plainest = min(
        found.tolist(), key=lambda triple: sum(0 < k < n for k, n in zip(triple, tests, strict=True))
    )
    example = ", ".join(f"{k}/{n}" for k, n in zip(plainest, tests, strict=True))
    if "inferred" in reader.texts("suites", "basis", **keys):
        ours = example if gap == 0 else f"nearest by {gap:.2f}"
        why = (
            f"Which tests are behind the cell is not documented; {named} were inferred from such cells, so "
            f"that {'a fit' if gap == 0 else 'a misfit'} is no independent test."
        )
        return [Part("counts of tests are inferred from the cells", None)], ours, why
    share = _reach(tests)
    if gap == 0 or pooled:
        ours = example if gap == 0 else f"{pooled[0]}/{total} pooled"
        why = (
            f"{ours} passed tests give {value:.1f} ({named} in the repository); such counts reach {share} of "
            f"the {VALUES} values from 0.0 to 100.0."
        )
        if value in ALWAYS and share > len(ALWAYS):
            why += " This value is reached whatever the numbers of tests are, so that it tests nothing."
            return [Part("a value that any numbers of tests reach", None)], ours, why
        return [Part(f"{ours} give {value:.1f}", True)], ours, why
    skips = "True" in reader.texts("suites", "skips", **keys)
    skipping = _with_skips(tests, value) if skips else None
    nearest = _nearest(tests, value)
    parts = [Part(f"no counts out of {named} give {value:.1f}", False)]
    why = (
        f"No counts of passed tests out of {named} give {value:.1f}, as mean of services or pooled; the "
        f"nearest means are {nearest}. The tests were counted in the public repository."
    )
    if skipping is None:
        remark = " Leaving out any skipped tests does not help." if skips else ""
        return parts, f"nearest {nearest}", f"{why}{remark}"
    parts.append(Part(f"{skipping} if skipped tests are left out", True))
    why = why.replace(";", f", unless skipped tests are left out ({skipping});", 1)
    return (
        parts,
        f"{skipping} with skipped tests left out",
        f"{why} If any of them may be left out, {_reach(tests, skips=True)} of the {VALUES} values from 0.0 "
        "to 100.0 can be reached.",
    )


@lru_cache(maxsize=64)
def _reach(tests: Counts, *, skips: bool = False) -> int:
    """How many values with one decimal the mean can have (with skips: or the pooled rate)."""
    if not skips:
        return int(np.unique(np.round(means(tests), 1)).size)
    first, second, third = (100 * np.array(list(_fractions(n))) for n in tests)
    average = (first[:, None, None] + second[:, None] + third) / 3
    pooled = 100 * np.array(list(_fractions(sum(tests))))
    return int(np.unique(np.round(np.concatenate([average.ravel(), pooled]), 1)).size)


@lru_cache(maxsize=512)
def _nearest(tests: Counts, value: float) -> str:
    possible = np.unique(means(tests))
    below, above = possible[possible < value], possible[possible > value]
    words = [f"{side:.2f}" for side in (*below[-1:], *above[:1])]
    return " and ".join(words)


@lru_cache(maxsize=512)
def _with_skips(tests: Counts, value: float) -> str | None:
    """Counts that give a value if any number of tests may be left out as skipped; the pooled rate first."""
    for executed in range(sum(tests), 0, -1):
        for passed in range(executed + 1):
            if close(100 * passed / executed, value, HALF_TENTH):
                return f"{passed}/{executed} pooled"
    first, second, third = (_fractions(n) for n in tests)
    for a, name_a in first.items():
        for b, name_b in second.items():
            for c, name_c in third.items():
                if close(100 * (a + b + c) / 3, value, HALF_TENTH):
                    return f"{name_a}, {name_b}, {name_c}"
    return None


def _fractions(n: int) -> dict[float, str]:
    """Rates of at most n tests, each with its counts: the most tests first."""
    return {k / d: f"{k}/{d}" for d in range(1, n + 1) for k in range(d, -1, -1)}


def average_cell(reader: Reader, claim: Claim) -> Finding:
    """An average of Table III against the mean of its four cells."""
    args = {key: str(claim.args[key]) for key in ("agent", "scenario", "condition")}
    printed = reader.value("pass_rates_agent_average", "average_pass_rate_percent", **args)
    cells = reader.values("pass_rates", RATE, **args)
    ours = mean(cells)
    tolerance = 2 * HALF_TENTH  # rounding of the average, and of the cells in their mean
    holds = close(ours, printed, tolerance)
    why = (
        f"The mean of the {len(cells)} cells above it is {ours:.3f}, the printed average {printed:.1f}; "
        f"rounding can move them {tolerance:.1f} apart."
    )
    return Finding(f"{ours:.3f}", (Part("mean of the cells", holds),), why, tolerance)


def efficiency_cell(reader: Reader, claim: Claim) -> Finding:
    """A cell of Table IV against other ways to compute it: totals or averages, and the box plots."""
    agent, column = str(claim.args["agent"]), str(claim.args["column"])
    decimals = EFFICIENCY_COLUMNS[column][2]
    value = reader.value("efficiency", column, agent=agent)
    sources = efficiency_sources(reader, agent, column)
    own = 0.5 * 10**-decimals
    parts = [
        Part(f"{name} {v:,.{decimals + 2}f}", close(v, value, own + error))
        for name, (v, error) in sources.items()
    ]
    ours = "; ".join(f"{v:,.{decimals + 2}f} ({name})" for name, (v, _) in sources.items())
    why = f"Printed {value:,.{decimals}f}. {list_parts(parts)}{step_remark(column, parts)}"
    return Finding(ours, tuple(parts), why, own)


def efficiency_sources(reader: Reader, agent: str, column: str) -> dict[str, tuple[float, float]]:
    """Other published numbers that give a cell of Table IV: value, and the error by their rounding."""
    if column == "runs":
        factors = [reader.levels("pass_rates", key) for key in ("project", "scenario")]
        conditions = [name for name in reader.levels("pass_rates", "condition") if name != "baseline"]
        services = reader.value("design", "count", factor="service_in_project")
        product = len(factors[0]) * len(factors[1]) * len(conditions) * services
        return {"projects x services x scenarios x prompts": (product, 0.0)}
    if column in ("total_time_h", "total_cost_usd"):
        return _totals(reader, agent, column)
    table, scale = BOX_OF[column]
    cells = [scale * value for value in reader.values(table, "mean", agent=agent)]
    sources = {f"mean of the four cells of {_figure(table)}": (mean(cells), 0.0)}
    if column not in ("avg_time_min", "avg_cost_usd"):
        return sources
    runs = reader.value("efficiency", "runs", agent=agent)
    if column == "avg_time_min":
        total = reader.value("efficiency", "total_time_h", agent=agent)
        sources["total / runs"] = (mean_from_total(total, int(runs), 60), 0.005 * 60 / runs)
    if column == "avg_cost_usd":
        total = reader.value("efficiency", "total_cost_usd", agent=agent)
        sources["total / runs"] = (mean_from_total(total, int(runs)), 0.005 / runs)
    return sources


def _totals(reader: Reader, agent: str, column: str) -> dict[str, tuple[float, float]]:
    runs = reader.value("efficiency", "runs", agent=agent)
    average, table, scale, half = {
        "total_time_h": ("avg_time_min", "boxplots_time", 1 / 60, 0.05),
        "total_cost_usd": ("avg_cost_usd", "boxplots_cost", 1.0, 0.005),
    }[column]
    printed = reader.value("efficiency", average, agent=agent)
    cells = reader.values(table, "mean", agent=agent)
    return {
        "average x runs": (printed * runs * scale, half * runs * scale),
        f"mean of the four cells of {_figure(table)} x runs": (mean(cells) * runs * scale, 0.0),
    }


def _figure(table: str) -> str:
    figures = {"time": "Fig. 4", "cost": "Fig. 5", "input_tokens": "Fig. 6a", "output_tokens": "Fig. 6b"}
    return figures[table.removeprefix("boxplots_")]


def step_remark(column: str, parts: list[Part]) -> str:
    """What the step of the drawn times can explain, where a time does not agree."""
    if "time" in column and any(part.holds is False for part in parts):
        return (
            " The drawn times are in steps of 0.1 min; if the table was computed from finer ones, that moves "
            "a mean by up to 0.05 min and a sum of 48 runs by up to 0.04 h. Whether it was is not known, so "
            "that the tolerance leaves this out."
        )
    return ""
