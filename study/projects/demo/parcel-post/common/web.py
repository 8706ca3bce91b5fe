"""A very small JSON web server: a table of routes, and one plain function for each route.

A handler takes a request, which is a dict with the keys `params` (named parts of the path), `query`
and `body`, and returns `(status, payload)` or `(status, text, content_type)`.
"""

import json
import os
import signal
import sys
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from urllib.parse import parse_qsl, unquote, urlsplit

from common import settings


class Problem(Exception):
    """A request that cannot be served; it becomes the answer `{"error": code, "detail": ...}`."""

    def __init__(self, status, code, detail=""):
        super().__init__(f"{status} {code} {detail}".strip())
        self.status = status
        self.code = code
        self.detail = detail


def match(pattern, path):
    """The named parts of a path that fits the pattern, or None."""
    wanted = pattern.strip("/").split("/")
    given = path.strip("/").split("/")
    if len(wanted) != len(given):
        return None
    params = {}
    for part, value in zip(wanted, given):
        if part.startswith("{"):
            params[part[1:-1]] = unquote(value)
        elif part != value:
            return None
    return params


def dispatch(routes, method, target, body=None):
    """Answer one request from a table `{(method, pattern): handler}`."""
    address = urlsplit(target)
    path_known = False
    for (verb, pattern), handler in routes.items():
        params = match(pattern, address.path)
        if params is None:
            continue
        path_known = True
        if verb != method:
            continue
        request = {"params": params, "query": dict(parse_qsl(address.query)), "body": body or {}}
        try:
            return handler(request)
        except Problem as problem:
            return problem.status, {"error": problem.code, "detail": problem.detail}
    if path_known:
        return 405, {"error": "method_not_allowed", "detail": f"{method} {address.path}"}
    return 404, {"error": "no_such_path", "detail": address.path}


def read_body(raw):
    """The JSON object of a request; no body at all is an empty object."""
    if not raw:
        return {}
    try:
        body = json.loads(raw)
    except ValueError:
        raise Problem(400, "bad_json", "the body is not JSON") from None
    if not isinstance(body, dict):
        raise Problem(400, "bad_json", "the body must be a JSON object")
    return body


def serve(service, answer):
    """Serve until SIGTERM or Ctrl-C; `answer(method, target, body)` gives status and payload."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    host = os.environ.get("HOST", "127.0.0.1")
    server = _Server((host, settings.port(service)), _Handler)
    server.answer = answer
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    finally:
        server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def server_bind(self):
        # The parent looks the host name up, which takes seconds on a machine without a name server.
        TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[:2]


class _Handler(BaseHTTPRequestHandler):
    wbufsize = -1

    def _respond(self):
        try:
            raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            result = self.server.answer(self.command, self.path, read_body(raw))
        except Problem as problem:
            result = problem.status, {"error": problem.code, "detail": problem.detail}
        except Exception:
            traceback.print_exc()
            result = 500, {"error": "internal_error", "detail": ""}
        status, payload, content_type = (*result, "application/json")[:3]
        data = (payload if isinstance(payload, str) else json.dumps(payload)).encode()
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Access-Control-Allow-Origin", "*")
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = do_PUT = do_DELETE = _respond

    def log_message(self, *args):
        pass
