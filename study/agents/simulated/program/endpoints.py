"""Endpoints: where a service declares its routes, in three common styles.

1. A decorated function: `@app.get("/loans")`.
2. An entry of a table, dictionary or list: `("GET", "/loans"): list_loans`, `(r"/loans", LoanHandler)`.
3. A call: `app.add_url_rule("/loans", view_func=list_loans)`, `router.add("GET", "/loans", list_loans)`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from .text import Block, Change, Edit, FunctionNode, Module, Texts, modules

_VERBS = {"get", "post", "put", "delete", "patch", "route"}


@dataclass(frozen=True)
class Endpoint:
    """One declared route."""

    module: Module
    path: str
    handler: str
    """Name of the function or class that answers."""
    edit: Edit
    """Removes the declaration."""
    block: Block | None = None
    """The handler itself, if the declaration is a decorator."""
    entry: str = ""
    """Text of the declaration, if it is an entry of a table."""


def endpoints(texts: Texts) -> Iterator[Endpoint]:
    """All routes of a service, sorted by file and place."""
    for source in modules(texts):
        for block in source.blocks():
            yield from _decorated(source, block)
            yield from _called(source, block)
        yield from _entries(source)


def endpoint_changes(kind: str, texts: Texts, spared: frozenset[str] = frozenset()) -> Iterator[Change]:
    """Changes that leave out one route each, and the handler with it if nothing else names it.

    Parameters
    ----------
    kind : str
        Name under which the change is recorded.
    texts : dict
        The service.
    spared : frozenset of str
        Routes that stay, as `normal_path` writes them, or names of their handlers.
    """
    for endpoint in endpoints(texts):
        if "health" in endpoint.path or spared & {normal_path(endpoint.path), endpoint.handler}:
            continue
        edits = [endpoint.edit]
        if endpoint.block is None:
            edits += _handler(texts, endpoint.handler)
        place = f"{endpoint.module.file}:{endpoint.handler} {endpoint.path}"
        yield Change(kind, place, tuple(edits))


def normal_path(path: str) -> str:
    """A route or a URL with `*` for what varies: `/loans/{loan_id}` and `/loans/<int:i>` alike."""
    path = path.split("?")[0].rstrip("$/")
    return re.sub(r"\{[^}/]*\}|<[^>/]*>|\([^)]*\)\??", "*", path)


def word_count(texts: Texts, name: str) -> int:
    """How often an identifier occurs in the Python files of a service, imports of it left out."""
    return sum(source.words[name] for source in modules(texts))


def removal(texts: Texts, name: str) -> list[Edit]:
    """Edits that remove a function or class of module level, and every import of it; none if that fails."""
    edits: list[Edit] = []
    for source in modules(texts):
        for block in source.definitions():
            if getattr(block.statement, "name", "") == name:
                edit = source.remove(block)
                if edit is None:
                    return []
                edits.append(edit)
        for block in source.blocks():
            if isinstance(block.statement, ast.ImportFrom):
                edits += _without_import(source, block, name)
    return edits


def _without_import(source: Module, block: Block, name: str) -> list[Edit]:
    statement = block.statement
    assert isinstance(statement, ast.ImportFrom)
    names = [alias.name for alias in statement.names]
    if name not in names:
        return []
    if len(names) == 1:
        edit = source.remove(block)
        return [edit] if edit else []
    spans = [
        (source.offset(alias.lineno, alias.col_offset), source.offset(alias.end_lineno, alias.end_col_offset))
        for alias in statement.names
        if alias.end_lineno is not None and alias.end_col_offset is not None
    ]
    place = names.index(name)
    if place + 1 < len(spans):
        return [Edit(source.file, spans[place][0], spans[place + 1][0])]
    return [Edit(source.file, spans[place - 1][1], spans[place][1])]


def _handler(texts: Texts, name: str) -> list[Edit]:
    """Edits that remove a handler named once in its definition and once in the route table."""
    return removal(texts, name) if word_count(texts, name) == 2 else []


def _decorated(source: Module, block: Block) -> Iterator[Endpoint]:
    if not isinstance(block.statement, FunctionNode):
        return
    for decorator in block.statement.decorator_list:
        path = _route_of_call(decorator)
        edit = source.remove(block) if path else None
        if path and edit:
            yield Endpoint(source, path, block.statement.name, edit, block=block)
            return


def _route_of_call(node: ast.expr) -> str:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _VERBS:
        return _path_in(node.args[:1])
    return ""


def _called(source: Module, block: Block) -> Iterator[Endpoint]:
    statement = block.statement
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return
    call = statement.value
    if not isinstance(call.func, ast.Attribute) or not call.func.attr.startswith("add"):
        return
    arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
    path, handler = _path_in(arguments), _name_in(arguments)
    edit = source.remove(block) if path and handler else None
    if edit:
        yield Endpoint(source, path, handler, edit)


def _entries(source: Module) -> Iterator[Endpoint]:
    for node in source.nodes:
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if key is not None:
                    yield from _entry(source, key, value, [key, *getattr(key, "elts", []), value])
        elif isinstance(node, ast.List | ast.Tuple):
            for item in node.elts:
                parts = list(item.elts) if isinstance(item, ast.Tuple) else _call_parts(item)
                yield from _entry(source, item, item, parts)


def _call_parts(item: ast.expr) -> list[ast.expr]:
    return list(item.args) if isinstance(item, ast.Call) else []


def _entry(source: Module, first: ast.expr, last: ast.expr, parts: list[ast.expr]) -> Iterator[Endpoint]:
    path, handler = _path_in(parts), _name_in(parts)
    if not path or not handler:
        return
    start, end = source.span(first)[0], source.span(last)[1]
    entry = source.text[start:end]
    comma = re.compile(r"[ \t]*,[ \t]*\n?").match(source.text, end)
    if comma is None:
        return
    end = comma.end()
    line_start = source.text.rfind("\n", 0, start) + 1
    if comma[0].endswith("\n") and not source.text[line_start:start].strip():
        start = line_start
    yield Endpoint(source, path, handler, Edit(source.file, start, end), entry=entry)


def _path_in(parts: list[ast.expr]) -> str:
    for part in parts:
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            match = re.match(r"\^?(/.*)", part.value)
            if match:
                return match[1]
    return ""


def _name_in(parts: list[ast.expr]) -> str:
    for part in parts:
        if isinstance(part, ast.Name):
            return part.id
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
            return part.attr
    return ""
