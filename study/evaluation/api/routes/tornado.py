"""Tornado: tables of patterns and handler classes given to an Application."""

from __future__ import annotations

import ast
import re

from study.evaluation.api.routes.groups import Call, Group, Groups, calls_by_name, class_methods
from study.evaluation.api.routes.scopes import Scope
from study.evaluation.api.routes.source import Source
from study.evaluation.api.routes.strings import text_of


def add_tables(source: Source, groups: Groups) -> None:
    """Add the routes of every `Application([...])` and `add_handlers(host, [...])`."""
    subclasses = {
        node.name
        for module in source.modules
        for node, scope in module.scopes.items()
        if isinstance(node, ast.ClassDef)
        and any(source.dotted(base, scope.parent or scope).endswith("Application") for base in node.bases)
    }
    for call in calls_by_name(source, "Application", *subclasses):
        group = groups.by_call.setdefault(call.node, Group(app=True))
        if (table := call.argument("handlers", 0)) is not None:
            _add_table(source, groups, group, table, call.scope)
    for call in calls_by_name(source, "__init__", "add_handlers"):  # super().__init__(handlers)
        table = call.argument("handlers", 0 if call.node.func.attr == "__init__" else 1)  # type: ignore[attr-defined]
        if table is not None:
            group = Group(app=True)
            _add_table(source, groups, group, table, call.scope)
            if group.routes:
                groups.others.append(group)


def _add_table(source: Source, groups: Groups, group: Group, node: ast.AST, scope: Scope) -> None:
    for value in source.resolve(node, scope):
        if isinstance(value.node, ast.BinOp):
            _add_table(source, groups, group, value.node.left, value.scope)
            _add_table(source, groups, group, value.node.right, value.scope)
            continue
        elements = value.node.elts if isinstance(value.node, ast.List | ast.Tuple) else []
        if len(elements) >= 2 and not isinstance(elements[0], ast.Tuple | ast.Call | ast.List | ast.Starred):
            _add_row(source, groups, group, value.node, elements, value.scope)
            continue
        for element in elements:
            if isinstance(element, ast.Call):
                name = source.dotted(element.func, value.scope).rsplit(".", 1)[-1]
                if name in {"url", "URLSpec", "Rule"}:
                    _add_row(source, groups, group, element, element.args, value.scope)
                    continue
            _add_table(source, groups, group, element, value.scope)


def _add_row(
    source: Source, groups: Groups, group: Group, node: ast.AST, row: list[ast.expr], scope: Scope
) -> None:
    methods = (
        [m for value in source.resolve(row[1], scope) for m in class_methods(source, value)]
        if len(row) > 1
        else []
    )
    if not methods:
        return
    first = row[0]
    if isinstance(first, ast.Call):  # PathMatches(r"/x")
        first = Call(source, first, scope).argument("path_pattern", 0) or first
    pattern = text_of(source, first, scope)
    if pattern is None:
        groups.unresolved.append(f"{scope.module.path}:{getattr(node, 'lineno', 0)}")
    else:
        group.routes += [(path, tuple(methods), node, scope) for path in paths_of(pattern)]


def paths_of(pattern: str) -> list[str]:
    r"""Path templates that a regular expression stands for; each group is one parameter.

    Examples
    --------
    >>> paths_of(r"^/cats/(?P<cat_id>\d+)/?$")
    ['/cats/{cat_id}']
    >>> paths_of(r"/cats/([^/]+)(?:/toys)?")
    ['/cats/{p}', '/cats/{p}/toys']
    """
    text = re.sub(r"^\^|\$$|\\[AZ]|/\?\$?$", "", pattern)
    text = text.removesuffix("$")
    optional = re.search(r"\(\?:(/[^()]*(?:\([^()]*\)[^()]*)*)\)\?", text)
    if optional:
        without = text[: optional.start()] + text[optional.end() :]
        return paths_of(without) + paths_of(text[: optional.start()] + optional[1] + text[optional.end() :])
    text = re.sub(r"\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)[*+?]?", r"{\1}", text)
    text = re.sub(r"\((?:\?:)?(?:[^()]|\([^()]*\))*\)[*+?]?", "{p}", text)
    text = re.sub(r"(?:\[[^\]]+\]|\\[wdSW.]|(?<!\\)\.)(?:[*+]|\{\d+(?:,\d*)?\})", "{p}", text)
    return [re.sub(r"\\(.)", r"\1", text) or "/"]
