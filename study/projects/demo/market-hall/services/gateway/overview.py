"""What a customer sees first: open orders, and how well the hall knows the customer."""

from flask import Blueprint
from hall.errors import HallError

from services.gateway.clients import ArchiveClient, OrderClient


class OverviewBlueprint(Blueprint):
    """Puts the overview together; what cannot be had is left empty and named."""

    def __init__(self, settings):
        super().__init__("overview", __name__)
        self.parts = {}
        self.orders = OrderClient(settings)
        self.parts["open"] = self.open_part
        self.archive = ArchiveClient(settings)
        self.parts["record"] = self.record_part
        self.add_url_rule("/customers/<customer_id>/overview", view_func=self.show_overview, methods=["GET"])

    def show_overview(self, customer_id):
        overview = {"customer_id": customer_id, "open": None, "record": None, "unavailable": []}
        for name, part in self.parts.items():
            try:
                overview[name] = part(customer_id)
            except HallError:
                overview["unavailable"].append(name)
        return overview

    def open_part(self, customer_id):
        shown = ("id", "stall_id", "status", "pickup_day", "pickup_from", "total_cents")
        return [{name: order[name] for name in shown} for order in self.orders.open_orders(customer_id)]

    def record_part(self, customer_id):
        record = self.archive.record(customer_id)
        return {name: record[name] for name in ("collected", "barred", "discount_percent")}
