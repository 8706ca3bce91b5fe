"""Simulated time and tokens: drawn from quantile functions, so that their distribution is the given one."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from random import Random
from typing import TypedDict

from .chance import normal

Knots = Sequence[Sequence[float]]
"""Points (probability, value) of a quantile function, from probability 0 to 1."""


class Prices(TypedDict):
    """USD per million tokens."""

    input: float
    output: float


class Consumption(TypedDict):
    """How a profile distributes what one run consumes."""

    time_min: Knots
    input_tokens: Knots
    output_tokens: Knots
    prices: Prices
    correlation: float


def quantile(knots: Knots, probability: float) -> float:
    """Value of a piecewise linear quantile function."""
    for (low, start), (high, end) in itertools.pairwise(knots):
        if probability <= high:
            return start + (end - start) * (probability - low) / (high - low)
    return knots[-1][1]


def draw(consumption: Consumption, random: Random) -> dict[str, float | int]:
    """Time, tokens and cost of one run.

    One normal number is shared by the three quantities, so that a long run also reads and writes more;
    each has a second one of its own. `correlation` is the weight of the shared number (a Gaussian copula),
    hence each quantity alone keeps exactly the distribution of its quantile function.
    """
    weight = consumption["correlation"]
    shared = normal(random)

    def value(knots: Knots) -> float:
        mixed = math.sqrt(weight) * shared + math.sqrt(1 - weight) * normal(random)
        return quantile(knots, 0.5 * (1 + math.erf(mixed / math.sqrt(2))))

    minutes = round(value(consumption["time_min"]), 1)
    read = round(value(consumption["input_tokens"]))
    written = round(value(consumption["output_tokens"]))
    return {
        "agent_minutes": minutes,
        "input_fresh_tokens": read,
        "output_tokens": written,
        "cost_usd": cost(consumption["prices"], read, written),
    }


def cost(prices: Prices, read: int, written: int) -> float:
    """Price in USD, without cache discount, as in the paper's own figures."""
    return (read * prices["input"] + written * prices["output"]) / 1e6
