"""Turn a job into a running command."""
# ruff: noqa: PTH123

from __future__ import annotations

import os
import resource
import signal
from typing import Any

from .processes import PR_SET_PDEATHSIG, drop_capabilities, prctl

_FAULTS = {signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGABRT, signal.SIGTRAP}
_NEEDED = {signal.SIGKILL, signal.SIGSTOP, signal.SIGCONT, signal.SIGCHLD}
IGNORED = tuple(signal.valid_signals() - _FAULTS - _NEEDED)
"""By the supervisor: a command that ends "all Pythons" must not end the one that watches it."""


def become(job: dict[str, Any], streams: tuple[int, int, int]) -> None:
    """Turn this freshly forked process into the command."""
    os.setsid()
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    os.umask(0o022)
    os.chdir(job["workspace"])
    for name, value in _resource_limits(job).items():
        hard = resource.getrlimit(name)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(name, (value, value))
    if job["drop_capabilities"]:
        drop_capabilities()
    # Python ignores some signals, and what is ignored stays so in the command
    for number in {*IGNORED, signal.SIGPIPE, signal.SIGXFSZ, signal.SIGCHLD}:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    os.execvpe(job["command"][0], job["command"], job["environment"])


def _resource_limits(job: dict[str, Any]) -> dict[int, int]:
    # a little more than the limit on the disk, so that a file that meets this one exceeds the other
    limits = {resource.RLIMIT_FSIZE: int(job["disk_megabytes"] * 1e6) + 2**20, resource.RLIMIT_CORE: 0}
    if os.getuid() != 0:  # the kernel exempts root
        # counts the user's threads on the whole machine: a second line behind the supervisor's own count
        limits[resource.RLIMIT_NPROC] = _threads_on_this_machine() + 4 * job["processes"]
    return limits


def _threads_on_this_machine() -> int:
    try:
        with open("/proc/loadavg") as stream:
            return int(stream.read().split()[3].partition("/")[2])
    except OSError:
        return 10_000


def start(job: dict[str, Any], streams: tuple[int, int, int]) -> tuple[int, str]:
    """Start the command; return its process id, and why it could not be started if it could not."""
    failure, report = os.pipe()  # closed by a successful exec
    pid = os.fork()
    if pid == 0:
        try:
            become(job, streams)
        except BaseException as error:
            text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            os.write(report, f"{job['command'][0]}: {text}".encode(errors="replace"))
        finally:
            os._exit(127)
    for stream in (report, *streams):
        os.close(stream)
    message = os.read(failure, 4096).decode()
    os.close(failure)
    return pid, message
