"""The routes of config/gateway-routes.yaml."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from library.settings import peer_url, read_config


@dataclass(frozen=True)
class Route:
    """Paths below `prefix` go to `address`, without the prefix."""

    key: str
    prefix: str
    address: str


def load_routes() -> list[Route]:
    entries = read_config("gateway-routes.yaml")["routes"].items()
    return [
        Route(key, entry["prefix"].rstrip("/"), peer_url(entry["urlVariable"], entry["service"]))
        for key, entry in entries
    ]


def resolve(path: str, routes: Sequence[Route]) -> str | None:
    """The address of a path at the service that it belongs to; the longest prefix decides."""
    fitting = [route for route in routes if path == route.prefix or path.startswith(route.prefix + "/")]
    if not fitting:
        return None
    route = max(fitting, key=lambda route: len(route.prefix))
    return route.address + path[len(route.prefix) :]
