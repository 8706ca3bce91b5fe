"""The order-service on top of the stock-service, whose client is replaced by a mock."""

from unittest import mock

import pytest
import services.orders.main
from hall.errors import HallError
from hall.settings import Settings
from services.orders.model import OrderLine
from tests.support.stand_in import StandIn

STALL = {
    "market_days": ["wed"],
    "opens": "08:00",
    "closes": "14:00",
    "minimum_cents": 1000,
    "commission_percent": 8,
    "open": True,
}
RECORD = {"barred": False, "discount_percent": 0}


def neighbours(method, path, body):
    if path.startswith("/stalls"):
        return 200, STALL
    return (200, RECORD) if path.endswith("/record") else (201, {})


@pytest.fixture(scope="module")
def others():
    server = StandIn(neighbours)
    yield server
    server.stop()


@pytest.fixture
def stock():
    """Replaces the client of the stock-service."""
    with mock.patch("services.orders.main.StockClient", autospec=True) as client:
        client.return_value.reserve.return_value = [OrderLine("A001", "Chard", 4, 1200, 7)]
        yield client.return_value


@pytest.fixture
def orders(stock, others, tmp_path, monkeypatch):
    monkeypatch.setenv("HALL_NOW", "2026-05-06T09:30")
    monkeypatch.setenv("DB_FILE", str(tmp_path / "orders.sqlite3"))
    monkeypatch.setenv("STALL_SERVICE_URL", others.url)
    monkeypatch.setenv("ORDER_ARCHIVE_SERVICE_URL", others.url)
    return services.orders.main.build_app(Settings("order-service")).test_client()


def place(orders):
    return orders.post(
        "/orders",
        json={
            "customer_id": "C0001",
            "stall_id": "S01",
            "pickup_day": "2026-05-06",
            "pickup_from": "12:00",
            "lines": [{"article_id": "A001", "quantity": 4}],
        },
    )


class TestReservations:
    def test_an_order_holds_its_goods(self, orders, stock):
        answer = place(orders)
        assert (answer.status_code, answer.json["goods_cents"]) == (201, 1200)
        stock.reserve.assert_called_once_with(answer.json["id"], "S01", "2026-05-06", [("A001", 4)])

    def test_what_is_out_of_stock_is_refused(self, orders, stock):
        stock.reserve.side_effect = HallError(409, "goods_refused", "no chard", cause="out_of_stock")
        answer = place(orders)
        assert (answer.status_code, answer.json["error"]["cause"]) == (409, "out_of_stock")
        assert orders.get("/orders").json["total"] == 0

    def test_goods_of_a_small_order_are_let_go(self, orders, stock):
        stock.reserve.return_value = [OrderLine("A001", "Chard", 4, 999, 7)]
        answer = place(orders)
        assert (answer.json["error"]["code"], answer.json["error"]["missing_cents"]) == ("below_minimum", 1)
        stock.release.assert_called_once_with(stock.reserve.call_args.args[0])

    def test_goods_of_a_cancelled_order_are_let_go(self, orders, stock):
        order_id = place(orders).json["id"]
        assert orders.post(f"/orders/{order_id}/cancel").json["status"] == "cancelled"
        stock.release.assert_called_once_with(order_id)
        stock.commit.assert_not_called()

    def test_collected_goods_are_sold(self, orders, stock, monkeypatch):
        order_id = place(orders).json["id"]
        orders.post(f"/orders/{order_id}/accept")
        orders.post(f"/orders/{order_id}/pack")
        stock.commit.assert_not_called()
        monkeypatch.setenv("HALL_NOW", "2026-05-06T12:05")
        assert orders.post(f"/orders/{order_id}/collect").json["status"] == "collected"
        stock.commit.assert_called_once_with(order_id)
        stock.release.assert_not_called()

    def test_a_store_room_that_is_down_stops_the_sale(self, orders, stock):
        stock.reserve.side_effect = HallError(502, "peer_down", "the store room does not answer")
        assert place(orders).status_code == 502
        assert orders.get("/orders").json["total"] == 0
