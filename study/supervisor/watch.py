"""Watch one command until it has ended."""

from __future__ import annotations

import json
import os
import select
import signal
import time
from contextlib import suppress
from itertools import islice
from typing import Any

from .gauges import Gauge, disk_usage
from .processes import (
    PATIENCE,
    PR_SET_CHILD_SUBREAPER,
    PR_SET_DUMPABLE,
    descendants,
    living,
    prctl,
    send,
    sweep,
    take_precedence,
)
from .start import IGNORED, start

CHUNK = 65536


class Watch:
    """The command while it runs: its streams, its limits, its end."""

    def __init__(self, job: dict[str, Any]) -> None:
        self.job = job
        self.ended, self.message, self.code = "exited", "", -1
        self.stdin = memoryview(job["stdin"].encode("utf-8", "surrogateescape"))
        self.room = int(job["output_megabytes"] * 1e6)
        child_in, self.into = os.pipe()
        out, child_out = os.pipe()
        error, child_error = os.pipe()
        self.logs = {out: job["stdout"], error: job["stderr"]}
        self.bell, ring = os.pipe()  # rung by SIGCHLD, so that nothing has to wait for the end of a pause
        for stream in (self.into, out, error, self.bell, ring):
            os.set_blocking(stream, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(ring, warn_on_full_buffer=False)
        self.poll = select.poll()
        self.poll.register(self.into, select.POLLOUT)
        for stream in (0, self.bell, out, error):
            self.poll.register(stream, select.POLLIN)
        folders, many = job["folders"], job["processes"]
        before = disk_usage(folders)
        self.disk = Gauge(
            "disk_limit",
            job["disk_megabytes"],
            "MB on disk",
            0.5,
            lambda: (disk_usage(folders) - before) / 1e6,
        )
        self.crowd = Gauge(
            "process_limit", many, "processes", 0.1, lambda: sum(1 for _ in islice(living(), many + 1))
        )
        self.started, self.parent = time.monotonic(), os.getppid()
        self.pid, self.failure = start(job, (child_in, child_out, child_error))

    def run(self) -> dict[str, Any]:
        """Wait for the end, bring it about where a limit asks for it, and clean up."""
        if self.failure:
            return {
                "ended": "not_started",
                "exit_code": None,
                "message": self.failure,
                "leftovers": 0,
                "seconds": 0,
            }
        try:
            self.wait()
            seconds = time.monotonic() - self.started
        finally:
            leftovers = sweep(self.pid)
        for stream in list(self.logs):
            while self.copy(stream):
                pass
        if self.code == -signal.SIGXFSZ:
            self.stop("disk_limit", f"one file larger than {self.job['disk_megabytes']:g} MB")
        self.measure(self.disk)
        return {
            "ended": self.ended,
            "exit_code": self.code,
            "message": self.message,
            "leftovers": leftovers,
            "seconds": seconds,
        }

    def stop(self, ended: str, message: str) -> None:
        """Note why the command has to end; the first reason counts."""
        if self.ended == "exited":
            self.ended, self.message = ended, message

    def wait(self) -> None:
        """Serve the streams and check the limits until the command has ended: TERM, grace, KILL."""
        deadline, kill_at = self.started + self.job["seconds"], float("inf")
        while not self.collect():
            now = time.monotonic()
            if now >= deadline:
                self.stop("timeout", f"stopped after {self.job['seconds']:g} s")
            if os.getppid() != self.parent:  # where somebody else holds the other end of standard input
                self.stop("abandoned", "")
            for gauge in (self.disk, self.crowd):
                if now >= gauge.due and self.ended == "exited":
                    self.measure(gauge)
            if self.ended != "exited" and kill_at == float("inf"):
                kill_at = now + (0 if self.ended == "process_limit" else self.job["grace"])
                send(signal.SIGTERM, group=self.pid)
                send(signal.SIGCONT, group=self.pid)
            if now >= kill_at:
                # a crowd must not grow while its first process waits for its turn to end
                for pid in descendants() if self.ended == "process_limit" else [self.pid]:
                    send(signal.SIGKILL, process=pid)
                if now >= kill_at + PATIENCE:
                    return
            wake = (
                min(deadline, self.disk.due, self.crowd.due)
                if self.ended == "exited"
                else max(kill_at, now + 0.02)
            )
            for stream, _ in self.poll.poll(max(0, wake - time.monotonic()) * 1000 + 1):
                self.serve(stream)

    def collect(self) -> bool:
        """Collect whatever has ended; True if the command is among it."""
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            if ended[0] == self.pid:
                self.code = os.waitstatus_to_exitcode(ended[1])
                return True
        return False

    def measure(self, gauge: Gauge) -> None:
        if exceeded := gauge.check():
            self.stop(*exceeded)

    def serve(self, stream: int) -> None:
        """Do what a stream is ready for."""
        if stream == self.into:
            self.feed()
        elif stream not in (0, self.bell):
            self.copy(stream)
        elif not os.read(stream, CHUNK):
            self.poll.unregister(stream)
            self.stop("abandoned", "")

    def feed(self) -> None:
        """Pass on standard input, and close it after the last byte."""
        try:
            self.stdin = self.stdin[os.write(self.into, self.stdin[:CHUNK]) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self.stdin = self.stdin[:0]
        if not self.stdin:
            self.poll.unregister(self.into)
            os.close(self.into)

    def copy(self, stream: int) -> bool:
        """Copy what there is to the log, up to the limit; False if there was nothing."""
        if stream not in self.logs:
            return False
        try:
            data = os.read(stream, CHUNK)
        except BlockingIOError:
            return False
        allowed = memoryview(data)[: self.room]
        self.room -= len(allowed)
        complete = len(allowed) == len(data)
        try:
            while allowed:
                allowed = allowed[os.write(self.logs[stream], allowed) :]
        except OSError as error:
            # a disk that is full though the command has kept its limit is not the command's fault
            self.measure(self.disk)
            self.stop("broken", f"the log cannot be written: {error.strerror}")
        if not complete:
            self.stop("output_limit", f"more than {self.job['output_megabytes']:g} MB of output")
        if not complete or not data:  # from here on a writer waits, until it is ended
            for finished in [stream] if complete else list(self.logs):
                self.poll.unregister(finished)
                del self.logs[finished]
        return bool(data)


def main() -> None:
    """Read the job, see to it, write the result."""
    for number in IGNORED:
        signal.signal(number, signal.SIG_IGN)
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    # the command runs as the same user: it shall not trace this process nor open its files
    prctl(PR_SET_DUMPABLE, 0)
    take_precedence()
    line = b""
    while not line.endswith(b"\n"):
        if not (chunk := os.read(0, CHUNK)):
            return
        line += chunk
    job = json.loads(line)
    for stream in (job["stdout"], job["stderr"]):
        os.set_inheritable(stream, False)
    result = Watch(job).run()
    with suppress(BrokenPipeError):
        os.write(1, json.dumps(result).encode() + b"\n")
