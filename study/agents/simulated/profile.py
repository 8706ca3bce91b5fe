"""Profiles: what is published about an agent, and what is assumed where nothing is."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Literal, Self

from pydantic import Field, model_validator

from study.agents.simulated.program.defects import DEFECTS
from study.schema import Model, StudyError, parse, read_yaml

HERE = Path(__file__).parent
PROFILES = HERE / "profiles"
ASSUMPTIONS = HERE / "assumptions.yaml"

Metric = Literal["sloc", "cyclomatic", "cognitive"]
Condition = Literal["Inc-P1", "Inc-P2", "CS-P1", "CS-P2"]


def condition_of(scenario: str, prompt: str) -> Condition:
    """The paper's name of a condition.

    A scenario of your own behaves like `incremental`, a prompt of your own like `minimal`.
    """
    detailed = prompt == "summary"
    if scenario == "clean_state":
        return "CS-P2" if detailed else "CS-P1"
    return "Inc-P2" if detailed else "Inc-P1"


class Box(Model):
    """A box plot of the paper: the ends of the whiskers, the quartiles, and every point beyond."""

    whisker_low: float
    q1: float
    median: float
    q3: float
    whisker_high: float
    outliers: list[float] = []

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        values = [self.whisker_low, self.q1, self.median, self.q3, self.whisker_high]
        if values != sorted(values):
            raise ValueError("whisker_low, q1, median, q3, whisker_high must not decrease")
        return self

    def knots(self, runs: int, scale: float) -> list[tuple[float, float]]:
        """Points (probability, value) of the piecewise linear quantile function.

        The k-th smallest of n runs stands at probability (k - 1) / (n - 1), as in the interpolated
        quartiles of the paper's figures; the ends of the whiskers are the outermost runs that are no
        outliers. Between the points it is a straight line, so a single far outlier is approached and not
        repeated: the mean of Codex's time comes out 2.5 and 3.3 minutes below the published one in the two
        cells with a run of about 90 minutes or more, all other means within 13 percent.
        """
        low = sorted(value for value in self.outliers if value < self.whisker_low)
        high = sorted(value for value in self.outliers if value > self.whisker_high)
        step = 1 / (runs - 1)
        points = [(place * step, value) for place, value in enumerate([*low, self.whisker_low])]
        points += [(0.25, self.q1), (0.5, self.median), (0.75, self.q3)]
        upper = [self.whisker_high, *high]
        points += [(1 - (len(upper) - 1 - place) * step, value) for place, value in enumerate(upper)]
        return [(probability, value * scale) for probability, value in points]


class PublishedCondition(Model):
    """One agent in one condition."""

    pass_rate_percent: float = Field(ge=0, le=100)
    """Table III, row `Avg. Agent Performance`."""
    no_code: float = Field(0.0, ge=0, le=1)
    """Share of runs that wrote no code."""
    time_min: Box
    """Figure 4."""
    input_tokens_m: Box
    """Figure 6a, millions."""
    output_tokens_k: Box
    """Figure 6b, thousands."""


class Bar(Model):
    """A pair of bars of Figure 3: averages per service."""

    original: float = Field(gt=0)
    generated: float = Field(gt=0)

    @property
    def ratio(self) -> float:
        return self.generated / self.original


class Bars(Model):
    """The three metrics of Figure 3."""

    sloc: Bar
    cyclomatic: Bar
    cognitive: Bar

    def ratio(self, metric: Metric) -> float:
        """Generated over original."""
        return {"sloc": self.sloc, "cyclomatic": self.cyclomatic, "cognitive": self.cognitive}[metric].ratio


class PriceTable(Model):
    """USD per million tokens."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)


class Profile(Model):
    """What is published about one agent; every value names its place in the paper."""

    agent: str
    """The agent's name in the paper."""
    model: str
    """Table II."""
    runs: int = Field(12, ge=2)
    """Runs per condition: 4 projects x 3 services."""
    prices: PriceTable
    size: Bars
    """Figure 3, top row."""
    conditions: dict[Condition, PublishedCondition]

    @model_validator(mode="after")
    def _complete(self) -> Self:
        missing = [name for name in ("Inc-P1", "Inc-P2", "CS-P1", "CS-P2") if name not in self.conditions]
        if missing:
            raise ValueError(f"conditions: {missing[0]} is missing")
        for name, condition in self.conditions.items():
            for field in ("time_min", "input_tokens_m", "output_tokens_k"):
                points = getattr(condition, field).knots(self.runs, 1)
                if points != sorted(points) or [v for _, v in points] != sorted(v for _, v in points):
                    raise ValueError(f"conditions: {name}.{field}: more outliers than {self.runs} runs allow")
        return self


class HabitTable(Model):
    """Probabilities; see `program.order.Habits`."""

    rename_modules: float = Field(ge=0, le=1)
    rename_names: float = Field(ge=0, le=1)
    extra_endpoint: float = Field(ge=0, le=1)
    docstrings: float = Field(ge=0, le=1)
    edit_test: float = Field(ge=0, le=1)
    ignore_sigterm: float = Field(ge=0, le=1)


class Assumptions(Model):
    """What the paper does not say and a simulation needs; the same for all agents."""

    too_long: dict[Condition, float]
    agent_error: dict[Condition, float]
    flawed_share: float = Field(ge=0, le=1)
    defects: dict[str, float]
    defect_counts: dict[int, float]
    size_spread: float = Field(ge=0)
    size_by_condition: dict[Condition, Bars]
    """Figure 3, bottom row."""
    habits: HabitTable
    correlation: float = Field(ge=0, le=1)

    @model_validator(mode="after")
    def _known_defects(self) -> Self:
        unknown = sorted(set(self.defects) - set(DEFECTS))
        if unknown:
            raise ValueError(f"defects: unknown kind {unknown[0]!r}; there are {', '.join(sorted(DEFECTS))}")
        if sum(self.defects.values()) <= 0 or sum(self.defect_counts.values()) <= 0:
            raise ValueError("defects, defect_counts: give at least one a weight above 0")
        return self


def list_profiles() -> list[str]:
    """Names of the profiles that come with the package."""
    return sorted(path.stem for path in PROFILES.glob("*.yaml"))


@lru_cache(maxsize=32)
def load_profile(name_or_path: str) -> Profile:
    """A profile of the package by name, or one of your own by the path of its .yaml file."""
    path = Path(name_or_path)
    if path.suffix not in {".yaml", ".yml"}:
        path = PROFILES / f"{name_or_path}.yaml"
        if not path.is_file():
            raise StudyError(
                f"no profile {name_or_path!r}; there are {', '.join(list_profiles())}, "
                "or give the path of a .yaml file of your own"
            )
    return parse(Profile, read_yaml(path), str(path))


@lru_cache(maxsize=1)
def load_assumptions() -> Assumptions:
    return parse(Assumptions, read_yaml(ASSUMPTIONS), str(ASSUMPTIONS))
