"""The appointment book in SQLite."""

import sqlite3
from dataclasses import astuple, replace
from pathlib import Path

from services.appt.booking import Appointment

SCHEMA = """
CREATE TABLE IF NOT EXISTS appointment (
    patient TEXT, staff_id TEXT, kind TEXT, date TEXT, start TEXT, "end" TEXT, note TEXT, room TEXT,
    state TEXT, late INTEGER, moves INTEGER, id INTEGER PRIMARY KEY
)
"""


class AppointmentBook:
    def __init__(self, file):
        if file != ":memory:":
            Path(file).parent.mkdir(parents=True, exist_ok=True)
        self.db = sqlite3.connect(file)
        self.db.execute(SCHEMA)

    def save(self, appointment):
        """Insert the appointment, or overwrite it if it has an id."""
        with self.db:
            cursor = self.db.execute(
                "INSERT OR REPLACE INTO appointment VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                astuple(appointment),
            )
        return replace(appointment, id=cursor.lastrowid)

    def get(self, appointment_id):
        rows = self.select("WHERE id = ?", appointment_id)
        return rows[0] if rows else None

    def find(self, date=None, staff_id=None, patient=None, state=None):
        """Appointments by date and start; all filters are optional."""
        return self.select(
            "WHERE date = coalesce(?, date) AND staff_id = coalesce(?, staff_id)"
            " AND patient = coalesce(?, patient) AND state = coalesce(?, state) ORDER BY date, start, id",
            *(date, staff_id, patient, state),
        )

    def select(self, condition, *values):
        appointments = []
        for row in self.db.execute(f"SELECT * FROM appointment {condition}", values):
            *head, late, moves, number = row
            appointments.append(Appointment(*head, bool(late), moves, number))
        return appointments
