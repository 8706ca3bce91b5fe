"""Source lines, cyclomatic and cognitive complexity of Python as SonarQube counts them.

The rules are those of SonarPython 4.19. The grammar is tree-sitter's and not that of the running
interpreter, so that the numbers do not depend on its version. One query finds the constructs that count.
Sorted by position they come in the order in which a reader meets them, and a stack of those that are still
open gives the nesting; nothing is recursive, so deep nesting cannot
overflow.

*Cyclomatic*: one for each `def` (nested ones too), `if` statement, `for` and `while` loop, conditional
expression, `and`, `or`, and `if` of a comprehension. Not for `elif`, `else`, `except`, `with`, `assert`,
`lambda`, `match`, `case`, the guard of a case, and the `for` of a comprehension.

*Cognitive*, over the whole file, module level included:

- `if`, `for`, `while`, `except` and a conditional expression add 1 and the nesting they stand in.
- `elif` and every `else` of a statement (also that of a loop or a `try`) add 1.
- A run of equal boolean operators adds 1, and every change of the operator 1 more. Parentheses and `not`
  end a run: `a and b and c or d` adds 2, `(a and b) or c` adds 2, `a and (b and c)` adds 2.
- The blocks of `if`, `elif`, `else`, loops, `except` and `case` nest what is in them; those of `try`,
  `finally`, `with`, `class` and `def` do not. A condition stands at the nesting of its statement, all three
  parts of a conditional expression one deeper than itself. Comprehensions and lambdas change nothing.
- A `def` directly in a module or a class starts at nesting 0, whatever `if` it stands in; one in a function
  one deeper than the place where it stands, or as deep if all other statements of the outer function are
  `return name` (a decorator; a docstring is another statement). A class starts at 0. Decorators, default
  values and base classes belong to what they decorate or define.

*Source lines* (NCLOC): lines with at least one token that is no comment. A string covers all its lines, so
blank lines and `#` in it count. Lines of a docstring do not count, even if there is other code on them; the
first statement of a module, class or function is its docstring if it is one string literal (of any prefix,
implicit concatenation included), without parentheses. Of an f-string in that place only the line with the
opening quotes is left out. Parentheses and commas of `from x import (...)` are no tokens.

*Per function*: increments belong to the innermost `def` around them, those of a lambda to the function that
it stands in. So the file's complexities are the sums over its functions plus what stands at module level
and in class bodies.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import tree_sitter_python
from tree_sitter import Language, Node, Parser, Query, QueryCursor

from study.quality.counter import FileCounts, FunctionCounts, PeerCounts
from study.quality.peers import complexipy_count, lizard_counts, radon_counts
from study.quality.python_text import (
    body_of,
    refuse_misaligned,
    source_lines,
    statements_of,
)
from study.quality.trees import refuse_invalid, unix_lines

_CONSTRUCTS = """
[(if_statement) (for_statement) (while_statement)] @branch
(conditional_expression) @conditional
(except_clause) @handler
[(elif_clause) (else_clause)] @alternative
(boolean_operator) @boolean
(list_comprehension (if_clause) @filter)
(set_comprehension (if_clause) @filter)
(dictionary_comprehension (if_clause) @filter)
(generator_expression (if_clause) @filter)
(if_statement consequence: (block) @nest)
(elif_clause consequence: (block) @nest)
(else_clause body: (block) @nest)
(for_statement body: (block) @nest)
(while_statement body: (block) @nest)
(except_clause (block) @nest)
(case_clause consequence: (block) @nest)
[(function_definition) (class_definition)] @definition
(decorated_definition) @decorated
[(string) @string (import_from_statement) @import (future_import_statement) @import]
(block) @block
"""
_NAME = {"identifier", "true", "false"}
"""`True` and `False` are names to SonarPython, `None` is not."""


class PythonCounter:
    """Counter of Python files."""

    endings: tuple[str, ...] = (".py",)

    def count(self, source: bytes) -> FileCounts:
        """Measure one file; see the module for the rules."""
        source = unix_lines(source)
        root = Parser(_language()).parse(source).root_node
        refuse_invalid(root, source)
        found = QueryCursor(_query()).captures(root)
        lines = source.split(b"\n")
        refuse_misaligned(root, found.get("block", []), lines)
        complexity = read_complexity(root, found)
        return FileCounts(
            sloc=len(source_lines(root, found, lines)),
            cyclomatic=sum(tally.cyclomatic for tally in complexity),
            cognitive=sum(tally.cognitive for tally in complexity),
            functions=complexity[1:],
        )

    def peers(self, file: str, source: bytes) -> PeerCounts:
        """Radon's, lizard's and complexipy's numbers."""
        text = source.decode("utf-8-sig")
        return PeerCounts(*radon_counts(text), *lizard_counts(file, text), complexipy_count(text))


