"""What the counters share: which text a parser only repaired, and which trees are too deep to be counted."""

from __future__ import annotations

from tree_sitter import Node

from study.quality.counter import NotSourceError

_MAX_DEPTH = 50_000
"""Queries lose nodes from depth 65,536 on, without a word; no program that runs is nested so deep."""


def unix_lines(source: bytes) -> bytes:
    """The text without byte order mark, each line ended by a line feed."""
    return source.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def refuse_invalid(root: Node, source: bytes) -> None:
    """Raise NotSourceError for what the parser only repaired, and for what queries would count in part."""
    if b"\0" in source:
        raise NotSourceError("holds a NUL byte")
    if root.has_error:
        raise NotSourceError(f"syntax error in line {_first_error(root).start_point.row + 1}")
    if root.descendant_count > _MAX_DEPTH and _depth(root) > _MAX_DEPTH:
        raise NotSourceError(f"nested more than {_MAX_DEPTH} levels deep")


def _depth(root: Node) -> int:
    cursor, depth, deepest = root.walk(), 0, 0  # the cursor's own `depth` walks all the way up each time
    while True:
        if cursor.goto_first_child():
            depth += 1
            deepest = max(deepest, depth)
        else:
            while not cursor.goto_next_sibling():
                if not cursor.goto_parent():
                    return deepest
                depth -= 1


def _first_error(root: Node) -> Node:
    """The first node that the parser could not read or had to make up."""
    node = root
    while not (node.is_error or node.is_missing):
        inner = next((child for child in node.children if child.has_error), None)
        if inner is None:
            break
        node = inner
    return node
