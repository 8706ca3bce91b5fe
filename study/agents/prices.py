"""What tokens cost: a table of dated prices with their sources; see `study.agents.cost` for that of a run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Self

from pydantic import Field, model_validator

from study.agents.tokens import Tokens, total
from study.schema import Model, StudyError, parse, read_yaml

PRICES = Path(__file__).with_name("prices.yaml")
_DATED = re.compile(r"-(?:20\d{6}|20\d\d-\d\d-\d\d)$")


class Rates(Model):
    """Prices in USD per million tokens."""

    input: float = Field(ge=0)
    """Input outside any cache."""
    cache_read: float | None = Field(None, ge=0)
    """None: the source does not say."""
    cache_write: float | None = Field(None, ge=0)
    """None: what is written to the cache costs what other input costs."""
    output: float = Field(ge=0)

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


class LongContext(Rates):
    """Prices of a call with a large input; they hold for all of that call."""

    above: int = Field(gt=0)
    """Tokens of input, cached parts included, from which on the prices hold: a call with more."""


class Price(Rates):
    """Prices of one model, as a source had them on a day."""

    model: str
    seen: date
    """The day on which the source said so. For a run, the newest row of its day or before counts; for a run
    before the first row, that row."""
    long: LongContext | None = None
    """Calls with a long input, where they cost more."""
    source: str

    @model_validator(mode="after")
    def _long_costs_no_less(self) -> Self:
        """The bounds of a cost rest on it."""
        if self.long is not None and any(
            (getattr(self.long, bucket) or 0) < (getattr(self, bucket) or 0)
            for bucket in ("input", "cache_read", "cache_write", "output")
        ):
            raise ValueError("long: a price below that of a shorter input; was one left out?")
        return self

    def parts(self, tokens: Tokens, calls: Sequence[Tokens]) -> list[tuple[Rates, Tokens]] | None:
        """What is paid at which rates.

        Parameters
        ----------
        tokens : Tokens
            Of the whole run.
        calls : sequence of Tokens
            Of its calls, as far as the log tells them.

        Returns
        -------
        list of tuple of Rates and Tokens, or None
            None if a call may have been a long one, and the log does not tell which tokens were in it.
        """
        if self.long is None or (tokens.input is not None and tokens.input <= self.long.above):
            return [(self, tokens)]
        inputs = [call.input for call in calls]
        if tokens.input is None or None in inputs or sum(filter(None, inputs)) != tokens.input:
            return None
        long = [call for call in calls if (call.input or 0) > self.long.above]
        if not long:
            return [(self, tokens)]
        if total(calls) != tokens:
            return None
        short = [call for call in calls if call not in long]
        return [(self.long, total(long)), *([(self, total(short))] if short else [])]


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
                "in USD per million tokens, and `long` where calls with a long input cost more"
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
