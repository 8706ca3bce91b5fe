"""Routes of Java answers: annotated controllers, and the calls of Javalin and Spark."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from tree_sitter import Node

from study.evaluation.api.endpoints import METHODS, Endpoint, normalise
from study.evaluation.api.routes.groups import ANY, VERBS, Route, join
from study.evaluation.api.routes.java_source import TYPES, JavaFile, JavaSource, marks_of, text, walk

_MAPPINGS = {f"{verb.capitalize()}Mapping": (method,) for verb, method in VERBS.items()}
_MICRONAUT = {verb.capitalize(): (method,) for verb, method in VERBS.items()}
_CONTROLLERS = {"RestController", "Controller", "RepositoryRestController"}
_CLIENTS = {"FeignClient", "Client", "RegisterRestClient", "HttpExchange"}
_CRUD = [("", "GET"), ("", "POST"), ("/{id}", "GET"), ("/{id}", "PATCH"), ("/{id}", "DELETE")]


def java_routes(source: JavaSource) -> Iterator[Route]:
    """Routes of Spring, JAX-RS (Quarkus, Jersey), Micronaut, Javalin and Spark."""
    context = source.setting(
        "server.servlet.context-path", "spring.webflux.base-path", "micronaut.server.context-path",
        "quarkus.http.root-path",
    )  # fmt: skip
    application = source.setting("quarkus.rest.path", "quarkus.resteasy.path", "spring.mvc.servlet.path")
    for file in source.files:
        for node in walk(file.root):
            if node.type in TYPES and "ApplicationPath" in (marks := marks_of(node)):
                application = (source.strings(marks["ApplicationPath"]["value"][0]) or [""])[0]
    for file in source.files:
        for method, path, line in _of_file(source, file):
            whole = join(join(context, application), path)
            yield Route(Endpoint(method, normalise(whole)), str(file.path), line)
    yield from _Calls(source).routes()


def _of_file(source: JavaSource, file: JavaFile) -> Iterator[tuple[str, str, int]]:
    for node in walk(file.root):
        if node.type not in {"class_declaration", "record_declaration"}:
            continue
        marks = marks_of(node)
        if _CLIENTS & marks.keys():
            continue
        jax_rs = "Path" in marks or any("Path" in marks_of(t) for t in _supertypes(source, node))
        if jax_rs or _CONTROLLERS & marks.keys():
            yield from _of_class(source, node)


def _supertypes(source: JavaSource, node: Node) -> list[Node]:
    """Interfaces and base classes of the answer, which may carry the annotations."""
    found = []
    for child in node.children:
        if child.type in {"super_interfaces", "superclass"}:
            names = [text(n) for n in walk(child) if n.type == "type_identifier"]
            found += [source.types[name] for name in names if name in source.types]
    return found


def _of_class(source: JavaSource, node: Node) -> Iterator[tuple[str, str, int]]:
    chain = [node, *_supertypes(source, node)]
    prefixes = next((found for kind in chain if (found := _class_paths(source, kind))), [""])
    seen = set()
    for kind in chain:
        body = kind.child_by_field_name("body")
        for member in body.named_children if body else []:
            if member.type != "method_declaration":
                continue
            name = text(member.child_by_field_name("name") or member)
            mapped = list(_method_routes(source, marks_of(member)))
            if not mapped or (name in seen and kind is not node):
                continue
            seen.add(name)
            for method, path in mapped:
                for prefix in prefixes:
                    yield method, join(prefix, path), member.start_point[0] + 1


def _class_paths(source: JavaSource, node: Node) -> list[str]:
    marks = marks_of(node)
    for name in ("RequestMapping", "Path", "Controller"):
        for key in ("value", "path"):
            values = marks.get(name, {}).get(key, [])
            if values and (paths := source.strings(values[0])):
                return paths if paths[0].startswith("/") or name != "Controller" else [f"/{paths[0]}"]
    return []


def _method_routes(source: JavaSource, marks: dict[str, dict[str, list[Node]]]) -> Iterator[tuple[str, str]]:
    for name, arguments in marks.items():
        paths = [
            p
            for key in ("value", "path", "uri", "uris")
            for v in arguments.get(key, [])
            for p in source.strings(v)
        ]
        if name in _MAPPINGS:
            methods: tuple[str, ...] = _MAPPINGS[name]
        elif name == "RequestMapping":
            named = re.findall(r"\b[A-Z]+\b", " ".join(text(v) for v in arguments.get("method", [])))
            methods = tuple(m for m in named if m in METHODS) or ANY
        elif name in _MICRONAUT and name not in METHODS:
            methods = _MICRONAUT[name]
        elif name in METHODS and not arguments:  # JAX-RS; Retrofit's clients give a path here
            values = marks.get("Path", {}).get("value", [])
            paths, methods = source.strings(values[0]) if values else [], (name,)
        else:
            continue
        for method in methods:
            for path in paths or [""]:
                yield method, re.sub(r"\{\?[^}]*\}", "", path)


class _Calls:
    """Javalin and Spark: `app.get("/x", f)`, `get("/x", f)`, nested in `path("/api", () -> {...})`."""

    def __init__(self, source: JavaSource) -> None:
        self.source = source
        self.files = [
            f
            for f in source.files
            if re.search(r"\b(io\.javalin|spark\.|web\.(?:servlet|reactive)\.function)", f.imports)
        ]
        self.prefixes: dict[str, list[str]] = defaultdict(list)
        """Prefix under which a method that adds routes is called, by the method's name."""
        for _ in range(4):  # a few levels of methods that call methods
            for file in self.files:
                for call in _calls(file.root):
                    self._note_prefix(call)

    def _note_prefix(self, call: Node) -> None:
        names = [text(call.child_by_field_name("name") or call)]
        if names == ["path"]:
            arguments = call.child_by_field_name("arguments")
            names = [
                text(part.children[-1])
                for part in (arguments.named_children if arguments else [])
                if part.type == "method_reference"
            ]
            before = [join(b, self._own_path(call)) for b in self._before(call)] if names else []
        else:
            before = [b for b in self._before(call) if b]
        for name in names:
            self.prefixes[name] += [b for b in before if b not in self.prefixes[name]]

    def _own_path(self, call: Node) -> str:
        arguments = call.child_by_field_name("arguments")
        first = arguments.named_children[0] if arguments and arguments.named_children else None
        return "/" + (self.source.string(first) or "").lstrip("/")

    def _before(self, call: Node) -> list[str]:
        """Paths in front of a call: of the `path(...)` around it, and of where its method is called."""
        inner, node, method = "", call.parent, ""
        while node is not None:
            if node.type == "method_invocation" and text(node.child_by_field_name("name") or node) == "path":
                inner = join(self._own_path(node), inner) if inner else self._own_path(node)
            if node.type == "method_declaration":
                method = text(node.child_by_field_name("name") or node)
                break
            node = node.parent
        return [join(outer, inner) if inner else outer for outer in self.prefixes.get(method) or [""]]

    def routes(self) -> Iterator[Route]:
        for file in self.files:
            for call in _calls(file.root):
                for method, path in self._route(file, call):
                    for before in self._before(call):
                        endpoint = Endpoint(method, normalise(join(before, path) or "/"))
                        yield Route(endpoint, str(file.path), call.start_point[0] + 1)

    def _route(self, file: JavaFile, call: Node) -> Iterator[tuple[str, str]]:
        name = text(call.child_by_field_name("name") or call)
        arguments = call.child_by_field_name("arguments")
        given = [part for part in arguments.named_children if "comment" not in part.type] if arguments else []
        if not given or not self._is_server(file, call):
            return
        first = self.source.string(given[0])
        if name in VERBS and first is not None and len(given) > 1:
            yield VERBS[name], "/" + first.lstrip("/")
        elif (
            name in VERBS
            and "apibuilder" in file.imports
            and given[0].type in {"lambda_expression", "method_reference"}
        ):
            yield VERBS[name], ""
        elif name in METHODS and first is not None:  # Spring's functional routes
            yield name, first
        elif name == "crud" and first is not None:
            base = re.sub(r"/\{[^}]*\}$", "", "/" + first.lstrip("/"))
            yield from ((method, base + after) for after, method in _CRUD)
        elif name == "addHandler" or name == "addHttpHandler":
            method = text(given[0]).rsplit(".", 1)[-1]
            path = self.source.string(given[1]) if len(given) > 2 else None
            if method in METHODS and path is not None:
                yield method, path

    def _is_server(self, file: JavaFile, call: Node) -> bool:
        """Whether the call is made on the server, and not on an HTTP client or a map."""
        receiver = call.child_by_field_name("object")
        if receiver is None:
            return bool(
                re.search(r"static .*(apibuilder|spark\.|RequestPredicates|RouterFunctions)", file.imports)
            )
        whole = text(receiver)
        if re.match(r"(Javalin\.|Spark\b|ApiBuilder\b|RouterFunctions\.|route\(|RequestPredicates\b)", whole):
            return True
        first = re.match(r"(?:this\.)?(\w+)", whole)
        declared = (
            rf"\b(Javalin|Service|JavalinConfig)\s+{first[1]}\b|\b{first[1]}\s*=\s*(Javalin\.|ignite|Service\.)"
            if first
            else "$^"
        )
        return bool(re.search(declared, text(file.root)))


def _calls(root: Node) -> Iterator[Node]:
    return (node for node in walk(root) if node.type == "method_invocation")
