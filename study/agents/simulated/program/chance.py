"""Draws that depend on the seed alone.

`Random.choice`, `shuffle` and `gauss` are left aside: their results may change between Python versions,
those of `random()` do not.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")
K = TypeVar("K", bound=str)


def pick(items: Sequence[T], random: Random) -> T:
    return items[int(random.random() * len(items))]


def weighted(weights: Mapping[K, float], random: Random) -> K:
    """A key, drawn in proportion to its weight; the order of the keys does not matter."""
    mark = random.random() * sum(weights.values())
    for key in sorted(weights):
        mark -= weights[key]
        if mark < 0:
            return key
    return max(weights, key=lambda key: (weights[key], key))


def shuffle(items: list[T], random: Random) -> None:
    for last in range(len(items) - 1, 0, -1):
        other = int(random.random() * (last + 1))
        items[last], items[other] = items[other], items[last]


def normal(random: Random) -> float:
    """A standard normal number (Box and Muller); `Random.gauss` keeps state between calls."""
    radius = math.sqrt(-2 * math.log(1 - random.random()))
    return radius * math.cos(2 * math.pi * random.random())
