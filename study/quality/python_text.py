"""The text of Python files: which lines count, and what is no Python although the grammar takes it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from study.quality.counter import NotSourceError

_NO_STATEMENT = {"comment", "line_continuation"}
_ONLY_BRACKETS = re.compile(rb"[(),\s\\]*(#.*)?")


def body_of(definition: Node) -> Node:
    """The block of a function or class."""
    return definition.child_by_field_name("body") or definition


def statements_of(node: Node) -> list[Node]:
    """The statements of a block, or the parts of a statement, without comments in between."""
    return [child for child in node.named_children if child.type not in _NO_STATEMENT]


def source_lines(root: Node, found: dict[str, list[Node]], lines: list[bytes]) -> set[int]:
    """Rows, from 0, that count as source lines."""
    rows = {row for row, line in enumerate(lines) if _has_token(line.strip())}
    for string in found.get("string", []):
        if string.start_point.row != string.end_point.row:
            rows.update(_string_rows(string))
    for statement in found.get("import", []):
        for row in range(statement.start_point.row + 1, statement.end_point.row + 1):
            if _ONLY_BRACKETS.fullmatch(lines[row]):
                rows.discard(row)
    for body in (root, *map(body_of, found.get("definition", []))):
        rows -= _docstring_rows(body)
    return rows


def _has_token(line: bytes) -> bool:
    return bool(line) and not line.startswith(b"#") and line != b"\\"


def _string_rows(string: Node) -> Iterator[int]:
    """Rows of a string; what stands in the braces of an f-string is code like any other."""
    start = string.start_point.row
    for part in string.named_children:
        if part.type == "interpolation":
            yield from range(start, part.start_point.row + 1)
            start = part.end_point.row
    yield from range(start, string.end_point.row + 1)


def _docstring_rows(body: Node) -> set[int]:
    first = next((node for node in body.named_children if node.type not in _NO_STATEMENT), None)
    if first is None or first.type != "expression_statement" or len(literals := statements_of(first)) != 1:
        return set()
    literal = literals[0]
    strings = statements_of(literal) if literal.type == "concatenated_string" else [literal]
    rows: set[int] = set()
    for string in strings:
        if string.type == "string":
            opening = string.named_children[0]
            formatted = not {*b"fFtT"}.isdisjoint(opening.text or b"")
            last = opening if formatted else string
            rows.update(range(string.start_point.row, last.end_point.row + 1))
    return rows


def refuse_misaligned(root: Node, blocks: list[Node], lines: list[bytes]) -> None:
    """Raise NotSourceError for empty blocks and blocks whose statements do not align.

    The grammar takes both, Python and SonarPython do not.
    """
    for block in (root, *blocks):
        statements = statements_of(block)
        if not statements and block is not root:
            raise NotSourceError(f"syntax error in line {block.start_point.row + 1}: block without statement")
        expected = 0 if block is root else None
        for statement in statements:
            column = _indentation(statement, lines)
            expected = column if expected is None else expected
            if column not in {None, expected}:
                raise NotSourceError(f"syntax error in line {statement.start_point.row + 1}: indentation")


def _indentation(statement: Node, lines: list[bytes]) -> int | None:
    """Width of the space before a statement that begins a line; None if something else begins the line."""
    row, column = statement.start_point
    before = lines[row][:column]
    continued = row > 0 and lines[row - 1].endswith(b"\\")
    return None if before.strip() or continued else len(before.rpartition(b"\f")[2].expandtabs(8))
