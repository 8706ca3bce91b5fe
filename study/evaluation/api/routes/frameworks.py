"""FastAPI, Starlette, Flask and its extensions, Quart, Sanic, aiohttp, Bottle, Falcon: apps and routers."""

from __future__ import annotations

import ast

from study.evaluation.api.routes.groups import (
    ANY,
    VERBS,
    Call,
    Group,
    Groups,
    calls_by_name,
    class_methods,
    decorated,
    group_of,
)
from study.evaluation.api.routes.scopes import Function, Scope, Value
from study.evaluation.api.routes.source import Source

APPS = {
    "FastAPI",
    "Starlette",
    "Flask",
    "Quart",
    "Sanic",
    "Bottle",
    "APIFlask",
    "OpenAPI",
    "App",
    "API",
    "Application",
}
ROUTERS = {
    "APIRouter": "prefix",
    "Router": "prefix",
    "Blueprint": "url_prefix",
    "APIBlueprint": "url_prefix",
    "RouteTableDef": "",
    "Namespace": "path",
    "Api": "prefix",
}
_MOUNTERS = {
    "include_router": ("prefix", "router"),
    "register_blueprint": ("url_prefix", "blueprint"),
    "blueprint": ("url_prefix", "blueprint"),
    "add_namespace": ("path", "ns"),
}
_FALCON = {f"on_{verb}": method for verb, method in VERBS.items()}


def find_groups(source: Source) -> Groups:
    """All apps and routers with their routes and mounts."""
    groups = Groups()
    for name in {*APPS, *ROUTERS, *_own_apps(source)}:
        for call in calls_by_name(source, name):
            prefix = call.text(ROUTERS.get(name) or "prefix") or ""
            app = name not in ROUTERS
            if name == "Namespace" and not prefix:
                prefix = "/" + (call.text("name", 0) or "")
            groups.by_call[call.node] = Group(app, prefix)
    for call_node, group in list(groups.by_call.items()):
        assert isinstance(call_node, ast.Call)
        _constructed(source, groups, call_node, group)
    _decorators(source, groups)
    _mounts(source, groups)
    _calls(source, groups)
    return groups


def _own_apps(source: Source) -> set[str]:
    """Classes of the answer that are apps: `class Shop(FastAPI)`."""
    return {
        node.name
        for module in source.modules
        for node, scope in module.scopes.items()
        if isinstance(node, ast.ClassDef)
        for base in node.bases
        if source.dotted(base, scope.parent or scope).rsplit(".", 1)[-1]
        in APPS - {"App", "API", "Application"}
    }


def _scope_of(source: Source, node: ast.Call) -> Scope:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    return next(value.scope for value in source.calls[name] if value.node is node)


def _constructed(source: Source, groups: Groups, node: ast.Call, group: Group) -> None:
    """Routes given to the constructor, and the app that an extension or router is built upon."""
    call = Call(source, node, _scope_of(source, node))
    name = source.dotted(node.func, call.scope).rsplit(".", 1)[-1]
    if (routes := call.argument("routes")) is not None:
        _add_list(source, groups, group, routes, call.scope)
    if name == "Api" and (owner := call.argument("app", 0)) is not None:
        for parent in group_of(groups, source, owner, call.scope):
            parent.mounts.append(("", group))


def _add_list(source: Source, groups: Groups, group: Group, node: ast.AST, scope: Scope) -> None:
    """A list of routes, or things in it that are lists or tables of routes themselves."""
    for value in source.resolve(node, scope):
        if isinstance(value.node, ast.List | ast.Tuple):
            for element in value.node.elts:
                _add_list(source, groups, group, element, value.scope)
        elif isinstance(value.node, ast.BinOp):
            _add_list(source, groups, group, value.node.left, value.scope)
            _add_list(source, groups, group, value.node.right, value.scope)
        elif value.node in groups.by_call:
            group.mounts.append(("", groups.by_call[value.node]))
        elif isinstance(value.node, ast.Call):
            _add_route_object(Call(source, value.node, value.scope), groups, group)


