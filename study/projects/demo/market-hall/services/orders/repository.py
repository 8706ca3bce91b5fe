"""Open orders in SQLite."""

import json

from hall.database import Database
from hall.fields import Fields

from services.orders.model import CLOSED, OPEN, Order


class OrderRepository:
    """Keeps orders until the archive has taken them over."""

    SCHEMA = (
        "CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, customer_id TEXT, stall_id TEXT,"
        " status TEXT, pickup_day TEXT, document TEXT)",
        "CREATE TABLE IF NOT EXISTS numbers (number INTEGER PRIMARY KEY AUTOINCREMENT)",
    )

    def __init__(self, path):
        self._database = Database(path, self.SCHEMA)

    def new_id(self):
        """An id that no order had before."""
        with self._database.work() as connection:
            cursor = connection.execute("INSERT INTO numbers DEFAULT VALUES")
            return f"O{cursor.lastrowid:05d}"

    def save(self, order):
        columns = (order.id, order.customer_id, order.stall_id, order.status, order.pickup_day)
        with self._database.work() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO orders VALUES (?, ?, ?, ?, ?, ?)",
                (*columns, json.dumps(order.to_json())),
            )

    def delete(self, order_id):
        with self._database.work() as connection:
            connection.execute("DELETE FROM orders WHERE id = ?", (order_id,))

    def find(self, order_id):
        """The order, or None."""
        with self._database.work() as connection:
            row = connection.execute("SELECT document FROM orders WHERE id = ?", (order_id,)).fetchone()
        return None if row is None else self._order(row)

    def search(self, filters, limit, offset):
        """Orders by id that agree with all filters that are set, and how many there are of them."""
        wanted = {column: value for column, value in filters.items() if value is not None}
        condition = " AND ".join(f"{column} = ?" for column in wanted) or "1"
        with self._database.work() as connection:
            rows = connection.execute(
                f"SELECT document FROM orders WHERE {condition} ORDER BY id", tuple(wanted.values())
            ).fetchall()
        return [self._order(row) for row in rows[offset : offset + limit]], len(rows)

    def all(self):
        with self._database.work() as connection:
            rows = connection.execute("SELECT document FROM orders ORDER BY id").fetchall()
        return [self._order(row) for row in rows]

    def count_open(self, customer_id):
        return sum(order.customer_id == customer_id and order.status in OPEN for order in self.all())

    def waiting(self):
        """Closed orders that the archive does not have yet."""
        return [order for order in self.all() if order.status in CLOSED]

    @staticmethod
    def _order(row):
        return Order.from_json(Fields(json.loads(row["document"])))
