"""A hostile program in place of an agent: what each confinement prevents, and what only bubblewrap does.

The table in README.md, "Confinement", has one row for each entry of `ATTACKS`.
"""
# ruff: noqa: F401, F811 - fixtures come from the other module

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from test_sandbox import REPOSITORY, Box, alive, box, bubblewrap, marker, wait_until

from study.agents.outcomes import outcome_of
from study.files import remove_tree

VICTIM = "import sys, time; print('up', flush=True); time.sleep(60)"


class Victim:
    """A process of the same user, as another run's agent is one, with a key in its environment."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "secret").write_text("answer")
        self.folder = folder
        self.process = subprocess.Popen(
            [sys.executable, "-c", VICTIM], env={"OTHER_KEY": "sk-other"}, stdout=subprocess.PIPE
        )
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == b"up\n"

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()


ATTACKS = {
    # name: (script that prints "done" if it succeeds, whether it does in a plain process)
    "read files of another run": ("print(open(sys.argv[1] + '/secret').read() and 'done')", True),
    "write outside": ("open(sys.argv[1] + '/planted', 'w'); print('done')", True),
    "read another process's environment": (
        "print('done' if b'sk-other' in open(f'/proc/{sys.argv[2]}/environ', 'rb').read() else '')",
        True,
    ),
    "trace another process": (
        "import ctypes\nprint('done' if ctypes.CDLL(None).ptrace(16, int(sys.argv[2]), 0, 0) == 0 else '')",
        True,
    ),
    "kill a sibling": ("os.kill(int(sys.argv[2]), 9); print('done')", True),
    "talk to an abstract socket": (
        "import socket; s = socket.socket(socket.AF_UNIX); s.connect('\\0' + sys.argv[3]); print('done')",
        True,
    ),
    "reach the network": (
        "import socket; socket.create_connection(('127.0.0.1', int(sys.argv[4])), 5); print('done')",
        True,
    ),
    "raise its own limits": (
        "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (-1, -1))\n"
        "f = open('big', 'wb'); f.write(b'x' * 9_000_000); print('done')",
        None,  # root may on most machines; the disk is measured all the same
    ),
    "open the log of its own run": (
        "import glob; open(os.path.join(os.getcwd(), '../logs/stdout.log'), 'a').write('forged')\n"
        "print('done')",
        True,
    ),
    "read the supervisor's memory": (
        "open(f'/proc/{os.getppid()}/mem', 'rb'); print('done')",
        os.geteuid() == 0,
    ),
}


def test_every_attack_is_documented() -> None:
    rows = [
        line.split("|") for line in (REPOSITORY / "README.md").read_text().splitlines() if line[:2] == "| "
    ]
    documented = {row[1].strip(): (row[2].strip(), row[3].strip()) for row in rows if len(row) == 5}
    for name, (_, works_plainly) in ATTACKS.items():
        confined, plainly = documented[name]
        assert confined.startswith("prevented")
        assert plainly.startswith("possible") or works_plainly is not True or os.geteuid() == 0


@pytest.mark.parametrize("name", ATTACKS)
def test_attack(box: Box, tmp_path: Path, name: str) -> None:
    script, works_plainly = ATTACKS[name]
    victim = Victim(tmp_path / "other")
    abstract = f"study-test-{os.getpid()}-{time.monotonic_ns()}"
    try:
        with socket.socket(socket.AF_UNIX) as unix, socket.create_server(("127.0.0.1", 0)) as server:
            unix.bind("\0" + abstract)
            unix.listen()
            arguments = (str(victim.folder), str(victim.process.pid), abstract, str(server.getsockname()[1]))
            result = box.python("import os, sys\n" + script, *arguments, network=False)
    finally:
        victim.close()
    succeeded = b"done" in result.stdout.read_bytes()
    if box.mode == "bubblewrap" or works_plainly is not None:
        assert succeeded == (box.mode == "plain" and works_plainly is True), result.stderr.read_text()


SUPERVISOR = """
import os, signal, time
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGPIPE):
    try: os.kill(os.getppid(), number)
    except OSError: pass
    time.sleep(0.05)
