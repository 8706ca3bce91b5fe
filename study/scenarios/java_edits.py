"""The edit of a manifest that is for Java: empty methods that call the target."""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter_java
from tree_sitter import Language, Node, Parser

from study.schema import StudyError

_BODY = b"{\n        throw new UnsupportedOperationException();\n    }"
"""Compiles in any method whatever it returns, and needs no import."""


def empty_methods(text: str, names: list[str]) -> str:
    """Replace the bodies of all methods of these names; interfaces and callers stay as they are.

    Raises
    ------
    StudyError
        If one of them is not there, or the file is no valid Java before or after.
    """
    source = text.encode()
    bodies = [(name, body) for name, body in _bodies(_parse(source)) if name in names]
    missing = [name for name in names if name not in {found for found, _ in bodies}]
    if missing:
        raise StudyError(f"empty_methods: no method with a body named {', '.join(missing)}")
    for _, body in sorted(bodies, key=lambda pair: pair[1].start_byte, reverse=True):
        source = source[: body.start_byte] + _BODY + source[body.end_byte :]
    _parse(source)
    return source.decode()


def check_java(text: str) -> None:
    """Raise StudyError if a text is no valid Java."""
    _parse(text.encode())


def _parse(source: bytes) -> Node:
    root = Parser(Language(tree_sitter_java.language())).parse(source).root_node
    if root.has_error:
        raise StudyError("is not valid Java")
    return root


def _bodies(root: Node) -> Iterator[tuple[str, Node]]:
    """Name and body of the outermost methods: one inside another goes with it."""
    stack = [root]
    while stack:
        node = stack.pop()
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if node.type == "method_declaration" and name is not None and body is not None:
            yield (name.text or b"").decode(), body
        else:
            stack += node.children
