"""The standard library: handlers of http.server, WSGI functions, and tables of methods and paths."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from study.evaluation.api.endpoints import METHODS
from study.evaluation.api.routes.groups import Group, Groups
from study.evaluation.api.routes.scopes import Function, Module, Scope
from study.evaluation.api.routes.source import Source
from study.evaluation.api.routes.strings import text_of
from study.evaluation.api.routes.tornado import paths_of

_HANDLERS = {f"do_{method}": method for method in METHODS}


def add_handlers(source: Source, groups: Groups) -> None:
    """Add what handlers compare the path of a request with."""
    for module in source.modules:
        group = Group(app=True)
        for node, scope in module.scopes.items():
            if isinstance(node, ast.ClassDef):
                _add_class(source, group, node, scope)
        if group.routes or _is_wsgi(module):
            _add_tables(source, group, module)
        if group.routes:
            groups.others.append(group)


def _is_wsgi(module: Module) -> bool:
    """Whether a function takes `environ` and `start_response`, or a request's method is compared."""
    for node in module.scopes:
        if isinstance(node, Function) and {"environ", "start_response"} <= {a.arg for a in node.args.args}:
            return True
    return False


def _add_class(source: Source, group: Group, node: ast.ClassDef, scope: Scope) -> None:
    functions = {s.name: s for s in node.body if isinstance(s, Function)}
    for name, method in _HANDLERS.items():
        for assigned in scope.names.get(name, []):
            start = assigned if isinstance(assigned, Function) else functions.get(getattr(assigned, "id", ""))
            for function in _reached(start, functions) if start else []:
                inside = scope.module.scopes[function]
                for path, comparison, said in _compared(source, function, inside):
                    if said is None or method in said:
                        group.routes.append((path, (method,), comparison, inside))


def _reached(start: Function, functions: dict[str, Function]) -> list[Function]:
    """A handler and the methods that it calls on itself."""
    reached, queue = [], [start]
    while queue:
        function = queue.pop()
        if function in reached:
            continue
        reached.append(function)
        for node in ast.walk(function):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in functions
            ):
                queue.append(functions[node.func.attr])
    return reached


def _compared(
    source: Source, function: Function, scope: Scope
) -> Iterator[tuple[str, ast.AST, set[str] | None]]:
    """Paths that a function compares with, and the methods that the same condition names, if any."""
    for node in ast.walk(function):
        if isinstance(node, ast.If | ast.IfExp | ast.While):
            said = {
                c.value for c in ast.walk(node.test) if isinstance(c, ast.Constant) and c.value in METHODS
            }
            for part in ast.walk(node.test):
                for path in _paths(source, part, scope):
                    yield path, part, {str(s) for s in said} or None
        elif isinstance(node, ast.match_case):
            for pattern in ast.walk(node.pattern):
                text = text_of(source, pattern.value, scope) if isinstance(pattern, ast.MatchValue) else None
                if text and text.startswith("/"):
                    yield text, pattern, None
        elif isinstance(node, ast.Assign | ast.NamedExpr):
            for path in _paths(source, node.value, scope):
                yield path, node, None


def _paths(source: Source, node: ast.AST, scope: Scope) -> list[str]:
    if isinstance(node, ast.Compare) and all(isinstance(op, ast.Eq | ast.In) for op in node.ops):
        found = []
        for side in (node.left, *node.comparators):
            parts = side.elts if isinstance(side, ast.Tuple | ast.List | ast.Set) else [side]
            texts = [text_of(source, part, scope) for part in parts]
            if isinstance(side, ast.List) and texts and all(t and "/" not in t for t in texts):
                found.append("/" + "/".join(t or "" for t in texts))  # parts == ["cats", "toys"]
            found += [text for text in texts if text and text.startswith("/")]
        return found
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr == "startswith" and node.args:
            text = text_of(source, node.args[0], scope)
            return [f"{text.rstrip('/')}/{{p}}"] if text and text.startswith("/") else []
        if node.func.attr in {"match", "fullmatch", "search"}:
            pattern = (
                text_of(source, node.args[0], scope)
                if len(node.args) > 1
                else text_of(source, node.func.value, scope)
            )
            return paths_of(pattern) if pattern and pattern.lstrip("^").startswith("/") else []
    return []


def _add_tables(source: Source, group: Group, module: Module) -> None:
    """`{("GET", "/cats"): f}`, `[("GET", r"^/cats$", f)]`, and compiled patterns in such rows."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Tuple | ast.List | ast.Call):
            parts = node.args if isinstance(node, ast.Call) else node.elts
            texts = [text_of(source, part, module.top) for part in parts[:3]]
            methods = [text for text in texts if text in METHODS]
            paths = [text for text in texts if text and text.lstrip("^").startswith("/")]
            if len(methods) == len(paths) == 1:
                group.routes += [(path, (methods[0],), node, module.top) for path in paths_of(paths[0])]
