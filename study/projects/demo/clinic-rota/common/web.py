"""What all services share on the side of HTTP: JSON in, JSON out, one form of error."""

import asyncio
import contextlib
import json
import os
from http import HTTPStatus

from tornado.web import Application, HTTPError, RequestHandler


class Problem(HTTPError):
    """A request that cannot be fulfilled; `code` is for programs, `detail` for people."""

    def __init__(self, status, code, detail=""):
        super().__init__(status, detail.replace("%", "%%"))
        self.code = code
        self.detail = detail


class JsonHandler(RequestHandler):
    """Base of all handlers."""

    def read_body(self):
        """The JSON object of the request."""
        try:
            data = json.loads(self.request.body)
        except ValueError:
            data = None
        if not isinstance(data, dict):
            raise Problem(400, "bad_json", "the body must be a JSON object")
        return data

    def reply(self, data, status=200):
        """Answer with JSON."""
        self.set_status(status)
        self.set_header("Content-Type", "application/json")
        self.finish(json.dumps(data))

    def write_error(self, status_code, **kwargs):
        problem = kwargs.get("exc_info", (None, None, None))[1]
        if isinstance(problem, Problem):
            self.reply({"error": problem.code, "detail": problem.detail}, status_code)
        else:
            phrase = HTTPStatus(status_code).phrase.lower().replace(" ", "_")
            self.reply({"error": phrase, "detail": ""}, status_code)


class UnknownPathHandler(JsonHandler):
    """Answers 404 on every path that no handler serves."""

    def prepare(self):
        raise Problem(404, "not_found", "no such path")


def make_application(routes):
    """A Tornado application whose errors are JSON throughout."""
    return Application(routes, default_handler_class=UnknownPathHandler)


def serve(application, port):
    """Serve until the process is told to stop."""

    async def run():
        application.listen(port, address=os.environ.get("BIND_HOST", "127.0.0.1"))
        await asyncio.Event().wait()

    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(run())
