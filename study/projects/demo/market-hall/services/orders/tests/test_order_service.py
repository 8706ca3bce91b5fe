"""Taking orders and bringing them to their end, with made-up neighbours."""

from datetime import datetime

import pytest
from services.orders.clients import Record
from services.orders.tests.desk import Desk
from tests.support.refusals import refusal


@pytest.fixture
def desk(tmp_path):
    return Desk(tmp_path)


class TestPlacing:
    def test_an_order_is_taken(self, desk):
        desk.archive.known = Record(discount_percent=5)
        order = desk.place(note="ring twice")
        assert (order.id, order.status, order.placed_at) == ("O00001", "placed", "2026-05-06T09:30")
        assert (order.bill.goods_cents, order.bill.total_cents) == (1200, 1140 + 57)
        assert (order.discount_percent, order.commission_percent, order.note) == (5, 8, "ring twice")
        assert desk.stock.calls == [("reserve", "O00001", "S01", "2026-05-06")]
        assert desk.repository.find("O00001") == order

    def test_within_two_weeks(self, desk):
        for day in ("2026-05-05", "2026-05-21"):
            assert refusal(lambda day=day: desk.place(pickup_day=day)) == (422, "day_out_of_range")
        assert desk.place(pickup_day="2026-05-20").pickup_day == "2026-05-20"

    def test_when_the_stall_is_there(self, desk):
        assert refusal(lambda: desk.place(stall_id="S09")) == (422, "unknown_stall")
        assert refusal(lambda: desk.place(pickup_day="2026-05-08")) == (409, "not_a_market_day")
        assert refusal(lambda: desk.place(pickup_from="14:00")) == (409, "outside_hours")
        assert refusal(lambda: desk.place(pickup_day="2026-05-07", pickup_from="07:00")) == (
            409,
            "outside_hours",
        )
        assert desk.place(pickup_from="13:00").pickup_from == "13:00"
        assert desk.place(pickup_day="2026-05-07", pickup_from="08:00").pickup_from == "08:00"
        desk.stalls.stall["open"] = False
        assert refusal(desk.place) == (409, "stall_closed")

    def test_two_hours_ahead(self, desk):
        desk.now = datetime(2026, 5, 6, 10, 1)
        assert refusal(desk.place) == (409, "too_late")
        desk.now = datetime(2026, 5, 6, 10, 0)
        assert desk.place().status == "placed"

    def test_what_is_known_of_a_customer(self, desk):
        desk.archive.known = Record(barred=True)
        assert refusal(desk.place) == (403, "customer_barred")
        assert desk.stock.calls == []

    def test_three_open_orders_at_most(self, desk):
        first = desk.place()
        desk.place()
        desk.place()
        assert refusal(desk.place) == (409, "too_many_open")
        assert desk.place(customer_id="C0002").id
        desk.archive.reachable = False
        desk.service.cancel(first.id, None)
        assert desk.place().status == "placed"

    def test_small_orders_are_not_packed(self, desk):
        desk.stock.cents = 249
        assert refusal(desk.place) == (409, "below_minimum")
        assert desk.stock.calls[-1] == ("release", "O00001")
        assert desk.repository.find("O00001") is None
        desk.stock.cents = 250
        assert desk.place().bill.goods_cents == 1000


class TestClosing:
    def test_the_way_of_an_order(self, desk):
        order = desk.place()
        assert refusal(desk.service.pack, order.id) == (409, "wrong_status")
        assert desk.service.accept(order.id).status == "accepted"
        assert refusal(desk.service.accept, order.id) == (409, "wrong_status")
        assert refusal(desk.service.collect, order.id) == (409, "wrong_status")
        assert desk.service.pack(order.id).status == "packed"
        assert refusal(desk.service.collect, order.id) == (409, "too_early")
        desk.now = datetime(2026, 5, 6, 12, 0)
        closed = desk.service.collect(order.id)
        assert (closed.status, closed.closed_at, closed.charge_cents) == ("collected", "2026-05-06T12:00", 0)
        assert desk.stock.calls[-1] == ("commit", order.id)
        assert desk.archive.documents[order.id] == closed.to_json()
        assert refusal(desk.service.accept, order.id) == (404, "unknown_order")

    def test_nobody_came(self, desk):
        order = desk.packed()
        desk.now = datetime(2026, 5, 6, 12, 59)
        assert refusal(desk.service.miss, order.id) == (409, "too_early")
        desk.now = datetime(2026, 5, 6, 13, 0)
        missed = desk.service.miss(order.id)
        # half of 1260
        assert (missed.status, missed.charge_cents) == ("missed", 630)
        assert desk.stock.calls[-1] == ("commit", order.id)

    def test_the_stall_says_no(self, desk):
        order = desk.place()
        assert refusal(desk.service.reject, order.id, " ") == (422, "reason_required")
        assert refusal(desk.service.reject, order.id, "x" * 201) == (422, "reason_too_long")
        desk.service.accept(order.id)
        rejected = desk.service.reject(order.id, " frost ")
        assert (rejected.status, rejected.reason, rejected.charge_cents) == ("rejected", "frost", 0)
        assert desk.stock.calls[-1] == ("release", order.id)
        assert refusal(desk.service.reject, desk.packed().id, "frost") == (409, "wrong_status")

    def test_cancelling_costs_what_it_costs_the_stall(self, desk):
        placed, accepted, late = desk.place(), desk.place(), desk.place()
        assert desk.service.cancel(placed.id, None).charge_cents == 0
        desk.service.accept(accepted.id)
        desk.service.accept(late.id)
        desk.now = datetime(2026, 5, 6, 10, 0)
        assert desk.service.cancel(accepted.id, "ill").reason == "ill"
        assert desk.archive.documents[accepted.id]["charge_cents"] == 0
        packed = desk.packed()
        desk.now = datetime(2026, 5, 6, 10, 1)
        assert desk.service.cancel(late.id, None).charge_cents == 252
        assert desk.service.cancel(packed.id, None).charge_cents == 630
        assert desk.stock.calls[-1] == ("release", packed.id)

    def test_a_placed_order_is_cancelled_free_of_charge_until_the_end(self, desk):
        first, second = desk.place(), desk.place()
        desk.now = datetime(2026, 5, 6, 12, 59)
        assert desk.service.cancel(first.id, None).charge_cents == 0
        desk.now = datetime(2026, 5, 6, 13, 0)
        assert refusal(desk.service.cancel, second.id, None) == (409, "too_late")

    def test_what_the_archive_could_not_take_is_handed_over_later(self, desk):
        first, second = desk.place(), desk.place()
        desk.archive.reachable = False
        desk.service.cancel(first.id, None)
        assert desk.service.show(first.id)["status"] == "cancelled"
        assert refusal(desk.service.cancel, first.id, None) == (409, "wrong_status")
        assert desk.service.hand_over() == (0, 1)
        desk.archive.reachable = True
        assert desk.service.hand_over() == (1, 0)
        assert desk.service.show(first.id)["archived"] is True
        assert desk.service.show(second.id)["archived"] is False
