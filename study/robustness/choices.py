"""Every choice of an analysis that can be defended, why, and which of them go together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from itertools import product

import pandas as pd

from study.robustness.headlines import Headline

DENOMINATORS = {
    "all tests": ("pass_rate_percent", "a test that could not be reached is a failure of the service"),
    "executed tests": ("pass_rate_executed_percent", "as published: skipped and missing tests left out"),
    "stable tests": ("pass_rate_adjusted_percent", "only tests that pass on the original in every repeat"),
    "floor to ceiling": ("score_percent", "0: what the tests score without service, 100: with the original"),
}
"""Of rates: column of `frames.scored`, and why."""
TOOLS = {
    "SonarQube's rule": ("", "the rules of the published study"),
    "lizard": ("lizard_", "another tool that counts all languages"),
    "radon": ("radon_", "another tool for Python"),
}
"""Of size and complexity: prefix of the columns of the table quality, and why."""
RATE_RULES = {
    "all": "what an agent did not finish counts as it stands",
    "completed": "only runs whose agent ended by itself",
    "suite ran": "only runs whose code could be collected by the tests",
    "oracle sees": "no runs whose tests score the same without the service",
}
SIZE_RULES = {
    "all": "every run that left code",
    "completed": "only runs whose agent ended by itself",
    "all files parsed": "no runs with a file that could not be counted",
}
UNITS = {
    "service": "runs of one service share its difficulty and its tests",
    "project": "only whole projects are of one origin or the other",
    "run": "as published: runs, or pairs of them, taken as independent",
}
SCALES = {
    "points": "differences of percentages",
    "arcsine": "arcsin of the root: steadies the variance of counts near 0 and 100 %",
    "logit": "log odds, as a model of counts takes them",
    "log ratio": "sizes differ by factors, not by sums",
    "ratio of means": "as published: sums compared",
}
TESTS = {
    "sign flips": "no assumption but symmetry; exact over few services",
    "t": "the usual interval of a mean",
    "signed-rank": "as published, paired: robust against single large differences",
    "rank-sum": "as published, unpaired",
    "GEE": "a marginal model with the service as cluster",
    "labels exchanged": "no assumption but that projects can be exchanged; exact over few projects",
    "Welch t": "the usual interval of two means",
}
_WHY = {"unit": UNITS, "scale": SCALES, "test": TESTS}


@dataclass(frozen=True)
class Specification:
    """One analysis: a level of every dimension."""

    measure: str
    runs: str
    unit: str
    scale: str
    test: str

    def excluded(self) -> str:
        """Why the choices do not go together; empty if they do."""
        if (self.scale == "logit") != (self.test == "GEE"):
            return "the logit is the scale of the model, and the model's only one"
        if self.test == "GEE" and self.unit == "run":
            return "the model takes the service as cluster"
        if self.test == "rank-sum" and self.unit != "run":
            return "the unpaired ranks are those of runs"
        if self.test in ("signed-rank", "rank-sum") and self.scale not in ("points", "log ratio"):
            return "ranks need a difference on the scale of the estimate"
        if self.measure == "floor to ceiling" and self.scale in ("arcsine", "logit"):
            return "scores between floor and ceiling can lie outside 0 to 100"
        return ""


DIMENSIONS = tuple(field.name for field in fields(Specification))
"""In the order of the analysis."""
MAIN_RATE = Specification("all tests", "all", "service", "points", "sign flips")
MAIN_ORIGIN = Specification("all tests", "all", "project", "points", "labels exchanged")
MAIN_SIZE = Specification("SonarQube's rule", "all", "service", "log ratio", "sign flips")


def main(headline: Headline) -> Specification:
    """The analysis of this package, to which the others are compared."""
    return {"original": MAIN_SIZE, "origin": MAIN_ORIGIN}.get(headline.topic, MAIN_RATE)


def levels_of(headline: Headline) -> dict[str, list[str]]:
    """Levels of every dimension for a headline."""
    paired, unpaired = [*TESTS][:5], ["labels exchanged", "Welch t", "rank-sum"]
    if headline.topic == "original":
        tools = [name for name in TOOLS if (headline.factor, name) != ("cognitive", "radon")]
        found = (tools, [*SIZE_RULES], ["service", "run"], ["log ratio", "ratio of means"], paired[:3])
    elif headline.topic == "origin":
        found = ([*DENOMINATORS], [*RATE_RULES], ["project", "run"], ["points", "arcsine"], unpaired)
    else:
        found = ([*DENOMINATORS], [*RATE_RULES], ["service", "run"], ["points", "arcsine", "logit"], paired)
    return dict(zip(DIMENSIONS, found, strict=True))


def specifications(headline: Headline) -> Iterator[Specification]:
    """All combinations that make sense."""
    for choice in product(*levels_of(headline).values()):
        specification = Specification(*choice)
        if not specification.excluded():
            yield specification


def reasons(headline: Headline) -> pd.DataFrame:
    """Dimension, level, why it can be defended, and whether the main analysis takes it.

    Examples
    --------
    >>> table = reasons(Headline("prompt", "prompt", "summary", "minimal"))
    >>> table.loc[table["main"] == "yes", "level"].tolist()
    ['all tests', 'all', 'service', 'points', 'sign flips']
    """
    size = headline.topic == "original"
    measures = {name: why for name, (_, why) in (TOOLS if size else DENOMINATORS).items()}
    whys = {"measure": measures, "runs": SIZE_RULES if size else RATE_RULES, **_WHY}
    chosen = main(headline)
    rows = [
        (name, level, whys[name][level], "yes" if getattr(chosen, name) == level else "")
        for name, found in levels_of(headline).items()
        for level in found
    ]
    return pd.DataFrame(rows, columns=["dimension", "level", "why", "main"])


def excluded(headline: Headline) -> pd.DataFrame:
    """Combinations that are left out: how many, and why."""
    whys = [Specification(*choice).excluded() for choice in product(*levels_of(headline).values())]
    counted = pd.Series([why for why in whys if why], dtype="str").value_counts(sort=False)
    return counted.rename_axis("why").rename("combinations").reset_index()
