"""Source lines, cyclomatic and cognitive complexity of Java as SonarQube counts them.

The rules are those of SonarJava 8.1. One query finds the constructs that count. Sorted by position they come
in the order in which a reader meets them, and a stack of those that are still open gives the nesting; nothing
is recursive, so deep nesting cannot overflow.

*Cyclomatic*: one for each method and constructor with a body (compact constructors, methods of anonymous and
local classes and of enum constants, default, static and private methods of interfaces), lambda, `if`,
conditional expression, loop (`for`, for-each, `while`, `do`), label that begins with `case` (one for
`case A, B`; `case null, default` too), `&&` and `||`. Not for types, methods without a body, `switch`,
`default`, `catch`, `try`, `throw`, `return`, initializer blocks and method references. What stands in a field
or an annotation counts like all else.

*Cognitive* is the sum over units. A unit is every initializer block, wherever it is, and every method or
constructor whose type is no anonymous class (and no body of an enum constant) and does not stand in another
method, unless an initializer block is in between. So what stands in an initializer block of an anonymous
class in a method counts for two units, once with the nesting in each. What is in no unit, for instance the
value of a field, adds nothing. In a unit:

- `if`, conditional expression, loop, `switch` statement and `catch` add 1 and the nesting they stand in; the
  `if` of an `else if` adds nothing, every `else` 1.
- Nested one deeper are: both branches of an `if`, the body of a `catch`, all parts of a loop, conditional
  expression, `switch` statement or lambda, classes and other types, the bodies of anonymous classes and of
  enum constants. The condition of an `if`, the blocks of `try` and `finally` and resources are not.
- A `switch` expression adds nothing and does not nest; what follows an arrow is an expression.
- A run of equal logical operators adds 1, and every change of the operator 1 more. Parentheses do not end a
  run, `!`, other operators and calls do: `a && b || c` adds 2, `a && (b && c)` 1, `a && !(b && c)` 2.
- `break` and `continue` with a label add 1. Recursion adds nothing.

*Source lines* (NCLOC): lines on which a token begins that is no comment. A text block is one token. No tokens
to SonarJava are: commas in `case A, B` and in record patterns, `permits`, `final` of a pattern, `[]` after
the last length in `new int[1][]`, the comma in `{,}`, a receiver parameter, dots in names of modules, and
what stands between the constants and the members of an enum beyond one comma or semicolon (so the `;` after a
trailing comma is none). One rule is left out since it is an error of the analyzer: of a record whose methods
stand before other members it may overlook the opening brace, which matters where a brace has its own line.

*Per function*: increments belong to the innermost method or constructor around them, those of lambdas and
initializer blocks to the function that these stand in. So the file's complexities are the sums over its
functions plus what stands outside them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import tree_sitter_java
from tree_sitter import Language, Node, Parser, Query, QueryCursor

from study.quality.counter import FileCounts, FunctionCounts, PeerCounts
from study.quality.java_text import SILENT_TOKENS, source_lines
from study.quality.peers import lizard_counts
from study.quality.trees import refuse_invalid, unix_lines

_CONSTRUCTS = """
[(class_declaration) (interface_declaration) (enum_declaration) (record_declaration)
 (annotation_type_declaration)] @type
