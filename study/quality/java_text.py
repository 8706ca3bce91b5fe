"""The text of Java files: which lines count."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import takewhile

from tree_sitter import Node

SILENT_TOKENS = """
(switch_label "," @silent)
(record_pattern_body "," @silent)
(instanceof_expression "final" @silent)
(permits "permits" @silent)
(array_creation_expression (dimensions_expr) (dimensions) @silent)
(array_initializer . "{" . "," @silent)
(element_value_array_initializer . "{" . "," @silent)
(formal_parameters . (formal_parameter name: (identifier) @this) @silent . ","? @silent (#eq? @this "this"))
(formal_parameters (receiver_parameter) @silent . ","? @silent)
(module_declaration name: (scoped_identifier) @dotted)
(requires_module_directive module: (scoped_identifier) @dotted)
(exports_module_directive modules: (scoped_identifier) @dotted)
(opens_module_directive modules: (scoped_identifier) @dotted)
(enum_body (enum_body_declarations)) @enum
"""
"""Query for what is no token to SonarJava; it matters only where nothing else begins on the line."""

_COMMENT_OR_LITERAL = re.compile(
    rb"//[^\n]*"
    rb"|/\*.*?\*/"
    rb'|"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"""'
    rb'|"[^"\\\n]*(?:\\.[^"\\\n]*)*"'
    rb"|'[^'\\\n]*(?:\\.[^'\\\n]*)*'",
    re.DOTALL,
)


def source_lines(source: bytes, found: dict[str, list[Node]]) -> int:
    """Lines on which a token begins that is no comment, of a text without syntax errors.

    Parameters
    ----------
    source : bytes
        The file, its lines ended by line feeds.
    found : dict
        What the query `SILENT_TOKENS` found in it.
    """
    silent = [
        *found.get("silent", []),
        *(dot for name in found.get("dotted", []) for dot in _dots(name)),
        *(semicolon for body in found.get("enum", []) for semicolon in _enum_separators(body)),
    ]
    code = _COMMENT_OR_LITERAL.sub(_first_byte_and_lines, _blank(source, silent) if silent else source)
    return sum(1 for line in code.split(b"\n") if line.strip())


def _blank(source: bytes, nodes: Iterable[Node]) -> bytes:
    text = bytearray(source)
    for node in nodes:
        lines = text[node.start_byte : node.end_byte].split(b"\n")
        text[node.start_byte : node.end_byte] = b"\n".join(b" " * len(line) for line in lines)
    return bytes(text)


def _first_byte_and_lines(found: re.Match[bytes]) -> bytes:
    """A literal shrinks to its first byte, a comment to nothing; both leave the lines as they were."""
    text = found[0]
    return (b" " if text.startswith(b"/") else text[:1]) + b"\n" * text.count(b"\n")


def _dots(name: Node) -> list[Node]:
    """The dots of a qualified name."""
    dots: list[Node] = []
    part: Node | None = name
    while part is not None and part.type == "scoped_identifier":
        dots += (child for child in part.children if child.type == ".")
        part = part.child_by_field_name("scope")
    return dots


def _enum_separators(body: Node) -> list[Node]:
    """The commas and semicolons between the constants and the members of an enum that are no tokens.

    After the last constant all but the first; without constants all if the first is a comma, else none.
    """
    separators: list[Node] = []
    constants = False
    for child in body.children:
        if child.type == "enum_constant":
            constants, separators = True, []
        elif child.type == ",":
            separators.append(child)
        elif child.type == "enum_body_declarations":
            separators += takewhile(lambda token: token.type == ";", _without_comments(child.children))
    if constants:
        return separators[1:]
    return separators if separators and separators[0].type == "," else []


def _without_comments(nodes: Iterable[Node]) -> list[Node]:
    return [node for node in nodes if not node.is_extra]
