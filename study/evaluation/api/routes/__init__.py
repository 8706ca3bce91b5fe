"""Routes that an answer serves, as far as its code tells without running it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from study.evaluation.api.routes.django import add_urls
from study.evaluation.api.routes.frameworks import find_groups
from study.evaluation.api.routes.groups import Route
from study.evaluation.api.routes.java import java_routes
from study.evaluation.api.routes.java_source import JavaSource
from study.evaluation.api.routes.plain import add_handlers
from study.evaluation.api.routes.source import Source
from study.evaluation.api.routes.tornado import add_tables


@dataclass(frozen=True)
class StaticRoutes:
    """What reading the code of an answer gives."""

    routes: list[Route]
    """Each endpoint once, with the first place where it stands."""
    idle: int
    """Routes that are defined but mounted nowhere; they are not in `routes`."""
    unresolved: list[str]
    """`file:line` of routes whose path cannot be told without running the code."""
    unparsed: list[str]
    """`file: reason` of source files that cannot be read."""


def static_routes(root: Path) -> StaticRoutes:
    """Routes of a Python or Java answer, from its syntax trees.

    Parameters
    ----------
    root : Path
        Folder of the answer. Comments, docstrings, clients, tests by name and vendored folders are no source
        of routes, and a router counts only where it is mounted on an app.

    Returns
    -------
    StaticRoutes
        Of FastAPI, Starlette, Flask (also MethodView, restful, restx), Quart, Sanic, aiohttp, Bottle,
        Falcon, Tornado, Django with its REST framework, and handlers of the standard library; of Spring,
        JAX-RS (Quarkus, Jersey), Micronaut, Javalin and Spark.
    """
    source = Source(root)
    groups = find_groups(source)
    add_tables(source, groups)
    add_urls(source, groups)
    add_handlers(source, groups)
    java = JavaSource(root)
    unique: dict[tuple[str, str], Route] = {}
    for route in (*groups.served(), *java_routes(java)):
        place = Path(route.file).relative_to(root).as_posix()
        unique.setdefault(route.endpoint.key, Route(route.endpoint, place, route.line))
    relative = [str(Path(place).relative_to(root)) for place in groups.unresolved]
    return StaticRoutes(list(unique.values()), groups.idle(), relative, [*source.unparsed, *java.unparsed])
