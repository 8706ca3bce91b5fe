"""The gateway on top of the order-service: one checkout for several stalls, and the customer's overview."""

import pytest
from tests.support.processes import Hall
from tests.support.stand_in import StandIn
from tests.support.store_room import store_room

NOWHERE = "http://127.0.0.1:9"
GOODS = {"article_id": "A001", "quantity": 5}


@pytest.fixture(scope="module")
def stock():
    server = StandIn(store_room)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def hall(tmp_path_factory, stock):
    peers = {
        "STOCK_SERVICE_URL": stock.url,
        "ORDER_ARCHIVE_SERVICE_URL": NOWHERE,
        "MAX_OPEN_ORDERS": "2",
        "LEAD_MINUTES": "60",
    }
    hall = Hall(tmp_path_factory.mktemp("hall"), "2026-05-06T09:30", peers)
    try:
        hall.start(GATEWAY_URL="gateway", ORDER_SERVICE_URL="orders", STALL_SERVICE_URL="stalls")
        yield hall
    finally:
        hall.stop()


@pytest.fixture
def gateway(hall):
    return hall.services["gateway"]


def basket(stall_id, *lines):
    return {"stall_id": stall_id, "lines": list(lines) or [GOODS]}


def checkout(gateway, customer_id, *baskets, pickup_from="12:00"):
    body = {"customer_id": customer_id, "pickup_day": "2026-05-06", "pickup_from": pickup_from}
    return gateway.ask("POST", "/checkout", {**body, "baskets": list(baskets)})


class TestCheckout:
    def test_every_stall_gets_an_order(self, gateway):
        status, answer = checkout(gateway, "C0001", basket("S01"), basket("S02"))
        assert status == 201
        assert [order["stall_id"] for order in answer["orders"]] == ["S01", "S02"]
        # 1500 for the goods and 75 for the hall, twice
        assert answer["total_cents"] == 3150

    def test_one_refusal_undoes_the_rest(self, gateway, stock):
        eels = basket("S02", {"article_id": "EELS", "quantity": 1})
        status, answer = checkout(gateway, "C0002", basket("S01"), eels)
        assert (status, answer["error"]["code"]) == (409, "checkout_failed")
        assert (answer["error"]["stall_id"], answer["error"]["cause"]) == ("S02", "goods_refused")
        _, orders = gateway.ask("GET", "/api/orders?customer_id=C0002")
        assert [(order["stall_id"], order["status"]) for order in orders["orders"]] == [("S01", "cancelled")]
        assert f"POST /reservations/{orders['orders'][0]['id']}/release" in stock.asked

    def test_the_cause_is_passed_on(self, gateway):
        causes = {
            "too_late": checkout(gateway, "C0003", basket("S01"), pickup_from="10:00"),
            "not_a_market_day": checkout(gateway, "C0003", basket("S03")),
            "outside_hours": checkout(gateway, "C0003", basket("S01"), pickup_from="14:00"),
            "unknown_stall": checkout(gateway, "C0003", basket("S77")),
            "below_minimum": checkout(gateway, "C0003", basket("S01", {"article_id": "A001", "quantity": 3})),
            "invalid_customer": checkout(gateway, "Ines", basket("S01")),
        }
        assert {code: answer["error"]["cause"] for code, (_, answer) in causes.items()} == {
            code: code for code in causes
        }

    def test_a_customer_has_two_open_orders_at_most(self, gateway):
        assert checkout(gateway, "C0004", basket("S01"), basket("S02"))[0] == 201
        status, answer = checkout(gateway, "C0004", basket("S02"))
        assert (status, answer["error"]["cause"]) == (409, "too_many_open")

    def test_a_stall_has_one_basket(self, gateway):
        status, answer = checkout(gateway, "C0005", basket("S01"), basket("S01"))
        assert (status, answer["error"]["code"]) == (422, "duplicate_stall")
        status, answer = checkout(gateway, "C0005")
        assert (status, answer["error"]["code"]) == (422, "invalid_baskets")


class TestOverview:
    def test_open_orders_are_listed(self, gateway):
        _, first = checkout(gateway, "C0006", basket("S01"))
        _, second = checkout(gateway, "C0006", basket("S02"))
        gateway.ask("POST", f"/api/orders/{first['orders'][0]['id']}/cancel", {"reason": "ill"})
        _, overview = gateway.ask("GET", "/customers/C0006/overview")
        assert overview["open"] == [
            {
                "id": second["orders"][0]["id"],
                "stall_id": "S02",
                "status": "placed",
                "pickup_day": "2026-05-06",
                "pickup_from": "12:00",
                "total_cents": 1575,
            }
        ]
        assert overview["unavailable"] == ["record"]


class TestForwarding:
    def test_a_keeper_works_through_the_gateway(self, gateway):
        _, placed = checkout(gateway, "C0007", basket("S02"), pickup_from="11:00")
        path = f"/api/orders/{placed['orders'][0]['id']}"
        assert gateway.ask("POST", f"{path}/accept")[1]["status"] == "accepted"
        assert gateway.ask("POST", f"{path}/pack")[1]["status"] == "packed"
        status, answer = gateway.ask("POST", f"{path}/collect")
        assert (status, answer["error"]["code"]) == (409, "too_early")
        assert gateway.ask("GET", path)[1]["archived"] is False

    def test_stalls_are_reached(self, gateway):
        assert gateway.ask("GET", "/api/stalls/S02")[1]["name"] == "Oven Four"

    def test_nobody_is_responsible(self, gateway):
        status, answer = gateway.ask("GET", "/api/parking")
        assert (status, answer["error"]["code"]) == (404, "no_route")
