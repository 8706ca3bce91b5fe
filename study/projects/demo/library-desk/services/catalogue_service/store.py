"""The copies that the library owns, and where each of them is."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from library.database import session
from library.errors import Refusal
from library.settings import read_config

STATUSES = {"available", "on_loan", "missing", "withdrawn"}
SCHEMA = """
CREATE TABLE IF NOT EXISTS copies (
    barcode TEXT PRIMARY KEY, title TEXT, author TEXT, audience TEXT, shelf TEXT,
    status TEXT NOT NULL DEFAULT 'available'
);
"""


class CatalogueStore:
    def __init__(self, file: Path) -> None:
        self.file = file

    def fill(self) -> None:
        """Enter the copies of config/holdings.yaml; what is known already stays as it is."""
        with session(self.file, SCHEMA) as db:
            db.executemany(
                "INSERT OR IGNORE INTO copies (barcode, title, author, audience, shelf)"
                " VALUES (:barcode, :title, :author, :audience, :shelf)",
                read_config("holdings.yaml")["copies"],
            )

    def copy(self, barcode: str) -> dict[str, Any]:
        with session(self.file, SCHEMA) as db:
            return self._find(db, barcode)

    def copies(self, title: str | None) -> list[dict[str, Any]]:
        with session(self.file, SCHEMA) as db:
            rows = db.execute(
                "SELECT * FROM copies WHERE ?1 IS NULL OR title = ?1 COLLATE NOCASE ORDER BY barcode",
                (title,),
            )
            return [dict(row) for row in rows]

    def set_status(self, barcode: str, status: object) -> dict[str, Any]:
        if status not in STATUSES:
            raise Refusal(422, "unknown_status", f"{status!r} is none of {sorted(STATUSES)}")
        with session(self.file, SCHEMA) as db:
            copy = self._find(db, barcode)
            if copy["status"] == "withdrawn" and status != "withdrawn":
                raise Refusal(409, "withdrawn", f"{barcode} has left the library for good")
            db.execute("UPDATE copies SET status = ? WHERE barcode = ?", (status, barcode))
            return {**copy, "status": status}

    def _find(self, db: sqlite3.Connection, barcode: str) -> dict[str, Any]:
        row = db.execute("SELECT * FROM copies WHERE barcode = ?", (barcode,)).fetchone()
        if row is None:
            raise Refusal(404, "unknown_copy", f"no copy {barcode}")
        return dict(row)
