"""Follow names through the modules of an answer: what does this expression stand for?

No code is executed. An expression is followed through assignments, imports, attributes, functions that
return what they make, and arguments at the places where a function is called; what cannot be followed
stands for nothing.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from study.evaluation.api.routes.scopes import Each, Function, Module, Scope, Value, bind, items
from study.files import iter_files

VENDORED = {"site-packages", "dist-packages", "node_modules", "vendor", "third_party", "__pypackages__"}
"""Folders with other people's code; so is every folder with a `pyvenv.cfg`."""

_DEPTH = 24


class Source:
    """All Python modules below a folder."""

    def __init__(self, root: Path) -> None:
        self.modules: list[Module] = []
        self.unparsed: list[str] = []
        """`file: reason` of files that cannot be read."""
        self.calls: dict[str, list[Value]] = defaultdict(list)
        """Every call, by the last part of the name that is called."""
        self._tails: dict[str, list[Module]] = defaultdict(list)
        for path in python_files(root):
            self._read(root, path)
        for module in self.modules:
            bind(self, module)

    def _read(self, root: Path, path: Path) -> None:
        relative = path.relative_to(root)
        try:
            tree = ast.parse(path.read_bytes())
        except (SyntaxError, ValueError, RecursionError, MemoryError, OSError) as error:
            self.unparsed.append(f"{relative}: {error}")
            return
        package = path.name == "__init__.py"
        parts = [*relative.parent.parts, *([] if package else [path.stem])]
        module = Module(".".join(parts), path, tree, package)
        self.modules.append(module)
        for i in range(len(parts)):
            self._tails[".".join(parts[i:])].append(module)

    def find_module(self, dotted: str, near: Module | None = None) -> Module | None:
        """The module of this name, seen from any folder of the answer; the nearest if there are several."""
        found = self._tails.get(dotted, [])
        if near is None or len(found) < 2:
            return found[0] if found else None
        return max(found, key=lambda module: _shared(module.name, near.name))

    def resolve(self, node: ast.AST, scope: Scope, depth: int = 0) -> list[Value]:
        """All that an expression may stand for; empty if it cannot be followed."""
        if depth > _DEPTH:
            return []
        deeper = depth + 1
        if isinstance(node, ast.Name):
            return self._name(node.id, scope, deeper)
        if isinstance(node, ast.Attribute):
            return self._attribute(node, scope, deeper)
        if isinstance(node, ast.Call):
            return self._call(node, scope, deeper)
        if isinstance(node, ast.Await | ast.NamedExpr | ast.Starred):
            return self.resolve(node.value, scope, deeper)
        if isinstance(node, ast.IfExp):
            return self.resolve(node.body, scope, deeper) + self.resolve(node.orelse, scope, deeper)
        if isinstance(node, ast.BoolOp):
            return [value for part in node.values for value in self.resolve(part, scope, deeper)]
        return [Value(node, scope)]

    def _name(self, name: str, scope: Scope, depth: int) -> list[Value]:
        for place in scope.chain():
            if name in place.names:
                return [v for node in place.names[name] for v in self._bound(node, place, depth)]
            if name in place.imports:
                return self.resolve_dotted(place.imports[name], place.module, depth)
            if isinstance(place.owner, Function) and name in (arguments := _arguments(place.owner)):
                return self._argument(place, arguments.index(name), name, depth)
        return []

    def _bound(self, node: ast.AST, scope: Scope, depth: int) -> list[Value]:
        if isinstance(node, Each):
            return [
                value
                for container in self.resolve(node.iterable, scope, depth)
                for item in items(container.node)
                for value in self.resolve(node.pick(item), container.scope, depth)
            ]
        if isinstance(node, ast.expr):
            return self.resolve(node, scope, depth)
        return [Value(node, scope)]

    def _argument(self, inside: Scope, index: int, name: str, depth: int) -> list[Value]:
        """What is given for a parameter, wherever the function is called."""
        function = inside.owner
        assert isinstance(function, Function)
        found: list[Value] = []
        for call in self.calls[function.name]:
            assert isinstance(call.node, ast.Call)
            if not any(v.node is function for v in self.resolve(call.node.func, call.scope, depth)):
                continue
            given = [k.value for k in call.node.keywords if k.arg == name]
            given += call.node.args[index : index + 1]
            for expression in given[:1]:
                found += self.resolve(expression, call.scope, depth)
        return found

    def resolve_dotted(self, dotted: str, near: Module, depth: int = 0) -> list[Value]:
        """What an imported name stands for; a name from outside the answer stands for nothing."""
        if module := self.find_module(dotted, near):
            return [Value(module.tree, module.top)]
        parent, _, name = dotted.rpartition(".")
        module = self.find_module(parent, near) if parent else None
        return self._name(name, module.top, depth) if module and depth <= _DEPTH else []

    def _attribute(self, node: ast.Attribute, scope: Scope, depth: int) -> list[Value]:
        if isinstance(node.value, ast.Name) and node.value.id == "self":
            for place in scope.chain():
                if isinstance(place.parent and place.parent.owner, ast.ClassDef):
                    assert place.parent is not None
                    return self._member(place.parent, node.attr, depth)
        found: list[Value] = []
        for value in self.resolve(node.value, scope, depth):
            if isinstance(value.node, ast.Module):
                found += self._name(node.attr, value.scope.module.top, depth)
            elif isinstance(value.node, ast.ClassDef):
                found += self._member(value.scope.module.scopes[value.node], node.attr, depth)
            elif isinstance(value.node, ast.Call):  # an instance of a class of the answer
                for made in self.resolve(value.node.func, value.scope, depth):
                    if isinstance(made.node, ast.ClassDef):
                        found += self._member(made.scope.module.scopes[made.node], node.attr, depth)
        return found

    def _member(self, scope: Scope, name: str, depth: int) -> list[Value]:
        if name in scope.names or depth > _DEPTH:
            return [v for node in scope.names.get(name, []) for v in self._bound(node, scope, depth)]
        assert isinstance(scope.owner, ast.ClassDef)
        for base in scope.owner.bases:
            for value in self.resolve(base, scope.parent or scope, depth + 1):
                if isinstance(value.node, ast.ClassDef):
                    return self._member(value.scope.module.scopes[value.node], name, depth + 1)
        return []

    def _call(self, node: ast.Call, scope: Scope, depth: int) -> list[Value]:
        functions = [v for v in self.resolve(node.func, scope, depth) if isinstance(v.node, Function)]
        if not functions:
            return [Value(node, scope)]
        found = []
        for function in functions:
            inside = function.scope.module.scopes[function.node]
            for statement in ast.walk(function.node):
                if isinstance(statement, ast.Return) and statement.value is not None:
                    found += self.resolve(statement.value, inside, depth)
        return found

    def dotted(self, node: ast.AST, scope: Scope) -> str:
        """The dotted name of what is called, with imports followed: `APIRouter` gives fastapi.APIRouter."""
        if isinstance(node, ast.Attribute):
            return f"{self.dotted(node.value, scope)}.{node.attr}"
        if isinstance(node, ast.Name):
            for place in scope.chain():
                if node.id in place.imports:
                    return place.imports[node.id]
                if node.id in place.names:
                    break
            return node.id
        return ""


def _arguments(function: Function) -> list[str]:
    names = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
    return names[1:] if names[:1] == ["self"] else names


def _shared(one: str, other: str) -> int:
    pairs = zip(one.split("."), other.split("."), strict=False)
    return next((i for i, (a, b) in enumerate(pairs) if a != b), 99)


def python_files(root: Path) -> Iterator[Path]:
    """Source files of an answer, in a stable order: no vendored code, and no tests by name.

    A folder called `tests`, `build` or `dist` may be a package of the service, so only the name of a file
    makes it a test.
    """
    environments = {path.parent for path in root.rglob("pyvenv.cfg")}
    for path in iter_files(root):
        if path.suffix != ".py" or path.is_symlink() or VENDORED & set(path.relative_to(root).parts):
            continue
        if re.match(r"test_|conftest\.py$", path.name) or path.stem.endswith("_test"):
            continue
        if not environments & set(path.parents):
            yield path
