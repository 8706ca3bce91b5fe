"""Requests go to the service whose prefix they carry, without the prefix."""

import json
from pathlib import Path

from common import client, settings
from common.web import Problem

ROUTES_FILE = Path(__file__).with_name("routes.json")


def load_routes():
    """Prefix and service of each route."""
    routes = json.loads(ROUTES_FILE.read_text(encoding="utf-8"))["routes"]
    return {route["prefix"]: route["service"] for route in routes}


def split(routes, target):
    """The service in charge of an address, and the address without the prefix."""
    for prefix, service in routes.items():
        rest = target.removeprefix(prefix)
        if target.startswith(prefix) and (rest == "" or rest[0] in "/?"):
            return service, rest if rest.startswith("/") else f"/{rest}"
    raise Problem(404, "no_route", target)


def answer(routes, method, target, body):
    """Answer /health, pass everything else on."""
    if target == "/health":
        return 200, {"service": "gateway", "status": "up"}
    service, rest = split(routes, target)
    status, payload = client.call(method, settings.peer_url(service) + rest, body or None)
    if status == client.UNREACHABLE:
        raise Problem(502, "service_unavailable", service)
    return status, payload
