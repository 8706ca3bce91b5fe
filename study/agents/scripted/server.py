"""The HTTP server: loopback, a free port, one thread for each connection."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import ModuleType, TracebackType
from typing import Any, ClassVar, Self
from urllib.parse import urlsplit

from study.agents.scripted import anthropic, chat, responses
from study.agents.scripted.request import Request
from study.agents.scripted.script import Reply, Script

PROTOCOLS: tuple[ModuleType, ...] = (anthropic, responses, chat)
_TITLE = Reply(text="A title")


@dataclass(frozen=True)
class Seen:
    """One request that came, and what became of it."""

    method: str
    path: str
    status: int
    """0: no answer was given."""
    model: str = ""
    side: bool = False
    """It offered no tools, and so was no part of the scripted conversation."""
    authorised: bool = False
    """It carried a key."""


class ScriptedServer:
    """Serve a script for as long as the `with` block lasts.

    Parameters
    ----------
    script : Script
        What to answer.
    listen : callable, optional
        Gets the body of every request of a scripted conversation.
    port : int
        0: any that is free.

    Attributes
    ----------
    seen : list of Seen
        All requests in the order of their ends.
    """

    def __init__(
        self, script: Script, listen: Callable[[str], None] = lambda body: None, port: int = 0
    ) -> None:
        self.script = script
        self.listen = listen
        self.seen: list[Seen] = []
        self.stopped = threading.Event()
        self._failed: Counter[tuple[str, str]] = Counter()
        self._number = 0
        self._lock = threading.Lock()
        handler = type("Handler", (_Handler,), {"scripted": self})
        self._http = ThreadingHTTPServer(("127.0.0.1", port), handler)
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.05})

    @property
    def address(self) -> str:
        """`http://127.0.0.1:PORT`, without a path."""
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    @property
    def calls(self) -> int:
        """Requests for the scripted conversations, failed ones included."""
        return sum(seen.method == "POST" and not seen.side for seen in self.seen)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stopped.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def reply(self, request: Request) -> tuple[Reply | None, int]:
        """The next reply of the request's conversation, and a number for its ids.

        Which one is next follows from the request itself, which repeats the conversation so far, and from
        the failures served in it; so parallel runs and retries get what is theirs.
        """
        with self._lock:
            self._number += 1
            if not request.tools:
                return _TITLE, self._number
            case = self.script.case(request.prompt)
            if case is None:
                return None, self._number
            key = (request.folder, case.match)
            reply = case.replies[min(request.turns + self._failed[key], len(case.replies) - 1)]
            self._failed[key] += reply.fails
            return reply, self._number

    def note(self, seen: Seen) -> None:
        with self._lock:
            self.seen.append(seen)


class _Handler(BaseHTTPRequestHandler):
    scripted: ClassVar[ScriptedServer]
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is printed; `seen` tells."""

    def do_HEAD(self) -> None:
        self._end(200)

    def do_GET(self) -> None:
        listing = urlsplit(self.path).path.endswith("/models")
        self._json(200 if listing else 404, {"object": "list", "data": []})

    def do_POST(self) -> None:
        try:
            data = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
        except ValueError:
            return self._json(400, {"error": {"message": "no JSON"}})
        path = urlsplit(self.path).path
        protocol = next((p for p in PROTOCOLS if path in p.PATHS), None)
        if protocol is None:
            return self._json(404, {"error": {"message": f"no such path: {path}"}})
        request: Request = protocol.parse(data)
        if request.tools:
            self.scripted.listen(json.dumps(data))
        reply, number = self.scripted.reply(request)
        if reply is None:
            return self._json(400, protocol.failure(400), request)
        try:
            self._answer(protocol, reply, request, number)
        except OSError:  # the agent hung up, or was ended
            self._note(0, request)
        return None

    def _answer(self, protocol: ModuleType, reply: Reply, request: Request, number: int) -> None:
        if reply.silence and self.scripted.stopped.wait(reply.silence):
            self.close_connection = True
            return self._note(0, request)
        if reply.status is not None:
            return self._json(reply.status, protocol.failure(reply.status), request)
        if not request.stream:
            return self._json(200, protocol.body(reply, request, number), request)
        return self._stream(protocol.events(reply, request, number), reply, request)

    def _stream(self, events: list[tuple[str, dict[str, Any]]], reply: Reply, request: Request) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for count, (name, data) in enumerate(events):
            if count == reply.cut_after:
                self.close_connection = True
                return self._note(200, request)
            if count and reply.pause and self.scripted.stopped.wait(reply.pause):
                break
            head = f"event: {name}\n" if name else ""
            self._chunk(f"{head}data: {json.dumps(data)}\n\n")
        else:
            if not events[-1][0]:
                self._chunk("data: [DONE]\n\n")
        self._note(200, request)
        self._chunk("")
        return None

    def _chunk(self, text: str) -> None:
        data = text.encode()
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def _json(self, status: int, data: dict[str, Any], request: Request | None = None) -> None:
        content = json.dumps(data).encode()
        self._note(status, request)
        with suppress(OSError):
            self._end(status, content)

    def _end(self, status: int, content: bytes = b"") -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _note(self, status: int, request: Request | None) -> None:
        key = self.headers.get("x-api-key") or self.headers.get("Authorization") or ""
        side = request is not None and not request.tools
        model = request.model if request else ""
        self.scripted.note(Seen(self.command, self.path, status, model, side, len(key) > len("Bearer ")))
