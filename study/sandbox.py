"""Run one command, confined: own session, limits, and nothing left alive afterwards.

The command runs in bubblewrap where that is installed and works: the disk is hidden but for the system, the
Python environment and what the launch names, and nothing can be written but the workspace, HOME and /tmp.
Elsewhere it runs plainly, with the same limits and clean-up; `STUDY_SANDBOX=plain` in the environment asks
for that. Either way a supervisor (see `study.supervisor`) watches it in a process of its own, and ends it
when the caller ends, however that comes about.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import psutil

from study.agents.protocol import Launch, ProcessResult
from study.bubblewrap import SUPERVISOR, SUPERVISOR_INSIDE, View, arguments, find_bubblewrap, make_temp
from study.design import Limits
from study.redaction import redact_file, redact_text
from study.scratch import scratch_folder

Confinement = Literal["bubblewrap", "plain"]

MAIN = "import sys; sys.path.append({folder!r}); from supervisor.watch import main; main()"
OVERDUE_SECONDS = 20.0
"""How long after the last limit the supervisor may still be busy ending the command."""
SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def run_confined(
    launch: Launch,
    *,
    workspace: Path,
    home: Path,
    logs: Path,
    seconds: float,
    limits: Limits,
    grace: float = 2.0,
    processes: int = 512,
    cancel: threading.Event | None = None,
    hidden: Sequence[Path] = (),
) -> ProcessResult:
    """Run a command to its end and leave nothing of it alive. Safe to call from several threads at once.

    Parameters
    ----------
    launch : Launch
        The command, what it gets and what it may see.
    workspace : Path
        An existing folder; the command starts in it and may write to it.
    home : Path
        Becomes HOME; made if it is not there. `launch.files` are written to it first.
    logs : Path
        Folder for stdout.log and stderr.log, which hold the bytes as they came; out of the command's sight.
    seconds : float
        Wall time after which the command is ended.
    limits : Limits
        `output_megabytes` counts stdout and stderr together, `disk_megabytes` what workspace, HOME and the
        temporary folder have grown by. A megabyte is 10^6 bytes.
    grace : float
        Seconds between TERM and KILL.
    processes : int
        How many processes there may be at once before the command is ended.
    cancel : threading.Event, optional
        Set it in another thread to end the command.
    hidden : sequence of Path
        Folders that bubblewrap hides wherever they lie, whatever `launch.readable` says.

    Returns
    -------
    ProcessResult
        A command that cannot be started is a result too, not an exception.

    Raises
    ------
    CancelledError
        After `cancel` was set and the command ended.
    """
    workspace, home, logs = (path.absolute() for path in (workspace, home, logs))
    logs.mkdir(parents=True, exist_ok=True)
    home.mkdir(parents=True, exist_ok=True)
    _write_files(launch.files, home)
    confinement, network = _confinement(launch.network)
    stdout, stderr = logs / "stdout.log", logs / "stderr.log"
    with scratch_folder() as temp, stdout.open("wb") as out, stderr.open("wb") as err:
        make_temp(temp)
        inside = confinement == "bubblewrap"
        job = {
            "command": launch.command,
            "environment": _environment(home, Path("/tmp") if inside else temp / "tmp")
            | launch.environment
            | launch.secrets,
            "stdin": launch.stdin,
            "workspace": str(workspace),
            "folders": [str(workspace), str(home), *(["/tmp", "/dev/shm"] if inside else [str(temp)])],
            "seconds": seconds,
            "grace": grace,
            "processes": processes,
            "drop_capabilities": inside,
            "output_megabytes": limits.output_megabytes,
            "disk_megabytes": limits.disk_megabytes,
            "stdout": out.fileno(),
            "stderr": err.fileno(),
        }
        view = View(workspace, home, temp, tuple(launch.readable), network, (logs, *hidden))
        result = _unstartable(launch, workspace) or _supervise(_supervisor(confinement, view), job, cancel)
    for log in (stdout, stderr):
        redact_file(log, launch.secrets)
    return ProcessResult(
        ended=result["ended"],
        exit_code=result["exit_code"],
        wall_seconds=result["seconds"],
        confinement=confinement,
        stdout=stdout,
        stderr=stderr,
        leftovers=result["leftovers"],
        message=redact_text(result["message"], launch.secrets),
    )


def _confinement(network: bool) -> tuple[Confinement, bool]:
    """The best confinement there is, and whether the command will have the network in it."""
    if os.environ.get("STUDY_SANDBOX") == "plain" or find_bubblewrap() is None:
        return "plain", True
    return "bubblewrap", network or find_bubblewrap(network=False) is None


def isolates_network() -> bool:
    """Whether a command that asks for no network gets a loopback interface of its own."""
    return _confinement(network=False) == ("bubblewrap", False)


def isolates_files() -> bool:
    """Whether a command can write to nothing but its workspace, HOME and temporary folder."""
    return _confinement(network=True)[0] == "bubblewrap"


def _environment(home: Path, temp: Path) -> dict[str, str]:
    """All of the command's environment; nothing is taken over from the caller's, which may hold keys."""
    return {
        "PATH": f"{Path(sys.executable).parent}:{SYSTEM_PATH}",
        "HOME": str(home),
        "TMPDIR": str(temp),
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
    }


def _write_files(files: dict[str, str], home: Path) -> None:
    for name, text in files.items():
        path = Path(os.path.normpath(home / name))
        if path == home or not path.is_relative_to(home):
            raise ValueError(f"Launch.files: {name!r} is not a path below HOME")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _unstartable(launch: Launch, workspace: Path) -> dict[str, Any] | None:
    """What can be seen without trying, and would otherwise be told less clearly."""
    missing = [str(path) for path in launch.readable if not path.exists()]
    if not launch.command:
        return _not_started("the command is empty")
    if not workspace.is_dir():
        return _not_started(f"{workspace}: there is no such folder to start it in")
    return _not_started(f"{', '.join(missing)}: readable, but not there") if missing else None


def _not_started(message: str) -> dict[str, Any]:
    return {"ended": "not_started", "exit_code": None, "message": message, "leftovers": 0, "seconds": 0.0}


def _supervisor(confinement: Confinement, view: View) -> list[str]:
    inside = confinement == "bubblewrap"
    folder = (SUPERVISOR_INSIDE if inside else SUPERVISOR).parent
    python = [sys.executable, "-I", "-S", "-E", "-c", MAIN.format(folder=str(folder))]
    return [str(find_bubblewrap()), *arguments(view), *python] if inside else python


def _supervise(supervisor: list[str], job: dict[str, Any], cancel: threading.Event | None) -> dict[str, Any]:
    """Start the supervisor, and see to it that it ends, and the command with it, whatever happens here."""
    process = subprocess.Popen(
        supervisor,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={"LC_ALL": "C.UTF-8"},
        cwd="/",
        pass_fds=(job["stdout"], job["stderr"]),
        start_new_session=True,  # so that Ctrl-C reaches the caller alone, and all is ended in order
    )
    assert process.stdin is not None and process.stdout is not None
    try:
        with suppress(BrokenPipeError):
            process.stdin.write(json.dumps(job).encode() + b"\n")
            process.stdin.flush()
        overdue = time.monotonic() + job["seconds"] + job["grace"] + OVERDUE_SECONDS
        said = _read(process.stdout.fileno(), cancel, overdue)
    finally:
        with suppress(BrokenPipeError):
            process.stdin.close()  # the order to stop, if it has not done so by itself
        _end(process, job["grace"] + OVERDUE_SECONDS / 2)
        process.stdout.close()
    last = said.splitlines()[-1] if said.strip() else b""
    try:
        result: dict[str, Any] = json.loads(last)
    except ValueError:
        why = last.decode(errors="replace") or f"exit code {process.returncode}"
        return _not_started(f"the supervisor gave no result: {why}")
    return result


def _end(process: subprocess.Popen[bytes], seconds: float) -> None:
    """Wait for the supervisor; one that does not end was stopped, and is killed with all below it."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        with suppress(psutil.Error):
            for below in psutil.Process(process.pid).children(recursive=True):
                with suppress(psutil.Error):
                    below.kill()
        process.kill()
        process.wait()


def _read(stream: int, cancel: threading.Event | None, deadline: float) -> bytes:
    """Read to the end, unless told to stop or the supervisor is silent long after it should have ended."""
    poll = select.poll()
    poll.register(stream, select.POLLIN)
    said = b""
    while True:
        if cancel is not None and cancel.is_set():
            raise CancelledError
        if time.monotonic() > deadline:
            return b"it was stopped from outside, or by the command, and gave no result in time"
        if poll.poll(200):
            chunk = os.read(stream, 65536)
            if not chunk:
                return said
            said += chunk
