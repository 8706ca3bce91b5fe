"""Closed orders in SQLite."""

import json

from hall.database import Database
from hall.fields import Fields

from services.order_archive.model import Order


class OrderRepository:
    """Keeps orders for good."""

    SCHEMA = (
        "CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, customer_id TEXT, stall_id TEXT,"
        " status TEXT, pickup_day TEXT, document TEXT)",
    )

    def __init__(self, path):
        self._database = Database(path, self.SCHEMA)

    def save(self, order):
        columns = (order.id, order.customer_id, order.stall_id, order.status, order.pickup_day)
        with self._database.work() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO orders VALUES (?, ?, ?, ?, ?, ?)",
                (*columns, json.dumps(order.to_json())),
            )

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

    def of_customer(self, customer_id):
        with self._database.work() as connection:
            rows = connection.execute(
                "SELECT document FROM orders WHERE customer_id = ?", (customer_id,)
            ).fetchall()
        return [self._order(row) for row in rows]

    def of_stall(self, stall_id, month):
        """Orders of a stall with their pickup in a month like 2026-05."""
        with self._database.work() as connection:
            rows = connection.execute(
                "SELECT document FROM orders WHERE stall_id = ? AND substr(pickup_day, 1, 7) = ?",
                (stall_id, month),
            ).fetchall()
        return [self._order(row) for row in rows]

    @staticmethod
    def _order(row):
        data = json.loads(row["document"])
        order = Order.from_json(Fields(data))
        order.refunded_cents = data["refunded_cents"]
        return order
