"""Arithmetic checks of whole kinds, for any paper with tables, bars and prices; functions of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np
import pandas as pd

MILLION = 1e6


def mean(values: Sequence[float]) -> float:
    """Unweighted mean."""
    return float(np.mean(values))


def percent_change(old: float, new: float) -> float:
    """Change from old to new in percent of old; negative for a reduction."""
    return 100 * (new - old) / old


def mean_from_total(total: float, n: int, scale: float = 1.0) -> float:
    """Mean that a printed total implies; `scale` turns the total's unit into the mean's (60 for h to min)."""
    return total * scale / n


@dataclass(frozen=True)
class Prices:
    """Prices in USD per million tokens, and how well they explain the costs."""

    input_usd: float
    output_usd: float
    largest_residual_usd: float


def recover_prices(
    input_m: Sequence[float], output_k: Sequence[float], cost_usd: Sequence[float], step: float = 0.05
) -> Prices:
    """Prices per million tokens that explain mean costs from mean tokens.

    Parameters
    ----------
    input_m, output_k, cost_usd : sequence of float
        Mean input in million tokens, mean output in thousand tokens, mean cost; one value per group of runs.
    step : float
        Prices are rounded to this step, as price lists are; the residual is that of the rounded prices.
    """
    tokens = np.column_stack([np.asarray(input_m), np.asarray(output_k) / 1000])
    fitted, *_ = np.linalg.lstsq(tokens, np.asarray(cost_usd), rcond=None)
    rounded = np.round(fitted / step) * step
    residual = float(np.abs(tokens @ rounded - np.asarray(cost_usd)).max())
    return Prices(round(float(rounded[0]), 6), round(float(rounded[1]), 6), residual)


def cost(
    input_m: float, output_k: float, prices: Prices, cached: float = 0.0, discount: float = 0.9
) -> float:
    """Cost of a run in USD.

    Parameters
    ----------
    input_m, output_k : float
        Million input tokens, thousand output tokens.
    prices : Prices
        Prices without a cache.
    cached : float
        Share of the input that is read from a cache, 0 to 1.
    discount : float
        What a cache read saves of the input price, an assumption: 0.9 means a tenth of the price. Writing to
        the cache is taken as free.
    """
    paid_input = input_m * (1 - cached * discount)
    return paid_input * prices.input_usd + output_k / 1000 * prices.output_usd


def cached_share_for(
    target_usd: float, input_m: float, output_k: float, prices: Prices, discount: float = 0.9
) -> float | None:
    """Share of cached input at which a run costs `target_usd`; None where no share between 0 and 1 does."""
    full = cost(input_m, output_k, prices)
    share = (full - target_usd) / (input_m * prices.input_usd * discount)
    return share if 0 <= share <= 1 else None


def cost_by_cached_share(
    tokens: pd.DataFrame, shares: Sequence[float] = (0, 0.25, 0.5, 0.75, 0.9, 1), discount: float = 0.9
) -> pd.DataFrame:
    """Mean cost of each agent if a share of its input were read from a cache, the same share for all.

    Parameters
    ----------
    tokens : DataFrame
        Columns agent, input_m, output_k, input_usd, output_usd.
    shares : sequence of float
        Shares of the input read from a cache, 0 to 1.
    discount : float
        As in `cost`.

    Returns
    -------
    DataFrame
        One row per share: `cached_share`, the cost for each agent, and `order`, dearest first.
    """
    rows = []
    for share in shares:
        costs = {
            str(row["agent"]): cost(
                row["input_m"],
                row["output_k"],
                Prices(row["input_usd"], row["output_usd"], 0),
                share,
                discount,
            )
            for row in tokens.to_dict("records")
        }
        order = " > ".join(sorted(costs, key=lambda agent: -costs[agent]))
        rows.append({"cached_share": share, **costs, "order": order})
    return pd.DataFrame(rows)


def tokens_per_line(output_tokens: float, lines: float) -> float:
    """Output tokens per generated source line."""
    return output_tokens / lines


@dataclass(frozen=True)
class WholeSum:
    """Whether a bar is made of whole sums over all of its runs.

    Attributes
    ----------
    left_out : bool or None
        False: whole with all runs; True: whole only if one or more of its means leave a run out; None:
        neither.
    times_runs : float
        Bar height x number of runs.
    """

    left_out: bool | None
    times_runs: float


def whole_sum(height: float, groups: int, n: int, precision: float = 5e-5) -> WholeSum:
    """How many runs are inside a mean of counts: its height x n must be a whole number.

    A bar that averages `groups` means of `n` counts each is a whole number of 1 / (groups n). If a run of one
    or more groups is left out, it is a whole number of 1 / (groups lcm(n, n - 1)). A height agrees by chance
    with a probability of about 2 x precision x that denominator: for 12 runs and 3 or 4 groups 0.4 to 0.5 %
    with all runs, and 4 to 5 % with one left out of a group.

    Parameters
    ----------
    height : float
        The bar's height, before rounding to the printed digits.
    groups : int
        Means inside the bar (1: the bar is a single mean).
    n : int
        Runs inside each mean.
    precision : float
        Largest error of `height`.
    """
    denominators = {False: groups * n, True: groups * lcm(n, n - 1)}
    for left_out, denominator in denominators.items():
        scaled = height * denominator
        if abs(scaled - round(scaled)) <= precision * denominator + 1e-9:
            return WholeSum(left_out, height * groups * n)
    return WholeSum(None, height * groups * n)


def least_total(failed: int, rate_percent: float, tolerance: float) -> int:
    """Smallest number of tests with which `failed` failures still round to `rate_percent`."""
    lowest = Fraction(str(rate_percent)) - Fraction(str(tolerance))
    share = 1 - lowest / 100
    return -int(-Fraction(failed) // share)
