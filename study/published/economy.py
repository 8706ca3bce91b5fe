"""Prices behind the published costs, and what a cache would have made of cost and of the agents' order."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from study.published.checks import Prices, cached_share_for, cost, cost_by_cached_share, recover_prices
from study.published.data import Paper
from study.published.run_checks import time_limits as counted_limits
from study.published.run_reader import reader_for
from study.published.sentences.efficiency import LIMITS_MIN, time_limits
from study.published.sentences.quality import output_per_line

DISCOUNT = 0.9
"""Assumption: what a cache read saves of the input price; writing to the cache is taken as free."""


def prices(paper: Paper) -> pd.DataFrame:
    """Prices per million tokens that the cell means of Figs. 5, 6a and 6b imply.

    Returns
    -------
    DataFrame
        agent, input_usd, output_usd, largest_residual_usd (over the four cells), input_m, output_k (means),
        cost_usd (mean of Fig. 5), output_share_percent (of the cost), tokens_per_line.
    """
    reader = reader_for(paper)
    rows = []
    for agent in reader.levels("boxplots_cost", "agent"):
        inputs, outputs, costs = (
            reader.values(f"boxplots_{name}", "mean", agent=agent)
            for name in ("input_tokens", "output_tokens", "cost")
        )
        found = recover_prices(inputs, outputs, costs)
        input_m, output_k = sum(inputs) / len(inputs), sum(outputs) / len(outputs)
        full = cost(input_m, output_k, found)
        rows.append(
            {
                "agent": agent,
                "input_usd": found.input_usd,
                "output_usd": found.output_usd,
                "largest_residual_usd": found.largest_residual_usd,
                "input_m": input_m,
                "output_k": output_k,
                "cost_usd": full,
                "output_share_percent": 100 * output_k / 1000 * found.output_usd / full,
                "tokens_per_line": output_per_line(reader, agent),
            }
        )
    return pd.DataFrame(rows)


def cached(paper: Paper, shares: Sequence[float] = (0, 0.25, 0.5, 0.75, 0.9, 1)) -> pd.DataFrame:
    """Mean cost of each agent by cached share of the input, the same for all; see `cost_by_cached_share`."""
    return cost_by_cached_share(prices(paper), shares, DISCOUNT)


def order_changes(paper: Paper) -> pd.DataFrame:
    """Cached share at which an agent alone would cost as little as a cheaper one without a cache.

    Returns
    -------
    DataFrame
        agent, cheaper_agent, cached_share (0 to 1; missing if no share is enough).
    """
    table = prices(paper).sort_values("cost_usd", ascending=False).to_dict("records")
    rows = []
    for i, dear in enumerate(table):
        for cheap in table[i + 1 :]:
            at = Prices(dear["input_usd"], dear["output_usd"], 0)
            share = cached_share_for(cheap["cost_usd"], dear["input_m"], dear["output_k"], at, DISCOUNT)
            rows.append({"agent": dear["agent"], "cheaper_agent": cheap["agent"], "cached_share": share})
    return pd.DataFrame(rows)


def runs_cut(paper: Paper, limits: Sequence[float] = LIMITS_MIN) -> pd.DataFrame:
    """Runs of each agent that a time limit would have stopped: counted, or the fewest and most that fit
    Figs. 4 and 7.
    """
    reader = reader_for(paper)
    if paper.from_runs:
        return pd.DataFrame(
            [
                {"limit_min": limit, "agent": agent, "over": over, "runs": n}
                for limit in limits
                for agent, (over, n) in counted_limits(reader, limit).items()
            ]
        )
    return pd.DataFrame(
        [
            {"limit_min": limit, "agent": agent, "fewest": low, "most": high, "runs": n}
            for limit in limits
            for agent, (low, high, n) in time_limits(reader, limit).items()
        ]
    )


def sentences(paper: Paper) -> list[str]:
    """What tokens, prices and caching say, in words."""
    found = prices(paper)
    each = "; ".join(
        f"{row['agent']} {row['input_usd']:g} and {row['output_usd']:g}" for row in found.to_dict("records")
    )
    changes = "; ".join(
        f"{row['agent']} below {row['cheaper_agent']} from {row['cached_share']:.0%} cached"
        for row in order_changes(paper).dropna().to_dict("records")
    )
    orders = set(cached(paper)["order"])
    return [
        f"Prices in USD per million input and output tokens that explain the mean costs to "
        f"{found['largest_residual_usd'].max():.5f} USD: {each}. No discount for cached input is in them.",
        f"If every agent had the same share of cached input, the order of costs would "
        f"{'stay the same at every share' if len(orders) == 1 else 'change'}; if only the dearer of two had "
        f"a cache: {changes}. Assumption: a cached token costs a tenth.",
    ]
