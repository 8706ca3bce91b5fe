"""Starts the order-archive-service: closed orders, customer records and statements for the stalls."""

import os

from hall.settings import Settings, hall_time
from hall.web import make_app, serve

from services.order_archive.api import OrderBlueprint
from services.order_archive.repository import OrderRepository
from services.order_archive.service import ArchiveService


def build_app(settings):
    service = ArchiveService(
        OrderRepository(settings.db_file),
        hall_time,
        bar_after=int(os.environ.get("BAR_AFTER", "3")),
        refund_days=int(os.environ.get("REFUND_DAYS", "14")),
    )
    return make_app("order-archive-service", OrderBlueprint(service))


if __name__ == "__main__":
    own_settings = Settings("order-archive-service")
    serve(build_app(own_settings), own_settings)
