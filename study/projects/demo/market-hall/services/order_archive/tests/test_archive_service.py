"""Keeping closed orders, and what follows from them."""

from datetime import datetime

import pytest
from hall.settings import Settings
from hall.web import make_app
from services.order_archive.api import OrderBlueprint
from services.order_archive.main import build_app
from services.order_archive.model import Bill, Order, OrderLine
from services.order_archive.repository import OrderRepository
from services.order_archive.service import ArchiveService
from tests.support.refusals import refusal


class Shelf:
    """An archive on a Wednesday in May, and a way to fill it."""

    def __init__(self, folder):
        self.now = datetime(2026, 5, 6, 18, 0)
        self.service = ArchiveService(
            OrderRepository(str(folder / "archive.sqlite3")), lambda: self.now, 3, 14
        )
        self.number = 0

    def order(self, **changes):
        self.number += 1
        lines = [OrderLine("A001", "Chard", 5, 2000, 7)]
        day = changes.get("pickup_day", "2026-05-06")
        fields = {
            "id": f"O{self.number:05d}",
            "customer_id": "C0001",
            "stall_id": "S01",
            "pickup_day": day,
            "pickup_from": "12:00",
            "lines": lines,
            "discount_percent": 5,
            "commission_percent": 8,
            "bill": Bill.of(lines, 5),
            "status": "collected",
            "placed_at": f"{day}T08:00",
            "closed_at": f"{day}T12:10",
            "charge_cents": 0,
            "note": None,
            "reason": None,
        }
        return Order(**{**fields, **changes})

    def fill(self, count=1, **changes):
        return [self.service.put(self.order(**changes))[0] for _ in range(count)]

    def http(self):
        return make_app("order-archive-service", OrderBlueprint(self.service)).test_client()


@pytest.fixture
def shelf(tmp_path):
    return Shelf(tmp_path)


class TestKeeping:
    def test_the_same_order_twice_is_kept_once(self, shelf):
        order = shelf.order()
        assert shelf.service.put(order) == (order, True)
        assert shelf.service.put(order) == (order, False)
        assert shelf.service.show(order.id) == order
        shelf.service.refund(order.id, 100, "wrong")
        assert shelf.service.put(order)[1] is False
        assert shelf.service.show(order.id).refunded_cents == 100

    def test_another_order_of_the_same_id_is_refused(self, shelf):
        order = shelf.order()
        shelf.service.put(order)
        assert refusal(shelf.service.put, shelf.order(id=order.id, note="hm")) == (409, "already_archived")
        assert refusal(shelf.service.put, shelf.order(status="packed")) == (409, "not_closed")
        assert refusal(shelf.service.show, "O00002") == (404, "unknown_order")


class TestRefunds:
    def test_money_back_up_to_what_was_paid(self, shelf):
        (order,) = shelf.fill()
        # 1900 for the goods and 95 for the hall
        assert shelf.service.refund(order.id, 1500, "spoiled").refunded_cents == 1500
        assert refusal(shelf.service.refund, order.id, 496, "wrong") == (409, "exceeds_total")
        assert shelf.service.refund(order.id, 495, "missing").refunded_cents == 1995

    def test_for_two_weeks_and_with_a_reason(self, shelf):
        (order,) = shelf.fill(pickup_day="2026-04-22")
        (older,) = shelf.fill(pickup_day="2026-04-21")
        (missed,) = shelf.fill(status="missed")
        assert shelf.service.refund(order.id, 1, "wrong").refunded_cents == 1
        assert refusal(shelf.service.refund, older.id, 1, "wrong") == (409, "too_late")
        assert refusal(shelf.service.refund, missed.id, 1, "wrong") == (409, "wrong_status")
        assert refusal(shelf.service.refund, order.id, 0, "wrong") == (422, "invalid_amount")
        assert refusal(shelf.service.refund, order.id, 1, "dear") == (422, "unknown_reason")
        assert refusal(shelf.service.refund, "O00099", 1, "wrong") == (404, "unknown_order")