def _add_route_object(call: Call, groups: Groups, group: Group) -> None:
    """`Route("/x", f, methods=[...])`, `Mount("/x", routes=[...])`, `web.get("/x", f)`."""
    name = call.source.dotted(call.node.func, call.scope).rsplit(".", 1)[-1]
    if name in {"Route", "APIRoute"}:
        _add(call, groups, group, call.text("path", 0), _endpoint_methods(call, "endpoint", 1))
    elif name == "Mount":
        below = Group(app=False)
        if (routes := call.argument("routes")) is not None:
            _add_list(call.source, groups, below, routes, call.scope)
        inner = call.argument("app", 1)
        for mounted in group_of(groups, call.source, inner, call.scope) if inner is not None else []:
            below.mounts.append(("", mounted))
        group.mounts.append((call.text("path", 0) or "", below))
    elif name in VERBS:
        _add(call, groups, group, call.text("path", 0), (VERBS[name],))
    elif name == "view":
        _add(call, groups, group, call.text("path", 0), _endpoint_methods(call, "handler", 1))
    elif name == "route":
        method = (call.text("method", 0) or "*").upper()
        _add(call, groups, group, call.text("path", 1), ANY if method == "*" else (method,))


def _endpoint_methods(call: Call, name: str, position: int) -> tuple[str, ...]:
    """Methods that are given, else those of a handler class, else GET."""
    if given := call.methods(()):
        return given
    handler = call.argument(name, position)
    values = call.source.resolve(handler, call.scope) if handler is not None else []
    if handler is not None and isinstance(handler, ast.Call) and isinstance(handler.func, ast.Attribute):
        values = call.source.resolve(handler.func.value, call.scope)  # CatView.as_view("cats")
    found = [method for value in values for method in class_methods(call.source, value)]
    return tuple(dict.fromkeys(found)) or ("GET",)


def _add(call: Call, groups: Groups, group: Group, path: str | None, methods: tuple[str, ...]) -> None:
    if path is None:
        groups.unresolved.append(f"{call.scope.module.path}:{call.node.lineno}")
    else:
        group.routes.append((path, methods, call.node, call.scope))


def _decorators(source: Source, groups: Groups) -> None:
    default = Group(app=True)  # the app that Bottle's own functions belong to
    groups.others.append(default)
    for decorator, below, scope in decorated(source):
        if not isinstance(decorator, ast.Call):
            continue
        name, owners = source.dotted(decorator.func, scope), [default]
        if isinstance(decorator.func, ast.Attribute) and not name.startswith("bottle."):
            owners = group_of(groups, source, decorator.func.value, scope)
        elif not name.startswith("bottle."):
            continue
        call = Call(source, decorator, scope)
        methods = _decorated_methods(call, name.rsplit(".", 1)[-1], Value(below, scope))
        for path in _decorated_paths(call, isinstance(below, ast.ClassDef)) if methods else []:
            for owner in owners:
                owner.routes.append((path, methods, decorator, scope))


def _decorated_paths(call: Call, several: bool) -> list[str]:
    """One path, or with restx several for one resource class."""
    paths = call.texts("path", 0) or call.texts("rule") or call.texts("uri")
    for extra in call.node.args[1:] if several else []:
        paths += Call(call.source, ast.Call(call.node.func, [extra], []), call.scope).texts("path", 0)
    return paths


def _decorated_methods(call: Call, name: str, below: Value) -> tuple[str, ...]:
    if name in VERBS:
        return (VERBS[name],)
    if name not in {"route", "api_route", "view"}:
        return ()
    if isinstance(below.node, ast.ClassDef):
        return class_methods(call.source, below)
    return call.methods((), "methods") or call.methods(("GET",), "method")


