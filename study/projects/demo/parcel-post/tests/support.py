"""What the tests share: a database of their own, service processes, and JSON requests."""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from unittest import mock
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

ROOT = Path(__file__).resolve().parents[1]
START_SECONDS = 5.0
NOWHERE = "http://127.0.0.1:9"
_opener = build_opener(ProxyHandler({}))


def own_settings(case, **variables):
    """Give a test case an empty data folder and, if wanted, other environment variables."""
    folder = case.enterContext(tempfile.TemporaryDirectory())
    case.enterContext(mock.patch.dict(os.environ, {"DATA_DIR": folder, **variables}))


def start_services(case_class, *names):
    """Start services for the tests of a class; return their addresses by name.

    A service that does not start is no reason to stop: the tests that need it will fail, each for itself.
    """
    folder = case_class.enterClassContext(tempfile.TemporaryDirectory())
    addresses = dict(zip(names, free_addresses(len(names))))
    environment = {**os.environ, **peer_variables(addresses)}
    running = []
    case_class.addClassCleanup(stop_all, running)
    for name, address in addresses.items():
        own = {"PORT": address.rpartition(":")[2], "DATA_DIR": f"{folder}/{name}"}
        command = [sys.executable, f"services/{name.replace('-', '_')}/main.py"]
        running.append(subprocess.Popen(command, cwd=ROOT, env={**environment, **own}))
    for process, address in zip(running, addresses.values()):
        wait_for(process, address)
    return addresses


def peer_variables(addresses):
    """`<NAME>_URL` for every service there is; those that are not started are nowhere."""
    known = json.loads((ROOT / "config" / "settings.json").read_text(encoding="utf-8"))["services"]
    return {
        f"{name.upper().replace('-', '_')}_URL": addresses.get(name, NOWHERE) for name in {*known, *addresses}
    }


def free_addresses(count):
    """Addresses on this machine where nobody listens."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    addresses = [f"http://127.0.0.1:{each.getsockname()[1]}" for each in sockets]
    for each in sockets:
        each.close()
    return addresses


def wait_for(process, address):
    """Wait until the service is healthy, has ended or is given up."""
    deadline = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        try:
            if ask("GET", f"{address}/health")[0] == 200:
                return
        except OSError:
            pass
        time.sleep(0.02)


def stop_all(running):
    for process in running:
        process.terminate()
    for process in running:
        try:
            process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def error_of(answer):
    """Status and error code of an answer."""
    status, content = answer
    return status, content.get("error")


def ask(method, url, body=None):
    """Status and JSON content of an answer."""
    data = None if body is None else json.dumps(body).encode()
    request = Request(url, data=data, method=method, headers={"Content-Type": "application/json"})
    try:
        with _opener.open(request, timeout=5) as response:
            return response.status, json.loads(response.read())
    except HTTPError as error:
        with error:
            return error.code, json.loads(error.read() or b"{}")
