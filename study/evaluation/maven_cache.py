"""The Maven repository of a project, filled once while online and only read afterwards.

A build that is offline and installs nothing writes nothing to its local repository, so all runs of a project
share one, which the sandbox shows them read-only. Where there is no such sandbox, and where a generated
pom.xml asks for more, a run works on a copy of its own: nothing that a run does reaches another.
"""

from __future__ import annotations

import fcntl
import hashlib
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from study.cache import cache_folder
from study.design import Limits
from study.evaluation.maven_build import (
    REACTOR,
    MavenTools,
    class_of,
    environment_of,
    launch,
    maven_tools,
    module_of,
    test_arguments,
    write_reactor,
)
from study.evaluation.maven_log import read_log
from study.files import copy_tree, iter_files, remove_tree, write_atomically
from study.projects.loading import LoadedProject
from study.sandbox import run_confined
from study.schema import StudyError
from study.scratch import scratch_folder

Listener = Callable[[str], None]
PREFETCH_SECONDS = 3600.0
_READY = "ready.txt"
_TRACKING = ("_remote.repositories", "resolver-status.properties", "*.lastUpdated", "*.part", "*.lock")
"""Maven's notes on where a file came from and when it was last sought. Without them a file counts as
installed here, whatever mirror it came through."""


def repository_folder(loaded: LoadedProject, tree: Path, tools: MavenTools) -> Path:
    """Where a project's repository is or would be: its name follows from all that determines it."""
    environment = environment_of(loaded)
    digest = hashlib.sha256(environment.model_dump_json().encode())
    digest.update(f"{tools.chosen.jdk.release} {sorted(_tested(loaded))}".encode())
    sources = [f"{PurePosixPath(pom).parent}/src/" for pom in environment.install]
    for path in iter_files(tree):
        relative = path.relative_to(tree).as_posix()
        if path.name == "pom.xml" or relative.startswith(tuple(sources)):
            digest.update(relative.encode() + b"\0" + path.read_bytes())
    return cache_folder("maven") / f"{loaded.project.name}-{digest.hexdigest()[:16]}"


def ready_repository(loaded: LoadedProject, tree: Path, tools: MavenTools) -> Path:
    """The project's repository.

    Raises
    ------
    StudyError
        If it has not been filled yet for this project, manifest and JDK.
    """
    folder = repository_folder(loaded, tree, tools)
    if not (folder / _READY).is_file():
        name = loaded.project.name
        raise StudyError(
            f"project {name!r}: the Maven repository for JDK {tools.chosen.jdk.release} is not filled yet; "
            f"`study projects fetch {name}` does it, once and with a network"
        )
    return folder / "repository"


def private_copy(repository: Path, folder: Path) -> Path:
    """A copy for one run; of a few thousand files and 100 MB, made in about a second."""
    shutil.copytree(repository, folder, copy_function=_copy)
    return folder


def _copy(source: str, target: str) -> str:
    """No time stamps: Maven does not look at them, and writing them costs as much as a small file."""
    return str(shutil.copyfile(source, target))


def fill_repository(
    loaded: LoadedProject,
    tree: Path,
    say: Listener = lambda _: None,
    cancel: threading.Event | None = None,
) -> Path:
    """Build and test the reference once while online, so that every later build works offline.

    Shared modules are installed, and the tests of all suites run, because surefire chooses and downloads what
    runs them only then. The result is whole or not there.

    Returns
    -------
    Path
        The repository.

    Raises
    ------
    StudyError
        If Maven or the JDK is missing, or the reference does not build.
    """
    tools = maven_tools(loaded)
    folder = repository_folder(loaded, tree, tools)
    with (folder.parent / f".{folder.name}.lock").open("a") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        if not (folder / _READY).is_file():
            _fill(loaded, tree, tools, folder, say, cancel)
    return folder / "repository"


