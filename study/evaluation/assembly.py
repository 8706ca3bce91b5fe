"""Put the tree together that the oracle runs on: original project, generated target."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

from study.files import copy_tree, is_regular, iter_files, matches
from study.projects.manifest import Service
from study.scenarios.workspace import is_test, remove_target


def assemble(
    service: Service, tree: Path, generated: Path, destination: Path, reset: Iterable[str] = ()
) -> None:
    """Copy the original project to `destination`, with the generated code in place of the target's.

    Everything outside the target's directory, and all tests, are the originals again, whatever the agent
    did to them; test files that the agent added are left out.

    Parameters
    ----------
    service : Service
        The target.
    tree : Path
        The project's original files.
    generated : Path
        What `harvest` took over, relative to the target's directory; may be empty.
    destination : Path
        A directory that does not exist yet.
    reset : iterable of str
        Globs of what earlier executions leave behind (databases, logs), here or at the agent's: left out, so
        that every execution starts from the same state.
    """
    globs = list(reset)
    copy_tree(tree, destination, leave_out=globs)
    remove_target(service, destination)
    for path in iter_files(generated):
        relative = path.relative_to(generated)
        if is_regular(path) and not is_test(service, relative.as_posix()):
            target = destination / service.directory / relative
            if matches(target.relative_to(destination).as_posix(), globs):
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