"""


def test_signals_do_not_end_the_supervisor(box: Box) -> None:
    result = box.python(SUPERVISOR)
    assert (result.ended, result.exit_code) == ("exited", 0)


def test_a_killed_supervisor_is_no_failure_of_the_agent(box: Box, marker: str) -> None:
    # plainly, an agent can do it; then the run is tried again, and nothing of the agent goes on
    script = DAEMONS + "\nimport os, signal; os.kill(os.getppid(), signal.SIGKILL); time.sleep(20)"
    result = box.python(script, marker, seconds=3)
    if box.mode == "plain":
        assert outcome_of(result)[0] == "infrastructure_error"
    else:
        assert (result.ended, result.exit_code) == ("timeout", -signal.SIGTERM)
        assert wait_until(lambda: alive(marker) == [])
    for process in alive(marker):
        process.kill()


def test_a_stopped_supervisor_does_not_hang_the_study(
    box: Box, marker: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("study.sandbox.OVERDUE_SECONDS", 2.0)
    script = DAEMONS + "\nimport os, signal; os.kill(os.getppid(), signal.SIGSTOP); time.sleep(300)"
    result = box.python(script, marker, seconds=2)
    if box.mode == "plain":
        assert outcome_of(result)[0] == "infrastructure_error"
    else:
        assert result.ended == "timeout"
    assert wait_until(lambda: alive(marker) == [])


DAEMONS = """
import os, subprocess, sys, time
mark = sys.argv[1]
subprocess.Popen(["sleep", mark])
subprocess.Popen(["nohup", "sleep", mark], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
subprocess.Popen(["setsid", "sh", "-c", f"trap '' TERM INT HUP; sleep {mark} & wait; sleep {mark}"])
subprocess.Popen(["env", "-i", "setsid", "/bin/sh", "-c", f"setsid sleep {mark} & setsid sleep {mark} &"])
time.sleep(0.3)
"""

ENDS = {
    # how a real command line ends (shared table of exit codes): script after the daemons, ended, exit code
    "success": ("sys.exit(0)", "exited", 0),
    "error": ("sys.exit(1)", "exited", 1),
    "turn limit": ("sys.exit(53)", "exited", 53),
    "killed": ("os.kill(os.getpid(), 9)", "exited", -9),
    "launcher dies, child stays": ("os.fork() or time.sleep(300); os.kill(os.getpid(), 15)", "exited", -15),
    "ends cleanly on TERM": (
        "import signal; signal.signal(15, lambda *_: sys.exit(143)); time.sleep(60)",
        "timeout",
        143,
    ),
    "ends as if well on TERM": (
        "import signal; signal.signal(15, lambda *_: sys.exit(0)); time.sleep(60)",
        "timeout",
        0,
    ),
    "ignores TERM": ("import signal; signal.signal(15, signal.SIG_IGN); time.sleep(60)", "timeout", -9),
    "prints without end": ("while True: print('x' * 60000)", "output_limit", None),
    "fills the disk": (
        "for i in range(90): open(f'f{i}', 'wb').write(b'x' * 100_000)\ntime.sleep(60)",
        "disk_limit",
        -15,
    ),
}


@pytest.mark.parametrize("name", ENDS)
def test_nothing_is_left_in_any_end_state(box: Box, marker: str, name: str) -> None:
    script, ended, code = ENDS[name]
    result = box.python(f"{DAEMONS}\n{script}", marker, seconds=1.0 if ended == "timeout" else 20)
    assert result.ended == ended
    if code is not None:
        assert result.exit_code == code
    assert result.leftovers >= 4
    assert alive(marker) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_nothing_is_left_when_somebody_ends_the_agent(box: Box, marker: str, number: int) -> None:
    """As a memory killer or an administrator does."""

    def end_it() -> None:
        wait_until(lambda: len(alive(marker)) >= 5)
        for process in alive(marker):
            with suppress(psutil.Error):
                command = process.cmdline()  # empty once the process has ended
                if command[:1] == [sys.executable] and command[-1:] == ["agent"]:
                    process.send_signal(number)

    killer = threading.Thread(target=end_it)
    killer.start()
    script = "import signal, sys; signal.signal(2, lambda *_: sys.exit(0))" + DAEMONS + "time.sleep(15)"
    result = box.python(script, marker, "agent")
    killer.join()
    assert (result.ended, result.exit_code) == ("exited", 0 if number == signal.SIGINT else -number)
    assert alive(marker) == []


def test_odd_files_are_survived_and_removed(box: Box) -> None:
    script = (
        "import os, socket\n"
        "open('n' * 255, 'w'); os.mkfifo('pipe'); open('sparse', 'wb').truncate(4_000_000)\n"
        "os.symlink('loop', 'loop'); os.symlink('/', 'root'); socket.socket(socket.AF_UNIX).bind('s')\n"
        "for _ in range(300): os.mkdir('d' * 200); os.chdir('d' * 200)\n"
        "print('done')"
    )
    result = box.python(script)
    assert (result.ended, result.exit_code, result.stdout.read_text()) == ("exited", 0, "done\n")
    remove_tree(box.workspace)
    assert not box.workspace.exists()


def test_a_sparse_file_counts_what_it_takes_and_not_what_it_claims(box: Box) -> None:
    script = "f = open('sparse', 'wb'); f.truncate(5_900_000); import time; time.sleep(1)"
    assert box.python(script).ended == "exited"