def _mounts(source: Source, groups: Groups) -> None:
    for name, (prefix, argument) in _MOUNTERS.items():
        for call in calls_by_name(source, name):
            child = call.argument(argument, 0)
            for owner in _owners(call, groups):
                for below in group_of(groups, source, child, call.scope) if child is not None else []:
                    given = call.text(prefix, 1 if name == "add_namespace" else None)
                    if given is not None and name != "include_router":
                        below = Group(below.app, "", below.routes, below.mounts)  # replaces its own prefix
                        groups.by_call[ast.Call(call.node.func, [], [])] = below
                    owner.mounts.append((given or "", below))
    for call in calls_by_name(source, "mount", "add_subapp"):
        child = call.argument("app", 1) or call.argument("subapp", 1)
        for owner in _owners(call, groups):
            for below in group_of(groups, source, child, call.scope) if child is not None else []:
                owner.mounts.append((call.text("path", 0) or call.text("prefix", 0) or "", below))
    for call in calls_by_name(source, "init_app"):  # api = Api(); api.init_app(app)
        for owner in group_of(groups, source, call.node.args[0], call.scope) if call.node.args else []:
            for below in _owners(call, groups):
                owner.mounts.append(("", below))


def _owners(call: Call, groups: Groups) -> list[Group]:
    if not isinstance(call.node.func, ast.Attribute):
        return []
    return group_of(groups, call.source, call.node.func.value, call.scope)


def _calls(source: Source, groups: Groups) -> None:
    """Routes that are added by calling a method of the app or router."""
    adders = {f"add_{verb}": (method,) for verb, method in VERBS.items()}
    for name, methods in adders.items():
        for call in calls_by_name(source, name):
            for owner in _owners(call, groups):
                _add(call, groups, owner, call.text("path", 0), methods)
    for call in calls_by_name(source, "add_api_route", "add_url_rule"):
        view = "endpoint" if call.node.func.attr == "add_api_route" else "view_func"  # type: ignore[attr-defined]
        for owner in _owners(call, groups):
            path = call.text("path", 0) or call.text("rule", 0)
            _add(call, groups, owner, path, _endpoint_methods(call, view, 1 if view == "endpoint" else 2))
    for call in calls_by_name(source, "add_resource", "add_view"):
        for owner in _owners(call, groups):
            _add_resource(call, groups, owner)
    for call in calls_by_name(source, "add_route"):
        for owner in _owners(call, groups):
            _add_plain_route(call, groups, owner)
    for call in calls_by_name(source, "add_routes", "extend", "append"):
        for owner in _owners(call, groups):
            if call.node.args:
                listed = ast.List([call.node.args[0]], ast.Load())
                _add_list(source, groups, owner, listed, call.scope)


def _add_resource(call: Call, groups: Groups, owner: Group) -> None:
    """`api.add_resource(Cats, "/cats", "/kittens")` and `router.add_view("/cats", Cats)`."""
    for handler in call.node.args:
        values = call.source.resolve(handler, call.scope)
        methods = [m for value in values for m in class_methods(call.source, value)]
        for other in call.node.args if methods else []:
            if other is not handler:
                path = Call(call.source, ast.Call(call.node.func, [other], []), call.scope).text("path", 0)
                _add(call, groups, owner, path, tuple(methods))


def _add_plain_route(call: Call, groups: Groups, owner: Group) -> None:
    """`add_route`: aiohttp gives method, path, handler; Starlette path, handler; Falcon path, resource."""
    first, second = call.text("path", 0), call.text("", 1)
    if first and (first.upper() in ANY or first == "*") and second:
        _add(call, groups, owner, second, ANY if first == "*" else (first.upper(),))
        return
    resource = call.argument("resource", 1)
    for value in call.source.resolve(resource, call.scope) if resource is not None else []:
        made = value.node.func if isinstance(value.node, ast.Call) else value.node
        for kind in call.source.resolve(made, value.scope):
            if methods := class_methods(call.source, kind, _FALCON):
                _add(call, groups, owner, first, methods)
                return
        if isinstance(value.node, Function):
            break
    _add(call, groups, owner, first, _endpoint_methods(call, "route", 1))
