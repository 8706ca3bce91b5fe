"""Radon's, lizard's and complexipy's numbers for the same file, for readers who know those tools.

Radon and lizard follow other rules than SonarQube. Radon's SLOC leaves out every statement that is only a
string; lizard's NLOC is close to SonarQube's. Both sum cyclomatic complexity over functions, so without code
outside them, and count `elif`, `except` and comprehensions; radon counts `assert` and `case` too, and leaves
out functions in functions and classes in classes, as its command line does; lizard does not see a function
that is written on one line. Of Java, lizard counts `catch` and may not see classes right after an annotation
with arguments; radon and complexipy do not read Java. Complexipy sums cognitive complexity over functions and
the code outside them; it differs on nested functions, `else` of loops and runs of boolean operators.
"""

from __future__ import annotations

import ast
import threading
import warnings

import complexipy
import lizard
from radon.complexity import cc_visit_ast
from radon.raw import analyze
from radon.visitors import Function

_MAX_SQUARES = 100_000
"""Radon tokenizes a statement afresh for each of its lines; more than this takes seconds to minutes."""
_ONE_AT_A_TIME = threading.Lock()
"""Warning filters belong to the process, and runs are measured on several threads."""


def radon_counts(text: str) -> tuple[int | None, int | None]:
    """SLOC, and cyclomatic complexity summed over functions and methods.

    None for what radon cannot say: it depends on the parser of the running Python, and it is too slow for
    statements of many lines.
    """
    try:
        with _ONE_AT_A_TIME, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
        complexity = sum(block.complexity for block in cc_visit_ast(tree) if isinstance(block, Function))
        sloc = analyze(text).sloc if _sum_of_squares(tree) <= _MAX_SQUARES else None
    except Exception:  # a peer that fails must never stop a run
        return None, None
    return sloc, complexity


def _sum_of_squares(tree: ast.Module) -> int:
    """Squared numbers of lines of all statements; of compound ones, of the header."""
    total = 0
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            last = body[0].lineno if body else node.end_lineno or node.lineno
            total += (last - node.lineno) ** 2
    return total


def radon_functions(text: str) -> list[tuple[int, int]]:
    """Line and cyclomatic complexity of each function that radon sees; none if it cannot read the file."""
    try:
        with _ONE_AT_A_TIME, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            blocks = cc_visit_ast(ast.parse(text))
    except Exception:  # as above
        return []
    return [(block.lineno, block.complexity) for block in blocks if isinstance(block, Function)]


def lizard_counts(file: str, text: str) -> tuple[int | None, int | None, int | None]:
    """NLOC of the file, and cyclomatic and cognitive complexity summed over functions."""
    info = _lizard(file, text)
    if info is None:
        return None, None, None
    functions = info.function_list
    return (
        info.nloc,
        sum(function.cyclomatic_complexity for function in functions),
        sum(function.cognitive_complexity for function in functions),
    )


def lizard_functions(file: str, text: str) -> list[tuple[int, int]]:
    """Line and cyclomatic complexity of each function that lizard sees; none if it cannot read the file."""
    info = _lizard(file, text)
    return [(each.start_line, each.cyclomatic_complexity) for each in info.function_list] if info else []


def _lizard(file: str, text: str) -> lizard.FileInformation | None:
    """Lizard's own entry point prints an error and returns half a result; here a failure is None."""
    try:
        builder = lizard.FileInfoBuilder(file)
        reader = lizard.get_reader_for(file)(builder)
        tokens = reader.generate_tokens(text)
        for extension in lizard.get_extensions(["cognitive"]):
            tokens = extension(tokens, reader)
        for _ in reader(tokens, reader):
            pass
    except Exception:  # as above
        return None
    return builder.fileinfo


def complexipy_count(text: str) -> int | None:
    """Cognitive complexity of a Python file; None for what complexipy's parser refuses."""
    try:
        return complexipy.code_complexity(text).complexity
    except Exception:  # as above
        return None
