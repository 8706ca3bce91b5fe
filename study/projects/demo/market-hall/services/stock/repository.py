"""Articles, lots and reservations in SQLite."""

import json

from hall.database import Database

from services.stock.model import Article, Lot, Portion


class StockRepository:
    """All that the stock-service remembers."""

    SCHEMA = (
        "CREATE TABLE IF NOT EXISTS articles (number INTEGER PRIMARY KEY, stall_id TEXT, name TEXT,"
        " unit TEXT, price_cents INTEGER, vat_percent INTEGER)",
        "CREATE TABLE IF NOT EXISTS lots (id INTEGER PRIMARY KEY, article_id TEXT, quantity INTEGER,"
        " held INTEGER, best_before TEXT)",
        "CREATE TABLE IF NOT EXISTS reservations (reference TEXT PRIMARY KEY, document TEXT, portions TEXT)",
    )

    def __init__(self, path):
        self._database = Database(path, self.SCHEMA)

    def articles(self, stall_id=None):
        with self._database.work() as connection:
            rows = connection.execute("SELECT * FROM articles ORDER BY number").fetchall()
        return [self._article(row) for row in rows if stall_id in (None, row["stall_id"])]

    def article(self, article_id):
        """The article, or None."""
        return next((article for article in self.articles() if article.id == article_id), None)

    def add_article(self, article):
        with self._database.work() as connection:
            cursor = connection.execute(
                "INSERT INTO articles (stall_id, name, unit, price_cents, vat_percent)"
                " VALUES (?, ?, ?, ?, ?)",
                (article.stall_id, article.name, article.unit, article.price_cents, article.vat_percent),
            )
        article.id = f"A{cursor.lastrowid:03d}"

    def save_price(self, article):
        with self._database.work() as connection:
            connection.execute(
                "UPDATE articles SET price_cents = ? WHERE number = ?",
                (article.price_cents, int(article.id[1:])),
            )

    def lots(self, article_id):
        with self._database.work() as connection:
            rows = connection.execute(
                "SELECT * FROM lots WHERE article_id = ? ORDER BY best_before, id", (article_id,)
            ).fetchall()
        return [Lot(**dict(row)) for row in rows]

    def lot(self, lot_id):
        """The lot, or None."""
        with self._database.work() as connection:
            row = connection.execute("SELECT * FROM lots WHERE id = ?", (lot_id,)).fetchone()
        return None if row is None else Lot(**dict(row))

    def add_lot(self, article_id, quantity, best_before):
        with self._database.work() as connection:
            cursor = connection.execute(
                "INSERT INTO lots (article_id, quantity, held, best_before) VALUES (?, ?, 0, ?)",
                (article_id, quantity, best_before),
            )
        return Lot(cursor.lastrowid, article_id, quantity, 0, best_before)

    def save_lot(self, lot):
        with self._database.work() as connection:
            connection.execute(
                "UPDATE lots SET quantity = ?, held = ? WHERE id = ?", (lot.quantity, lot.held, lot.id)
            )

    def add_reservation(self, reservation, portions):
        """Keep a reservation and hold its goods."""
        kept = json.dumps([[portion.lot_id, portion.quantity, portion.reduced] for portion in portions])
        with self._database.work() as connection:
            connection.execute(
                "INSERT INTO reservations VALUES (?, ?, ?)",
                (reservation["reference"], json.dumps(reservation), kept),
            )
            for portion in portions:
                connection.execute(
                    "UPDATE lots SET held = held + ? WHERE id = ?", (portion.quantity, portion.lot_id)
                )

    def reservation(self, reference):
        """The reservation and its portions, or None."""
        with self._database.work() as connection:
            row = connection.execute(
                "SELECT * FROM reservations WHERE reference = ?", (reference,)
            ).fetchone()
        if row is None:
            return None
        return json.loads(row["document"]), [Portion(*values) for values in json.loads(row["portions"])]

    def settle(self, reservation, portions, sold):
        """Store the reservation's new status; its goods are no longer held, and gone if they are sold."""
        with self._database.work() as connection:
            connection.execute(
                "UPDATE reservations SET document = ? WHERE reference = ?",
                (json.dumps(reservation), reservation["reference"]),
            )
            for portion in portions:
                gone = portion.quantity if sold else 0
                connection.execute(
                    "UPDATE lots SET held = held - ?, quantity = quantity - ? WHERE id = ?",
                    (portion.quantity, gone, portion.lot_id),
                )

    @staticmethod
    def _article(row):
        columns = dict(row)
        return Article(f"A{columns.pop('number'):03d}", **columns)
