"""A desk for orders whose neighbours are made up."""

from datetime import datetime

from hall.errors import HallError
from hall.fields import Fields
from hall.web import make_app
from services.orders.api import OrderBlueprint
from services.orders.clients import Record
from services.orders.model import OrderLine, Wish
from services.orders.repository import OrderRepository
from services.orders.service import OrderService


class FakeStalls:
    def __init__(self):
        self.stall = {
            "market_days": ["wed", "thu"],
            "opens": "08:00",
            "closes": "14:00",
            "minimum_cents": 1000,
            "commission_percent": 8,
            "open": True,
        }

    def terms(self, stall_id):
        if stall_id != "S01":
            raise HallError(422, "unknown_stall", "made up")
        return self.stall


class FakeStock:
    def __init__(self):
        self.cents = 300
        self.calls = []

    def reserve(self, reference, stall_id, day, wishes):
        self.calls.append(("reserve", reference, stall_id, day))
        return [
            OrderLine(article, article, quantity, quantity * self.cents, 7) for article, quantity in wishes
        ]

    def commit(self, reference):
        self.calls.append(("commit", reference))

    def release(self, reference):
        self.calls.append(("release", reference))


class FakeArchive:
    def __init__(self):
        self.reachable = True
        self.known = Record()
        self.documents = {}

    def put(self, document):
        if self.reachable:
            self.documents[document["id"]] = document
        return self.reachable

    def find(self, order_id):
        return self.documents.get(order_id)

    def record(self, customer_id):
        return self.known


class Desk:
    """The service class on a Wednesday at 9:30, and all around it."""

    def __init__(self, folder):
        self.now = datetime(2026, 5, 6, 9, 30)
        self.stalls, self.stock, self.archive = FakeStalls(), FakeStock(), FakeArchive()
        self.repository = OrderRepository(str(folder / "orders.sqlite3"))
        self.service = OrderService(
            self.repository, self.stalls, self.stock, self.archive, lambda: self.now, 120, 3
        )

    def http(self):
        return make_app("order-service", OrderBlueprint(self.service)).test_client()

    def place(self, **changes):
        return self.service.place(Wish.from_json(Fields(wish(**changes))))

    def packed(self, **changes):
        order = self.place(**changes)
        self.service.accept(order.id)
        return self.service.pack(order.id)


def wish(**changes):
    fields = {
        "customer_id": "C0001",
        "stall_id": "S01",
        "pickup_day": "2026-05-06",
        "pickup_from": "12:00",
        "lines": [{"article_id": "A001", "quantity": 4}],
    }
    return {**fields, **changes}
