"""Test files that need a program of this machine: run where it is, named and not counted where it is not."""

from __future__ import annotations

import os
import shutil
import tarfile
from pathlib import Path

from study.projects.manifest import Suite
from study.schema import StudyError


def find_program(name: str) -> Path | None:
    """A program that tests need: what the variable STUDY_<NAME> says, or else what is on the PATH.

    Raises
    ------
    StudyError
        If the variable names no program.
    """
    variable = f"STUDY_{name.upper().replace('-', '_')}"
    if chosen := os.environ.get(variable):
        path = Path(chosen).expanduser().absolute()
        if not os.access(path, os.X_OK) or path.is_dir():
            raise StudyError(f"{variable}={chosen}: is no program that can be run")
        return path
    found = shutil.which(name)
    return Path(found).absolute() if found else None


def runnable(suite: Suite) -> tuple[list[str], list[str]]:
    """The files of a suite that can run here, and `file: reason` of the others."""
    reasons = {
        file: f"needs {program}, which is not installed here"
        for program, files in suite.needs.items()
        if find_program(program) is None
        for file in files
    }
    kept = [file for file in suite.files if file not in reasons]
    return kept, [f"{file}: {reasons[file]}" for file in suite.files if file in reasons]


EMBEDDED_MONGODB = Path(".embedmongo", "linux", "mongodb-linux-x86_64-3.2.2.tgz")
"""Below HOME: where the library that starts MongoDB for Spring Boot 2.0's tests keeps what it downloads."""


def provide(suite: Suite, home: Path) -> None:
    """Put programs where the libraries of tests look for them, so that none is downloaded.

    Parameters
    ----------
    suite : Suite
        Its `needs` say which programs.
    home : Path
        HOME of the tests; `user.home` of their Java process must say the same.
    """
    mongod = find_program("mongod") if "mongod" in suite.needs else None
    if mongod is not None:
        archive = home / EMBEDDED_MONGODB
        archive.parent.mkdir(parents=True)
        with tarfile.open(archive, "w:gz") as tar:
            tar.add(mongod.resolve(), "mongodb/bin/mongod")
