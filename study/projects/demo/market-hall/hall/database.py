"""One SQLite file for one service."""

import sqlite3
from contextlib import contextmanager
from pathlib import Path


class Database:
    """Opens the file for every piece of work, so that threads share nothing."""

    def __init__(self, path, schema):
        self.path = path
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        with self.work() as connection:
            for statement in schema:
                connection.execute(statement)

    @contextmanager
    def work(self):
        """A connection in a transaction: all of it happens, or nothing."""
        connection = sqlite3.connect(self.path, isolation_level=None)
        try:
            connection.row_factory = sqlite3.Row
            # What is committed outlives the process; only a power cut could take it.
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")
        finally:
            connection.close()
