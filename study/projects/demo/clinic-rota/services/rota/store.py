"""Shifts and leave in SQLite."""

import sqlite3
from dataclasses import replace
from pathlib import Path

from services.rota.domain import Leave, Shift

SCHEMA = """
CREATE TABLE IF NOT EXISTS shift (
    id INTEGER PRIMARY KEY, staff_id TEXT, date TEXT, start TEXT, "end" TEXT, kind TEXT, room TEXT
);
CREATE TABLE IF NOT EXISTS leave (
    id INTEGER PRIMARY KEY, staff_id TEXT, first_day TEXT, last_day TEXT
);
"""


class RotaStore:
    def __init__(self, file):
        if file != ":memory:":
            Path(file).parent.mkdir(parents=True, exist_ok=True)
        self.db = sqlite3.connect(file)
        self.db.executescript(SCHEMA)

    def add_shift(self, shift):
        row = (shift.staff_id, shift.date, shift.start, shift.end, shift.kind, shift.room)
        with self.db:
            cursor = self.db.execute("INSERT INTO shift VALUES (NULL, ?, ?, ?, ?, ?, ?)", row)
        return replace(shift, id=cursor.lastrowid)

    def get_shift(self, shift_id):
        shifts = self.select_shifts("WHERE id = ?", shift_id)
        return shifts[0] if shifts else None

    def shifts(self, date=None, staff_id=None):
        """Shifts by date and start; both filters are optional."""
        return self.select_shifts(
            "WHERE date = coalesce(?, date) AND staff_id = coalesce(?, staff_id) ORDER BY date, start, id",
            date,
            staff_id,
        )

    def select_shifts(self, condition, *values):
        columns = 'staff_id, date, start, "end", kind, room, id'
        rows = self.db.execute(f"SELECT {columns} FROM shift {condition}", values)
        return [Shift(*row) for row in rows]

    def hand_over(self, shift_id, staff_id):
        with self.db:
            self.db.execute("UPDATE shift SET staff_id = ? WHERE id = ?", (staff_id, shift_id))

    def remove_shift(self, shift_id):
        with self.db:
            self.db.execute("DELETE FROM shift WHERE id = ?", (shift_id,))

    def add_leave(self, leave):
        row = (leave.staff_id, leave.first_day, leave.last_day)
        with self.db:
            cursor = self.db.execute("INSERT INTO leave VALUES (NULL, ?, ?, ?)", row)
        return replace(leave, id=cursor.lastrowid)

    def leaves(self, staff_id):
        rows = self.db.execute(
            "SELECT staff_id, first_day, last_day, id FROM leave WHERE staff_id = ? ORDER BY first_day",
            (staff_id,),
        )
        return [Leave(*row) for row in rows]
