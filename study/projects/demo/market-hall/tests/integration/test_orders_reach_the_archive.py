"""The order-service and the gateway on top of the order-archive-service."""

import pytest
from tests.support.processes import Hall
from tests.support.stand_in import StandIn
from tests.support.store_room import store_room

STALL = {
    "market_days": ["wed"],
    "opens": "08:00",
    "closes": "14:00",
    "minimum_cents": 500,
    "commission_percent": 8,
    "open": True,
}


def neighbours(method, path, body):
    """Answers of all the other services."""
    return (200, STALL) if path.startswith("/stalls") else store_room(method, path, body)


@pytest.fixture(scope="module")
def others():
    server = StandIn(neighbours)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def hall(tmp_path_factory, others):
    peers = {
        "STALL_SERVICE_URL": others.url,
        "STOCK_SERVICE_URL": others.url,
        # goods may be fetched in the minute in which they are ordered, so that the clock can stand still
        "LEAD_MINUTES": "0",
        "BAR_AFTER": "1",
    }
    hall = Hall(tmp_path_factory.mktemp("hall"), "2026-05-06T10:00", peers)
    try:
        hall.start(
            GATEWAY_URL="gateway", ORDER_SERVICE_URL="orders", ORDER_ARCHIVE_SERVICE_URL="order_archive"
        )
        yield hall
    finally:
        hall.stop()


@pytest.fixture
def orders(hall):
    return hall.services["orders"]


def place(orders, customer_id, quantity=5):
    body = {"customer_id": customer_id, "stall_id": "S01", "pickup_day": "2026-05-06", "pickup_from": "10:00"}
    return orders.ask("POST", "/orders", {**body, "lines": [{"article_id": "A001", "quantity": quantity}]})


def walk(orders, customer_id, *steps):
    """Place an order and go on with it; its last state."""
    _, order = place(orders, customer_id)
    for step in steps:
        _, order = orders.ask("POST", f"/orders/{order['id']}/{step}", {"reason": "frost"})
    return order


class TestClosedOrders:
    def test_a_collected_order_is_found_in_the_archive(self, orders):
        order = walk(orders, "C0001", "accept", "pack", "collect")
        _, shown = orders.ask("GET", f"/orders/{order['id']}")
        assert (shown["status"], shown["archived"]) == ("collected", True)
        assert shown["lines"] == order["lines"]

    def test_a_closed_order_leaves_the_list(self, orders):
        order = walk(orders, "C0002", "reject")
        assert order["status"] == "rejected"
        assert orders.ask("GET", "/orders?customer_id=C0002")[1] == {"orders": [], "total": 0}
        assert orders.ask("POST", "/orders/hand-over")[1]["waiting"] == 0

    def test_an_order_that_never_was(self, orders):
        status, answer = orders.ask("GET", "/orders/O99999")
        assert (status, answer["error"]["code"]) == (404, "unknown_order")

    def test_an_open_order_stays_where_it_is(self, orders):
        order = walk(orders, "C0003", "accept")
        _, shown = orders.ask("GET", f"/orders/{order['id']}")
        assert (shown["status"], shown["archived"]) == ("accepted", False)


class TestCustomers:
    def test_regular_customers_pay_less(self, orders):
        for _ in range(5):
            walk(orders, "C0004", "accept", "pack", "collect")
        _, order = place(orders, "C0004")
        assert (order["discount_percent"], order["total_cents"]) == (3, 1455 + 73)

    def test_late_cancellations_bar(self, orders):
        for _ in range(2):
            assert walk(orders, "C0005", "accept", "pack", "cancel")["charge_cents"] == 788
        status, answer = place(orders, "C0005")
        assert (status, answer["error"]["code"]) == (403, "customer_barred")

    def test_early_cancellations_do_no_harm(self, orders):
        for _ in range(2):
            assert walk(orders, "C0006", "cancel")["charge_cents"] == 0
        _, order = place(orders, "C0006")
        assert (order["discount_percent"], order["total_cents"]) == (0, 1575)

    def test_goods_can_be_out_of_stock_for_everybody(self, orders):
        body = {"customer_id": "C0007", "stall_id": "S01", "pickup_day": "2026-05-06", "pickup_from": "10:00"}
        lines = [{"article_id": "EELS", "quantity": 2}]
        status, answer = orders.ask("POST", "/orders", {**body, "lines": lines})
        assert (status, answer["error"]["cause"]) == (409, "out_of_stock")


class TestGateway:
    def test_the_overview_shows_the_record(self, hall, orders):
        walk(orders, "C0008", "accept", "pack", "collect")
        _, overview = hall.services["gateway"].ask("GET", "/customers/C0008/overview")
        assert overview["record"] == {"collected": 1, "barred": False, "discount_percent": 0}
        assert overview["unavailable"] == []

    def test_a_keeper_reads_the_statement(self, hall, orders):
        walk(orders, "C0009", "accept", "pack", "collect")
        _, statement = hall.services["gateway"].ask("GET", "/api/statements/S01?month=2026-05")
        assert statement["orders"]["collected"] >= 1
        expected = statement["sales_cents"] - statement["commission_cents"] + statement["charges_cents"]
        assert statement["payout_cents"] == expected
