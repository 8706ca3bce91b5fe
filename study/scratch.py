"""Private temporary folders that are removed for certain, if need be by a later process."""

from __future__ import annotations

import fcntl
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from study.files import remove_tree

PREFIX = "study-scratch-"
LOCK = ".lock"
YOUNG = 60.0
"""Seconds within which a folder is left alone whatever its lock says: it may be about to be locked."""


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Make a folder in the system's temporary folder, and remove it at the end.

    A process that is killed cannot remove anything. It does lose its lock, by which the next one to make such
    a folder sees what it may remove, from whatever container it looks.
    """
    _remove_abandoned(Path(tempfile.gettempdir()))
    folder = Path(tempfile.mkdtemp(prefix=PREFIX)).resolve()
    try:
        with (folder / LOCK).open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield folder
    finally:
        remove_tree(folder)


def _remove_abandoned(parent: Path) -> None:
    for folder in parent.glob(f"{PREFIX}*"):
        # gone in the meantime, another user's, or locked by a process that lives
        with suppress(OSError):
            if time.time() - folder.stat().st_mtime < YOUNG:
                continue
            # "a": a process that was killed while it removed its folder may have left it without a lock
            with (folder / LOCK).open("a") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                remove_tree(folder)
