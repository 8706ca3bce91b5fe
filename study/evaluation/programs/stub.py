"""An empty service: says that it is well, and knows nothing else. Arguments: port and health path."""

import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Stub(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        healthy = self.path.split("?")[0] == sys.argv[2]
        body = b'{"status": "healthy"}' if healthy else b'{"detail": "Not Found"}'
        self.send_response(200 if healthy else 404)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    # every other method is answered with 501 by the base class


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Stub).serve_forever()
