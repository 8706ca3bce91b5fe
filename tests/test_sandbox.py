from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest

import study
from study.agents.protocol import Launch, ProcessResult
from study.bubblewrap import find_bubblewrap
from study.design import Limits
from study.sandbox import run_confined

REPOSITORY = Path(study.__file__).parent.parent
LIMITS = Limits(output_megabytes=1, disk_megabytes=5)
NO_BUBBLEWRAP = "bubblewrap is not installed, or may not do its work here"


@dataclass
class Box:
    """Runs commands in one workspace in one mode."""

    root: Path
    mode: str

    def run(
        self,
        *command: str,
        seconds: float = 20,
        cancel: Any = None,
        grace: float = 0.4,
        processes: int = 60,
        name: str = "a",
        hidden: Sequence[Path] = (),
        **launch: Any,
    ) -> ProcessResult:
        workspace = self.root / name / "workspace"
        workspace.mkdir(parents=True, exist_ok=True)
        result = run_confined(
            Launch(list(command), **launch),
            workspace=workspace,
            home=self.root / name / "home",
            logs=self.root / name / "logs",
            seconds=seconds,
            limits=LIMITS,
            grace=grace,
            processes=processes,
            cancel=cancel,
            hidden=hidden,
        )
        assert result.confinement == self.mode
        return result

    def python(self, script: str, *arguments: str, **options: Any) -> ProcessResult:
        return self.run(sys.executable, "-I", "-S", "-c", script, *arguments, **options)

    @property
    def workspace(self) -> Path:
        return self.root / "a" / "workspace"


