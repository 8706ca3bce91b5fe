"""Reading a file that is to be counted: what is odd is refused with a reason, and nothing else happens."""

from __future__ import annotations

from pathlib import Path

from study.files import is_regular
from study.quality.counter import NotSourceError

MAX_FILE_BYTES = 1_000_000
"""No hand-written source file of a microservice is this long; a longer one is reported, not counted."""


def read_source(path: Path) -> bytes:
    """The bytes of a file that is worth counting; UTF-8, so that no counter needs to ask.

    Raises
    ------
    NotSourceError
        If it is a symbolic link, not a regular file, too large, not readable or not UTF-8.
    """
    try:
        if not is_regular(path):
            raise NotSourceError("symbolic link, not followed" if path.is_symlink() else "not a regular file")
        size = path.stat().st_size
        if size > MAX_FILE_BYTES:
            raise NotSourceError(f"{size} bytes, more than the {MAX_FILE_BYTES} of a source file")
        source = path.read_bytes()
        source.decode()
    except OSError as error:
        raise NotSourceError(f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise NotSourceError("not UTF-8 text") from None
    return source
