"""Names and what was assigned to them, for each module, function and class of an answer."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from study.evaluation.api.routes.source import Source

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(eq=False)
class Scope:
    """Names of a module, a function or a class, and what was assigned to them."""

    module: Module
    parent: Scope | None = None
    owner: Function | ast.ClassDef | None = None
    names: dict[str, list[ast.AST]] = field(default_factory=lambda: defaultdict(list))
    imports: dict[str, str] = field(default_factory=dict)
    """Local name to dotted name: `from .users import router as r` gives r: app.users.router."""

    def chain(self) -> Iterator[Scope]:
        """The scope and those around it; a function does not see the names of its class."""
        scope: Scope | None = self
        while scope is not None:
            if scope is self or not isinstance(scope.owner, ast.ClassDef):
                yield scope
            scope = scope.parent


@dataclass(eq=False)
class Module:
    """One source file."""

    name: str
    """Dotted, from the answer's root."""
    path: Path
    tree: ast.Module
    is_package: bool
    top: Scope = field(init=False)
    scopes: dict[ast.AST, Scope] = field(default_factory=dict)
    """Scope that each function and class opens."""

    def __post_init__(self) -> None:
        self.top = Scope(self)


@dataclass(frozen=True, eq=False)
class Value:
    """What an expression stands for: a node, and the scope in which its own names are to be read."""

    node: ast.AST
    scope: Scope


class Each(ast.AST):
    """Stands for each element of an iterable: the variable of a loop."""

    def __init__(self, iterable: ast.expr, place: int | None) -> None:
        self.iterable, self.place = iterable, place

    def pick(self, item: ast.expr) -> ast.expr:
        parts = items(item)
        return item if self.place is None or self.place >= len(parts) else parts[self.place]


def items(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return list(node.elts)
    return [key for key in node.keys if key is not None] if isinstance(node, ast.Dict) else []


def bind(source: Source, module: Module) -> None:
    """Fill the scopes of a module, and note its calls in `source.calls`."""
    _Binder(source, module).visit(module.tree)


class _Binder(ast.NodeVisitor):
    """Fill the scopes of a module."""

    def __init__(self, source: Source, module: Module) -> None:
        self.source, self.module, self.scope = source, module, module.top

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            name = alias.asname or alias.name.split(".")[0]
            self.scope.imports[name] = alias.name if alias.asname else name

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        origin = node.module or ""
        if node.level:
            parts = self.module.name.split(".") if self.module.name else []
            up = node.level - self.module.is_package
            parts = parts[: len(parts) - up] if up else parts
            origin = ".".join([*parts, *([origin] if origin else [])])
        for alias in node.names:
            if alias.name == "*":
                self._star(origin)
            else:
                self.scope.imports[alias.asname or alias.name] = f"{origin}.{alias.name}".lstrip(".")

    def _star(self, origin: str) -> None:
        if module := self.source.find_module(origin, self.module):
            for statement in ast.walk(module.tree):
                if isinstance(statement, ast.Name) and isinstance(statement.ctx, ast.Store):
                    self.scope.imports.setdefault(statement.id, f"{origin}.{statement.id}")
                elif isinstance(statement, Function | ast.ClassDef):
                    self.scope.imports.setdefault(statement.name, f"{origin}.{statement.name}")

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._open(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self._open(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._open(node)

    def _open(self, node: Function | ast.ClassDef) -> None:
        self.scope.names[node.name].append(node)
        for part in node.decorator_list:
            self.visit(part)
        outer, self.scope = self.scope, Scope(self.module, self.scope, node)
        self.module.scopes[node] = self.scope
        for statement in node.body:
            self.visit(statement)
        self.scope = outer

    def visit_Assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            self._bind(target, node.value)
        self.visit(node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._bind(node.target, node.value)
            self.visit(node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.op, ast.Add):  # urlpatterns += [...]
            self._bind(node.target, node.value)
        self.visit(node.value)

    def visit_With(self, node: ast.With) -> None:
        for item in node.items:
            if item.optional_vars is not None:
                self._bind(item.optional_vars, item.context_expr)
        self.generic_visit(node)

    def visit_For(self, node: ast.For) -> None:
        if isinstance(node.target, ast.Name):
            self.scope.names[node.target.id].append(Each(node.iter, None))
        elif isinstance(node.target, ast.Tuple):
            for i, part in enumerate(node.target.elts):
                if isinstance(part, ast.Name):
                    self.scope.names[part.id].append(Each(node.iter, i))
        self.generic_visit(node)

    def _bind(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name):
            self.scope.names[target.id].append(value)
        elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            for one, other in zip(target.elts, value.elts, strict=False):
                self._bind(one, other)
        elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
            owner = self.scope.parent
            if target.value.id == "self" and owner and isinstance(owner.owner, ast.ClassDef):
                owner.names[target.attr].append(value)

    def visit_Call(self, node: ast.Call) -> None:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        self.source.calls[name].append(Value(node, self.scope))
        self.generic_visit(node)
