"""What the order-archive-service does: keep closed orders, and tell what follows from them."""

import re
from dataclasses import replace
from datetime import date

from hall.errors import HallError

from services.order_archive.model import CLOSED, REFUND_REASONS, check_customer, half_up

MISSED_DAYS = 90
REGULAR_DAYS = 365
DISCOUNTS = ((15, 5), (5, 3))
STALL_SHARE_PERCENT = 50


class ArchiveService:
    """Rules for orders that are over."""

    def __init__(self, repository, clock, bar_after=3, refund_days=14):
        self.repository = repository
        self.clock = clock
        self.bar_after = bar_after
        self.refund_days = refund_days

    def put(self, order):
        """Keep an order; (what is kept, whether it is new). Giving the same twice is no mistake."""
        order.check()
        kept = self.repository.find(order.id)
        if kept is None:
            self.repository.save(order)
            return order, True
        if replace(kept, refunded_cents=0) != order:
            raise HallError(409, "already_archived", f"another order {order.id} is in the archive")
        return kept, False

    def list_orders(self, filters, limit, offset):
        if filters["status"] not in (None, *CLOSED):
            raise HallError(422, "unknown_status", f"there is no status {filters['status']}")
        return self.repository.search(filters, limit, offset)

    def show(self, order_id):
        order = self.repository.find(order_id)
        if order is None:
            raise HallError(404, "unknown_order", f"there is no order {order_id}")
        return order

    def refund(self, order_id, amount_cents, reason):
        """Give money back for goods that were not right."""
        order = self.show(order_id)
        if reason not in REFUND_REASONS:
            raise HallError(422, "unknown_reason", f"reasons are {', '.join(REFUND_REASONS)}")
        if amount_cents < 1:
            raise HallError(422, "invalid_amount", "the amount is at least 1")
        if order.status != "collected":
            raise HallError(409, "wrong_status", f"the order is {order.status}", status=order.status)
        if self._days_since(order.closed_at[:10]) > self.refund_days:
            raise HallError(409, "too_late", f"complaints are heard for {self.refund_days} days")
        if order.refunded_cents + amount_cents > order.bill.total_cents:
            left = order.bill.total_cents - order.refunded_cents
            raise HallError(409, "exceeds_total", "more than the customer paid", left_cents=left)
        order.refunded_cents += amount_cents
        self.repository.save(order)
        return order

    def record(self, customer_id):
        """What the hall knows of a customer."""
        check_customer(customer_id)
        collected = missed = late = 0
        for order in self.repository.of_customer(customer_id):
            days = self._days_since(order.pickup_day)
            if order.status == "collected" and days <= REGULAR_DAYS:
                collected += 1
            elif order.status == "missed" and days <= MISSED_DAYS:
                missed += 1
            elif order.status == "cancelled" and order.charge_cents > 0 and days <= MISSED_DAYS:
                late += 1
        return {
            "customer_id": customer_id,
            "collected": collected,
            "missed": missed,
            "late_cancelled": late,
            # two late cancellations weigh as much as one order that nobody fetched
            "barred": 2 * missed + late >= 2 * self.bar_after,
            "discount_percent": self._discount(collected, missed),
        }

    def statement(self, stall_id, month):
        """What a stall sold in a month, and what it is paid."""
        if not re.fullmatch(r"\d{4}-(0[1-9]|1[0-2])", month):
            raise HallError(422, "invalid_month", "months are written like 2026-05")
        orders = self.repository.of_stall(stall_id, month)
        counts = {status: sum(order.status == status for order in orders) for status in CLOSED}
        collected = [order for order in orders if order.status == "collected"]
        sales = sum(order.bill.goods_cents - order.bill.discount_cents for order in collected)
        commission = sum(order.commission_cents for order in collected)
        refunds = sum(order.refunded_cents for order in collected)
        charges = sum(half_up(order.charge_cents * STALL_SHARE_PERCENT, 100) for order in orders)
        return {
            "stall_id": stall_id,
            "month": month,
            "orders": counts,
            "sales_cents": sales,
            "commission_cents": commission,
            "refunds_cents": refunds,
            "charges_cents": charges,
            "payout_cents": sales - commission - refunds + charges,
        }

    @staticmethod
    def _discount(collected, missed):
        if missed > 0:
            return 0
        for orders, percent in DISCOUNTS:
            if collected >= orders:
                return percent
        return 0

    def _days_since(self, day):
        return (self.clock().date() - date.fromisoformat(day)).days
