"""Rates, promotion codes and quotes in SQLite."""

import json
import sqlite3
from contextlib import contextmanager

from common import settings

SCHEMA = """
CREATE TABLE IF NOT EXISTS rates (zone TEXT PRIMARY KEY, prices TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS promos (
    code TEXT PRIMARY KEY, percent INTEGER NOT NULL, uses_left INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS quotes (
    serial INTEGER PRIMARY KEY, content TEXT NOT NULL, promo TEXT, accepted INTEGER NOT NULL DEFAULT 0
);
"""
FIRST_RATES = {
    "local": (390, 540, 790, 1190, 1690),
    "regional": (450, 620, 890, 1320, 1850),
    "national": (520, 740, 1050, 1560, 2190),
    "abroad": (1290, 1890, 2790, 4290, 5990),
}


@contextmanager
def open_db():
    """A connection that is committed at the end, or rolled back on an error."""
    db = sqlite3.connect(settings.data_file("tariff.db"))
    try:
        db.executescript(SCHEMA)
        with db:
            yield db
    finally:
        db.close()


def all_rates(db):
    """Prices by zone; a zone that nobody changed has its first rates."""
    changed = {zone: json.loads(prices) for zone, prices in db.execute("SELECT zone, prices FROM rates")}
    return {zone: changed.get(zone, list(prices)) for zone, prices in FIRST_RATES.items()}


def set_rates(db, zone, prices):
    db.execute("INSERT OR REPLACE INTO rates VALUES (?, ?)", (zone, json.dumps(prices)))


def put_promo(db, code, percent, uses):
    db.execute("INSERT OR REPLACE INTO promos VALUES (?, ?, ?)", (code, percent, uses))


def get_promo(db, code):
    row = db.execute("SELECT code, percent, uses_left FROM promos WHERE code = ?", (code,)).fetchone()
    return None if row is None else dict(zip(("code", "percent", "uses_left"), row))


def use_promo(db, code):
    """Take one use away; False if none is left."""
    cursor = db.execute(
        "UPDATE promos SET uses_left = uses_left - 1 WHERE code = ? AND uses_left > 0", (code,)
    )
    return cursor.rowcount == 1


def add_quote(db, quote, promo):
    cursor = db.execute("INSERT INTO quotes (content, promo) VALUES (?, ?)", (json.dumps(quote), promo))
    return f"Q{cursor.lastrowid:06d}"


def get_quote(db, quote_id):
    serial = quote_id[1:]
    if not quote_id.startswith("Q") or not serial.isdecimal():
        return None
    row = db.execute(
        "SELECT content, promo, accepted FROM quotes WHERE serial = ?", (int(serial),)
    ).fetchone()
    if row is None:
        return None
    return {"quote_id": quote_id, **json.loads(row[0]), "promo": row[1], "accepted": bool(row[2])}


def accept(db, quote_id):
    db.execute("UPDATE quotes SET accepted = 1 WHERE serial = ?", (int(quote_id[1:]),))