(object_creation_expression (class_body)) @creation
(object_creation_expression (class_body) @anonymous)
(enum_constant body: (class_body)) @constant
(enum_constant body: (class_body) @anonymous)
(method_declaration body: (block)) @function
[(constructor_declaration) (compact_constructor_declaration)] @function
(static_initializer) @initializer
(class_body (block) @initializer)
(enum_body_declarations (block) @initializer)
(if_statement) @if
(if_statement "else" @else)
(if_statement alternative: (if_statement) @else_if)
(if_statement consequence: (_) @branch)
(if_statement alternative: (_) @branch)
[(for_statement) (enhanced_for_statement) (while_statement) (do_statement) (ternary_expression)] @loop
(switch_expression) @switch
(switch_label "case") @case
(catch_clause) @catch
(catch_clause body: (block) @branch)
(lambda_expression) @lambda
(binary_expression) @binary
(break_statement (identifier)) @jump
(continue_statement (identifier)) @jump
"""
_RANKS = {
    kind: rank
    for rank, kind in enumerate(
        (
            *("branch", "creation", "constant", "anonymous", "type", "function", "initializer"),
            *("if", "else", "loop", "switch", "case", "catch", "lambda", "binary", "jump"),
        )
    )
}
"""Of two constructs with the same text, the one that comes first here is the outer one."""
_HOLDERS = {
    *("block", "constructor_body", "switch_block_statement_group", "labeled_statement", "if_statement"),
    *("for_statement", "enhanced_for_statement", "while_statement", "do_statement"),
}
"""Of statements."""


class JavaCounter:
    """Counter of Java files."""

    endings: tuple[str, ...] = (".java",)

    def count(self, source: bytes) -> FileCounts:
        """Measure one file; see the module for the rules."""
        source = unix_lines(source)
        root = Parser(_language()).parse(source).root_node
        refuse_invalid(root, source)
        found = QueryCursor(_query()).captures(root)
        complexity = _read_complexity(root, found)
        return FileCounts(
            sloc=source_lines(source, found),
            cyclomatic=sum(tally.cyclomatic for tally in complexity),
            cognitive=sum(tally.cognitive for tally in complexity),
            functions=complexity[1:],
        )

    def peers(self, file: str, source: bytes) -> PeerCounts:
        """Lizard's numbers."""
        sloc, cyclomatic, cognitive = lizard_counts(file, source.decode("utf-8-sig"))
        return PeerCounts(lizard_sloc=sloc, lizard_cyclomatic=cyclomatic, lizard_cognitive=cognitive)


@cache
def _language() -> Language:
    return Language(tree_sitter_java.language())


@cache
def _query() -> Query:
    return Query(_language(), _CONSTRUCTS + SILENT_TOKENS)


class _Frame(NamedTuple):
    """An open construct: what holds for all code up to byte `end`."""

    end: int
    nesting: tuple[int, ...]
    """In each of the units around, the outermost first; empty outside of units."""
    tally: FunctionCounts
    """Of the innermost function, or of the code outside functions."""
    names: tuple[str, ...] = ()
    in_function: bool = False
    """With no initializer block in between."""
    in_anonymous: bool = False
    """The innermost type is an anonymous class or the body of an enum constant."""

    def deeper(self, node: Node) -> _Frame:
        return self._replace(end=node.end_byte, nesting=tuple(depth + 1 for depth in self.nesting))


def _read_complexity(root: Node, found: dict[str, list[Node]]) -> list[FunctionCounts]:
    """Cyclomatic and cognitive complexity: first of the code outside functions, then of each function."""
    tallies = [FunctionCounts("", 1)]
    stack = [_Frame(root.end_byte + 1, (), tallies[0])]
    else_ifs = {node.id for node in found.get("else_if", [])}
    counted: set[int] = set()
    for kind, node in _in_reading_order(found):
        while node.start_byte >= stack[-1].end:
            stack.pop()
        frame = stack[-1]
        tally, units = frame.tally, len(frame.nesting)
        match kind:
            case "if":
                tally.cyclomatic += 1
                if node.id not in else_ifs:
                    tally.cognitive += units + sum(frame.nesting)
            case "switch" if not _is_statement(node):
                pass
            case "loop" | "switch":
                tally.cyclomatic += kind == "loop"
                tally.cognitive += units + sum(frame.nesting)
                stack.append(frame.deeper(node))
            case "catch":
                tally.cognitive += units + sum(frame.nesting)
            case "else" | "jump":
                tally.cognitive += units
            case "case":
                tally.cyclomatic += 1
            case "binary" if _logical_operator(node):
                tally.cyclomatic += 1
                if node.id not in counted:
                    tally.cognitive += units * _runs(node, counted)
            case "binary":
                pass  # a query for the logical ones takes quadratic time on long chains
            case "branch":
                if node.id not in else_ifs:
                    stack.append(frame.deeper(node))
            case "lambda":
                tally.cyclomatic += 1
                stack.append(frame.deeper(node))
            case "initializer":
                stack.append(
                    frame._replace(end=node.end_byte, nesting=(*frame.nesting, 0), in_function=False)
                )
            case "function":
                stack.append(_function(node, frame))
                tallies.append(stack[-1].tally)
            case _:
                stack.append(_type(kind, node, frame))
    return tallies


