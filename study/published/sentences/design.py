"""Sentences on design, selection of projects and statistics."""

from __future__ import annotations

from itertools import pairwise
from math import prod

from scipy.stats import norm

from study.published.claims import Claim
from study.published.reader import Reader
from study.published.sentences.printed import compare_number, compare_range, printed
from study.published.verdicts import Finding, Part, close, half_unit
from study.schema import StudyError


def _levels(reader: Reader, factor: str) -> float:
    return sum(reader.values("design", "count", row_kind="factor", factor=factor))


def number_of_runs(reader: Reader, claim: Claim) -> Finding:
    """Product of the levels of all factors."""
    factors = ("agent", "project", "service_in_project", "scenario", "prompt")
    counts = [_levels(reader, factor) for factor in factors]
    product = " x ".join(f"{count:g}" for count in counts)
    return compare_number(printed(reader, claim), {f"{product} =": prod(counts)}, 0)


def runs_per_agent(reader: Reader, claim: Claim) -> Finding:
    """Product of the levels of all factors but the agent; runs of Table IV."""
    counts = [_levels(reader, f) for f in ("project", "service_in_project", "scenario", "prompt")]
    sources = {" x ".join(f"{count:g}" for count in counts) + " =": prod(counts)}
    for agent in reader.levels("efficiency", "agent"):
        sources[f"Table IV {agent}"] = reader.value("efficiency", "runs", agent=agent)
    return compare_number(printed(reader, claim), sources, 0)


def funnel(reader: Reader, claim: Claim) -> Finding:
    """First and last count of a selection funnel; the last is the number of systems in Table I."""
    said = printed(reader, claim)
    steps = reader.values("design", "count", row_kind="funnel", factor=str(claim.args["funnel"]))
    listed = len(reader.texts("projects", "source", source=str(claim.args["source"])))
    parts = (
        Part(f"first step {steps[0]:g}", steps[0] == said.low),
        Part(f"last step {steps[-1]:g}", steps[-1] == said.high),
        Part(f"systems in Table I {listed}", listed == said.high),
        Part("no step adds projects", all(a >= b for a, b in pairwise(steps))),
    )
    ours = ", ".join(f"{step:g}" for step in steps)
    why = f"Fig. 1 gives {ours}; Table I lists {listed} of this source."
    return Finding(ours, parts, why, said.tolerance)


def number_of_projects(reader: Reader, claim: Claim) -> Finding:
    """Rows of Table I."""
    count = len(reader.levels("projects", "project"))
    return compare_number(printed(reader, claim), {"systems in Table I": count}, 0)


def services_range(reader: Reader, claim: Claim) -> Finding:
    """Fewest and most services of a system in Table I."""
    names = reader.levels("projects", "project")
    values = {name: reader.value("projects", "services", project=name) for name in names}
    return compare_range(printed(reader, claim), values, 0)


def untestable(reader: Reader, claim: Claim) -> Finding:
    """A statement on data that are not published."""
    said = printed(reader, claim)
    part = Part(f"printed {said.text}", None)
    return Finding("no data", (part,), str(claim.args["why"]), said.tolerance)


def significance_level(reader: Reader, claim: Claim) -> Finding:
    """The significance level of every printed statistic, and of the list of settings."""
    ids = reader.levels("statistics", "id")
    used = {f"alpha of {name}": reader.value("statistics", "alpha", id=name) for name in ids}
    setting = reader.text("design", "description", factor="significance_level")
    try:
        used["Sec. III-C6"] = float(str(setting))
    except ValueError:
        message = f"design.csv: description of significance_level: {setting!r} is no number"
        raise StudyError(message) from None
    remark = "The level is printed in one place and no other number gives it; its copies are compared."
    return compare_number(printed(reader, claim), used, 2, remark=remark)


def two_sided_p(reader: Reader, claim: Claim) -> Finding:
    """The two-sided p value of a printed Z."""
    said, statistic = printed(reader, claim), str(claim.args["statistic"])
    z = reader.value("statistics", "statistic_value", id=statistic)
    p = float(2 * norm.sf(abs(z)))
    alpha = reader.value("statistics", "alpha", id=statistic)
    tolerance = said.tolerance
    parts = (
        Part(f"two-sided p of Z = {z:.3f} is {p:.4f}", close(p, said.low, tolerance)),
        Part(f"not below alpha = {alpha:g}", p >= alpha),
    )
    why = (
        f"Z = {z:.3f} has a two-sided p of {p:.4f}; alpha is {alpha:g}. A p above alpha does not show that "
        "the prompts are equal; which test gave Z is treated under the statistic itself."
    )
    return Finding(f"{p:.4f}", parts, why, tolerance)


def scenario_difference(reader: Reader, claim: Claim) -> Finding:
    """Mean of the clean-state cells minus mean of the incremental cells of Table III, over both prompts."""
    said = printed(reader, claim)
    by_prompt = {prompt: _difference(reader, prompt) for prompt in ("P1", "P2")}
    both = sum(by_prompt.values()) / 2
    remark = (
        f"By prompt they differ by {by_prompt['P1']:.1f} (P1) and {by_prompt['P2']:.1f} points (P2); S4 asks "
        "whether the printed number is a difference of mean ranks."
    )
    # every cell may be rounded by 0.05, and so may their means
    return compare_number(
        said, {"the cells of Table III differ by": both}, 1, error=2 * half_unit("0.0"), remark=remark
    )


def _difference(reader: Reader, prompt: str) -> float:
    clean, incremental = (
        reader.values("pass_rates", "pass_rate_percent", scenario=scenario, condition=prompt)
        for scenario in ("clean_state", "incremental")
    )
    return sum(clean) / len(clean) - sum(incremental) / len(incremental)
