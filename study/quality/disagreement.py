"""Where and why other tools count other numbers than SonarQube's rules.

The choice of tool moves a study's conclusion. `disagreement` shows by how much, file by file; `causes` says
why for cyclomatic complexity, by counting in the tree what a tool counts and SonarQube does not, or the
reverse.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import pandas as pd
import tree_sitter_java
import tree_sitter_python
from tree_sitter import Language, Node, Parser, Query, QueryCursor

from study.quality import COUNTERS, FunctionCounts
from study.quality.peers import lizard_functions, radon_functions
from study.quality.reading import read_source
from study.quality.survey import MeasuredFile, survey
from study.quality.trees import unix_lines

PEERS = {
    "sloc": ("radon_sloc", "lizard_sloc"),
    "cyclomatic": ("radon_cyclomatic", "lizard_cyclomatic"),
    "cognitive": ("lizard_cognitive", "complexipy_cognitive"),
}
"""The numbers of other tools, by metric; named `<tool>_<metric>`."""

_GRAMMARS: dict[str, Callable[[], object]] = {
    "java": tree_sitter_java.language,
    "python": tree_sitter_python.language,
}
_CONSTRUCTS = {
    "java": """
        (method_declaration body: (block)) @function
        [(constructor_declaration) (compact_constructor_declaration)] @function
        (catch_clause) @catch
        (lambda_expression) @lambda
        (method_declaration !body) @method_without_body
        (if_statement alternative: (if_statement) @else_if)
        (switch_label "default") @default
        """,
    "python": """
        (function_definition) @function
        (elif_clause) @elif
        (except_clause) @except
        (finally_clause) @finally
        (for_in_clause) @comprehension_for
        (assert_statement) @assert
        (case_clause) @case
        (for_statement (else_clause) @loop_else)
        (while_statement (else_clause) @loop_else)
        (try_statement (else_clause) @try_else)
        (lambda) @lambda
        (with_statement) @with
        """,
}
_COUNTED = {
    ("lizard", "java"): {"catch": 1, "lambda": -1},
    ("lizard", "python"): {"elif": 1, "except": 1, "finally": 1, "comprehension_for": 1},
    ("radon", "python"): dict.fromkeys(
        ("elif", "except", "comprehension_for", "assert", "case", "loop_else", "try_else"), 1
    ),
}
"""What a construct in a function that the tool sees adds to its number, compared with SonarQube's."""


def disagreement(paths: Sequence[Path], exclude: Sequence[str] = ()) -> pd.DataFrame:
    """The numbers of all tools, file by file, in Python and Java.

    Parameters
    ----------
    paths, exclude
        As in `study.quality.survey.survey`.

    Returns
    -------
    DataFrame
        One row per file, metric (`sloc`, `cyclomatic`, `cognitive`) and other tool that has it for the
        language: `path`, `language`, `metric`, `tool`, `sonarqube` (the number by its rules), `value` (the
        tool's) and `difference` (the tool's minus SonarQube's); missing where the tool cannot read the file.
    """
    rows = [
        {
            "path": file.path,
            "language": file.language,
            "metric": metric,
            "tool": peer.split("_")[0],
            "sonarqube": getattr(file, metric),
            "value": getattr(file.peers, peer),
        }
        for file in _files(paths, exclude)
        for metric, peers in PEERS.items()
        for peer in peers
        if file.language == "python" or peer.startswith("lizard")
    ]
    frame = pd.DataFrame(rows, columns=["path", "language", "metric", "tool", "sonarqube", "value"])
    frame = frame.astype({"sonarqube": "Int64", "value": "Int64"})
    return frame.assign(difference=frame["value"] - frame["sonarqube"])


