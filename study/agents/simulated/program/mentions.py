"""What somebody asks for: routes and names that other code mentions."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from .defects import error_codes
from .endpoints import endpoints, normal_path
from .text import Definition, Texts, modules


def spared(texts: Texts, others: Iterable[str]) -> set[str]:
    """Routes, handlers and functions of a service that other sources mention.

    Parameters
    ----------
    texts : dict
        The service.
    others : iterable of str
        Source texts of tests and of other services.

    Returns
    -------
    set of str
        Routes as `normal_path` writes them, identifiers, and error codes.
    """
    urls: set[str] = set()
    words: set[str] = set()
    codes: set[str] = set()
    for text in others:
        tree = ast.parse(text)
        urls.update(normal_path(url) for url in _strings(tree) if "/" in url)
        words.update(_identifiers(tree))
        codes.update(error_codes(tree))
    kept = {path for path in _routes(texts) if any(_leads_to(url, path) for url in urls)}
    own = set().union(*(error_codes(source.tree) for source in modules(texts)))
    return kept | (words & _own_names(texts)) | (codes & own)


def _routes(texts: Texts) -> set[str]:
    return {normal_path(endpoint.path) for endpoint in endpoints(texts)}


def _own_names(texts: Texts) -> set[str]:
    return {
        block.statement.name
        for source in modules(texts)
        for block in source.blocks()
        if isinstance(block.statement, Definition)
    }


def _leads_to(url: str, route: str) -> bool:
    """Whether a URL with unknown parts (`*`) may be one of a route, whatever stands before it."""
    parts, wanted = url.split("/"), route.strip("/").split("/")
    if len(parts) < len(wanted) and not parts[0].startswith("*"):
        return False
    pairs = list(zip(reversed(parts), reversed(wanted), strict=False))
    known = any(part == other != "*" for part, other in pairs)
    return known and all(part == other or "*" in part or other == "*" for part, other in pairs)


def _identifiers(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.alias):
            yield node.name


def _strings(tree: ast.AST) -> Iterator[str]:
    """Text constants, with `*` for the parts that are filled in."""
    for node in ast.walk(tree):
        if isinstance(node, ast.expr):
            text = _text(node)
            if text.strip("*"):
                yield re.sub(r"%[sd]", "*", text)


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else "*"
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part) for part in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _text(node.left) + _text(node.right)
    return "*"