class TestRecord:
    def discounts(self, shelf, *counts):
        found = []
        for count in counts:
            shelf.fill(count - shelf.service.record("C0001")["collected"])
            found.append(shelf.service.record("C0001")["discount_percent"])
        return found

    def test_regular_customers_pay_less(self, shelf):
        assert self.discounts(shelf, 4, 5, 14, 15) == [0, 3, 3, 5]
        shelf.fill(status="missed")
        assert shelf.service.record("C0001")["discount_percent"] == 0

    def test_a_year_counts(self, shelf):
        shelf.fill(4)
        shelf.fill(pickup_day="2025-05-05")
        assert shelf.service.record("C0001")["collected"] == 4
        shelf.fill(pickup_day="2025-05-06")
        assert shelf.service.record("C0001")["collected"] == 5

    def test_three_missed_orders_bar(self, shelf):
        shelf.fill(2, status="missed")
        shelf.fill(status="missed", pickup_day="2026-02-04")
        assert shelf.service.record("C0001")["barred"] is False
        shelf.fill(status="missed", pickup_day="2026-02-05")
        assert shelf.service.record("C0001") == {
            "customer_id": "C0001",
            "collected": 0,
            "missed": 3,
            "late_cancelled": 0,
            "barred": True,
            "discount_percent": 0,
        }
        assert shelf.service.record("C0002")["barred"] is False

    def test_two_late_cancellations_weigh_as_much_as_one_missed(self, shelf):
        shelf.fill(2, status="missed")
        shelf.fill(9, status="cancelled")
        shelf.fill(1, status="cancelled", charge_cents=400)
        shelf.fill(2, status="cancelled", charge_cents=400, pickup_day="2026-02-04")
        assert shelf.service.record("C0001")["late_cancelled"] == 1
        assert shelf.service.record("C0001")["barred"] is False
        shelf.fill(1, status="cancelled", charge_cents=1, pickup_day="2026-02-05")
        assert shelf.service.record("C0001")["barred"] is True
        assert refusal(shelf.service.record, "Ines") == (422, "invalid_customer")


class TestStatement:
    def test_what_a_stall_is_paid(self, shelf):
        shelf.fill(2, pickup_day="2026-05-01")
        shelf.fill(status="missed", charge_cents=999)
        shelf.fill(status="rejected")
        shelf.fill(pickup_day="2026-04-30")
        shelf.fill(stall_id="S02")
        shelf.service.refund("O00001", 300, "wrong")
        assert shelf.service.statement("S01", "2026-05") == {
            "stall_id": "S01",
            "month": "2026-05",
            "orders": {"collected": 2, "cancelled": 0, "rejected": 1, "missed": 1},
            "sales_cents": 3800,
            "commission_cents": 304,
            "refunds_cents": 300,
            "charges_cents": 500,
            "payout_cents": 3800 - 304 - 300 + 500,
        }

    def test_months_have_a_form(self, shelf):
        assert shelf.service.statement("S09", "2026-12")["payout_cents"] == 0
        for month in ("2026-13", "2026-00", "2026-5", ""):
            assert refusal(shelf.service.statement, "S01", month) == (422, "invalid_month")


class TestPaths:
    def test_an_order_over_http(self, shelf):
        http = shelf.http()
        document = shelf.order().to_json()
        assert http.post("/closed-orders", json=document).status_code == 201
        assert http.post("/closed-orders", json=document).status_code == 200
        assert http.get("/closed-orders/O00001").json == document
        refund = http.post("/closed-orders/O00001/refunds", json={"amount_cents": 50, "reason": "wrong"})
        assert (refund.status_code, refund.json["refunded_cents"]) == (201, 50)
        assert http.get("/customers/C0001/record").json["collected"] == 1
        assert http.get("/statements/S01?month=2026-05").json["refunds_cents"] == 50
        assert http.get("/statements/S01").json["error"]["code"] == "invalid_month"
        assert http.post("/closed-orders", data="no").json["error"]["code"] == "bad_body"

    def test_lists_are_filtered_and_cut(self, shelf):
        http = shelf.http()
        shelf.fill(2)
        shelf.fill(customer_id="C0002", status="missed", pickup_day="2026-05-05")

        def ids(query):
            answer = http.get(f"/closed-orders?{query}").json
            return [order["id"] for order in answer["orders"]], answer["total"]

        assert ids("customer_id=C0001") == (["O00001", "O00002"], 2)
        assert ids("status=missed&stall_id=S01") == (["O00003"], 1)
        assert ids("pickup_day=2026-05-05") == (["O00003"], 1)
        assert ids("stall_id=S02") == ([], 0)
        assert ids("limit=1&offset=1") == (["O00002"], 3)
        assert http.get("/closed-orders?limit=0").json["error"]["code"] == "invalid_page"
        unknown = http.get("/closed-orders?status=placed")
        assert (unknown.status_code, unknown.json["error"]["code"]) == (422, "unknown_status")


class TestSettings:
    def test_limits_come_from_the_environment(self, shelf, tmp_path, monkeypatch):
        monkeypatch.setenv("DB_FILE", str(tmp_path / "archive.sqlite3"))
        monkeypatch.setenv("HALL_NOW", "2026-05-08T08:00")
        monkeypatch.setenv("BAR_AFTER", "1")
        monkeypatch.setenv("REFUND_DAYS", "1")
        shelf.fill()
        shelf.fill(status="missed")
        http = build_app(Settings("order-archive-service")).test_client()
        assert http.get("/customers/C0001/record").json["barred"] is True
        refund = http.post("/closed-orders/O00001/refunds", json={"amount_cents": 50, "reason": "wrong"})
        assert refund.json["error"]["code"] == "too_late"