@pytest.fixture(params=["bubblewrap", "plain"])
def box(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Box:
    if request.param == "plain":
        monkeypatch.setenv("STUDY_SANDBOX", "plain")
    else:
        monkeypatch.delenv("STUDY_SANDBOX", raising=False)
        if find_bubblewrap() is None:
            pytest.skip(NO_BUBBLEWRAP)
    return Box(tmp_path, request.param)


@pytest.fixture
def bubblewrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Box:
    monkeypatch.delenv("STUDY_SANDBOX", raising=False)
    if find_bubblewrap(network=False) is None:
        pytest.skip(NO_BUBBLEWRAP)
    return Box(tmp_path, "bubblewrap")


@pytest.fixture
def marker() -> Iterator[str]:
    """An argument by which a test's processes are known; `sleep` takes it for a time in seconds."""
    text = f"300.{os.getpid()}{time.monotonic_ns()}"
    yield text
    for process in alive(text):
        process.kill()


def alive(marker: str) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        try:
            if marker in " ".join(process.cmdline()) and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except psutil.Error:
            continue
    return found


def wait_until(condition: Callable[[], bool], seconds: float = 10) -> bool:
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return condition()


def test_exit_code_and_output_are_the_commands(box: Box) -> None:
    result = box.run("sh", "-c", "echo out; echo err >&2; pwd; exit 7")
    assert (result.ended, result.exit_code, result.leftovers, result.message) == ("exited", 7, 0, "")
    assert result.stdout.read_text() == f"out\n{box.workspace}\n"
    assert result.stderr.read_text() == "err\n"
    assert 0 < result.wall_seconds < 20


def test_signal_gives_a_negative_exit_code(box: Box) -> None:
    assert box.run("sh", "-c", "kill -SEGV $$").exit_code == -signal.SIGSEGV
    # 128 + 9 is an ordinary exit code
    assert box.run("sh", "-c", "exit 137").exit_code == 137


def test_output_is_kept_as_bytes(box: Box) -> None:
    result = box.run("sh", "-c", r"printf 'a\000\377\303\251\r\n'")
    assert result.stdout.read_bytes() == b"a\0\xff\xc3\xa9\r\n"


def test_standard_input_is_passed_and_closed(box: Box) -> None:
    text = "prompt, größer als eine Pipe\n" * 10_000
    result = box.run("cat", stdin=text)
    assert result.ended == "exited"
    assert result.stdout.read_text() == text
    assert box.run("cat").stdout.read_bytes() == b""


def test_standard_input_that_nobody_reads(box: Box) -> None:
    assert box.run("true", stdin="x" * 500_000).exit_code == 0


def test_time_limit_ends_a_process_that_ignores_term(box: Box, marker: str) -> None:
    result = box.run("sh", "-c", f"trap '' TERM; while :; do sleep 0.05; done # {marker}", seconds=0.5)
    assert (result.ended, result.exit_code) == ("timeout", -signal.SIGKILL)
    assert 0.9 <= result.wall_seconds < 5
    assert result.message == "stopped after 0.5 s"
    assert alive(marker) == []


def test_term_leaves_time_to_finish(box: Box) -> None:
    result = box.run(
        "sh", "-c", "trap 'echo bye; exit 3' TERM; while :; do sleep 0.05; done", seconds=0.3, grace=10
    )
    assert (result.ended, result.exit_code) == ("timeout", 3)
    assert result.stdout.read_text() == "bye\n"
    assert result.wall_seconds < 5


def test_stopped_process_is_ended(box: Box) -> None:
    assert box.run("sh", "-c", "kill -STOP $$", seconds=0.3).exit_code == -signal.SIGTERM


DAEMON = """
import os, sys
read, write = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.write(write, b"x")
        os.execvp("sleep", ["sleep", sys.argv[1]])
    os._exit(0)
os.read(read, 1)
os.wait()
"""


def test_daemon_is_ended_and_counted(box: Box, marker: str) -> None:
    result = box.python(DAEMON, marker)
    assert (result.ended, result.exit_code, result.leftovers) == ("exited", 0, 1)
    assert alive(marker) == []


def test_background_jobs_are_ended_and_counted(box: Box, marker: str) -> None:
    # they hold the pipes open, which must not keep anybody waiting
    result = box.run("sh", "-c", f"sleep {marker} & sleep {marker} & exit 4")
    assert (result.exit_code, result.leftovers) == (4, 2)
    assert result.wall_seconds < 5
    assert alive(marker) == []


def test_ended_orphans_are_no_leftovers(box: Box) -> None:
    result = box.run("sh", "-c", "(sleep 0.05 &) ; (sleep 0.05 &) ; sleep 0.4")
    assert result.leftovers == 0


COMET = """
import os
if os.fork() == 0:
    while True:
        if os.fork():
            os._exit(0)
        os.setsid()
"""


def test_process_that_forks_while_being_swept_does_not_escape(box: Box, marker: str) -> None:
    start = time.monotonic()
    assert box.python(COMET, marker).exit_code == 0
    assert time.monotonic() - start < 8
    assert not wait_until(lambda: alive(marker) != [], 0.3)


BOMB = """
import os, sys, time
for _ in range(200):
    if os.fork() == 0:
        os.setsid()
        os.execvp("sleep", ["sleep", sys.argv[1]])
time.sleep(60)
"""


def test_fork_bomb_is_ended(box: Box, marker: str) -> None:
    result = box.python(BOMB, marker)
    assert result.ended == "process_limit"
    assert result.message == "more than 60 processes"
    assert result.wall_seconds < 20
    assert alive(marker) == []


def test_endless_output_is_bounded(box: Box) -> None:
    result = box.run("sh", "-c", "yes & yes >&2")
    assert (result.ended, result.message) == ("output_limit", "more than 1 MB of output")
    assert result.stdout.stat().st_size + result.stderr.stat().st_size == 1_000_000
    assert result.wall_seconds < 10


def test_full_disk_under_the_logs_is_the_machines_fault(box: Box) -> None:
    logs = box.root / "a" / "logs"
    logs.mkdir(parents=True)
    (logs / "stdout.log").symlink_to("/dev/full")
    result = box.run("sh", "-c", "echo x; sleep 20")
    assert (result.ended, result.wall_seconds < 10) == ("broken", True)
    assert result.message == "the log cannot be written: No space left on device"
    # unless the command has filled the disk itself
    result = box.run("sh", "-c", "head -c 6000000 /dev/zero > f; echo x; sleep 20")
    assert result.ended == "disk_limit"


def test_output_that_meets_the_limit_exactly(box: Box) -> None:
    assert box.run("head", "-c", "1000000", "/dev/zero").ended == "exited"
    assert box.run("head", "-c", "1000001", "/dev/zero").ended == "output_limit"


def test_large_file_is_ended(box: Box) -> None:
    result = box.run("dd", "if=/dev/zero", "of=large", "bs=100k", "count=100000")
    assert (result.ended, result.exit_code) == ("disk_limit", -signal.SIGXFSZ)
    assert (box.workspace / "large").stat().st_size < 7e6


@pytest.mark.parametrize("folder", [".", "$HOME", "$TMPDIR"])
def test_many_files_are_ended(box: Box, folder: str) -> None:
    fill = "i=0; while [ $i -lt 500 ]; do head -c 100000 /dev/zero > d/$i; i=$((i+1)); done"
    script = f"cd {folder}; mkdir d; {fill}; sleep 20"
    result = box.run("sh", "-c", script)
    assert (result.ended, result.message) == ("disk_limit", "more than 5 MB on disk")
    assert result.wall_seconds < 15


def test_disk_limit_is_about_growth(box: Box) -> None:
    box.workspace.mkdir(parents=True)
    (box.workspace / "old").write_bytes(b"x" * 6_000_000)
    assert box.run("sh", "-c", "echo new > new; sleep 0.8").ended == "exited"


def test_environment_is_built_from_nothing(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_API_KEY", "secret")
    monkeypatch.setenv("PYTHONPATH", "/nowhere")
    result = box.python(
        "import os; print(*(f'{k}={v}' for k, v in os.environ.items()), sep='\\n')",
        environment={"TZ": "Asia/Tokyo", "EXTRA": "ü"},
    )
    found = dict(line.split("=", 1) for line in result.stdout.read_text().splitlines())
    temp = found.pop("TMPDIR")
    path = found.pop("PATH").split(":")
    assert path[0] == str(Path(sys.executable).parent)
    assert {"/usr/bin", "/bin"} <= set(path)
    assert found == {
        "HOME": str(box.root / "a" / "home"),
        "LANG": "C.UTF-8",
        "TZ": "Asia/Tokyo",
        "EXTRA": "ü",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
    }
    assert box.mode == "bubblewrap" or not Path(temp).exists()


def test_home_and_temp_are_writable_and_temp_is_removed(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    outside = box.root / "temp"
    outside.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(outside))
    script = (
        'cat "$HOME/.config/agent.toml" && echo 1 > "$HOME/kept" && '
        'mkdir -p "$TMPDIR/a/b" && echo 2 > "$TMPDIR/a/b/c" && chmod 0 "$TMPDIR/a"'
    )
    result = box.run("sh", "-c", script, files={".config/agent.toml": "key = 1\n"})
    assert (result.exit_code, result.stdout.read_text(), result.stderr.read_text()) == (0, "key = 1\n", "")
    assert (box.root / "a" / "home" / "kept").read_text() == "1\n"
    assert list(outside.iterdir()) == []


def test_nothing_of_the_caller_is_inherited(box: Box) -> None:
    result = box.python(
        "import os; print(sorted(map(int, os.listdir('/proc/self/fd'))), os.getsid(0) == os.getpid());"
        "print(os.sched_getscheduler(0));"
        "print(open('/proc/self/status').read())"
    )
    first, scheduler, *status = result.stdout.read_text().splitlines()
    # the fourth is the folder that is being listed
    assert (first, scheduler) == ("[0, 1, 2, 3] True", str(os.SCHED_OTHER))
    ignored = next(int(line.split()[1], 16) for line in status if line.startswith("SigIgn"))
    ignored &= (1 << 31) - 1  # signals 32 and 33 belong to the C library; make hands them down ignored
    # Python itself ignores SIGPIPE and SIGXFSZ
    assert ignored & ~(1 << signal.SIGPIPE - 1) & ~(1 << signal.SIGXFSZ - 1) == 0


def test_command_that_ends_its_parent_gains_nothing(box: Box) -> None:
    assert box.run("sh", "-c", "kill -TERM $PPID; kill -INT $PPID; sleep 0.2; exit 5").exit_code == 5


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["no-such-program"], "no-such-program: No such file or directory"),
        (["/etc/passwd"], "/etc/passwd: Permission denied"),
        (["./gone.sh"], "./gone.sh: No such file or directory"),
        ([], "the command is empty"),
        (["echo", "a\0b"], "echo: embedded null byte"),
    ],
)
def test_command_that_cannot_be_started(box: Box, command: list[str], message: str) -> None:
    result = box.run(*command)
    assert (result.ended, result.exit_code, result.message) == ("not_started", None, message)
    assert result.stdout.read_bytes() == b""


