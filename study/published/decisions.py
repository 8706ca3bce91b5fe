"""Judgements on what the printed statistics are said to show: unit, test, size and significance."""

from __future__ import annotations

import numpy as np
import pandas as pd

from study.published.case import Case
from study.published.judgements import COMPATIBLE, SHOWN, UNKNOWN, Row, per_run, row
from study.published.ranges import HALF_DIGIT, NEAR
from study.published.reanalysis import BOUND, confounding, differences_in_points, fitting_analysis
from study.published.reconstruction import POOLED
from study.published.statistics import (
    anderson_darling,
    anderson_darling_p,
    largest_signed_rank_z,
    mean_rank_se,
    pairs_needed,
)
from study.published.verdicts import Part, judge


def normality(case: Case) -> Row:
    """Whether the published cells themselves are far from normal."""
    alpha, n = case.alpha("S1"), case.cells.values.size
    a2 = float(anderson_darling(case.cells.values.ravel()))
    p = anderson_darling_p(a2, n)
    why = (
        f"The {n} cells of Table III have A2 = {a2:.3f}, p = {p:.2g}, {'' if p < alpha else 'not '}below "
        f"alpha = {alpha:g}; the paper does not say which metric was tested, pass rates are taken."
    )
    verdict = judge([Part("normality rejected", p < alpha)])
    return row("S1", "normality rejected", f"alpha {alpha:g}", f"p = {p:.2g}", verdict, SHOWN, why)


def pairs(case: Case) -> Row:
    """Which numbers of pairs the printed signed-rank Z excludes."""
    z, n = abs(case.printed.signed_rank), case.pairs
    plain, tied = (largest_signed_rank_z(n, tied=tied) for tied in (False, True))
    ours = f"at most {plain:.2f} without ties, {tied:.2f} with all tied, from {n} pairs"
    if z <= tied + HALF_DIGIT:
        why = f"The number of pairs is not printed; {n} pairs of cells could give it."
        return row("S2", "number of pairs behind Z", "not printed", ours, "not testable", UNKNOWN, why)
    why = (
        f"The number of pairs is not printed; Z = {z:.3f} needs at least {pairs_needed(z, tied=True)} "
        f"non-zero pairs ({pairs_needed(z, tied=False)} without ties), so the {n} pairs of cells are "
        f"excluded; {3 * n} pairs of services suffice (up to {largest_signed_rank_z(3 * n, tied=True):.2f})."
    )
    return row("S2", "number of pairs behind Z", "not printed", ours, "not testable", SHOWN, why)


def same_z(case: Case) -> Row:
    """Whether one Z can be printed for two tests."""
    first, second = case.printed.signed_rank, case.printed.dunn
    given = case.found.given
    share = given.loc[given["test"].str.startswith("signed-rank"), "share_equal"].max()
    named = case.found.joint[case.found.joint["reading"].str.startswith("as named")]
    ours = f"equal to 3 decimals in at most {100 * share:.2g} % of the draws, if one is a signed-rank Z"
    printed = f"{first:.3f} and {second:.3f}"
    if abs(first - second) > HALF_DIGIT:
        why = "The two values differ, as values of two different tests usually do."
        return row("S3", "one Z for two tests", printed, ours, "agrees", SHOWN, why)
    near = named["gap"].min()
    other = "so either can be the case" if near <= NEAR else "which does not show that none come nearer"
    why = (
        "For two groups Dunn's Z is the rank-sum Z, so equal values follow if both tests are the rank-sum; "
        "values per run that give all printed statistics, both tests as named, come within "
        f"{near:.3f}, {other}."
    )
    return row("S3", "one Z for two tests", printed, ours, "not testable", COMPATIBLE, why)


def points(case: Case) -> Row:
    """The printed difference in percentage points beside the cells'."""
    table = differences_in_points(case.cells)
    ours, printed = float(table["points"].iloc[0]), case.printed.points
    pooled = per_run(case.found.variants[case.found.variants["test"] == POOLED.test])
    # each cell can be off by half a unit of its last digit, and so can the difference of two means of them
    holds = abs(ours - printed) <= 0.5 + 0.1
    rounds = "rounds" if holds else "does not round"
    why = f"The mean of the cells differs by {ours:.1f} points, which {rounds} to {printed:g}"
    if not holds:
        low, high = table["points"].min(), table["points"].max()
        why += (
            f"; other summaries of the cells give {low:.1f} to {high:.1f}, and pooling tests within cells "
            f"would give {pooled['smallest'].min():.0f} to {pooled['largest'].max():.0f}, depending on "
            "test counts that are not printed"
        )
    verdict = judge([Part("difference", holds)])
    name, said = "difference of the scenarios", f"{printed:g} points"
    return row("S4", name, said, f"{ours:.1f} points", verdict, SHOWN, f"{why}.")


