"""What tokens cost: a table of dated prices with their sources, and the cost of a run computed three ways."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from pydantic import Field

from study.agents.tokens import Tokens
from study.agents.trajectory import AgentLog
from study.schema import Model, StudyError, parse, read_yaml

PRICES = Path(__file__).with_name("prices.yaml")
_DATED = re.compile(r"-(?:20\d{6}|20\d\d-\d\d-\d\d)$")


class Price(Model):
    """Prices of one model, in USD per million tokens, as a source had them on a day."""

    model: str
    seen: date
    """The day on which the source said so. For a run, the newest row of its day or before counts; for a run
    before the first row, that row."""
    input: float = Field(ge=0)
    """Input outside any cache."""
    cache_read: float | None = Field(None, ge=0)
    """None: the source does not say."""
    cache_write: float | None = Field(None, ge=0)
    """None: what is written to the cache costs what other input costs."""
    output: float = Field(ge=0)
    source: str

    def list_usd(self, tokens: Tokens) -> float | None:
        """All input at the list price, as the paper computes costs; None without input and output."""
        if tokens.input is None or tokens.output is None:
            return None
        return (tokens.input * self.input + tokens.output * self.output) / 1e6

    def cached_usd(self, tokens: Tokens) -> float | None:
        """With what a cache saves and costs; None if the log or the source does not say."""
        fresh, read, write = tokens.input_fresh, tokens.cache_read, tokens.cache_write or 0
        if fresh is None or read is None or tokens.output is None or (self.cache_read is None and read):
            return None
        wrote = self.input if self.cache_write is None else self.cache_write
        parts = (
            fresh * self.input,
            read * (self.cache_read or 0),
            write * wrote,
            tokens.output * self.output,
        )
        return sum(parts) / 1e6

    def least_usd(self, tokens: Tokens) -> float:
        """The least that these tokens may have cost, whatever is missing."""
        fresh, read = tokens.input_fresh or 0, tokens.cache_read or 0
        if tokens.cache_read is None:  # all of the input may have come from a cache
            fresh, read = 0, fresh
        wrote = (tokens.cache_write or 0) * (self.input if self.cache_write is None else self.cache_write)
        return (
            fresh * self.input + read * (self.cache_read or 0) + wrote + (tokens.output or 0) * self.output
        ) / 1e6

    def most_usd(self, tokens: Tokens) -> float | None:
        """The most that these tokens may have cost; None if there may be any number more."""
        if tokens.input is None or tokens.output is None:
            return None
        dearest = max(self.input, self.cache_write or 0)
        if tokens.cache_write is not None:  # then it is known which part has the dearer price
            plain = tokens.input - tokens.cache_write
            return (plain * self.input + tokens.cache_write * dearest + tokens.output * self.output) / 1e6
        return (tokens.input * dearest + tokens.output * self.output) / 1e6


class Cost(Model):
    """The cost of a run in USD."""

    list_usd: float | None
    """All input at the list price, as the paper has it."""
    cached_usd: float | None
    """With what the cache saves and costs."""
    low_usd: float
    """Bounds: what the log surely has at its cheapest reading, and"""
    high_usd: float | None
    """at its dearest. Where the log is not complete, with one more call, as dear as the dearest that is
    known. None: nothing bounds it."""
    prices: list[str]
    """Model, day and source of each price that was used."""


@dataclass(frozen=True)
class PriceList:
    """Prices from files; of two files that have a model, the first counts."""

    files: dict[Path, list[Price]]

    def find(self, model: str, day: date) -> Price | None:
        """The price of a model on a day.

        A name is looked up as it is, without the provider before a slash, and without a date at its end.
        """
        for name in _spellings(model):
            for rows in self.files.values():
                known = sorted((row for row in rows if row.model == name), key=lambda row: row.seen)
                if known:
                    return next((row for row in reversed(known) if row.seen <= day), known[0])
        return None

    def price(self, model: str, day: date, where: str) -> Price:
        """As `find`.

        Raises
        ------
        StudyError
            If no file has the model; the text names the file to extend.
        """
        found = self.find(model, day)
        if found is None:
            file = next(iter(self.files))
            raise StudyError(
                f"{where}: no price of {model!r}; add a row for it to {file}, or give a file of your own as "
                "`settings.prices`: a list of {model, seen, input, cache_read, cache_write, output, source}, "
                "in USD per million tokens"
            )
        return found


def _spellings(model: str) -> Iterator[str]:
    bare = model.rpartition("/")[2]
    yield from dict.fromkeys((model, bare, _DATED.sub("", bare)))


def load_prices(own: str | Path | None = None) -> PriceList:
    """The price list of the package, after one of your own if there is one.

    Raises
    ------
    StudyError
        If a file is missing or wrong.
    """
    paths = ([Path(own).expanduser()] if own else []) + [PRICES]
    return PriceList({path: _read(path) for path in paths})


def _read(path: Path) -> list[Price]:
    data: Any = read_yaml(path)
    if not isinstance(data, list):
        raise StudyError(f"{path}: must be a list of prices")
    rows = [parse(Price, row, f"{path}: row {number}") for number, row in enumerate(data, start=1)]
    twice = {
        (row.model, row.seen)
        for row in rows
        if sum(r.model == row.model and r.seen == row.seen for r in rows) > 1
    }
    if twice:
        model, seen = min(twice)
        raise StudyError(f"{path}: two rows for {model} on {seen}; keep one")
    return rows


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
    lists = [found[m].list_usd(tokens) for m, tokens in log.tokens.items()]
    cached = _sum([found[m].cached_usd(tokens) for m, tokens in log.tokens.items()])
    highs = [found[m].most_usd(tokens) for m, tokens in log.tokens.items()]
    high: float | None
    low = sum(found[m].least_usd(tokens) for m, tokens in log.tokens.items())
    if log.complete and cached is not None:
        low, high = cached, cached
    else:
        high = _sum(highs if log.complete else [*highs, _dearest_call(log, found)])
    said = [f"{p.model} {p.seen}: {p.source}" for p in dict.fromkeys(found.values())]
    return Cost(list_usd=_sum(lists), cached_usd=cached, low_usd=low, high_usd=high, prices=said)


def _sum(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if known and len(known) == len(values) else None


def _dearest_call(log: AgentLog, found: dict[str, Price]) -> float | None:
    """The call that was under way when the log stops: taken for as dear as the dearest known."""
    calls = [event for event in log.of("api_call") if event.tokens is not None and event.model in found]
    costs = [found[str(c.model)].most_usd(c.tokens) for c in calls if c.tokens is not None]
    known = [cost for cost in costs if cost is not None]
    return max(known, default=None)
