"""Virtual environments of projects, made once from a lock file and shared by all experiments."""

from __future__ import annotations

import fcntl
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from study.cache import cache_folder
from study.files import remove_tree, write_atomically
from study.projects.loading import LoadedProject
from study.projects.manifest import PythonEnvironment
from study.schema import StudyError, read_text

INSTALL_SECONDS = 1800.0
_READY = "ready.txt"
_INDEX_OPTIONS = ("-i ", "-f ", "--index-url", "--extra-index-url", "--find-links")


def lock_problems(path: Path) -> list[str]:
    """What keeps a file from being a lock file of ours; empty if nothing does."""
    if not path.is_file():
        return [f"no such file: {path}"]
    lines = [line.strip() for line in read_text(path).replace("\\\n", " ").splitlines()]
    requirements = [line for line in lines if line[:1].isalnum()]
    problems = []
    if any("://" in line or line.startswith(_INDEX_OPTIONS) for line in lines if line[:1] != "#"):
        problems.append("names the address of an index; make it with --no-emit-index-url")
    bare = [line.split()[0] for line in requirements if "==" not in line or "--hash=" not in line]
    if bare:
        problems.append(f"no version with a hash: {', '.join(bare)}; make it with --generate-hashes")
    installed = {re.split(r"[\[=;<> ]", requirement)[0].lower() for requirement in requirements}
    problems += [f"{name} is missing" for name in ("pytest", "pytest-timeout") if name not in installed]
    return problems


def environment_folder(loaded: LoadedProject, environment: PythonEnvironment) -> Path:
    """Where the environment of a project is or would be: its name follows from all that determines it."""
    lock = lock_file(loaded, environment)
    if problems := lock_problems(lock):
        raise StudyError("\n".join(f"{loaded.manifest}: environment.lock: {problem}" for problem in problems))
    base = f"{environment.python} {sysconfig.get_platform()} {platform.libc_ver()[0]}\n"
    digest = hashlib.sha256(base.encode() + lock.read_bytes()).hexdigest()[:16]
    return cache_folder("environments") / f"{loaded.project.name}-{digest}"


def lock_file(loaded: LoadedProject, environment: PythonEnvironment) -> Path:
    """Its path is relative to the manifest's."""
    return loaded.manifest.parent / environment.lock


def python_of(loaded: LoadedProject) -> Path:
    """The interpreter that runs a project's services and tests.

    Raises
    ------
    StudyError
        If the project has an environment of its own and it is not there yet.
    """
    environment = loaded.project.environment
    if not isinstance(environment, PythonEnvironment):
        return Path(sys.executable)
    folder = environment_folder(loaded, environment)
    if not _is_ready(folder):
        raise StudyError(
            f"project {loaded.project.name!r}: its Python environment is not made yet; "
            f"`study projects fetch {loaded.project.name}` makes it"
        )
    return folder / "bin" / "python"


def readable_of(python: Path) -> list[Path]:
    """Folders that a sandbox must show for an interpreter to work: its environment, and the Python below."""
    return [path for path in {python.parent.parent, python.resolve().parent.parent} if path != Path("/usr")]


def make_environment(loaded: LoadedProject) -> Path:
    """Make a project's environment if it is not there; whole or not at all.

    Returns
    -------
    Path
        Its interpreter.

    Raises
    ------
    StudyError
        If it cannot be made, with the last words of the installer.
    """
    environment = loaded.project.environment
    if not isinstance(environment, PythonEnvironment):
        return Path(sys.executable)
    folder = environment_folder(loaded, environment)
    with folder.with_name(f".{folder.name}.lock").open("a") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        if not _is_ready(folder):
            _make(folder, environment, lock_file(loaded, environment), loaded.project.name)
    return folder / "bin" / "python"


def _is_ready(folder: Path) -> bool:
    """False also where the Python below was uninstalled since."""
    return (folder / _READY).is_file() and (folder / "bin" / "python").exists()


def _make(folder: Path, environment: PythonEnvironment, lock: Path, name: str) -> None:
    uv = _uv()
    remove_tree(folder)
    # not a draft that is renamed: scripts of an environment name its path. The mark comes last instead.
    try:
        _run([uv, "venv", "--quiet", "--no-project", "--python", environment.python, str(folder)], name)
        sync = [uv, "pip", "sync", "--quiet", "--compile-bytecode", "--require-hashes"]
        _run([*sync, "--python", str(folder / "bin" / "python"), str(lock)], name)
    except BaseException:
        remove_tree(folder)
        raise
    write_atomically(folder / _READY, "")


def _uv() -> str:
    beside = Path(sys.executable).parent / "uv"
    found = str(beside) if beside.is_file() else shutil.which("uv")
    if found is None:
        raise StudyError("uv is not installed, which makes the environments of projects; install it")
    return found


def _run(command: list[str], name: str) -> None:
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=INSTALL_SECONDS,
            env=os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ.get('PATH', os.defpath)}"},
        )
        said = done.stderr.strip()
        failed = done.returncode != 0
    except subprocess.TimeoutExpired:
        said, failed = f"not done within {INSTALL_SECONDS:.0f} s", True
    if failed:
        last = " / ".join(said.splitlines()[-4:])
        raise StudyError(
            f"project {name!r}: its Python environment cannot be made ({' '.join(command[:3])}): {last}"
        )
