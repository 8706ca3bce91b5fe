"""Starts the order-archive-service: closed orders, customer records and statements for the stalls."""

from hall.settings import Settings, hall_time
from hall.web import make_app, serve
from services.order_archive.api import ArchiveBlueprint
from services.order_archive.repository import ClosedOrderRepository
from services.order_archive.service import ArchiveService


def build_app(settings):
    service = ArchiveService(ClosedOrderRepository(settings.db_file), hall_time)
    return make_app("order-archive-service", ArchiveBlueprint(service))


if __name__ == "__main__":
    own_settings = Settings("order-archive-service")
    serve(build_app(own_settings), own_settings)
