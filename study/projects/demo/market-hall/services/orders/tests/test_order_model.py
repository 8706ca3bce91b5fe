"""What orders cost, and what can be wished for."""

import pytest
from hall.fields import Fields
from services.orders.model import Bill, Order, OrderLine, Wish, half_up, tidy_text
from tests.support.refusals import refusal


def line(cents, vat_percent=7):
    return OrderLine("A001", "Chard", 1, cents, vat_percent)


class TestBill:
    def test_goods_discount_fee_and_tax(self):
        bill = Bill.of([line(1070), line(1190, 19), line(535)], 3)
        # 3 percent of 2795 are 83.85; the fee is 5 percent of 2711
        assert (bill.goods_cents, bill.discount_cents, bill.fee_cents) == (2795, 84, 136)
        # 97 percent of 1605 hold 101.85 of tax, of 1190 they hold 184.3, and the fee holds 21.7
        assert bill.vat_cents == 102 + 184 + 22
        assert bill.total_cents == 2795 - 84 + 136

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


class TestWish:
    def wished(self, **changes):
        fields = {
            "customer_id": "C0001",
            "stall_id": "S01",
            "pickup_day": "2026-05-06",
            "pickup_from": "12:00",
            "lines": [{"article_id": "A001", "quantity": 4}],
        }
        return Wish.from_json(Fields({**fields, **changes}))

    def refused(self, **changes):
        return refusal(lambda: self.wished(**changes))

    def test_a_wish_is_read(self):
        wish = self.wished(note="  ring twice ")
        assert (wish.lines, wish.note) == ([("A001", 4)], "ring twice")
        assert wish.pickup_start.isoformat() == "2026-05-06T12:00:00"
        assert self.wished(note="  ").note is None

    def test_customers_and_times_have_a_form(self):
        assert self.refused(customer_id="C001") == (422, "invalid_customer")
        assert self.refused(customer_id="C00011") == (422, "invalid_customer")
        assert self.refused(pickup_from="12:30") == (422, "invalid_pickup_time")
        assert self.refused(pickup_from="24:00") == (422, "invalid_pickup_time")
        assert self.refused(pickup_day="2026-02-30") == (422, "invalid_day")
        assert self.refused(pickup_day="20260506") == (422, "invalid_day")
        assert self.refused(pickup_day=None) == (400, "bad_field")

    def test_lines_have_limits(self):
        def lines(*quantities, article="A{:03d}"):
            rows = enumerate(quantities)
            return [{"article_id": article.format(number), "quantity": quantity} for number, quantity in rows]

        assert len(self.wished(lines=lines(*[99] * 20)).lines) == 20
        assert self.refused(lines=[]) == (422, "invalid_lines")
        assert self.refused(lines=lines(*[1] * 21)) == (422, "invalid_lines")
        assert self.refused(lines=lines(1, 0)) == (422, "invalid_quantity")
        assert self.refused(lines=lines(100)) == (422, "invalid_quantity")
        assert self.refused(lines=lines(1, 1, article="A001")) == (422, "duplicate_article")
        assert self.refused(lines=[{"article_id": "A001"}]) == (400, "bad_field")

    def test_texts_have_a_limit(self):
        assert tidy_text(" " + "x" * 200 + " ", "too_long") == "x" * 200
        assert refusal(tidy_text, "x" * 201, "too_long") == (422, "too_long")
        assert self.refused(note="x" * 201) == (422, "note_too_long")


class TestOrder:
    @pytest.fixture
    def order(self):
        return Order(
            id="O00001",
            customer_id="C0001",
            stall_id="S01",
            pickup_day="2026-05-06",
            pickup_from="13:00",
            lines=[line(1500)],
            discount_percent=3,
            commission_percent=8,
            bill=Bill.of([line(1500)], 3),
            status="placed",
            placed_at="2026-05-06T09:30",
        )

    def test_an_order_survives_being_a_document(self, order):
        document = order.to_json()
        assert (document["goods_cents"], document["total_cents"]) == (1500, 1455 + 73)
        assert (document["closed_at"], document["charge_cents"]) == (None, 0)
        assert Order.from_json(Fields(document)) == order

    def test_pickup_lasts_an_hour(self, order):
        assert order.pickup_start.isoformat() == "2026-05-06T13:00:00"
        assert order.pickup_end.isoformat() == "2026-05-06T14:00:00"