def test_missing_folders_are_named(box: Box) -> None:
    result = box.run("true", readable=[box.root / "gone"])
    assert (result.ended, result.message) == ("not_started", f"{box.root / 'gone'}: readable, but not there")
    nowhere = run_confined(
        Launch(["true"]),
        workspace=box.root / "gone",
        home=box.root / "h",
        logs=box.root / "l",
        seconds=5,
        limits=LIMITS,
    )
    assert nowhere.ended == "not_started"
    assert nowhere.message.startswith(f"{box.root / 'gone'}: ")


def test_files_stay_below_home(box: Box) -> None:
    with pytest.raises(ValueError, match=r"'\.\./workspace/x' is not a path below HOME"):
        box.run("true", files={"../workspace/x": ""})


def test_several_threads_at_once(box: Box) -> None:
    def one(number: int) -> tuple[str, int | None, int]:
        result = box.run(
            "sh", "-c", f"cat; sleep 300 & exit {number}", name=str(number), stdin=f"input {number}"
        )
        return result.stdout.read_text(), result.exit_code, result.leftovers

    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(one, range(12)))
    assert found == [(f"input {number}", number, 1) for number in range(12)]


def test_cancel_from_another_thread(box: Box, marker: str) -> None:
    cancel = threading.Event()
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(box.python, DAEMON + "import time; time.sleep(60)", marker, cancel=cancel)
        appeared = wait_until(lambda: any(process.name() == "sleep" for process in alive(marker)))
        cancel.set()
        with pytest.raises(CancelledError):
            pytest.fail(f"ended by itself: {running.result(timeout=10)}")
    assert appeared
    assert alive(marker) == []


