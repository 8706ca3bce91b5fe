"""The services that the gateway puts answers together from."""

from hall.errors import HallError
from hall.peers import Peer


class OrderClient(Peer):
    """Places and cancels orders, and lists them."""

    name = "order-service"

    def place(self, wish):
        status, answer = self.call("POST", "/orders", wish)
        if status != 201:
            error = answer["error"]
            raise HallError(
                409, "checkout_failed", error["message"], stall_id=wish["stall_id"], cause=error["code"]
            )
        return answer

    def cancel(self, order_id, reason):
        self.call("POST", f"/orders/{order_id}/cancel", {"reason": reason})

    def open_orders(self, customer_id):
        status, answer = self.call("GET", "/orders", query={"customer_id": customer_id, "limit": 100})
        closed = ("collected", "cancelled", "rejected", "missed")
        return [order for order in answer["orders"] if order["status"] not in closed]


class ArchiveClient(Peer):
    """Asks what is known of a customer."""

    name = "order-archive-service"

    def record(self, customer_id):
        status, answer = self.call("GET", f"/customers/{customer_id}/record")
        if status != 200:
            raise HallError(status, answer["error"]["code"], answer["error"]["message"])
        return answer
