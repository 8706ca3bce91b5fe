"""A stand-in for services that a test does not start."""

import json
import socketserver
import threading
from http.server import BaseHTTPRequestHandler


class StandIn(socketserver.ThreadingTCPServer):
    """Answers in a thread of the test, with what it is told to answer, and remembers what it was asked."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, answer):
        """`answer` turns method, path and JSON body into status and JSON."""
        super().__init__(("127.0.0.1", 0), Handler)
        self.answer = answer
        self.asked = []
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}"

    def stop(self):
        self.shutdown()
        self.server_close()


class Handler(BaseHTTPRequestHandler):
    """One request to the stand-in."""

    def do_GET(self):
        self._answer(None)

    def do_POST(self):
        length = int(self.headers.get("Content-Length") or 0)
        self._answer(json.loads(self.rfile.read(length) or b"null"))

    def log_message(self, format, *args):
        pass

    def _answer(self, body):
        self.server.asked.append(f"{self.command} {self.path}")
        status, content = self.server.answer(self.command, self.path, body)
        data = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
