"""The main comparisons of a study, as far as a dataset admits them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Literal

import pandas as pd

from study.statistics.summary import QUALITY, WORDS, levels

if TYPE_CHECKING:
    from study.records.dataset import Dataset

Topic = Literal["scenario", "prompt", "agent", "origin", "original"]
TOPICS: tuple[Topic, ...] = ("scenario", "prompt", "agent", "origin", "original")


@dataclass(frozen=True)
class Headline:
    """One comparison of two levels, or of generated code with its original.

    Attributes
    ----------
    topic : str
        scenario, prompt, agent, origin (of the projects: open source or private), or original.
    factor : str
        Column of the levels; of the topic `original` the metric: sloc, cyclomatic, cognitive.
    first, second : str
        Effects are of the first against the second.
    """

    topic: Topic
    factor: str
    first: str
    second: str

    @property
    def name(self) -> str:
        """For tables and figures."""
        if self.topic == "original":
            return f"{WORDS.get(self.factor, self.factor)}: generated against {self.second}"
        return f"{self.first} minus {self.second}"

    @property
    def unit(self) -> str:
        """Of the estimates."""
        return "%" if self.topic == "original" else "points"


def between_levels(runs: pd.DataFrame, origin: Mapping[str, str] | None = None) -> list[Headline]:
    """Of rates: the later level of each factor minus the earlier, and open source minus private projects."""
    found = [
        Headline(topic, topic, second, first)
        for topic in ("scenario", "prompt", "agent")
        for first, second in combinations(levels(runs[topic]), 2)
    ]
    groups = (
        {str(origin[project]) for project in levels(runs["project"]) if project in origin} if origin else ()
    )
    named = [Headline("origin", "origin", *pair) for pair in combinations(sorted(groups), 2)]
    return found + named


def headlines(data: Dataset, origin: Mapping[str, str] | None = None) -> list[Headline]:
    """All that a dataset admits, by topic, and every metric of code.

    The original is called a human baseline only if people wrote all of the originals.

    Parameters
    ----------
    data : Dataset
        Runs and the sizes of the originals.
    origin : mapping, optional
        Project to `open_source` or `private`; without it these are not compared.
    """
    human = bool(len(data.references)) and set(data.references["reference"]) == {"human_baseline"}
    original = "human baseline" if human else "original"
    known = [metric for metric in QUALITY if data.references[metric].notna().any()]
    sizes = [Headline("original", metric, "generated", original) for metric in known]
    return between_levels(data.runs, origin) + sizes
