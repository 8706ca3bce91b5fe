"""Starts services, runs a test command while they are up, and ends them; told what to do on stdin.

Runs inside the sandbox and needs nothing but Python: the services, the tests and this program share one
network, which is theirs alone where the sandbox can see to it.
"""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

PORT_TAKEN = 97
"""Exit code; an agent's code cannot cause it, since nothing of it runs before."""
GRACE = 2.0


def taken(port: int) -> bool:
    """Whether somebody listens there, or could not be told apart from it."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return True
    return False


def start(service: dict[str, Any], logs: Path) -> "subprocess.Popen[bytes]":
    """Start one service in a session of its own, so that all it starts can be ended with it."""
    with (logs / f"{service['name']}.log").open("wb") as log:
        return subprocess.Popen(
            service["command"],
            cwd=service["directory"],
            env={**os.environ, **service["environment"]},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def answers(port: int, path: str) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
    try:
        connection.request("GET", path)
        return connection.getresponse().status < 500
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def wait_for(process: "subprocess.Popen[bytes]", service: dict[str, Any]) -> str:
    """Wait until a service answers; why it does not, or nothing."""
    deadline = time.monotonic() + service["start_seconds"]
    while time.monotonic() < deadline:
        if answers(service["port"], service["health"]):
            return ""
        if process.poll() is not None:
            return f"ended with exit code {process.returncode}"
        time.sleep(0.1)
    return f"did not answer {service['health']} on port {service['port']} in {service['start_seconds']:g} s"


def last_line(log: Path) -> str:
    lines = log.read_bytes()[-4000:].decode(errors="replace").split("\n")
    said = [line.strip() for line in lines if line.strip()]
    return said[-1][:200] if said else ""


def end(processes: "list[subprocess.Popen[bytes]]") -> None:
    """End every service with all that it started."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        for process in processes:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, number)
        deadline = time.monotonic() + GRACE
        while number == signal.SIGTERM and time.monotonic() < deadline:
            if all(process.poll() is not None for process in processes):
                break
            time.sleep(0.05)
    for process in processes:
        process.wait()


def main() -> int:
    order = json.load(sys.stdin)
    logs, report = Path(order["logs"]), Path(order["report"])
    logs.mkdir()
    blocked = [service["port"] for service in order["services"] if taken(service["port"])]
    if blocked:
        report.write_text(json.dumps({"taken": blocked}))
        return PORT_TAKEN
    down, processes = {}, []
    try:
        for service in order["services"]:
            try:
                process = start(service, logs)
            except OSError as error:
                down[service["name"]] = f"cannot be started: {error}"
                continue
            processes.append(process)
            if why := wait_for(process, service):
                said = last_line(logs / f"{service['name']}.log")
                down[service["name"]] = f"{why}: {said}" if said else why
        report.write_text(json.dumps({"down": down}))
        return subprocess.run(order["tests"], stdin=subprocess.DEVNULL, check=False).returncode
    finally:
        end(processes)


if __name__ == "__main__":
    sys.exit(main())
