"""The text of Java files: which lines count."""

from __future__ import annotations

import re

from tree_sitter import Node

_COMMENT_OR_LITERAL = re.compile(
    rb"//[^\n]*"
    rb"|/\*.*?\*/"
    rb'|"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"""'
    rb'|"[^"\\\n]*(?:\\.[^"\\\n]*)*"'
    rb"|'[^'\\\n]*(?:\\.[^'\\\n]*)*'",
    re.DOTALL,
)


def source_lines(source: bytes, enums: list[Node]) -> int:
    """Lines on which a token begins that is no comment, of a text without syntax errors.

    Parameters
    ----------
    source : bytes
        The file, its lines ended by line feeds.
    enums : list of Node
        Its enum bodies with a `;`, which is no token after a trailing comma.
    """
    silent = {position for body in enums if (position := _silent_semicolon(body)) is not None}
    if silent:
        source = b"".join(
            b" " if position in silent else source[position : position + 1] for position in range(len(source))
        )
    code = _COMMENT_OR_LITERAL.sub(_first_byte_and_lines, source)
    return sum(1 for line in code.split(b"\n") if line.strip())


def _first_byte_and_lines(found: re.Match[bytes]) -> bytes:
    """A literal shrinks to its first byte, a comment to nothing; both leave the lines as they were."""
    text = found[0]
    return (b" " if text.startswith(b"/") else text[:1]) + b"\n" * text.count(b"\n")


def _silent_semicolon(body: Node) -> int | None:
    """Position of the `;` that ends the constants of an enum, if a comma stands before it."""
    previous = ""
    for child in body.children:
        if child.type == "enum_body_declarations":
            return child.start_byte if previous == "," else None
        if not child.is_extra:
            previous = child.type
    return None
