"""What radon and lizard count on the same files, for readers who know those tools.

They follow other rules, so their numbers differ from SonarQube's: radon and lizard count `elif`, `except` and
comprehensions, and radon's and lizard's complexity is a sum over functions, without module-level code.
"""

from __future__ import annotations

from dataclasses import dataclass

import lizard
from radon.complexity import cc_visit
from radon.raw import analyze


@dataclass(frozen=True)
class PeerCount:
    """None where the tool cannot read the text, for instance syntax newer than the running Python."""

    radon_sloc: int | None
    radon_cyclomatic: int | None
    lizard_sloc: int | None
    lizard_cyclomatic: int | None
    lizard_cognitive: int | None


def count_peers(text: str) -> PeerCount:
    """Run both tools on the text of one Python file."""
    radon_sloc, radon_cyclomatic = _radon(text)
    return PeerCount(radon_sloc, radon_cyclomatic, *_lizard(text))


def _radon(text: str) -> tuple[int | None, int | None]:
    try:
        return analyze(text).sloc, sum(block.complexity for block in cc_visit(text) if not _is_class(block))
    except (SyntaxError, ValueError, RecursionError, IndexError):
        return None, None


def _is_class(block: object) -> bool:
    """Radon lists a class beside its methods; counting both would count the methods twice."""
    return type(block).__name__ == "Class"


def _lizard(text: str) -> tuple[int | None, int | None, int | None]:
    # a new analyser for each file: it keeps state, and runs are measured on several threads
    analyser = lizard.FileAnalyzer(lizard.get_extensions(["cognitive"]))
    try:
        info = analyser.analyze_source_code("file.py", text)
    except (ValueError, IndexError, RecursionError, AttributeError):
        return None, None, None
    functions = info.function_list
    cognitive = sum(function.cognitive_complexity for function in functions)
    return info.nloc, sum(function.cyclomatic_complexity for function in functions), cognitive
