"""A running service is asked; a cat that is not there is told from a route that is not there."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from flask import Flask, abort
from test_python_routes import routes_of
from werkzeug.serving import make_server

from study.evaluation.api.coverage import coverage
from study.evaluation.api.endpoints import Endpoint
from study.evaluation.api.probing import Service, probe

WANTED = [
    Endpoint("GET", "/cats"),
    Endpoint("GET", "/cats/{id}"),
    Endpoint("POST", "/cats"),
    Endpoint("DELETE", "/cats/{id}"),
    Endpoint("GET", "/cats/{id}/toys"),
    Endpoint("GET", "/"),
]


@contextmanager
def served(server) -> Iterator[Service]:
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield Service(server.server_port)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def verdicts(service: Service) -> dict[str, str]:
    return {str(found.endpoint): found.verdict for found in probe(service, WANTED)}


EXPECTED = {
    "GET /cats": "served",
    "GET /cats/{id}": "served",
    "POST /cats": "served",
    "DELETE /cats/{id}": "not_served",
    "GET /cats/{id}/toys": "not_served",
    "GET /": "not_served",
}


@pytest.mark.parametrize("words", [None, "no such cat"])
def test_flask(words: str | None) -> None:
    app = Flask("shop")
    app.add_url_rule("/cats", "all", lambda: "[]")
    app.add_url_rule("/cats/<id>", "one", lambda id: abort(404, words))
    app.add_url_rule("/cats", "add", lambda: ("bad", 400), methods=["POST"])
    with served(make_server("127.0.0.1", 0, app)) as service:
        assert verdicts(service) == EXPECTED


class _Cats(BaseHTTPRequestHandler):
    document: dict[str, object] | None = None

    def do_GET(self) -> None:
        if self.path == "/openapi.json" and self.document:
            self._say(200, self.document)
        elif self.path == "/cats":
            self._say(200, [])
        elif self.path.startswith("/cats/") and self.path.count("/") == 2:
            self._say(404, {"error": "no such cat", "path": self.path})
        else:
            self._say(404, {"error": "not found", "path": self.path})

    def do_POST(self) -> None:
        self._say(422 if self.path == "/cats" else 404, {"error": "not found", "path": self.path})

    def do_DELETE(self) -> None:
        self._say(404, {"error": "not found", "path": self.path})

    def _say(self, status: int, body: object) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None: ...


def test_standard_library_without_allow() -> None:
    with served(ThreadingHTTPServer(("127.0.0.1", 0), _Cats)) as service:
        assert verdicts(service) == EXPECTED


def test_an_openapi_document_is_believed() -> None:
    document = {"paths": {"/cats/{cat_id}": {"delete": {}, "parameters": []}}, "servers": [{"url": "/"}]}
    handler = type("Documented", (_Cats,), {"document": document})
    with served(ThreadingHTTPServer(("127.0.0.1", 0), handler)) as service:
        found = {str(p.endpoint): (p.verdict, p.evidence) for p in probe(service, WANTED)}
    assert found["DELETE /cats/{id}"] == ("served", "in its OpenAPI document")


def test_a_service_that_says_the_same_to_all_tells_nothing() -> None:
    app = Flask("shop")
    app.before_request(lambda: ("token missing", 401))
    with served(make_server("127.0.0.1", 0, app)) as service:
        assert set(verdicts(service).values()) == {"unclear"}


def test_nobody_there() -> None:
    with served(make_server("127.0.0.1", 0, Flask("gone"))) as service:
        pass
    assert set(verdicts(service).values()) == {"unclear"}


def test_coverage_by_both_means(tmp_path: Path) -> None:
    static = routes_of(
        tmp_path,
        """
# app.py
from flask import Flask
app = Flask(__name__)
@app.get("/cats")
def cats(): ...
@app.delete("/cats/<id>")
def drop(id): ...
""",
    )
    with served(ThreadingHTTPServer(("127.0.0.1", 0), _Cats)) as service:
        found = coverage(WANTED, static, probe(service, WANTED))
    assert found.rate("static") == pytest.approx(100 * 2 / 6)
    assert found.rate("running") == pytest.approx(100 * 3 / 6)
    assert [str(row.endpoint) for row in found.disagreements] == [
        "GET /cats/{id}",
        "POST /cats",
        "DELETE /cats/{id}",
    ]
    assert found.rows[0].evidence == "app.py:3; status 200"
    assert coverage(WANTED, static, None).rate("running") is None
    assert coverage([], static, None).rate("static") is None
