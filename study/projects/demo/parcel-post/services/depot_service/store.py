"""The parcels handed in at this depot, in SQLite."""

import sqlite3
from contextlib import contextmanager

from common import settings
from common.numbers import make_number

SCHEMA = """
CREATE TABLE IF NOT EXISTS parcels (
    serial INTEGER PRIMARY KEY, number TEXT, recipient TEXT NOT NULL, service TEXT NOT NULL,
    stamp TEXT UNIQUE, quote_id TEXT, price_cents INTEGER NOT NULL, paid INTEGER NOT NULL, booking_id TEXT
);
"""
COLUMNS = ("number", "recipient", "service", "quote_id", "price_cents", "paid", "booking_id")


@contextmanager
def open_db():
    """A connection that is committed at the end, or rolled back on an error."""
    db = sqlite3.connect(settings.data_file("depot.db"))
    try:
        db.executescript(SCHEMA)
        with db:
            yield db
    finally:
        db.close()


def add_parcel(db, recipient, service, stamp, quote_id, price_cents):
    """Keep a new parcel and return its number; a stamped one is paid for."""
    cursor = db.execute(
        "INSERT INTO parcels (recipient, service, stamp, quote_id, price_cents, paid) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        (recipient, service, stamp, quote_id, price_cents, stamp is not None),
    )
    number = make_number(cursor.lastrowid)
    db.execute("UPDATE parcels SET number = ? WHERE serial = ?", (number, cursor.lastrowid))
    return number


def stamp_is_used(db, stamp):
    return db.execute("SELECT 1 FROM parcels WHERE stamp = ?", (stamp,)).fetchone() is not None


def get_parcel(db, number):
    row = db.execute(f"SELECT {', '.join(COLUMNS)} FROM parcels WHERE number = ?", (number,)).fetchone()
    return None if row is None else {**dict(zip(COLUMNS, row)), "paid": bool(row[COLUMNS.index("paid")])}


def set_paid(db, number):
    db.execute("UPDATE parcels SET paid = 1 WHERE number = ?", (number,))


def set_booking(db, number, booking_id):
    db.execute("UPDATE parcels SET booking_id = ? WHERE number = ?", (booking_id, number))
