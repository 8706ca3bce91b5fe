"""SQLite: one short connection for each piece of work."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def session(file: Path, schema: str) -> Iterator[sqlite3.Connection]:
    """A connection whose changes are committed at the end, or undone if an exception passes."""
    connection = sqlite3.connect(file, timeout=5)
    connection.row_factory = sqlite3.Row
    connection.execute("PRAGMA synchronous = OFF")
    try:
        connection.executescript(schema)
        with connection:
            yield connection
    finally:
        connection.close()
