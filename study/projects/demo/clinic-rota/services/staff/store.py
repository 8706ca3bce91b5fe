"""The people who work in the clinic."""

import sqlite3
from dataclasses import dataclass
from pathlib import Path

ROLES = ("doctor", "nurse", "therapist")


@dataclass(frozen=True)
class Person:
    id: str
    name: str
    role: str
    active: bool


class StaffStore:
    """Keeps persons in SQLite."""

    def __init__(self, file):
        if file != ":memory:":
            Path(file).parent.mkdir(parents=True, exist_ok=True)
        self.db = sqlite3.connect(file)
        self.db.execute(
            "CREATE TABLE IF NOT EXISTS person (id TEXT PRIMARY KEY, name TEXT, role TEXT, active INT)"
        )

    def add(self, person):
        """False if the id is taken."""
        with self.db:
            row = (person.id, person.name, person.role, person.active)
            cursor = self.db.execute("INSERT OR IGNORE INTO person VALUES (?, ?, ?, ?)", row)
        return cursor.rowcount == 1

    def get(self, person_id):
        row = self.db.execute("SELECT * FROM person WHERE id = ?", (person_id,)).fetchone()
        return None if row is None else Person(row[0], row[1], row[2], bool(row[3]))

    def find(self, role=None):
        rows = self.db.execute("SELECT * FROM person WHERE ? IN ('', role) ORDER BY id", (role or "",))
        return [Person(row[0], row[1], row[2], bool(row[3])) for row in rows]

    def set_active(self, person_id, active):
        with self.db:
            self.db.execute("UPDATE person SET active = ? WHERE id = ?", (active, person_id))
