"""The services that orders depend on."""

from dataclasses import dataclass

from hall.errors import HallError, PeerDown
from hall.fields import Fields
from hall.peers import Peer

from services.orders.model import OrderLine


@dataclass(frozen=True)
class Record:
    """What is known of a customer."""

    barred: bool = False
    discount_percent: int = 0


class StallClient(Peer):
    """Asks when a stall sells, and on what terms."""

    name = "stall-service"

    def terms(self, stall_id):
        status, stall = self.call("GET", f"/stalls/{stall_id}")
        if status != 200:
            raise HallError(422, "unknown_stall", f"there is no stall {stall_id}")
        return stall


class StockClient(Peer):
    """Holds goods for orders, lets them go, and has them booked as sold."""

    name = "stock-service"

    def reserve(self, reference, stall_id, day, wishes):
        """The priced lines, or a refusal with the reason that the store room gives."""
        lines = [{"article_id": article_id, "quantity": quantity} for article_id, quantity in wishes]
        wanted = {"reference": reference, "stall_id": stall_id, "day": day, "lines": lines}
        status, answer = self.call("POST", "/reservations", wanted)
        if status != 201:
            error = answer["error"]
            raise HallError(
                409,
                "goods_refused",
                error["message"],
                cause=error["code"],
                article_id=error.get("article_id"),
            )
        return [OrderLine.from_json(Fields(line)) for line in answer["lines"]]

    def commit(self, reference):
        self.call("POST", f"/reservations/{reference}/commit")

    def release(self, reference):
        self.call("POST", f"/reservations/{reference}/release")


class ArchiveClient(Peer):
    """Hands closed orders over, and asks what is known from them."""

    name = "order-archive-service"

    def put(self, document):
        """Whether the archive has the order now; it can be tried again later."""
        try:
            status, _ = self.call("POST", "/closed-orders", document)
        except PeerDown:
            return False
        return status in (200, 201)

    def find(self, order_id):
        """The closed order, or None."""
        status, document = self.call("GET", f"/closed-orders/{order_id}")
        return document if status == 200 else None

    def record(self, customer_id):
        """Without an answer, a customer is treated like a new one: the stalls want to sell."""
        try:
            status, answer = self.call("GET", f"/customers/{customer_id}/record")
        except PeerDown:
            return Record()
        return Record(answer["barred"], answer["discount_percent"]) if status == 200 else Record()
