"""The cost of a run, three ways: at list prices, with the cache, and as bounds where a log says less."""

from __future__ import annotations

from datetime import date

from study.agents.prices import Price, PriceList
from study.agents.tokens import Tokens
from study.agents.trajectory import AgentLog
from study.schema import Model


class Cost(Model):
    """The cost of a run in USD."""

    list_usd: float | None
    """All input at the list price, as the paper has it; None: which calls were long is not known."""
    cached_usd: float | None
    """With what the cache saves and costs."""
    low_usd: float
    """Bounds: what the log surely has at its cheapest reading, and"""
    high_usd: float | None
    """at its dearest. Where the log is not complete, with one more call, as dear as the dearest that is
    known. None: nothing bounds it."""
    prices: list[str]
    """Model, day and source of each price that was used."""


def cost_of(log: AgentLog, prices: PriceList, day: date, level_model: str | None = None) -> Cost:
    """The cost of a run.

    Parameters
    ----------
    log : AgentLog
        Tokens by model, its calls, and whether it is complete.
    prices : PriceList
        From `load_prices`.
    day : date
        Of the run.
    level_model : str, optional
        The design's model, whose price counts for a model that the list lacks because the service calls it
        by another name; only if that is the only model of the run.

    Raises
    ------
    StudyError
        If there is no price of a model.
    """
    found: dict[str, Price] = {}
    for model in log.tokens:
        price = prices.find(model, day)
        if price is None and level_model and len(log.tokens) == 1:
            price = prices.find(level_model, day)
        found[model] = price or prices.price(model, day, "model")
    lists: list[float | None] = []
    cached: list[float | None] = []
    lows: list[float] = []
    highs: list[float | None] = []
    for model, tokens in log.tokens.items():
        price = found[model]
        parts = price.parts(tokens, _calls(log, model))
        bounds = (price, price.long or price)  # every call a short one, every call a long one
        lists.append(_sum([rates.list_usd(part) for rates, part in parts]) if parts else None)
        cached.append(_sum([rates.cached_usd(part) for rates, part in parts]) if parts else None)
        lows.append(sum(rates.least_usd(part) for rates, part in parts or [(bounds[0], tokens)]))
        highs.append(_sum([rates.most_usd(part) for rates, part in parts or [(bounds[1], tokens)]]))
    whole, low = _sum(cached), sum(lows)
    high: float | None
    if log.complete and whole is not None:
        low, high = whole, whole
    else:
        high = _sum(highs if log.complete else [*highs, _dearest_call(log, found)])
    said = [f"{p.model} {p.seen}: {p.source}" for p in dict.fromkeys(found.values())]
    return Cost(list_usd=_sum(lists), cached_usd=whole, low_usd=low, high_usd=high, prices=said)


def _sum(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if known and len(known) == len(values) else None


def _calls(log: AgentLog, model: str) -> list[Tokens]:
    return [e.tokens for e in log.of("api_call") if e.model == model and e.tokens is not None]


def _dearest_call(log: AgentLog, found: dict[str, Price]) -> float | None:
    """The call that was under way when the log stops: taken for as dear as the dearest known."""
    costs = [
        _sum([rates.most_usd(part) for rates, part in price.parts(call, [call]) or [(price, call)]])
        for model, price in found.items()
        for call in _calls(log, model)
    ]
    return max((cost for cost in costs if cost is not None), default=None)
