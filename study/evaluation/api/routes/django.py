"""Django and Django REST framework: urlpatterns, views, viewsets and routers."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from study.evaluation.api.endpoints import METHODS
from study.evaluation.api.routes.groups import ANY, VERBS, Call, Group, Groups, calls_by_name, class_methods
from study.evaluation.api.routes.scopes import Function, Module, Scope, Value
from study.evaluation.api.routes.source import Source
from study.evaluation.api.routes.strings import text_of
from study.evaluation.api.routes.tornado import paths_of

_LIST = {"list": "GET", "create": "POST"}
_DETAIL = {"retrieve": "GET", "update": "PUT", "partial_update": "PATCH", "destroy": "DELETE"}
_MIXINS = {
    "ListModelMixin": "list",
    "CreateModelMixin": "create",
    "RetrieveModelMixin": "retrieve",
    "UpdateModelMixin": "update partial_update",
    "DestroyModelMixin": "destroy",
    "ModelViewSet": "list create retrieve update partial_update destroy",
    "ReadOnlyModelViewSet": "list retrieve",
}
_GENERIC = {
    "List": ("GET",),
    "Create": ("POST",),
    "Retrieve": ("GET",),
    "Update": ("PUT", "PATCH"),
    "Destroy": ("DELETE",),
}
_READY: dict[str, tuple[str, ...]] = {
    "TokenObtainPairView": ("POST",),
    "TokenRefreshView": ("POST",),
    "TokenVerifyView": ("POST",),
    "ObtainAuthToken": ("POST",),
    "TemplateView": ("GET",),
    "ListView": ("GET",),
    "DetailView": ("GET",),
    "RedirectView": ANY,
    "CreateView": ("GET", "POST"),
    "UpdateView": ("GET", "POST"),
    "DeleteView": ("GET", "POST", "DELETE"),
    "FormView": ("GET", "POST"),
}


def add_urls(source: Source, groups: Groups) -> None:
    """Add the routes of the root URLconf, and of what it includes."""
    with_patterns = [module for module in source.modules if "urlpatterns" in module.top.names]
    included = {id(module) for call in calls_by_name(source, "include") for module in _included(source, call)}
    named = {
        text_of(source, node, module.top)
        for module in source.modules
        for node in module.top.names.get("ROOT_URLCONF", [])
    }
    named |= {
        call.text("ROOT_URLCONF") for call in calls_by_name(source, "configure") if call.text("ROOT_URLCONF")
    }
    roots = [module for module in with_patterns if any(n and module.name.endswith(n) for n in named)]
    if not roots and named & {"__name__"}:
        roots = with_patterns
    for module in roots or [module for module in with_patterns if id(module) not in included]:
        group = Group(app=True)
        _Reader(source, groups, group).patterns(ast.Name("urlpatterns"), module.top, "", 0)
        groups.others.append(group)


def _included(source: Source, call: Call) -> list[Module]:
    name = call.text("arg", 0)
    module = source.find_module(name, call.scope.module) if name else None
    return [module] if module else []


@dataclass
class _Reader:
    source: Source
    groups: Groups
    group: Group

    def patterns(self, node: ast.AST, scope: Scope, before: str, depth: int) -> None:
        """Walk a list of patterns; `before` is the path in front of it."""
        if depth > 20:
            return
        for value in self.source.resolve(node, scope):
            if isinstance(value.node, ast.BinOp):
                self.patterns(value.node.left, value.scope, before, depth + 1)
                self.patterns(value.node.right, value.scope, before, depth + 1)
            elif isinstance(value.node, ast.List | ast.Tuple):
                for element in value.node.elts:
                    self.patterns(element, value.scope, before, depth + 1)
            elif isinstance(value.node, ast.Call):
                self.pattern(Call(self.source, value.node, value.scope), before, depth)

    def pattern(self, call: Call, before: str, depth: int) -> None:
        name = call.source.dotted(call.node.func, call.scope).rsplit(".", 1)[-1]
        if name == "static" or name not in {"path", "re_path", "url"}:
            return
        route = call.text("route", 0)
        if route is None:
            self.groups.unresolved.append(f"{call.scope.module.path}:{call.node.lineno}")
            return
        view = call.argument("view", 1)
        for path in [route] if name == "path" else paths_of(route):
            if view is not None:
                self.view(view, call.scope, before + path, depth)

    def view(self, node: ast.expr, scope: Scope, path: str, depth: int) -> None:
        if isinstance(node, ast.Call) and self.source.dotted(node.func, scope).endswith("include"):
            self.include(Call(self.source, node, scope), path, depth)
        elif isinstance(node, ast.Attribute) and node.attr == "urls":
            self.router(node, scope, path)
        else:
            self.add(path, self.methods(node, scope), node, scope)

    def add(self, path: str, methods: tuple[str, ...], node: ast.AST, scope: Scope) -> None:
        if methods:
            self.group.routes.append(("/" + path.lstrip("/"), methods, node, scope))

    def include(self, call: Call, before: str, depth: int) -> None:
        for module in _included(self.source, call):
            self.patterns(ast.Name("urlpatterns"), module.top, before, depth + 1)
        target = call.argument("arg", 0)
        if isinstance(target, ast.Tuple) and target.elts:  # include((patterns, "app_name"))
            inner = Call(self.source, ast.Call(call.node.func, [target.elts[0]], []), call.scope)
            self.include(inner, before, depth + 1)
        elif isinstance(target, ast.Attribute) and target.attr == "urls":
            self.router(target, call.scope, before)
        elif target is not None and not _included(self.source, call):
            for value in self.source.resolve(target, call.scope):
                if isinstance(value.node, ast.Module):
                    self.patterns(ast.Name("urlpatterns"), value.scope, before, depth + 1)
                elif isinstance(value.node, ast.List):
                    self.patterns(value.node, value.scope, before, depth + 1)

    def router(self, node: ast.Attribute, scope: Scope, before: str) -> None:
        """`router.urls`: every viewset registered on the router."""
        makers = {id(value.node) for value in self.source.resolve(node.value, scope)}
        for call in calls_by_name(self.source, "register"):
            owner = call.node.func.value if isinstance(call.node.func, ast.Attribute) else None
            if owner is None or makers.isdisjoint(id(v.node) for v in self.source.resolve(owner, call.scope)):
                continue
            prefix, viewset = call.text("prefix", 0), call.argument("viewset", 1)
            for value in self.source.resolve(viewset, call.scope) if viewset is not None else []:
                if prefix is not None and isinstance(value.node, ast.ClassDef):
                    self.viewset(f"{before}{prefix}/", value, call)

    def viewset(self, path: str, value: Value, call: Call) -> None:
        actions = _actions(self.source, value)
        lookup = f"{path}{{{_lookup(self.source, value)}}}/"
        self.add(path, tuple(m for a, m in _LIST.items() if a in actions), call.node, call.scope)
        self.add(lookup, tuple(m for a, m in _DETAIL.items() if a in actions), call.node, call.scope)
        scope = value.scope.module.scopes[value.node]
        for function, decorator in _extra_actions(self.source, value):
            extra = Call(self.source, decorator, scope)
            detail = extra.argument("detail")
            start = lookup if isinstance(detail, ast.Constant) and detail.value else path
            name = extra.text("url_path") or function.name
            self.add(f"{start}{name}/", extra.methods(("GET",)), function, scope)

    def methods(self, node: ast.expr, scope: Scope) -> tuple[str, ...]:
        """HTTP methods of a view: function, class, or viewset with a map of methods to actions."""
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute) and node.func.attr == "as_view":
                return self.class_view(node, scope)
            for argument in node.args:  # csrf_exempt(view), api_view(["GET"])(view)
                if found := self.methods(argument, scope):
                    return found
            return ()
        for value in self.source.resolve(node, scope):
            if isinstance(value.node, Function):
                return _function_methods(self.source, value)
            if isinstance(value.node, ast.Call):
                return self.methods(value.node, value.scope)
        return _ready(self.source.dotted(node, scope)) if isinstance(node, ast.Name | ast.Attribute) else ()

    def class_view(self, node: ast.Call, scope: Scope) -> tuple[str, ...]:
        mapping = node.args[0] if node.args else None
        if isinstance(mapping, ast.Dict):
            keys = [text_of(self.source, key, scope) for key in mapping.keys if key is not None]
            return tuple(VERBS[key] for key in keys if key in VERBS)
        assert isinstance(node.func, ast.Attribute)
        for value in self.source.resolve(node.func.value, scope):
            if isinstance(value.node, ast.ClassDef):
                return _class_view_methods(self.source, value)
        return _ready(self.source.dotted(node.func.value, scope))


def _bases(source: Source, value: Value) -> list[str]:
    """Names of all bases of a class, those outside the answer too."""
    names: list[str] = []
    queue, seen = [value], set()
    while queue:
        current = queue.pop()
        if not isinstance(current.node, ast.ClassDef) or current.node in seen:
            continue
        seen.add(current.node)
        for base in current.node.bases:
            names.append(source.dotted(base, current.scope).rsplit(".", 1)[-1])
            queue += source.resolve(base, current.scope)
    return names


def _class_view_methods(source: Source, value: Value) -> tuple[str, ...]:
    found = dict.fromkeys(class_methods(source, value))
    for base in _bases(source, value):
        found.update(dict.fromkeys(_ready(base)))
    return tuple(found)


def _ready(name: str) -> tuple[str, ...]:
    """Methods of a view that comes with Django or its REST framework."""
    last = name.rsplit(".", 1)[-1]
    if last.endswith("APIView") and last != "APIView":
        parts = re.findall("[A-Z][a-z]+", last.removesuffix("APIView"))
        return tuple(dict.fromkeys(method for part in parts for method in _GENERIC.get(part, ())))
    return _READY.get(last, ())


def _actions(source: Source, value: Value) -> set[str]:
    own = set(class_methods(source, value, {name: name for name in (*_LIST, *_DETAIL)}))
    for base in _bases(source, value):
        own.update(_MIXINS.get(base, "").split())
    scope = value.scope.module.scopes[value.node]
    names = Call(source, ast.Call(ast.Name(""), [], []), scope)
    for node in scope.names.get("http_method_names", []):
        listed = ast.Call(ast.Name(""), [node], []) if isinstance(node, ast.expr) else None
        allowed = Call(source, listed, scope).texts("", 0) if listed else names.texts("")
        own = {a for a in own if {**_LIST, **_DETAIL}[a].lower() in allowed}
    return own


def _lookup(source: Source, value: Value) -> str:
    scope = value.scope.module.scopes[value.node]
    for name in ("lookup_url_kwarg", "lookup_field"):
        for node in scope.names.get(name, []):
            if text := text_of(source, node, scope):
                return text
    return "pk"


def _extra_actions(source: Source, value: Value) -> list[tuple[Function, ast.Call]]:
    assert isinstance(value.node, ast.ClassDef)
    return [
        (statement, decorator)
        for statement in value.node.body
        if isinstance(statement, Function)
        for decorator in statement.decorator_list
        if isinstance(decorator, ast.Call) and source.dotted(decorator.func, value.scope).endswith("action")
    ]


def _function_methods(source: Source, value: Value) -> tuple[str, ...]:
    """Of a view function: what its decorators allow, else what it asks `request.method` for, else GET."""
    assert isinstance(value.node, Function)
    for decorator in value.node.decorator_list:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        name = source.dotted(called, value.scope).rsplit(".", 1)[-1]
        if name in {"api_view", "require_http_methods"} and isinstance(decorator, ast.Call):
            given = Call(source, decorator, value.scope).texts("", 0) or ["GET"]
            return tuple(method.upper() for method in given if method.upper() in METHODS)
        if name in {"require_GET", "require_safe", "require_POST"}:
            return ("POST",) if name == "require_POST" else ("GET",)
    compared: dict[str, None] = {}
    for node in ast.walk(value.node):
        if isinstance(node, ast.Compare) and ast.unparse(node.left).endswith("request.method"):
            for constant in ast.walk(node):
                if isinstance(constant, ast.Constant) and constant.value in METHODS:
                    compared[str(constant.value)] = None
    return tuple(compared) or ("GET",)
