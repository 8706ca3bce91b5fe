"""Stations, bookings and the outbox in SQLite."""

import json
import sqlite3
from contextlib import contextmanager

from common import settings

SCHEMA = """
CREATE TABLE IF NOT EXISTS stations (code TEXT PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS compartments (
    station TEXT NOT NULL, label TEXT NOT NULL, PRIMARY KEY (station, label)
);
CREATE TABLE IF NOT EXISTS bookings (
    serial INTEGER PRIMARY KEY, number TEXT NOT NULL, station TEXT NOT NULL, compartment TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'booked', expires_at TEXT, code TEXT,
    wrong_codes INTEGER NOT NULL DEFAULT 0, extended INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS outbox (serial INTEGER PRIMARY KEY, event TEXT NOT NULL);
"""
COLUMNS = ("number", "station", "compartment", "state", "expires_at", "code", "wrong_codes", "extended")
SELECT = f"SELECT serial, {', '.join(COLUMNS)} FROM bookings"
OPEN = "state IN ('booked', 'deposited')"


@contextmanager
def open_db():
    """A connection that is committed at the end, or rolled back on an error."""
    db = sqlite3.connect(settings.data_file("lockers.db"))
    try:
        db.executescript(SCHEMA)
        with db:
            yield db
    finally:
        db.close()


def add_station(db, code, name, labels):
    db.execute("INSERT INTO stations VALUES (?, ?)", (code, name))
    db.executemany("INSERT INTO compartments VALUES (?, ?)", [(code, label) for label in labels])


def get_station(db, code):
    row = db.execute("SELECT name FROM stations WHERE code = ?", (code,)).fetchone()
    if row is None:
        return None
    (total,) = db.execute("SELECT COUNT(*) FROM compartments WHERE station = ?", (code,)).fetchone()
    return {"name": row[0], "total": total}


def free_compartments(db, code):
    """Labels of the compartments without an open booking."""
    rows = db.execute(
        "SELECT label FROM compartments WHERE station = ? AND label NOT IN "
        f"(SELECT compartment FROM bookings WHERE station = ? AND {OPEN})",
        (code, code),
    )
    return [label for (label,) in rows]


def add_booking(db, number, station, compartment):
    cursor = db.execute(
        "INSERT INTO bookings (number, station, compartment) VALUES (?, ?, ?)", (number, station, compartment)
    )
    return f"B{cursor.lastrowid:05d}"


def as_booking(row):
    return None if row is None else {"booking_id": f"B{row[0]:05d}", **dict(zip(COLUMNS, row[1:]))}


def get_booking(db, booking_id):
    serial = booking_id[1:]
    if not booking_id.startswith("B") or not serial.isdecimal():
        return None
    return as_booking(db.execute(f"{SELECT} WHERE serial = ?", (int(serial),)).fetchone())


def open_booking_of(db, number):
    return as_booking(db.execute(f"{SELECT} WHERE number = ? AND {OPEN}", (number,)).fetchone())


def deposited_bookings(db):
    return [as_booking(row) for row in db.execute(f"{SELECT} WHERE state = 'deposited' ORDER BY serial")]


def change(db, booking_id, **values):
    """Set some columns of a booking."""
    columns = ", ".join(f"{column} = ?" for column in values)
    db.execute(f"UPDATE bookings SET {columns} WHERE serial = ?", (*values.values(), int(booking_id[1:])))


def keep(db, event):
    db.execute("INSERT INTO outbox (event) VALUES (?)", (json.dumps(event),))


def outbox(db):
    """Serial and content of the events that wait, oldest first."""
    rows = db.execute("SELECT serial, event FROM outbox ORDER BY serial")
    return [(serial, json.loads(event)) for serial, event in rows]


def drop(db, serial):
    db.execute("DELETE FROM outbox WHERE serial = ?", (serial,))