CALLER = """
import sys
from pathlib import Path
from study.agents.protocol import Launch
from study.design import Limits
from study.sandbox import run_confined
root, script, marker = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
run_confined(Launch([sys.executable, "-c", script, marker]),
             workspace=root, home=root / "home", logs=root / "logs",
             seconds=60, limits=Limits())
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL], ids=["SIGINT", "SIGKILL"])
def test_tree_ends_with_the_caller(box: Box, marker: str, number: int) -> None:
    (box.root / "temp").mkdir()
    script = DAEMON + "import time; time.sleep(60)"
    caller = subprocess.Popen(
        [sys.executable, "-c", CALLER, str(box.root), script, marker],
        env={**os.environ, "TMPDIR": str(box.root / "temp")},
        cwd=REPOSITORY,
        stderr=subprocess.DEVNULL,
    )
    # the daemon itself is the last to appear
    assert wait_until(lambda: any(p.name() == "sleep" for p in alive(marker)))
    caller.send_signal(number)
    assert caller.wait(timeout=10) != 0
    assert wait_until(lambda: alive(marker) == [])
    if number == signal.SIGINT:
        assert list((box.root / "temp").iterdir()) == []


def test_writes_elsewhere_fail(bubblewrap: Box) -> None:
    outside = bubblewrap.root / "outside"
    outside.mkdir()
    places = [
        "/file",
        "/usr/file",
        "/etc/file",
        "/dev/file",
        "/run/file",
        f"{sys.prefix}/file",
        f"{outside}/file",
        f"{bubblewrap.root}/file",
        f"{outside}/../a/logs/file",
    ]
    script = "for place; do if (: > $place) 2>/dev/null; then echo $place; fi; done; : > inside"
    result = bubblewrap.run("sh", "-c", script, "sh", *places, readable=[outside])
    # the folder around the workspace may be a stand-in in the private /tmp, which does not stay
    assert set(result.stdout.read_text().split()) <= {f"{bubblewrap.root}/file"}
    assert sorted(p.name for p in bubblewrap.root.rglob("*") if p.is_file()) == [
        "inside",
        "stderr.log",
        "stdout.log",
    ]
    assert not any(Path(place).exists() for place in places)


def test_the_repository_and_other_folders_are_hidden(bubblewrap: Box) -> None:
    secret = bubblewrap.root / "other-run"
    secret.mkdir()
    (secret / "answer.py").write_text("x = 1\n")
    programs = REPOSITORY / "study" / "agents"
    script = (
        "import os, sys, pytest; print([os.path.exists(path) for path in sys.argv[1:]]); import study.design"
    )
    paths = [
        secret,
        REPOSITORY / "pyproject.toml",
        REPOSITORY / "study" / "design.py",
        REPOSITORY / ".git",
        programs / "protocol.py",
        Path(sys.prefix),
    ]
    command = [sys.executable, "-c", script, *map(str, paths)]
    for readable, expected in ([], [False] * 5 + [True]), ([programs], [False] * 4 + [True, True]):
        result = bubblewrap.run(*command, readable=readable)
        assert result.stdout.read_text() == f"{expected}\n"
        assert "ModuleNotFoundError: No module named 'study" in result.stderr.read_text()


def test_hidden_folders_are_hidden_wherever_they_are(bubblewrap: Box) -> None:
    # as if the study were below /opt: `near` is readable, the project and the results in it are not
    near = bubblewrap.root / "near"
    for name in ("tool", "project/src", "results/other"):
        (near / name).mkdir(parents=True)
        (near / name / "file").write_text(name)
    (near / "way").symlink_to(near / "project")
    look = "cat */file */*/file way/src/file; ls -A project results | grep -v :; echo x > project/x"
    command = ["sh", "-c", f"cd {near} && {{ {look}; }} 2>/dev/null; echo end"]
    hidden = [near / "project", near / "results"]
    shown = bubblewrap.run(*command, readable=[near])
    assert "project/src" in shown.stdout.read_text()
    result = bubblewrap.run(*command, readable=[near, near / "project" / "src"], hidden=hidden)
    assert result.stdout.read_text() == "tool\nend\n"
    assert not (near / "project" / "x").exists()


def test_other_processes_are_hidden(bubblewrap: Box) -> None:
    result = bubblewrap.python("import os; print(sorted(int(n) for n in os.listdir('/proc') if n.isdigit()))")
    assert result.stdout.read_text() == "[1, 2]\n"
    result = bubblewrap.run("sh", "-c", "kill -9 1; readlink /proc/1/fd/0 || cat /etc/shadow || exit 6")
    assert (result.exit_code, result.stdout.read_text()) == (6, "")


def test_no_special_rights_are_left(bubblewrap: Box) -> None:
    result = bubblewrap.run("grep", "^Cap", "/proc/self/status")
    assert [int(line.split()[1], 16) for line in result.stdout.read_text().splitlines()] == [0] * 5


def test_workspace_inside_a_readable_folder_is_writable(bubblewrap: Box) -> None:
    bubblewrap.workspace.mkdir(parents=True)
    (bubblewrap.root / "a" / "document").write_text("text\n")
    result = bubblewrap.run(
        "sh", "-c", "cat ../document > copy; echo x > ../document", readable=[bubblewrap.root]
    )
    assert (bubblewrap.workspace / "copy").read_text() == "text\n"
    assert (bubblewrap.root / "a" / "document").read_text() == "text\n"
    assert b"Read-only" in result.stderr.read_bytes()


NETWORK = """
import socket, sys
with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()):
    print("loopback")
try:
    socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=5).close()
    print("outside")
except OSError:
    pass
"""


def test_network_is_taken_away_but_for_loopback(bubblewrap: Box) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
        assert bubblewrap.python(NETWORK, port, network=False).stdout.read_text() == "loopback\n"
        assert bubblewrap.python(NETWORK, port, network=True).stdout.read_text() == "loopback\noutside\n"


@pytest.mark.parametrize("script", [None, "#!/bin/sh\nexit 1\n", "#!/no/such/shell\n"])
def test_plain_where_bubblewrap_does_not_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str | None
) -> None:
    monkeypatch.delenv("STUDY_SANDBOX", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    if script:
        (tmp_path / "bwrap").write_text(script)
        (tmp_path / "bwrap").chmod(0o755)
    find_bubblewrap.cache_clear()
    try:
        assert Box(tmp_path, "plain").run("true").exit_code == 0
    finally:
        find_bubblewrap.cache_clear()
