"""Tokens in five buckets; what an agent does not say stays missing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

from study.schema import Model

MAX_TOKENS = 10**15
"""No number of a log is larger, and tables hold 64 bits."""


class Tokens(Model):
    """Tokens of one call or of many. None: the agent does not say; never 0 in its place."""

    input_fresh: int | None = None
    """Input that was neither read from nor written to a cache."""
    cache_read: int | None = None
    cache_write: int | None = None
    output: int | None = None
    """All output, reasoning included."""
    reasoning: int | None = None

    @property
    def input(self) -> int | None:
        """All input; None without the fresh part, because the rest would look like the whole."""
        if self.input_fresh is None:
            return None
        return self.input_fresh + (self.cache_read or 0) + (self.cache_write or 0)

    @classmethod
    def of_whole(
        cls,
        whole: object,
        cache_read: object = None,
        cache_write: object = None,
        output: object = None,
        reasoning: object = None,
    ) -> Self:
        """Buckets of a log whose input count includes the cached parts, as in all protocols of OpenAI.

        Raises
        ------
        ValueError
            If the parts are larger than the whole: then the log means something else by its numbers.
        """
        total, read, write = count(whole), count(cache_read), count(cache_write)
        fresh = None if total is None else total - (read or 0) - (write or 0)
        if fresh is not None and fresh < 0:
            raise ValueError(f"{total} input tokens with {read} read from and {write} written to a cache")
        return cls(
            input_fresh=fresh,
            cache_read=read,
            cache_write=write,
            output=count(output),
            reasoning=count(reasoning),
        )


def count(value: Any) -> int | None:
    """A number of a log as a count; None for what is none: `true`, a text, Infinity, a negative number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return round(value) if 0 <= value < MAX_TOKENS else None


def total(parts: Iterable[Tokens]) -> Tokens:
    """The sum, bucket by bucket; a bucket that one part lacks is missing from the sum."""
    known = list(parts)
    sums: dict[str, int | None] = {}
    for bucket in Tokens.model_fields:
        values = [getattr(tokens, bucket) for tokens in known]
        sums[bucket] = None if None in values or not values else sum(values)
    return Tokens(**sums)


def disagreement(tokens: Tokens, said: object = None) -> str:
    """What does not add up: reasoning is part of the output, and input + output is the total that was said.

    Returns
    -------
    str
        Empty if all is well, or too much is missing to tell.
    """
    if tokens.reasoning is not None and tokens.output is not None and tokens.reasoning > tokens.output:
        return f"{tokens.reasoning} reasoning tokens in an output of {tokens.output}"
    whole = count(said)
    if None not in (whole, tokens.input, tokens.output):
        assert tokens.input is not None and tokens.output is not None
        if whole != tokens.input + tokens.output:
            return f"{tokens.input} input and {tokens.output} output tokens, but {whole} in total"
    return ""
