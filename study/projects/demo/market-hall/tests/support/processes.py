"""Services as real processes, for the tests of one file."""

import http.client
import json
import os
import random
import socket
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 5.0


def free_port():
    """A port below those that systems give to outgoing connections, so that none of these takes it."""
    while True:
        port = random.randrange(20000, 32000)
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port


def ask(port, method, path, body=None):
    """Status and JSON of one request."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request(method, path, None if body is None else json.dumps(body))
        response = connection.getresponse()
        return response.status, json.loads(response.read())
    finally:
        connection.close()


class Running:
    """One service process."""

    def __init__(self, directory, port, environment):
        self.port = port
        self._process = subprocess.Popen(
            [sys.executable, f"services/{directory}/main.py"],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PORT": str(port), **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def ask(self, method, path, body=None):
        return ask(self.port, method, path, body)

    def wait(self, deadline):
        """Until it is healthy, has ended, or is given up; tests that need it then fail by themselves."""
        while self._process.poll() is None and time.monotonic() < deadline:
            try:
                if self.ask("GET", "/health")[0] == 200:
                    return
            except (OSError, ValueError, http.client.HTTPException):
                pass
            time.sleep(0.02)

    def end(self):
        self._process.terminate()

    def reap(self):
        try:
            self._process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class Hall:
    """Several services that know each other, with a clock that stands still."""

    def __init__(self, folder, now, peers):
        """`peers` are variables with the addresses of what is not started here, and other settings."""
        self.folder = folder
        self.environment = {"HALL_NOW": now, **peers}
        self.services = {}

    def start(self, **directories):
        """Start services; each keyword is the variable that tells the others where a service is."""
        ports = {variable: free_port() for variable in directories}
        for variable, port in ports.items():
            self.environment[variable] = f"http://127.0.0.1:{port}"
        for variable, directory in directories.items():
            own = {"DB_FILE": str(self.folder / f"{directory}.sqlite3")}
            self.services[directory] = Running(directory, ports[variable], {**self.environment, **own})
        deadline = time.monotonic() + PATIENCE_SECONDS
        for service in self.services.values():
            service.wait(deadline)

    def stop(self):
        for service in self.services.values():
            service.end()
        for service in self.services.values():
            service.reap()