def mean_rank_arithmetic(case: Case) -> pd.DataFrame:
    """Z = d / SE for two groups: what the printed Z and a difference of mean ranks d say about each other.

    Returns
    -------
    DataFrame
        ties (what is assumed of the ties factor), ties_factor, se (ranks), difference (Z x SE).
    """
    size, z, d = 3 * case.pairs, case.printed.dunn, case.printed.points
    plain = mean_rank_se(size, size)
    given = case.found.given
    factors = {
        "no ties": 1.0,
        "fewest ties of the draws": float(given["ties_high"].max()),
        "most ties of the draws": float(given["ties_low"].min()),
        f"ties that make it {d - 0.5:g}": ((d - 0.5) / z / plain) ** 2,
        f"ties that make it {d:g}": (d / z / plain) ** 2,
        f"ties that make it {d + 0.5:g}": ((d + 0.5) / z / plain) ** 2,
    }
    rows = [
        {"ties": name, "ties_factor": factor, "se": plain * np.sqrt(factor)}
        for name, factor in factors.items()
    ]
    table = pd.DataFrame(rows)
    return table.assign(difference=z * table["se"])


def mean_ranks(case: Case) -> Row:
    """The printed difference read as one of mean ranks."""
    size, d = 3 * case.pairs, case.printed.points
    table = mean_rank_arithmetic(case).set_index("ties")["difference"]
    few, many = table["fewest ties of the draws"], table["most ties of the draws"]
    low, high = sorted((few, many))
    ours = f"{low:.1f} to {high:.1f} ranks, from Z = {case.printed.dunn:.3f} and n = {2 * size}"
    holds = low - 0.5 <= d <= high + 0.5
    se = case.printed.dunn and d / case.printed.dunn
    why = (
        f"Dunn's Z is a difference of mean ranks over its standard error: {d:g} / {case.printed.dunn:.3f} = "
        f"{se:.2f}, against {mean_rank_se(size, size):.2f} without ties and "
        f"{low / case.printed.dunn:.2f} to {high / case.printed.dunn:.2f} with the ties of the draws; so the "
        f"number {'fits' if holds else 'does not fit'} a difference of mean ranks of {size} + {size} values."
    )
    status = COMPATIBLE if holds else SHOWN
    verdict = judge([Part("difference of mean ranks", None if holds else False)])
    return row("S4", "the same number as a difference of mean ranks", f"{d:g}", ours, verdict, status, why)


def which_test(case: Case) -> Row:
    """Which readings of all statistics at once have a solution."""
    joint = case.found.joint
    readings = joint.groupby("reading", sort=False)
    reached = readings["reached"].any()
    gaps = zip(reached.index, reached, readings["gap"].min(), strict=True)
    ours = "; ".join(f"{name}: {'' if found else 'not '}reached ({gap:.3f})" for name, found, gap in gaps)
    exact = int((readings["gap"].min() <= HALF_DIGIT).sum())
    why = (
        f"{int(reached.sum())} of {len(reached)} readings of all statistics at once have solutions within "
        f"{NEAR} ({exact} to all three decimals), so the values do not identify the test."
    )
    return row("S2-S5", "which test was made", "signed-rank, Dunn", ours, "not testable", UNKNOWN, why)


def scenario_decision(case: Case) -> Row:
    """The difference of the scenarios by pairs of cells and by projects."""
    alpha = case.alpha("S2")
    rows = fitting_analysis(case.rates, alpha).to_dict("records")
    pair, project = (row for row in rows if row["comparison"].startswith("clean"))
    original = confounding(case.rates)["difference"].iloc[1]
    ours = f"p = {pair['p']:.2g} ({pair['n']} pairs); p = {project['p']:.3g} ({project['n']} projects)"
    # a test that can never reject says nothing against the claim
    can = project["smallest_p"] < alpha
    parts = [Part("pairs", pair["p"] < alpha), Part("projects", project["p"] < alpha if can else None)]
    why = (
        f"The cells differ by {pair['estimate']:.1f} points; the {pair['n']} pairs share {project['n']} "
        f"projects, by which the smallest possible p is {project['smallest_p']:.3g}; "
        f"alpha is {alpha:g}. Each scenario is scored by another test suite, so scenario and suite cannot be "
        f"separated (the originals differ by {original:+.1f} points)."
    )
    return row("S2", "scenario significant", f"alpha {alpha:g}", ours, judge(parts), SHOWN, why)


def prompt_decision(case: Case) -> Row:
    """The difference of the prompts: neither a difference nor its absence need follow."""
    alpha = case.alpha("S5")
    rows = fitting_analysis(case.rates, alpha).to_dict("records")
    pair, _, project, same = (row for row in rows if row["comparison"].startswith("P2"))
    ours = f"p = {pair['p']:.3f} ({pair['n']} pairs); equivalence p = {same['p']:.2f} ({same['n']} projects)"
    holds, equal = min(pair["p"], project["p"]) >= alpha, same["p"] < alpha
    why = (
        f"P2 minus P1 is {pair['estimate']:+.1f} points (95 % interval over pairs {pair['low']:+.1f} to "
        f"{pair['high']:+.1f}, over the {project['n']} projects {project['low']:+.1f} to "
        f"{project['high']:+.1f}), {'not ' if holds else ''}significant at {alpha:g}; by projects the exact "
        f"p is {project['p']:.3g}, the smallest possible {project['smallest_p']:.3g}; equivalence within "
        f"{BOUND:g} points is {'' if equal else 'not '}shown"
        f"{', so neither a difference nor its absence is' if holds and not equal else ''}."
    )
    verdict = judge([Part("not significant", bool(holds))])
    return row("S5", "prompt not significant", f"alpha {alpha:g}", ours, verdict, SHOWN, why)
