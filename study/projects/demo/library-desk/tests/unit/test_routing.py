"""How the gateway finds the address of a path."""

from __future__ import annotations

from services.gateway.routing import Route, load_routes, resolve

ROUTES = [Route("a", "/api/books", "http://a"), Route("b", "/api/books/old", "http://b")]


def test_the_longest_prefix_of_whole_parts_decides() -> None:
    assert resolve("/api/books", ROUTES) == "http://a"
    assert resolve("/api/books/7", ROUTES) == "http://a/7"
    assert resolve("/api/books/old/7", ROUTES) == "http://b/7"
    assert resolve("/api/books/older", ROUTES) == "http://a/older"
    assert resolve("/api/bookshop", ROUTES) is None


def test_every_configured_route_has_a_prefix_of_its_own() -> None:
    prefixes = [route.prefix for route in load_routes()]
    assert prefixes
    assert len(prefixes) == len(set(prefixes))
