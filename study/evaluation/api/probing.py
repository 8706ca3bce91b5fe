"""Ask a running service which endpoints it has: by its OpenAPI document, and by requests to each.

A service answers 404 both for a route that it does not have and for a cat that it does not have. The two are
told apart by asking for a path that nobody has, and by asking with a method that nobody uses: a known path
answers that with 405, and often says in `Allow` which methods it has.
"""

from __future__ import annotations

import http.client
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from study.evaluation.api.endpoints import METHODS, Endpoint, normalise

DOCUMENTS = (
    "/openapi.json",
    "/v3/api-docs",
    "/q/openapi?format=json",
    "/openapi",
    "/swagger.json",
    "/api/openapi.json",
)
UNKNOWN = "study-no-such-path"
Verdict = Literal["served", "not_served", "unclear"]


@dataclass(frozen=True)
class Answer:
    """What a service said to one request; `status` 0 means nothing that is HTTP."""

    status: int
    body: str = ""
    allow: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Probe:
    """What asking about one endpoint gave."""

    endpoint: Endpoint
    verdict: Verdict
    evidence: str


@dataclass
class Service:
    """A service on this machine that is asked."""

    port: int
    host: str = "127.0.0.1"
    seconds: float = 5.0
    """For one request."""
    _unknown: dict[str, Answer] = field(default_factory=dict)

    def ask(self, method: str, path: str, body: str | None = None) -> Answer:
        """Send one request; nothing that a service does raises."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=self.seconds)
        headers = (
            {"Content-Type": "application/json", "Accept": "*/*"} if body is not None else {"Accept": "*/*"}
        )
        try:
            connection.request(method, path, body=body, headers=headers)
            response = connection.getresponse()
            text = response.read(200_000).decode("utf-8", "replace")
            allow = frozenset(re.findall(r"[A-Z]+", response.headers.get("Allow") or ""))
            return Answer(response.status, text, allow)
        except (OSError, http.client.HTTPException, ValueError):
            return Answer(0)
        finally:
            connection.close()

    def unknown(self, method: str) -> Answer:
        """What it says to a path that it cannot have."""
        if method not in self._unknown:
            self._unknown[method] = self.ask(method, f"/{UNKNOWN}", _body(method))
        return self._unknown[method]


def probe(service: Service, endpoints: Sequence[Endpoint]) -> list[Probe]:
    """Ask about each endpoint.

    Parameters
    ----------
    service : Service
        Where it listens. Requests change its state: use one that is thrown away.
    endpoints : sequence of Endpoint
        The required ones, with full paths.
    """
    documented = documented_endpoints(service)
    return [_probe_one(service, endpoint, documented) for endpoint in endpoints]


def documented_endpoints(service: Service) -> set[tuple[str, str]]:
    """Keys of the endpoints in the service's OpenAPI document; empty if there is none."""
    for path in DOCUMENTS:
        answer = service.ask("GET", path)
        if answer.status == 200 and (found := _read_document(answer.body)):
            return found
    return set()


def _read_document(body: str) -> set[tuple[str, str]]:
    try:
        document = json.loads(body)
        base = str(document.get("basePath", "")) or _server_path(document)
        return {
            Endpoint(method.upper(), normalise(base.rstrip("/") + path)).key
            for path, operations in document["paths"].items()
            for method in operations
            if method.upper() in METHODS
        }
    except (ValueError, KeyError, AttributeError, TypeError):
        return set()


def _server_path(document: dict[str, Any]) -> str:
    servers = document.get("servers") or [{}]
    return re.sub(r"^https?://[^/]+", "", str(servers[0].get("url", ""))).rstrip("/")


def _probe_one(service: Service, endpoint: Endpoint, documented: set[tuple[str, str]]) -> Probe:
    if endpoint.key in documented:
        return Probe(endpoint, "served", "in its OpenAPI document")
    path = example_path(endpoint.path)
    answer = service.ask(endpoint.method, path, _body(endpoint.method))
    if answer.status == 0:
        return Probe(endpoint, "unclear", "no HTTP answer")
    if answer.status in {405, 501}:
        return Probe(endpoint, "not_served", f"status {answer.status}")
    if answer.status != 404:
        return _beside_unknown(service, endpoint, answer)
    return _behind_404(service, endpoint, path, answer)


def _beside_unknown(service: Service, endpoint: Endpoint, answer: Answer) -> Probe:
    """A service that says the same to every path, for instance 401 or a page, tells nothing."""
    unknown = service.unknown(endpoint.method)
    if unknown.status == answer.status and _same(unknown.body, answer.body):
        return Probe(endpoint, "unclear", f"status {answer.status}, as for a path that does not exist")
    return Probe(endpoint, "served", f"status {answer.status}")


def _behind_404(service: Service, endpoint: Endpoint, path: str, answer: Answer) -> Probe:
    for method in ("OPTIONS", "TRACE"):
        other, unknown = service.ask(method, path), service.unknown(method)
        if endpoint.method in other.allow and other.allow != unknown.allow:
            return Probe(endpoint, "served", "status 404, but named in Allow")
        if other.allow and other.allow != unknown.allow:
            return Probe(endpoint, "not_served", f"Allow has {', '.join(sorted(other.allow))} only")
    if not _same(answer.body, service.unknown(endpoint.method).body):
        return Probe(endpoint, "served", "status 404 in other words than for a path that does not exist")
    return Probe(endpoint, "not_served", "status 404, as for a path that does not exist")


def _same(one: str, other: str) -> bool:
    """Whether two bodies are the same page but for the path, the time and ids that they repeat."""
    return _essence(one) == _essence(other)


def _essence(body: str) -> str:
    body = re.sub(r"/[\w./%@:!-]*|\d+", "#", body.replace(UNKNOWN, "/"))
    return re.sub(r"[\s\"'#]+", " ", body).strip()


def example_path(template: str) -> str:
    """A path with values for the parameters: 1, which most ids can be."""
    return re.sub(r"\{[^}]*\}", "1", template)


def _body(method: str) -> str | None:
    return "{}" if method in {"POST", "PUT", "PATCH"} else None
