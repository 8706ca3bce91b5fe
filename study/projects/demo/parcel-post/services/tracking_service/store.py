"""Shipments, events and watchers in SQLite."""

import sqlite3
from contextlib import contextmanager

from common import settings

SCHEMA = """
CREATE TABLE IF NOT EXISTS shipments (
    serial INTEGER PRIMARY KEY, number TEXT UNIQUE NOT NULL, service TEXT NOT NULL, state TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS events (
    serial INTEGER PRIMARY KEY, number TEXT NOT NULL, kind TEXT NOT NULL,
    place TEXT NOT NULL, at TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS watchers (number TEXT NOT NULL, email TEXT NOT NULL, PRIMARY KEY (number, email));
"""


@contextmanager
def open_db():
    """A connection that is committed at the end, or rolled back on an error."""
    db = sqlite3.connect(settings.data_file("tracking.db"))
    try:
        db.executescript(SCHEMA)
        with db:
            yield db
    finally:
        db.close()


def add_shipment(db, number, service):
    db.execute("INSERT INTO shipments (number, service, state) VALUES (?, ?, 'announced')", (number, service))


def get_shipment(db, number):
    row = db.execute("SELECT service, state FROM shipments WHERE number = ?", (number,)).fetchone()
    return None if row is None else {"service": row[0], "state": row[1]}


def numbers_in(db, state, limit):
    """Numbers in the order of announcement, of one state or of all."""
    rows = db.execute(
        "SELECT number FROM shipments WHERE ? IS NULL OR state = ? ORDER BY serial LIMIT ?",
        (state, state, -1 if limit is None else limit),
    )
    return [number for (number,) in rows]


def add_event(db, number, event):
    """Keep the event, and put the shipment into the state that it leads to."""
    db.execute(
        "INSERT INTO events (number, kind, place, at) VALUES (?, ?, ?, ?)",
        (number, event["kind"], event["place"], event["at"]),
    )
    db.execute("UPDATE shipments SET state = ? WHERE number = ?", (event["kind"], number))


def events_of(db, number):
    rows = db.execute("SELECT kind, place, at FROM events WHERE number = ? ORDER BY serial", (number,))
    return [{"kind": kind, "place": place, "at": at} for kind, place, at in rows]


def add_watcher(db, number, email):
    db.execute("INSERT INTO watchers VALUES (?, ?)", (number, email))


def watchers_of(db, number):
    rows = db.execute("SELECT email FROM watchers WHERE number = ? ORDER BY email", (number,))
    return [email for (email,) in rows]


def count_by_state(db):
    return dict(db.execute("SELECT state, COUNT(*) FROM shipments GROUP BY state ORDER BY state"))
