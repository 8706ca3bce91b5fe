"""Find, signal and end the processes below this one."""
# ruff: noqa: PTH110, PTH112, PTH123, PTH208

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_CAPBSET_DROP, PR_SET_CHILD_SUBREAPER = 1, 4, 24, 36
PATIENCE = 10.0
"""Seconds after KILL until a process that survives it (it waits for a broken disk) is given up."""


def prctl(option: int, value: int) -> None:
    """Set an attribute of this process, where the system is Linux."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def drop_capabilities() -> None:
    """Give up root's special rights for good, so that the next program cannot have them either."""
    for capability in range(64):
        prctl(PR_CAPBSET_DROP, capability)
    version_3_of_this_process, none = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    if ctypes.CDLL(None, use_errno=True).capset(version_3_of_this_process, none) != 0:
        raise OSError(ctypes.get_errno(), "root's rights cannot be dropped")


def take_precedence() -> None:
    """Be scheduled before a thousand other processes, where that is allowed; children do not inherit it."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_RR | os.SCHED_RESET_ON_FORK, os.sched_param(1))


def stat_of(pid: int | str) -> list[str]:
    """State, parent and so on of a process, as /proc has them; empty if there is no such process."""
    try:
        with open(f"/proc/{pid}/stat") as stream:
            return stream.read().rpartition(")")[2].split()
    except OSError:
        return []


def children_of(pid: int) -> list[int]:
    """Child processes, for a subreaper its orphans too; slower in kernels that keep no list of them."""
    try:
        found = []
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children") as stream:
                found += [int(child) for child in stream.read().split()]
        return found
    except OSError:
        if not os.path.isdir(f"/proc/{pid}") or os.path.exists("/proc/thread-self/children"):
            return []
    return [int(name) for name in os.listdir("/proc") if name.isdigit() and stat_of(name)[1:2] == [str(pid)]]


def descendants() -> Iterator[int]:
    """All processes below this one, parents first, also those that have ended and wait to be collected."""
    waiting = [os.getpid()]
    while waiting:
        found = children_of(waiting.pop(0))
        yield from found
        waiting += found


def living() -> Iterator[int]:
    """The descendants that have not ended."""
    return (pid for pid in descendants() if stat_of(pid)[:1] not in ([], ["Z"], ["X"]))


def send(number: int, *, process: int = 0, group: int = 0) -> None:
    """Send a signal; whoever is gone already is none to worry about."""
    with suppress(ProcessLookupError, PermissionError):
        if group:
            os.killpg(group, number)
        else:
            os.kill(process, number)


def has_children() -> bool:
    """Collect the children that have ended; True if there are others."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def sweep(group: int) -> int:
    """Kill what the ended command left; return how many processes it was.

    Orphans become children of this process, so there is something left exactly as long as it has children.
    One that forks and ends, over and over, is caught because it is killed in the moment it is read.
    """
    left: set[int] = set()
    give_up = time.monotonic() + PATIENCE
    while has_children() and time.monotonic() < give_up:
        left.update(living())
        send(signal.SIGKILL, group=group)
        for pid in descendants():
            send(signal.SIGKILL, process=pid)
        time.sleep(0.0005)
    return len(left)
