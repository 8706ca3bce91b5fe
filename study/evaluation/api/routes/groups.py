"""Apps and routers: what carries routes, and what is mounted where."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from study.evaluation.api.endpoints import METHODS, Endpoint, normalise
from study.evaluation.api.routes.scopes import Function, Scope, Value
from study.evaluation.api.routes.source import Source
from study.evaluation.api.routes.strings import text_of

VERBS = {method.lower(): method for method in METHODS}
ANY = METHODS


@dataclass(frozen=True)
class Route:
    """An endpoint that code serves, and where it stands."""

    endpoint: Endpoint
    file: str
    line: int


@dataclass(eq=False)
class Group:
    """An app or router: its own prefix, its routes, and the groups mounted on it."""

    app: bool
    """Whether it can be served by itself; a router counts only where it is mounted."""
    prefix: str = ""
    routes: list[tuple[str, tuple[str, ...], ast.AST, Scope]] = field(default_factory=list)
    """Path, methods, and where that is written."""
    mounts: list[tuple[str, Group]] = field(default_factory=list)

    def served(self, before: str = "", seen: frozenset[int] = frozenset()) -> Iterator[Route]:
        """All routes below this group with their full paths."""
        if id(self) in seen:
            return
        here = join(before, self.prefix)
        for path, methods, node, scope in self.routes:
            for method in methods:
                endpoint = Endpoint(method, normalise(join(here, path)))
                yield Route(endpoint, str(scope.module.path), getattr(node, "lineno", 0))
        for prefix, group in self.mounts:
            yield from group.served(join(here, prefix), seen | {id(self)})


class Groups:
    """The groups of an answer by the call that makes each."""

    def __init__(self) -> None:
        self.by_call: dict[ast.AST, Group] = {}
        self.others: list[Group] = []
        """Groups that no call makes: a URLconf, a handler class, the default app of Bottle."""
        self.unresolved: list[str] = []
        """`file:line` of routes whose path cannot be told without running the code."""

    def mounted(self) -> set[int]:
        return {id(group) for every in self.all() for _, group in every.mounts}

    def all(self) -> list[Group]:
        return [*self.by_call.values(), *self.others]

    def served(self) -> Iterator[Route]:
        """Routes of all apps that are not themselves part of another."""
        below = self.mounted()
        for group in self.all():
            if group.app and id(group) not in below:
                yield from group.served()

    def idle(self) -> int:
        """Routes that are defined and served by no app."""
        served = {(route.file, route.line) for route in self.served()}
        return sum(
            (str(scope.module.path), getattr(node, "lineno", 0)) not in served
            for group in self.all()
            for _, _, node, scope in group.routes
        )


def join(before: str, after: str) -> str:
    """Two parts of a path with one slash between them."""
    if not before.strip("/"):
        return after
    return (
        f"{before.rstrip('/')}/{after.lstrip('/')}" if after.strip("/") else before + after[:1] * bool(after)
    )


@dataclass(frozen=True)
class Call:
    """A call with its arguments at hand."""

    source: Source
    node: ast.Call
    scope: Scope

    def argument(self, name: str, position: int | None = None) -> ast.expr | None:
        """An argument by name or place."""
        named = next((k.value for k in self.node.keywords if k.arg == name), None)
        if named is None and position is not None and len(self.node.args) > position:
            return self.node.args[position]
        return named

    def text(self, name: str, position: int | None = None) -> str | None:
        """A string argument; None if it is not given or not known."""
        return text_of(self.source, self.argument(name, position), self.scope)

    def texts(self, name: str, position: int | None = None) -> list[str]:
        """A list of strings, or one string."""
        argument = self.argument(name, position)
        if argument is None:
            return []
        found = []
        for value in self.source.resolve(argument, self.scope):
            elements = getattr(value.node, "elts", [value.node])
            found += [text_of(self.source, element, value.scope) for element in elements]
        return [text for text in found if text is not None]

    def methods(self, default: Iterable[str] = ("GET",), name: str = "methods") -> tuple[str, ...]:
        """HTTP methods given as a list, or the default."""
        given = [text.upper() for text in self.texts(name)]
        return tuple(method for method in given if method in METHODS) or tuple(default)


def class_methods(source: Source, value: Value, names: dict[str, str] = VERBS) -> tuple[str, ...]:
    """HTTP methods that a handler class has, its bases in the answer included."""
    found: dict[str, None] = {}
    queue, seen = [value], set()
    while queue:
        current = queue.pop()
        if not isinstance(current.node, ast.ClassDef) or current.node in seen:
            continue
        seen.add(current.node)
        for statement in current.node.body:
            if isinstance(statement, Function) and statement.name in names:
                found[names[statement.name]] = None
        queue += [v for base in current.node.bases for v in source.resolve(base, current.scope)]
    return tuple(found)


def calls_by_name(source: Source, *names: str) -> Iterator[Call]:
    """All calls of methods or functions of these names."""
    for name in names:
        for value in source.calls.get(name, []):
            assert isinstance(value.node, ast.Call)
            yield Call(source, value.node, value.scope)


def decorated(source: Source) -> Iterator[tuple[ast.AST, Function | ast.ClassDef, Scope]]:
    """All decorators, with what they stand above."""
    for module in source.modules:
        for node, inside in module.scopes.items():
            if isinstance(node, Function | ast.ClassDef):
                for decorator in node.decorator_list:
                    yield decorator, node, inside.parent or module.top


def group_of(groups: Groups, source: Source, node: ast.AST, scope: Scope) -> list[Group]:
    """The groups that an expression may stand for; `app.router` of aiohttp is the app itself."""
    found = [groups.by_call[v.node] for v in source.resolve(node, scope) if v.node in groups.by_call]
    if not found and isinstance(node, ast.Attribute) and node.attr in {"router", "app", "routes"}:
        return group_of(groups, source, node.value, scope)
    return list(dict.fromkeys(found))
