"""What a string expression says, as far as it can be told without running it."""

from __future__ import annotations

import ast
import re

from study.evaluation.api.routes.scopes import Scope
from study.evaluation.api.routes.source import Source

_GETTERS = {"getenv", "get", "getattr", "config", "env"}


def text_of(source: Source, node: ast.AST | None, scope: Scope) -> str | None:
    """The string that an expression stands for.

    Constants, names, attributes of modules and settings classes, concatenation, f-strings, `%` and
    `.format`, and the default of an environment variable are followed; None if nothing is known.
    """
    if node is None:
        return None
    for value in source.resolve(node, scope):
        text = _literal(source, value.node, value.scope)
        if text is not None:
            return text
    return None


def _literal(source: Source, node: ast.AST, scope: Scope) -> str | None:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        return "".join(_piece(source, part, scope) for part in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = (text_of(source, side, scope) for side in (node.left, node.right))
        return None if left is None or right is None else left + right
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        return _filled(source, node.left, node.right, scope)
    if isinstance(node, ast.Call):
        return _call(source, node, scope)
    return None


def _piece(source: Source, part: ast.expr, scope: Scope) -> str:
    if isinstance(part, ast.FormattedValue):
        return text_of(source, part.value, scope) or "{unknown}"
    return text_of(source, part, scope) or ""


def _filled(source: Source, template: ast.expr, values: ast.expr, scope: Scope) -> str | None:
    text = text_of(source, template, scope)
    given = values.elts if isinstance(values, ast.Tuple) else [values]
    parts = [text_of(source, value, scope) for value in given]
    if text is None or None in parts or text.count("%s") != len(parts):
        return None
    for part in parts:
        text = text.replace("%s", part or "", 1)
    return text


def _call(source: Source, node: ast.Call, scope: Scope) -> str | None:
    name = source.dotted(node.func, scope).rsplit(".", 1)[-1]
    if name == "format" and isinstance(node.func, ast.Attribute):
        text = text_of(source, node.func.value, scope)
        parts = iter([text_of(source, value, scope) or "{unknown}" for value in node.args])
        named = {k.arg: text_of(source, k.value, scope) or "{unknown}" for k in node.keywords}
        return text and re.sub(r"\{(\w*)\}", lambda m: named.get(m[1]) or next(parts, "{unknown}"), text)
    if name in {"rstrip", "strip", "lstrip"} and isinstance(node.func, ast.Attribute):
        text = text_of(source, node.func.value, scope)
        which = text_of(source, node.args[0], scope) if node.args else None
        return None if text is None else str(getattr(text, name)(which))
    if name in {"compile", "Path", "str", "Field", "field", "cast"} or name in _GETTERS:
        default = next((k.value for k in node.keywords if k.arg == "default"), None)
        position = 0 if name in {"compile", "Path", "str", "Field", "field"} else 1
        given = node.args[position] if len(node.args) > position else None
        return text_of(source, default or given, scope)
    return None