def _in_reading_order(found: dict[str, list[Node]]) -> Iterator[tuple[str, Node]]:
    """Outer before inner, early before late."""
    events = [
        (node.start_byte, -node.end_byte, rank, kind, node)
        for kind, rank in _RANKS.items()
        for node in found.get(kind, [])
    ]
    events.sort(key=lambda event: event[:3])
    return ((kind, node) for _, _, _, kind, node in events)


def _function(node: Node, frame: _Frame) -> _Frame:
    """Start a method or constructor."""
    name = node.child_by_field_name("name") or node
    names = (*frame.names, _text(name))
    tally = FunctionCounts(".".join(names), name.start_point.row + 1, cyclomatic=1)
    is_unit = not (frame.in_function or frame.in_anonymous)
    nesting = (*frame.nesting, 0) if is_unit else frame.nesting
    return frame._replace(end=node.end_byte, nesting=nesting, tally=tally, names=names, in_function=True)


def _type(kind: str, node: Node, frame: _Frame) -> _Frame:
    """Start a type; an anonymous one has its name from the expression or constant, its code from the body."""
    if kind == "anonymous":
        return frame.deeper(node)._replace(in_anonymous=True)
    if kind == "creation":
        made = node.child_by_field_name("type")
        return frame._replace(end=node.end_byte, names=(*frame.names, f"new {_text(made)}"))
    names = (*frame.names, _text(node.child_by_field_name("name")))
    if kind == "constant":
        return frame._replace(end=node.end_byte, names=names)
    return frame.deeper(node)._replace(names=names, in_anonymous=False)


def _text(node: Node | None) -> str:
    return " ".join((node.text if node is not None and node.text else b"").decode().split())


def _is_statement(switch: Node) -> bool:
    """The grammar does not tell the statement from the expression; where it stands does."""
    parent = switch.parent
    if parent is not None and parent.type == "expression_statement":  # `switch (x) { };`
        return parent.parent is not None and parent.parent.type != "switch_rule"
    return parent is not None and parent.type in _HOLDERS


def _runs(operator: Node, counted: set[int]) -> int:
    """Runs of equal operators in a chain of `&&` and `||`, read from left to right; all are `counted`."""
    runs, previous = 0, ""
    waiting: list[tuple[Node, str]] = []
    node: Node | None = operator
    while node is not None or waiting:
        if node is not None:
            symbol = _logical_operator(node)
            if symbol:
                waiting.append((node, symbol))
                node = node.child_by_field_name("left")
            else:
                node = _in_parentheses(node)
            continue
        node, symbol = waiting.pop()
        counted.add(node.id)
        if symbol != previous:
            runs, previous = runs + 1, symbol
        node = node.child_by_field_name("right")
    return runs


def _logical_operator(node: Node) -> str:
    symbol = node.child_by_field_name("operator") if node.type == "binary_expression" else None
    return symbol.type if symbol is not None and symbol.type in {"&&", "||"} else ""


def _in_parentheses(node: Node) -> Node | None:
    """What a pair of parentheses holds, comments aside; None for any other operand."""
    if node.type != "parenthesized_expression":
        return None
    return next((child for child in node.named_children if not child.is_extra), None)
