"""HTTP paths of the order-archive-service."""

from flask import Blueprint, request
from hall.web import body, page

from services.order_archive.model import Order


class OrderBlueprint(Blueprint):
    """Turns requests into calls of the service class."""

    def __init__(self, service):
        super().__init__("orders", __name__)
        self.service = service
        self.add_url_rule("/closed-orders", view_func=self.put_order, methods=["POST"])
        self.add_url_rule("/closed-orders", view_func=self.list_orders, methods=["GET"])
        self.add_url_rule("/closed-orders/<order_id>", view_func=self.show_order, methods=["GET"])
        self.add_url_rule("/closed-orders/<order_id>/refunds", view_func=self.refund, methods=["POST"])
        self.add_url_rule("/customers/<customer_id>/record", view_func=self.show_record, methods=["GET"])
        self.add_url_rule("/statements/<stall_id>", view_func=self.show_statement, methods=["GET"])

    def put_order(self):
        order, is_new = self.service.put(Order.from_json(body()))
        return order.to_json(), 201 if is_new else 200

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
        return self.service.show(order_id).to_json()

    def refund(self, order_id):
        fields = body()
        order = self.service.refund(order_id, fields.integer("amount_cents"), fields.text("reason"))
        return order.to_json(), 201

    def show_record(self, customer_id):
        return self.service.record(customer_id)

    def show_statement(self, stall_id):
        return self.service.statement(stall_id, request.args.get("month", ""))
