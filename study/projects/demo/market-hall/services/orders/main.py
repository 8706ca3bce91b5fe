"""Starts the order-service: orders from placing to handing over."""

import os

from hall.settings import Settings, hall_time
from hall.web import make_app, serve

from services.orders.api import OrderBlueprint
from services.orders.clients import ArchiveClient, StallClient, StockClient
from services.orders.repository import OrderRepository
from services.orders.service import OrderService


def build_app(settings):
    service = OrderService(
        OrderRepository(settings.db_file),
        StallClient(settings),
        StockClient(settings),
        ArchiveClient(settings),
        hall_time,
        lead_minutes=int(os.environ.get("LEAD_MINUTES", "120")),
        max_open=int(os.environ.get("MAX_OPEN_ORDERS", "3")),
    )
    return make_app("order-service", OrderBlueprint(service))


if __name__ == "__main__":
    own_settings = Settings("order-service")
    serve(build_app(own_settings), own_settings)
