"""Tests that talk to running services: what the sandbox has to start around them.

The services of `Suite.live` are started in the same sandbox as the tests. Their ports are hard-coded in such
systems, so each suite gets a network of its own; where the sandbox cannot give one, suites of all processes
of this user wait for each other.
"""

from __future__ import annotations

import fcntl
import json
import shutil
import sys
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from study.agents.protocol import Launch, ProcessResult
from study.cache import cache_folder
from study.evaluation.suites import SuiteJob
from study.sandbox import isolates_network
from study.schema import StudyError

PROGRAMS = Path(__file__).parent / "programs"
_REPORT, _LOGS = "services.json", "services"
_POLL_SECONDS = 0.2


def with_services(job: SuiteJob, tests: Launch, python: Path) -> Launch:
    """The launch that starts the suite's services, runs `tests` while they are up, and ends them."""
    services = [_order(job, name, python) for name in job.suite.live]
    order = {
        "services": services,
        "tests": tests.command,
        "report": str(job.home / _REPORT),
        "logs": str(job.home / _LOGS),
    }
    return Launch(
        command=[sys.executable, "-I", "-S", str(PROGRAMS / "live.py")],
        environment=tests.environment,
        stdin=json.dumps(order),
        readable=[*tests.readable, PROGRAMS],
        network=False,
    )


def _order(job: SuiteJob, name: str, python: Path) -> dict[str, Any]:
    """What the program inside has to know of one service."""
    service = next((found for found in job.loaded.project.services if found.name == name), None)
    if service is None or service.process is None:
        raise StudyError(
            f"{job.loaded.manifest}: live: {name!r} is no service with a `process` that says how to start it"
        )
    process = service.process
    command = [str(python) if part == "python" else part for part in process.command]
    if job.stub and name == job.service.name:
        command = [
            sys.executable,
            "-I",
            "-S",
            str(PROGRAMS / "stub.py"),
            str(process.port),
            process.health,
        ]
    return {
        "name": name,
        "command": command,
        "directory": str(job.system / process.directory),
        "port": process.port,
        "health": process.health,
        "start_seconds": process.start_seconds,
        "environment": process.environment,
    }


def services_down(job: SuiteJob, ended: ProcessResult) -> dict[str, str]:
    """Services that did not come up, and why; also keeps their logs.

    Raises
    ------
    StudyError
        If a port was taken before anything was started: the suite would have tested somebody else's service.
    """
    if (job.home / _LOGS).is_dir() and not (job.home / _LOGS).is_symlink():
        for log in sorted((job.home / _LOGS).glob("*.log")):
            if log.is_file() and not log.is_symlink():
                shutil.copyfile(log, job.place.logs / f"service-{log.name}")
    try:
        said = json.loads((job.home / _REPORT).read_text(encoding="utf-8"))
        taken, down = said.get("taken", []), said.get("down", {})
        if taken and ended.exit_code is not None:
            raise StudyError(
                f"port {', '.join(map(str, taken))} of {job.loaded.project.name} is taken by another "
                "process of this machine; end it, or install bubblewrap, which gives each suite its own ports"
            )
        return {str(name): str(why) for name, why in down.items()}
    except (OSError, ValueError, AttributeError):
        return {}


@contextmanager
def ports_to_itself(job: SuiteJob) -> Iterator[None]:
    """Wait for other suites with services where all share the machine's ports."""
    if not job.suite.live or isolates_network():
        yield
        return
    with (cache_folder("locks") / "ports.lock").open("a") as stream:
        while True:
            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError:
                if job.place.cancel is not None and job.place.cancel.is_set():
                    raise CancelledError from None
                time.sleep(_POLL_SECONDS)
        yield
