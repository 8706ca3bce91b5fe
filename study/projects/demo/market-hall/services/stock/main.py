"""Starts the stock-service: articles, deliveries, and goods held for orders."""

import os

from hall.settings import Settings, hall_time
from hall.web import make_app, serve

from services.stock.api import StockBlueprint
from services.stock.repository import StockRepository
from services.stock.service import StockService


def build_app(settings):
    service = StockService(
        StockRepository(settings.db_file),
        hall_time,
        low_stock=int(os.environ.get("LOW_STOCK", "5")),
        reduction_percent=int(os.environ.get("REDUCTION_PERCENT", "30")),
    )
    return make_app("stock-service", StockBlueprint(service))


if __name__ == "__main__":
    own_settings = Settings("stock-service")
    serve(build_app(own_settings), own_settings)
