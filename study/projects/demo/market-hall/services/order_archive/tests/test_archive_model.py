"""What is fit for the archive, and what it cost."""

import pytest
from hall.fields import Fields
from services.order_archive.model import Bill, Order, OrderLine, check_day, check_lines, half_up
from tests.support.refusals import refusal


def line(cents, vat_percent=7, article_id="A001"):
    return OrderLine(article_id, "Chard", 1, cents, vat_percent)


@pytest.fixture
def document():
    return {
        "id": "O00001",
        "customer_id": "C0001",
        "stall_id": "S01",
        "pickup_day": "2026-05-06",
        "pickup_from": "12:00",
        "lines": [
            {"article_id": "A001", "name": "Chard", "quantity": 4, "amount_cents": 1600, "vat_percent": 7},
            {"article_id": "A002", "name": "Basket", "quantity": 1, "amount_cents": 595, "vat_percent": 19},
        ],
        "discount_percent": 3,
        "commission_percent": 8,
        "goods_cents": 2195,
        "discount_cents": 66,
        "fee_cents": 106,
        # 101.53 in the goods at 7 percent, 92.15 in those at 19, 16.92 in the fee
        "vat_cents": 102 + 92 + 17,
        "total_cents": 2235,
        "status": "collected",
        "placed_at": "2026-05-05T09:30",
        "closed_at": "2026-05-06T12:10",
        "charge_cents": 0,
        "note": None,
        "reason": None,
    }


class TestBill:
    def test_goods_discount_fee_and_tax(self):
        bill = Bill.of([line(1070), line(1190, 19), line(535)], 3)
        assert bill == Bill(
            goods_cents=2795, discount_cents=84, fee_cents=136, vat_cents=308, total_cents=2847
        )

    def test_the_fee_has_a_bottom_and_a_top(self):
        fees = {1: 50, 1009: 50, 1010: 51, 7000: 350, 9999: 400, 10000: 0, 60000: 0}
        assert {cents: Bill.fee(cents) for cents in fees} == fees

    def test_the_discount_counts_for_the_free_limit(self):
        assert Bill.of([line(10100)], 0).fee_cents == 0
        bill = Bill.of([line(10100)], 5)
        # 627.71 of tax in the goods, 63.87 in the fee
        assert (bill.fee_cents, bill.vat_cents) == (400, 628 + 64)

    def test_halves_are_rounded_up(self):
        assert [half_up(n, 100) for n in (49, 50, 149, 150, 250)] == [0, 1, 1, 2, 3]


class TestOrder:
    def check(self, document, **changes):
        Order.from_json(Fields({**document, **changes})).check()

    def refused(self, document, **changes):
        return refusal(lambda: self.check(document, **changes))

    def test_a_sound_order_passes(self, document):
        order = Order.from_json(Fields(document))
        order.check()
        assert order.to_json() == {**document, "refunded_cents": 0}

    def test_parts_have_a_form(self, document):
        assert self.refused(document, id="O1") == (422, "invalid_order_id")
        assert self.refused(document, customer_id="C00011") == (422, "invalid_customer")
        assert self.refused(document, pickup_day="20260506") == (422, "invalid_day")
        assert self.refused(document, pickup_from="12:15") == (422, "invalid_pickup_time")
        assert self.refused(document, lines=[]) == (422, "invalid_lines")
        assert self.refused(document, closed_at=None) == (400, "bad_field")
        assert self.refused(document, charge_cents="0") == (400, "bad_field")

    def test_only_what_is_over_goes_in(self, document):
        for status in ("placed", "accepted", "packed", "eaten"):
            assert self.refused(document, status=status) == (409, "not_closed")
        for status in ("collected", "cancelled", "rejected", "missed"):
            self.check(document, status=status)

    def test_times_run_forwards(self, document):
        self.check(document, closed_at="2026-05-05T09:30")
        assert self.refused(document, closed_at="2026-05-05T09:29") == (422, "invalid_times")
        assert self.refused(document, placed_at="yesterday") == (422, "invalid_times")

    def test_totals_are_worked_out_again(self, document):
        for name in ("goods_cents", "discount_cents", "fee_cents", "vat_cents", "total_cents"):
            wrong = document[name] + 1
            assert self.refused(document, **{name: wrong}) == (422, "totals_disagree")
        assert self.refused(document, discount_percent=4) == (422, "totals_disagree")

    def test_a_charge_is_part_of_the_total(self, document):
        self.check(document, charge_cents=2235)
        assert self.refused(document, charge_cents=2236) == (422, "invalid_charge")
        assert self.refused(document, charge_cents=-1) == (422, "invalid_charge")

    def test_the_hall_takes_its_share_after_the_discount(self, document):
        # 8 percent of 2129
        assert Order.from_json(Fields(document)).commission_cents == 170


class TestChecks:
    def test_lines_have_limits(self):
        check_lines([(f"A{number:03d}", 99) for number in range(20)])
        assert refusal(check_lines, [(f"A{number:03d}", 1) for number in range(21)]) == (422, "invalid_lines")
        assert refusal(check_lines, [("A001", 0)]) == (422, "invalid_quantity")
        assert refusal(check_lines, [("A001", 100)]) == (422, "invalid_quantity")
        assert refusal(check_lines, [("A001", 1), ("A001", 1)]) == (422, "duplicate_article")

    def test_days_are_days(self):
        check_day("2028-02-29")
        for text in ("2026-02-29", "2026-5-6", ""):
            assert refusal(check_day, text) == (422, "invalid_day")
