"""Start services as real processes on free ports, with a data folder of their own, and stop them."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from tests.conftest import TODAY

ROOT = Path(__file__).resolve().parents[2]
NOBODY = "http://127.0.0.1:9"
START_SECONDS = 5.0
POLL_SECONDS = 0.02


class Running:
    """Addresses of started services, and one HTTP client for all of them."""

    def __init__(self, addresses: dict[str, str]) -> None:
        self.addresses = addresses
        self._client = httpx.Client(verify=False, trust_env=False, timeout=5)

    def call(self, directory: str, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """An HTTP response of the service in a directory."""
        return self._client.request(method, self.addresses[directory] + path, json=body)

    def close(self) -> None:
        self._client.close()

    def is_up(self, directory: str) -> bool:
        try:
            return bool(self.call(directory, "GET", "/health").status_code == 200)
        except httpx.HTTPError:
            return False


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def peer_variables(addresses: dict[str, str]) -> dict[str, str]:
    """<DIRECTORY>_URL of every service; those that are not started get an address where nobody listens."""
    known = {path.name for path in (ROOT / "services").iterdir() if path.is_dir()}
    return {f"{name.upper()}_URL": addresses.get(name, NOBODY) for name in known | set(addresses)}


def start(directory: str, address: str, variables: dict[str, str], data: Path) -> subprocess.Popen[bytes]:
    environment = {
        **os.environ,
        **variables,
        "PORT": address.rpartition(":")[2],
        "DATA_DIR": str(data / directory),
        "BUSINESS_DATE": TODAY,
        "PYTHONPATH": str(ROOT),
    }
    return subprocess.Popen(
        [sys.executable, f"services/{directory}/main.py"],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def stop(processes: list[subprocess.Popen[bytes]]) -> None:
    for process in processes:
        process.terminate()
    deadline = time.monotonic() + 1
    for process in processes:
        try:
            process.wait(max(deadline - time.monotonic(), 0))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def system(data: Path, *directories: str, **settings: str) -> Iterator[Running]:
    """Run services at the same time until the block ends; settings are environment variables of them all.

    A service that exits or never answers is not waited for any longer: the tests that need it fail, each
    for itself, and the others go on.
    """
    addresses = {name: f"http://127.0.0.1:{free_port()}" for name in directories}
    running = Running(addresses)
    variables = {**peer_variables(addresses), **settings}
    processes: dict[str, subprocess.Popen[bytes]] = {}
    try:
        for name, address in addresses.items():
            processes[name] = start(name, address, variables, data)
        deadline = time.monotonic() + START_SECONDS
        for name, process in processes.items():
            while process.poll() is None and not running.is_up(name) and time.monotonic() < deadline:
                time.sleep(POLL_SECONDS)
        yield running
    finally:
        running.close()
        stop(list(processes.values()))