def _fill(
    loaded: LoadedProject,
    tree: Path,
    tools: MavenTools,
    folder: Path,
    say: Listener,
    cancel: threading.Event | None,
) -> None:
    logs = folder.parent / "logs" / folder.name
    remove_tree(folder)
    remove_tree(logs)
    name = loaded.project.name
    say(f"{name}: filling its Maven repository with JDK {tools.chosen.jdk.release}; log: {logs}")
    with scratch_folder() as room:
        system, home = room / "system", room / "home"
        copy_tree(tree, system, leave_out=["**/target/**"])
        home.mkdir()
        for number, pom in enumerate(environment_of(loaded).install, start=1):
            arguments = ["install", "-DskipTests", "--non-recursive"]
            _build(loaded, tools, arguments, system, home, logs / f"install-{number}", say, cancel, pom)
        files = _tested(loaded)
        write_reactor(system, list(dict.fromkeys(module_of(tree, file) for file in files)))
        arguments = test_arguments([class_of(tree, file) for file in files], single_test_seconds=120)
        _build(loaded, tools, arguments, system, home, logs / "test", say, cancel)
        forget_origins(home / "m2")
        shutil.copytree(home / "m2", folder / "repository", copy_function=_copy)
    count = sum(1 for _ in (folder / "repository").rglob("*"))
    write_atomically(
        folder / _READY, f"JDK {tools.chosen.jdk.release} at {tools.chosen.jdk.home}\n{count} files\n"
    )
    say(f"{name}: its Maven repository is at {folder / 'repository'} ({count} files)")


def _tested(loaded: LoadedProject) -> list[str]:
    """All test files of the project's suites that need nothing special."""
    return list(
        dict.fromkeys(
            file
            for service in loaded.project.targets
            for suite in (service.unit, service.integration)
            for file in suite.files
            if not any(file in files for files in suite.needs.values())
        )
    )


def _build(
    loaded: LoadedProject,
    tools: MavenTools,
    arguments: list[str],
    system: Path,
    home: Path,
    logs: Path,
    say: Listener,
    cancel: threading.Event | None,
    pom: str = REACTOR,
) -> None:
    settings = Path("~/.m2/settings.xml").expanduser()
    with _told(logs / "stdout.log", say):
        ended = run_confined(
            launch(
                tools,
                arguments,
                repository=home / "m2",
                home=home,
                network=True,
                pom=pom,
                settings=settings if settings.is_file() else None,
            ),
            workspace=system,
            home=home,
            logs=logs,
            seconds=PREFETCH_SECONDS,
            limits=Limits(output_megabytes=500, disk_megabytes=10_000),
            cancel=cancel,
        )
    said = read_log(logs / "stdout.log", system)
    if ended.ended != "exited" or ended.exit_code or said.troubles.keys() - {"other"}:
        why = said.reason("artefact", "pom", "main_code", "test_code", "fork", "other") or ended.message
        wanted = " is not to be had; is there a network?" if "artefact" in said.troubles else ""
        raise StudyError(
            f"project {loaded.project.name!r}: the reference does not build with JDK "
            f"{tools.chosen.jdk.release}: {why or ended.ended}{wanted} (log: {logs / 'stdout.log'})"
        )


@contextmanager
def _told(log: Path, say: Listener) -> Iterator[None]:
    """Tell which module is being built, from the log that grows meanwhile."""
    done = threading.Event()

    def follow() -> None:
        told = 0
        while not done.wait(1.0):
            lines = log.read_text("utf-8", "replace").splitlines() if log.is_file() else []
            building = [
                line.removeprefix("[INFO] ")
                for line in lines
                if re.match(r"\[INFO\] Building (?!jar:)", line)
            ]
            for line in building[told:]:
                say(f"  {line.split(' ' * 3)[0].strip()}")
            told = len(building)

    thread = threading.Thread(target=follow, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def forget_origins(repository: Path) -> None:
    """Delete Maven's notes on origins and failed attempts."""
    for pattern in _TRACKING:
        for path in list(repository.rglob(pattern)):
            path.unlink()
