"""One checkout for goods of several stalls."""

from flask import Blueprint
from hall.errors import HallError
from hall.web import body

from services.gateway.clients import OrderClient

MAX_BASKETS = 5


class CheckoutBlueprint(Blueprint):
    """Places one order for each stall: all of them, or none."""

    def __init__(self, settings):
        super().__init__("checkout", __name__)
        self.orders = OrderClient(settings)
        self.add_url_rule("/checkout", view_func=self.check_out, methods=["POST"])

    def check_out(self):
        wishes = self.wishes(body())
        placed = []
        for wish in wishes:
            try:
                placed.append(self.orders.place(wish))
            except HallError:
                for order in placed:
                    self.orders.cancel(order["id"], "the rest of the basket cannot be had")
                raise
        shown = [{name: order[name] for name in ("id", "stall_id", "total_cents")} for order in placed]
        return {"orders": shown, "total_cents": sum(order["total_cents"] for order in placed)}, 201

    @staticmethod
    def wishes(fields):
        """What each stall is asked for."""
        baskets = fields.objects("baskets")
        if not 1 <= len(baskets) <= MAX_BASKETS:
            raise HallError(422, "invalid_baskets", f"a checkout has 1 to {MAX_BASKETS} baskets")
        wishes = []
        for basket in baskets:
            stall_id = basket.text("stall_id")
            if any(wish["stall_id"] == stall_id for wish in wishes):
                raise HallError(422, "duplicate_stall", "a stall has one basket", stall_id=stall_id)
            lines = [
                {"article_id": line.text("article_id"), "quantity": line.integer("quantity")}
                for line in basket.objects("lines")
            ]
            wishes.append(
                {
                    "customer_id": fields.text("customer_id"),
                    "stall_id": stall_id,
                    "pickup_day": fields.text("pickup_day"),
                    "pickup_from": fields.text("pickup_from"),
                    "lines": lines,
                    "note": basket.optional_text("note"),
                }
            )
        return wishes