@cache
def _language() -> Language:
    return Language(tree_sitter_python.language())


@cache
def _query() -> Query:
    return Query(_language(), _CONSTRUCTS)


class _Frame(NamedTuple):
    """An open construct: what holds for all code up to byte `end`."""

    end: int
    nesting: int
    tally: FunctionCounts
    """Of the innermost function, or of the module."""
    names: tuple[str, ...] = ()
    definition: Node | None = None
    """The innermost function or class; None in the module."""


def read_complexity(root: Node, found: dict[str, list[Node]]) -> list[FunctionCounts]:
    """Cyclomatic and cognitive complexity: first of the code outside functions, then of each function."""
    tallies = [FunctionCounts("", 1)]
    stack = [_Frame(root.end_byte + 1, 0, tallies[0])]
    counted: set[int] = set()
    for kind, node in _in_reading_order(found):
        while node.start_byte >= stack[-1].end:
            stack.pop()
        frame = stack[-1]
        tally = frame.tally
        match kind:
            case "branch" | "conditional":
                tally.cyclomatic += 1
                tally.cognitive += 1 + frame.nesting
            case "handler":
                tally.cognitive += 1 + frame.nesting
            case "alternative":
                tally.cognitive += 1
            case "filter":
                tally.cyclomatic += 1
            case "boolean":
                tally.cyclomatic += 1
                if node.id not in counted:
                    tally.cognitive += _runs(node, counted)
            case "definition" | "decorated":
                _open_definition(node, stack, tallies)
        if kind in {"nest", "conditional"}:
            stack.append(frame._replace(end=node.end_byte, nesting=frame.nesting + 1))
    return tallies


def _in_reading_order(found: dict[str, list[Node]]) -> Iterator[tuple[str, Node]]:
    """Outer before inner, early before late; a block, which can be as long as what is in it, goes first."""
    kinds = ("nest", "decorated", "definition", "branch", "handler", "alternative", "conditional", "boolean")
    events = [
        (node.start_byte, -node.end_byte, rank, kind, node)
        for rank, kind in enumerate((*kinds, "filter"))
        for node in found.get(kind, [])
    ]
    events.sort(key=lambda event: event[:3])
    return ((kind, node) for _, _, _, kind, node in events)


def _open_definition(node: Node, stack: list[_Frame], tallies: list[FunctionCounts]) -> None:
    """Start a function or class, at its first decorator if it has one."""
    frame, start = stack[-1], node
    if node.type == "decorated_definition":
        node = node.child_by_field_name("definition") or node
    elif frame.definition == node:
        return  # open since its first decorator
    name = node.child_by_field_name("name")
    names = (*frame.names, name.text.decode() if name is not None and name.text else "")
    tally, nesting = frame.tally, 0
    if node.type == "function_definition":
        tally = FunctionCounts(".".join(names), node.start_point.row + 1, cyclomatic=1)
        tallies.append(tally)
        outer = frame.definition
        if outer is not None and outer.type == "function_definition":
            nesting = frame.nesting + (not _is_decorator(outer, start))
    stack.append(_Frame(start.end_byte, nesting, tally, names, node))


def _is_decorator(outer: Node, inner: Node) -> bool:
    """True if a function has only this inner definition and statements that return a name."""
    return all(
        statement == inner or _returns_a_name(statement) for statement in statements_of(body_of(outer))
    )


def _returns_a_name(statement: Node) -> bool:
    parts = statements_of(statement)
    if len(parts) == 1 and parts[0].type == "expression_list":
        parts = statements_of(parts[0])  # SonarPython does not tell `return name,` from `return name`
    return statement.type == "return_statement" and len(parts) == 1 and parts[0].type in _NAME


def _runs(operator: Node, counted: set[int]) -> int:
    """Runs of equal operators in a chain of `and` and `or`, read from left to right; all are `counted`."""
    runs, previous = 0, ""
    waiting: list[Node] = []
    node: Node | None = operator
    while node is not None or waiting:
        if node is not None and node.type == "boolean_operator":
            waiting.append(node)
            node = node.child_by_field_name("left")
            continue
        if not waiting:
            break
        node = waiting.pop()
        counted.add(node.id)
        symbol = node.child_by_field_name("operator")
        if symbol is not None and symbol.type != previous:
            runs, previous = runs + 1, symbol.type
        node = node.child_by_field_name("right")
    return runs
