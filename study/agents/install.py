"""Agents' command lines, installed in pinned versions into the user's cache.

They go to `agents/NAME/VERSION` in the cache (see `study.cache`), never into the repository or the system. An
installation is there when its marker is, which is written last; until then it is begun again.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from study.agents.outcomes import last_line
from study.cache import cache_folder
from study.files import remove_tree
from study.schema import StudyError

MARKER = "installed.json"
LOG = "install.log"
SECONDS = 600
"""Of one installation, at most."""


@dataclass(frozen=True)
class Package:
    """A command line as a package registry has it."""

    name: str
    """Folder in the cache."""
    manager: Literal["npm", "pip"]
    requirement: str
    """The package without a version: `@openai/codex`."""
    version: str
    """Pinned: without it npm takes the newest version that suits the Node.js at hand, and says nothing."""
    programs: tuple[str, ...]
    """Patterns of the program to run, below the installation; the first that is there counts."""
    beside: tuple[str, ...] = ()
    """More pinned packages that it needs, for instance a Node.js."""

    def folder(self, version: str | None = None) -> Path:
        """Where a version is, or would be."""
        return cache_folder("agents", self.name) / (version or self.version)

    def program(self, version: str | None = None) -> Path | None:
        """The program of an installed version; None if it is not installed, or not completely."""
        folder = self.folder(version)
        if not (folder / MARKER).is_file():
            return None
        found = (path for pattern in self.programs for path in sorted(folder.glob(pattern)))
        return next((path for path in found if os.access(path, os.X_OK)), None)

    def installed(self) -> list[str]:
        """All versions that are in the cache."""
        folder = cache_folder("agents", self.name)
        return sorted(path.parent.name for path in folder.glob(f"*/{MARKER}"))


def install(package: Package, version: str | None = None, seconds: float = SECONDS) -> Path:
    """Install one version, unless it is there; each command of the package manager gets `seconds`.

    Returns
    -------
    Path
        The program.

    Raises
    ------
    StudyError
        If the package manager is missing or fails; the text says what it said.
    """
    folder = package.folder(version)
    with _alone(folder):
        if (program := package.program(version)) is not None:
            return program
        remove_tree(folder)
        folder.mkdir(parents=True)
        specs = (version or package.version, *package.beside)
        _run(package, specs, folder, seconds)
        (folder / MARKER).write_text(json.dumps({"package": package.requirement, "version": specs[0]}))
        for path in folder.glob("**/vendor/ripgrep/*/rg"):
            path.chmod(0o755)  # some tarballs have it without the right to be executed
    program = package.program(version)
    if program is None:
        remove_tree(folder)
        raise StudyError(
            f"{package.name}: {package.requirement} {version or package.version} has no program "
            f"{package.programs[0]}; is there a build of it for this system?"
        )
    return program


def _run(package: Package, specs: tuple[str, ...], folder: Path, seconds: float) -> None:
    log = folder / LOG
    with log.open("wb") as stream:
        for command in _commands(package, specs, folder):
            try:
                done = subprocess.run(
                    command,
                    cwd=folder,
                    stdin=subprocess.DEVNULL,
                    stdout=stream,
                    stderr=subprocess.STDOUT,
                    timeout=seconds,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                raise StudyError(
                    f"{package.name}: no end of {command[0]} in {seconds:g} s; try again"
                ) from None
            if done.returncode:
                raise StudyError(
                    f"{package.name}: {' '.join(command[:2])} failed: {_why(log)} (more in {log})"
                )


def _why(log: Path) -> str:
    """The lines that say what was wrong; npm ends with the place of a log of its own."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    told = [line.strip() for line in lines if re.match(r"npm (?:error|ERR!)|ERROR:", line)]
    useful = [line for line in told if "complete log of this run" not in line and len(line.split()) > 3]
    return " ".join(useful[:2])[:300] or last_line(log)


def _commands(package: Package, specs: tuple[str, ...], folder: Path) -> list[list[str]]:
    """What to run; the version comes first in `specs`."""
    if package.manager == "pip":
        environment = folder / "venv"
        python = str(environment / "bin" / "python")
        return [
            [sys.executable, "-m", "venv", str(environment)],
            [python, "-m", "pip", "install", "--quiet", f"{package.requirement}=={specs[0]}", *specs[1:]],
        ]
    npm = shutil.which("npm")
    if npm is None:
        raise StudyError(
            f"{package.name}: it is installed with npm, which is not on PATH; install Node.js and npm, or "
            "give the program's path as `settings.program`"
        )
    (folder / "package.json").write_text('{"private": true}\n')
    quiet = ["--no-audit", "--no-fund", "--save-exact", "--loglevel=error"]
    return [[npm, "install", *quiet, f"{package.requirement}@{specs[0]}", *specs[1:]]]


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """One process at a time installs a version; another waits for it."""
    with folder.with_name(f".{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
