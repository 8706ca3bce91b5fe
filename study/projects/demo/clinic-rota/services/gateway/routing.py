"""Which request goes to which service."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Route:
    prefix: str
    url: str
    methods: tuple


def read_routes(entries, environment):
    """Routes by prefix; the address of a service may be overridden from the environment."""
    routes = {}
    for entry in entries:
        url = environment.get(entry["url_env"], entry["url"]).rstrip("/")
        routes[entry["prefix"]] = Route(entry["prefix"], url, tuple(entry["methods"]))
    return routes
