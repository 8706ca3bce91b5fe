"""Reminders and objections in SQLite."""

import sqlite3
from dataclasses import astuple, replace
from pathlib import Path

from services.remind.rules import Reminder

SCHEMA = """
CREATE TABLE IF NOT EXISTS reminder (
    appointment TEXT, patient TEXT, channel TEXT, address TEXT, starts_at TEXT, send_at TEXT, text TEXT,
    state TEXT, attempts INTEGER, id INTEGER PRIMARY KEY
);
CREATE TABLE IF NOT EXISTS objection (patient TEXT, channel TEXT, PRIMARY KEY (patient, channel));
"""


class Outbox:
    def __init__(self, file):
        if file != ":memory:":
            Path(file).parent.mkdir(parents=True, exist_ok=True)
        self.db = sqlite3.connect(file)
        self.db.executescript(SCHEMA)

    def save(self, reminder):
        """Insert the reminder, or overwrite it if it has an id."""
        with self.db:
            cursor = self.db.execute(
                "INSERT OR REPLACE INTO reminder VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", astuple(reminder)
            )
        return replace(reminder, id=cursor.lastrowid)

    def get(self, reminder_id):
        rows = self.select("WHERE id = ?", reminder_id)
        return rows[0] if rows else None

    def find(self, state=None, patient=None):
        """Reminders by the time of sending; both filters are optional."""
        return self.select(
            "WHERE state = coalesce(?, state) AND patient = coalesce(?, patient) ORDER BY send_at, id",
            state,
            patient,
        )

    def waiting_for(self, appointment, channel):
        return self.select(
            "WHERE appointment = ? AND channel = ? AND state = 'waiting'", appointment, channel
        )

    def select(self, condition, *values):
        return [Reminder(*row) for row in self.db.execute(f"SELECT * FROM reminder {condition}", values)]

    def object_to(self, patient, channel):
        """Note an objection; waiting reminders of this kind are withdrawn. Returns their number."""
        with self.db:
            self.db.execute("INSERT OR IGNORE INTO objection VALUES (?, ?)", (patient, channel))
            cursor = self.db.execute(
                "UPDATE reminder SET state = 'withdrawn'"
                " WHERE patient = ? AND channel = ? AND state = 'waiting'",
                (patient, channel),
            )
        return cursor.rowcount

    def objects_to(self, patient, channel):
        row = self.db.execute(
            "SELECT 1 FROM objection WHERE patient = ? AND channel = ?", (patient, channel)
        ).fetchone()
        return row is not None