def causes(paths: Sequence[Path], exclude: Sequence[str] = ()) -> pd.DataFrame:
    """Why lizard's and radon's cyclomatic complexity differ from SonarQube's, file by file.

    Returns
    -------
    DataFrame
        One row per file, tool and cause: `path`, `language`, `tool`, `cause`, `count` (how often it occurs)
        and `amount` (what it adds to the tool's number). Causes are constructs (`catch`, `elif`, ...),
        functions that the tool does not see (`unseen_functions`, with their whole complexity) or sees where
        there are none (`phantom_functions`), code outside functions (`outside_functions`), constructs that
        both leave out (amount 0, for instance `method_without_body`), and the rest (`unexplained`). The
        amounts of a file and tool add up to the difference. Files that the tool cannot read have no rows.
    """
    rows: list[tuple[str | int, ...]] = []
    for file in _files(paths, exclude):
        for tool in ("lizard", "radon"):
            if (tool, file.language) in _COUNTED and getattr(file.peers, f"{tool}_cyclomatic") is not None:
                rows += [(file.path, file.language, tool, *cause) for cause in _causes(file, tool)]
    return pd.DataFrame(rows, columns=["path", "language", "tool", "cause", "count", "amount"])


def _files(paths: Sequence[Path], exclude: Sequence[str]) -> list[MeasuredFile]:
    found = survey(paths, exclude, peers=True, languages=tuple(_GRAMMARS))
    return found.files


def _causes(file: MeasuredFile, tool: str) -> list[tuple[str, int, int]]:
    """Name, number of occurrences and what they add."""
    source = read_source(Path(file.path))
    text = source.decode("utf-8-sig")
    seen_by_tool = lizard_functions(file.path, text) if tool == "lizard" else radon_functions(text)
    counts = COUNTERS[file.language].count(source)
    unseen: list[FunctionCounts] = []
    lines = Counter(line for line, _ in seen_by_tool)
    for function in counts.functions:
        if lines[function.line]:
            lines[function.line] -= 1
        else:
            unseen.append(function)
    phantoms = [cyclomatic for line, cyclomatic in seen_by_tool if lines[line] > 0]
    outside = counts.cyclomatic - sum(function.cyclomatic for function in counts.functions)
    result = [
        ("unseen_functions", len(unseen), -sum(function.cyclomatic for function in unseen)),
        ("phantom_functions", len(phantoms), sum(phantoms)),
        ("outside_functions", outside, -outside),
    ]
    unseen_lines = {function.line for function in unseen}
    weights = _COUNTED[tool, file.language]
    for construct, lines_around in _constructs(file.language, source).items():
        seen = sum(line is not None and line not in unseen_lines for line in lines_around)
        result.append((construct, len(lines_around), weights.get(construct, 0) * seen))
    difference = getattr(file.peers, f"{tool}_cyclomatic") - file.cyclomatic
    rest = difference - sum(amount for _, _, amount in result)
    return [*result, ("unexplained", int(rest != 0), rest)]


def _constructs(language: str, source: bytes) -> dict[str, list[int | None]]:
    """Of each construct, the lines of the innermost functions around it, None where there is none."""
    parser, query = _grammar(language)
    found = QueryCursor(query).captures(parser.parse(unix_lines(source)).root_node)
    functions = sorted(found.pop("function", []), key=lambda node: node.start_byte)
    starts = [node.start_byte for node in functions]
    return {
        name: [_line_around(node, functions, starts) for node in nodes]
        for name, nodes in sorted(found.items())
    }


@cache
def _grammar(language: str) -> tuple[Parser, Query]:
    grammar = Language(_GRAMMARS[language]())
    return Parser(grammar), Query(grammar, _CONSTRUCTS[language])


def _line_around(node: Node, functions: list[Node], starts: list[int]) -> int | None:
    """Line of the name of the innermost function around a node."""
    for function in reversed(functions[: bisect_right(starts, node.start_byte)]):
        if node.end_byte <= function.end_byte and function != node:
            name = function.child_by_field_name("name") or function
            return name.start_point.row + 1
    return None
