"""HTTP paths of the order-service."""

from flask import Blueprint, request
from hall.web import body, optional_body, page

from services.orders.model import Wish


class OrderBlueprint(Blueprint):
    """Turns requests into calls of the service class."""

    def __init__(self, service):
        super().__init__("orders", __name__)
        self.service = service
        self.add_url_rule("/orders", view_func=self.place, methods=["POST"])
        self.add_url_rule("/orders", view_func=self.list_orders, methods=["GET"])
        self.add_url_rule("/orders/hand-over", view_func=self.hand_over, methods=["POST"])
        self.add_url_rule("/orders/<order_id>", view_func=self.show_order, methods=["GET"])
        self.add_url_rule("/orders/<order_id>/accept", view_func=self.accept, methods=["POST"])
        self.add_url_rule("/orders/<order_id>/pack", view_func=self.pack, methods=["POST"])
        self.add_url_rule("/orders/<order_id>/collect", view_func=self.collect, methods=["POST"])
        self.add_url_rule("/orders/<order_id>/miss", view_func=self.miss, methods=["POST"])
        self.add_url_rule("/orders/<order_id>/reject", view_func=self.reject, methods=["POST"])
        self.add_url_rule("/orders/<order_id>/cancel", view_func=self.cancel, methods=["POST"])

    def place(self):
        return self.service.place(Wish.from_json(body())).to_json(), 201

    def list_orders(self):
        filters = {
            "customer_id": request.args.get("customer_id"),
            "stall_id": request.args.get("stall_id"),
            "status": request.args.get("status"),
            "pickup_day": request.args.get("pickup_day"),
        }
        orders, total = self.service.list_orders(filters, *page())
        return {"orders": [order.to_json() for order in orders], "total": total}

    def show_order(self, order_id):
        return self.service.show(order_id)

    def accept(self, order_id):
        return self.service.accept(order_id).to_json()

    def pack(self, order_id):
        return self.service.pack(order_id).to_json()

    def collect(self, order_id):
        return self.service.collect(order_id).to_json()

    def miss(self, order_id):
        return self.service.miss(order_id).to_json()

    def reject(self, order_id):
        return self.service.reject(order_id, body().optional_text("reason")).to_json()

    def cancel(self, order_id):
        return self.service.cancel(order_id, optional_body().optional_text("reason")).to_json()

    def hand_over(self):
        handed_over, waiting = self.service.hand_over()
        return {"handed_over": handed_over, "waiting": waiting}
