"""Cyclomatic and cognitive complexity of Java; `study.quality.java` has the rules.

One query finds the constructs that count. Sorted by position they come in the order in which a reader meets
them, and a stack of those that are still open gives the nesting.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from study.quality.counter import FunctionCounts

CONSTRUCTS = """
[(class_declaration) (interface_declaration) (enum_declaration) (record_declaration)
 (annotation_type_declaration)] @type
(object_creation_expression (class_body)) @creation
(object_creation_expression (class_body) @anonymous)
(enum_constant) @constant
[(field_declaration) (constant_declaration)] @field
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
            *("branch", "creation", "constant", "anonymous", "type", "function", "initializer", "field"),
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


class _Frame(NamedTuple):
    """An open construct: what holds for all code up to byte `end`."""

    end: int
    nesting: tuple[int, ...]
    """In each of the units around, the outermost first; empty outside of units."""
    tally: FunctionCounts
    """Of the innermost function, or of the code outside functions."""
    names: tuple[str, ...] = ()
    in_function: bool = False
    """With no lambda, field, enum constant or initializer block in between."""
    in_anonymous: bool = False
    """The innermost type is an anonymous class or the body of an enum constant."""

    def deeper(self, node: Node) -> _Frame:
        return self._replace(end=node.end_byte, nesting=tuple(depth + 1 for depth in self.nesting))


def read_complexity(root: Node, found: dict[str, list[Node]]) -> list[FunctionCounts]:
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
                stack.append(frame.deeper(node)._replace(in_function=False))
            case "field":
                stack.append(frame._replace(end=node.end_byte, in_function=False))
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
        return frame._replace(end=node.end_byte, names=names, in_function=False)
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
