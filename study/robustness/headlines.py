"""The main comparisons of a study, as far as a dataset admits them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Literal

from study.statistics.summary import QUALITY, levels

if TYPE_CHECKING:
    from study.records.dataset import Dataset

Topic = Literal["scenario", "prompt", "agent", "original"]
TOPICS: tuple[Topic, ...] = ("scenario", "prompt", "agent", "original")
_WORDS = {"sloc": "SLOC", "cyclomatic": "cyclomatic complexity", "cognitive": "cognitive complexity"}


@dataclass(frozen=True)
class Headline:
    """One comparison of two levels, or of generated code with its original.

    Attributes
    ----------
    topic : str
        scenario, prompt, agent, or original.
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
            return f"{_WORDS.get(self.factor, self.factor)}: generated against {self.second}"
        return f"{self.first} minus {self.second}"

    @property
    def unit(self) -> str:
        """Of the estimates."""
        return "%" if self.topic == "original" else "points"


def headlines(data: Dataset) -> list[Headline]:
    """All that a dataset admits, by topic: the later level minus the earlier, every metric of code.

    The original is called a human baseline only if people wrote all of the originals.
    """
    found = [
        Headline(topic, topic, second, first)
        for topic in ("scenario", "prompt", "agent")
        for first, second in combinations(levels(data.runs[topic]), 2)
    ]
    human = bool(len(data.references)) and set(data.references["reference"]) == {"human_baseline"}
    original = "human baseline" if human else "original"
    known = [metric for metric in QUALITY if data.references[metric].notna().any()]
    return found + [Headline("original", metric, "generated", original) for metric in known]
