"""Starts services as real processes for the tests of one file, and stops them when the file is done."""

import http.client
import json
import os
import random
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PATIENCE = 5.0
"""Seconds until a service must answer on /health."""


def send(port, method, path, body=None):
    """Status and JSON of one request."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        headers = {"Content-Type": "application/json"}
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        response = connection.getresponse()
        raw = response.read()
        return response.status, json.loads(raw) if raw else None
    finally:
        connection.close()


def free_port(taken):
    """A port below those that systems give to outgoing connections, so that none of these gets in between."""
    while True:
        port = random.randrange(20000, 32000)
        if port in taken:
            continue
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port


class System:
    """Running services, by directory."""

    def __init__(self, folder):
        self.folder = folder
        self.ports = {}
        self.processes = {}

    def start(self, plan):
        """Start the services of a plan: directory to the directories of the peers by environment variable.

        A service that cannot be started is left out; requests to it are refused.
        """
        for directory in plan:
            self.ports[directory] = free_port(self.ports.values())
        for directory, peers in plan.items():
            self.processes[directory] = self.launch(directory, peers)
        deadline = time.monotonic() + PATIENCE
        for directory, process in self.processes.items():
            while time.monotonic() < deadline and process.poll() is None and not self.healthy(directory):
                time.sleep(0.02)
        return self

    def launch(self, directory, peers):
        urls = {name: f"http://127.0.0.1:{self.ports[peer]}" for name, peer in peers.items()}
        name = Path(directory).name
        database = self.folder / "data" / f"{name}.sqlite3"
        environment = {**os.environ, "PORT": str(self.ports[directory]), "DB_FILE": str(database), **urls}
        with open(self.folder / f"{name}.log", "wb") as log:
            return subprocess.Popen(
                [sys.executable, f"{directory}/main.py"],
                cwd=ROOT,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def healthy(self, directory):
        try:
            return send(self.ports[directory], "GET", "/health")[0] == 200
        except (OSError, ValueError, http.client.HTTPException):
            return False

    def ask(self, directory, method, path, body=None):
        """Status and JSON of one request to a service."""
        return send(self.ports[directory], method, path, body)

    def stop(self):
        for process in self.processes.values():
            process.terminate()
        for process in self.processes.values():
            try:
                process.wait(2)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@pytest.fixture(scope="module")
def system(tmp_path_factory):
    running = System(tmp_path_factory.mktemp("system"))
    try:
        yield running
    finally:
        running.stop()
