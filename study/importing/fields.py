"""What a table of runs can hold: the fields, their units, and the names by which they are recognised."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Holds = Literal["level", "number", "count"]


@dataclass(frozen=True)
class Field:
    """One field of a run.

    Attributes
    ----------
    meaning : str
        In words, with the unit of the dataset.
    holds : str
        `level` (text), `number` (0 or more) or `count` (a whole number, 0 or more).
    units : mapping
        Units in which a column may be given, with the factor to the unit of the dataset.
    names : tuple of str
        Headings by which a column is recognised, in small letters without spaces, signs and units.
    """

    meaning: str
    holds: Holds = "number"
    units: Mapping[str, float] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    default_unit: str | None = None
    """The unit if none is given; None: a unit has to be given."""


_TIME = {"ms": 1 / 60_000, "s": 1 / 60, "min": 1.0, "h": 60.0}
_TOKENS = {"tokens": 1.0, "K": 1e3, "M": 1e6}
_RATE = {"percent": 1.0, "fraction": 100.0}
_COST = {"USD": 1.0, "cent": 0.01}


def _level(meaning: str, *names: str) -> Field:
    return Field(meaning, "level", names=names)


def _rate(meaning: str, *names: str) -> Field:
    return Field(meaning, "number", _RATE, names)


def _tokens(meaning: str, *names: str) -> Field:
    return Field(meaning, "number", _TOKENS, names, "tokens")


FIELDS: dict[str, Field] = {
    "agent": _level("agent under study", "agent", "tool", "llm", "assistant", "codingagent"),
    "model": _level("model of the agent", "model", "modelid"),
    "project": _level("microservice system", "project", "system", "repo", "repository", "application"),
    "service": _level("target service", "service", "microservice", "targetservice", "target", "servicename"),
    "scenario": _level("what the agent may see", "scenario", "setting", "mode", "generationmode", "task"),
    "prompt": _level("prompt", "prompt", "prompttype", "promptlevel", "promptvariant"),
    "condition": _level(
        "scenario and prompt in one, such as Inc-P1", "condition", "configuration", "config", "treatment"
    ),
    "replicate": Field(
        "repeat number, from 1", "count", names=("replicate", "repeat", "rep", "repetition", "trial")
    ),
    "outcome": _level("how the run ended", "outcome", "status"),
    "oracle": _level("tests that score the run: unit or integration", "oracle", "testtype"),
    "language": _level("language of the project", "language", "lang"),
    "pass_rate": _rate("passed tests, in percent", "passrate", "testpassrate", "passingrate", "rate", "pass"),
    "tests_passed": Field(
        "passed tests", "count", names=("testspassed", "passed", "passedtests", "passing", "numpassed")
    ),
    "tests_total": Field(
        "all tests", "count", names=("teststotal", "tests", "total", "totaltests", "numtests", "ntests")
    ),
    "time": Field(
        "duration of the agent's work, in minutes", "number", _TIME,
        ("time", "duration", "elapsed", "generationtime", "runtime", "timeelapsed", "elapsedtime"),
    ),
    "cost": Field(
        "cost of the run, in USD", "number", _COST, ("cost", "totalcost", "price", "apicost"), "USD"
    ),
    "input_tokens": _tokens(
        "input, cache included", "inputtokens", "input", "tokensin", "prompttokens", "tokensinput", "intokens"
    ),
    "output_tokens": _tokens(
        "output", "outputtokens", "output", "tokensout", "completiontokens", "tokensoutput", "outtokens"
    ),
    "cache_read_tokens": _tokens("input read from a cache", "cachereadtokens", "cachedtokens", "cacheread"),
    "sloc": Field("lines of the generated service", "count", names=("sloc", "loc", "ncloc", "linesofcode")),
    "cyclomatic": Field(
        "cyclomatic complexity of the generated service", "count",
        names=("cyclomatic", "cyclomaticcomplexity", "cc", "complexity"),
    ),
    "cognitive": Field(
        "cognitive complexity of the generated service", "count",
        names=("cognitive", "cognitivecomplexity", "cogc"),
    ),
    "reference_sloc": Field(
        "lines of the original", "count",
        names=("referencesloc", "originalsloc", "baselinesloc", "originalloc", "slocoriginal"),
    ),
    "reference_cyclomatic": Field(
        "cyclomatic complexity of the original", "count",
        names=("referencecyclomatic", "originalcyclomatic", "baselinecyclomatic", "cyclomaticoriginal",
               "originalcc"),
    ),
    "reference_cognitive": Field(
        "cognitive complexity of the original", "count",
        names=("referencecognitive", "originalcognitive", "baselinecognitive", "cognitiveoriginal",
               "originalcogc"),
    ),
    "baseline": _rate(
        "pass rate of the original, in percent", "baseline", "baselinepassrate", "ceiling",
        "originalpassrate", "referencepassrate",
    ),
    "floor": _rate("pass rate without the target, in percent", "floor", "floorpassrate"),
}  # fmt: skip
"""All fields that a column of a table of runs may be mapped to."""

UNIT_WORDS = {
    "ms": "ms", "milliseconds": "ms", "s": "s", "sec": "s", "secs": "s", "second": "s", "seconds": "s",
    "min": "min", "mins": "min", "minute": "min", "minutes": "min", "h": "h", "hr": "h", "hour": "h",
    "hours": "h", "k": "K", "thousand": "K", "thousands": "K", "m": "M", "mio": "M", "million": "M",
    "millions": "M", "percent": "percent", "pct": "percent", "%": "percent", "fraction": "fraction",
    "share": "fraction", "ratio": "fraction", "usd": "USD", "$": "USD", "dollar": "USD", "dollars": "USD",
    "cent": "cent", "cents": "cent", "tokens": "tokens",
}  # fmt: skip
"""Words for units as they stand in headings."""

SCENARIOS = {
    "incremental": "incremental", "inc": "incremental", "incr": "incremental",
    "cleanstate": "clean_state", "clean": "clean_state", "cs": "clean_state",
}  # fmt: skip
"""Usual spellings of the scenarios, without spaces and signs."""
PROMPTS = {
    "minimal": "minimal", "p1": "minimal", "prompt1": "minimal",
    "summary": "summary", "p2": "summary", "prompt2": "summary", "detailed": "summary",
}  # fmt: skip
"""Usual spellings of the prompts; the paper calls P2 the detailed one."""
LEVELS: dict[str, Mapping[str, str]] = {"scenario": SCENARIOS, "prompt": PROMPTS}


def plain(text: str) -> str:
    """Letters and digits only, in small letters: how headings and levels are compared."""
    return "".join(letter for letter in text.lower() if letter.isalnum())
