"""Turn a job into a running command."""

from __future__ import annotations

import os
import resource
import signal
from typing import Any

from .processes import PR_SET_PDEATHSIG, prctl

IGNORED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
"""By the supervisor: a command that ends "all Pythons" must not end the one that watches it."""


def become(job: dict[str, Any], streams: tuple[int, int, int]) -> None:
    """Turn this freshly forked process into the command."""
    os.setsid()
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    os.umask(0o022)
    os.chdir(job["workspace"])
    # a little more than the limit on the disk, so that a file that meets it exceeds the other
    limits = {resource.RLIMIT_FSIZE: int(job["disk_megabytes"] * 1e6) + 2**20, resource.RLIMIT_CORE: 0}
    for name, value in limits.items():
        hard = resource.getrlimit(name)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(name, (value, value))
    # Python ignores some signals, and what is ignored stays so in the command
    for number in {*IGNORED, signal.SIGPIPE, signal.SIGXFSZ, signal.SIGCHLD}:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    os.execvpe(job["command"][0], job["command"], job["environment"])


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
