"""What the order-service does: take orders, and bring them to their end."""

from datetime import date, timedelta

from hall.errors import HallError

from services.orders.model import CLOSED, OPEN, Bill, Order, half_up, tidy_text

MAX_DAYS_AHEAD = 14
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
LATE_PERCENT = 20
SPOILED_PERCENT = 50


class OrderService:
    """Rules from placing an order to closing it."""

    def __init__(self, repository, stalls, stock, archive, clock, lead_minutes=120, max_open=3):
        self.repository = repository
        self.stalls = stalls
        self.stock = stock
        self.archive = archive
        self.clock = clock
        self.lead = timedelta(minutes=lead_minutes)
        self.max_open = max_open

    def place(self, wish):
        """Take a customer's order, if the stall, the customer and the goods allow it."""
        now = self.clock()
        self._check_range(wish.pickup_day, now)
        terms = self.stalls.terms(wish.stall_id)
        self._check_terms(wish, terms, now)
        record = self.archive.record(wish.customer_id)
        if record.barred:
            raise HallError(403, "customer_barred", "too many orders were not fetched")
        if self.repository.count_open(wish.customer_id) >= self.max_open:
            raise HallError(409, "too_many_open", f"at most {self.max_open} orders may be open")
        order_id = self.repository.new_id()
        lines = self.stock.reserve(order_id, wish.stall_id, wish.pickup_day, wish.lines)
        bill = Bill.of(lines, record.discount_percent)
        if bill.goods_cents < terms["minimum_cents"]:
            self.stock.release(order_id)
            missing = terms["minimum_cents"] - bill.goods_cents
            raise HallError(409, "below_minimum", "the stall packs larger orders only", missing_cents=missing)
        order = Order(
            id=order_id,
            customer_id=wish.customer_id,
            stall_id=wish.stall_id,
            pickup_day=wish.pickup_day,
            pickup_from=wish.pickup_from,
            lines=lines,
            discount_percent=record.discount_percent,
            commission_percent=terms["commission_percent"],
            bill=bill,
            status="placed",
            placed_at=minute(now),
            note=wish.note,
        )
        self.repository.save(order)
        return order

    def list_orders(self, filters, limit, offset):
        if filters["status"] not in (None, *OPEN, *CLOSED):
            raise HallError(422, "unknown_status", f"there is no status {filters['status']}")
        return self.repository.search(filters, limit, offset)

    def show(self, order_id):
        """The order as a document; closed ones come from the archive."""
        order = self.repository.find(order_id)
        if order is not None:
            return {**order.to_json(), "archived": False}
        document = self.archive.find(order_id)
        if document is None:
            raise HallError(404, "unknown_order", f"there is no order {order_id}")
        return {**document, "archived": True}

    def accept(self, order_id):
        """The stall will pack the order."""
        order = self._in_status(order_id, "placed")
        order.status = "accepted"
        self.repository.save(order)
        return order

    def pack(self, order_id):
        """The goods stand ready."""
        order = self._in_status(order_id, "accepted")
        order.status = "packed"
        self.repository.save(order)
        return order

    def collect(self, order_id):
        """The customer has the goods."""
        order = self._in_status(order_id, "packed")
        if self.clock() < order.pickup_start:
            raise HallError(409, "too_early", f"goods are handed out from {order.pickup_from}")
        return self._close(order, "collected")

    def miss(self, order_id):
        """The customer did not come."""
        order = self._in_status(order_id, "packed")
        if self.clock() < order.pickup_end:
            raise HallError(409, "too_early", "the customer may still come")
        return self._close(order, "missed", charge=half_up(order.bill.total_cents * SPOILED_PERCENT, 100))

    def reject(self, order_id, reason):
        """The stall cannot pack the order."""
        order = self._in_status(order_id, "placed", "accepted")
        reason = tidy_text(reason, "reason_too_long")
        if reason is None:
            raise HallError(422, "reason_required", "the customer wants to know why")
        return self._close(order, "rejected", reason=reason)

    def cancel(self, order_id, reason):
        """The customer does not want the order any more; that costs, if it is late."""
        order = self._in_status(order_id, *OPEN)
        reason = tidy_text(reason, "reason_too_long")
        now = self.clock()
        if now >= order.pickup_end:
            raise HallError(409, "too_late", "the time of pickup is over")
        percent = 0
        if order.status == "packed":
            percent = SPOILED_PERCENT
        elif order.status == "accepted" and now + self.lead > order.pickup_start:
            percent = LATE_PERCENT
        charge = half_up(order.bill.total_cents * percent, 100)
        return self._close(order, "cancelled", charge=charge, reason=reason)

    def hand_over(self):
        """Try again to give closed orders to the archive; (handed over, still waiting)."""
        waiting = self.repository.waiting()
        handed_over = 0
        for order in waiting:
            if self.archive.put(order.to_json()):
                self.repository.delete(order.id)
                handed_over += 1
        return handed_over, len(waiting) - handed_over

    def _close(self, order, status, charge=0, reason=None):
        if status in ("collected", "missed"):
            self.stock.commit(order.id)
        else:
            self.stock.release(order.id)
        order.status = status
        order.closed_at = minute(self.clock())
        order.charge_cents = charge
        order.reason = reason
        self.repository.save(order)
        if self.archive.put(order.to_json()):
            self.repository.delete(order.id)
        return order

    def _in_status(self, order_id, *allowed):
        order = self.repository.find(order_id)
        if order is None:
            raise HallError(404, "unknown_order", f"there is no open order {order_id}")
        if order.status not in allowed:
            raise HallError(409, "wrong_status", f"the order is {order.status}", status=order.status)
        return order

    def _check_range(self, day, now):
        ahead = (date.fromisoformat(day) - now.date()).days
        if not 0 <= ahead <= MAX_DAYS_AHEAD:
            raise HallError(422, "day_out_of_range", f"goods are fetched within {MAX_DAYS_AHEAD} days")

    def _check_terms(self, wish, terms, now):
        if not terms["open"]:
            raise HallError(409, "stall_closed", "the stall takes no orders")
        if WEEKDAYS[wish.pickup_start.weekday()] not in terms["market_days"]:
            raise HallError(409, "not_a_market_day", "the stall is not there on that day")
        ends = f"{wish.pickup_start.hour + 1:02d}:00"
        if wish.pickup_from < terms["opens"] or ends > terms["closes"]:
            raise HallError(409, "outside_hours", "the stall is not there at that time")
        if now + self.lead > wish.pickup_start:
            raise HallError(409, "too_late", "that is too soon to pack the goods")


def minute(moment):
    """A moment to the minute, like 2026-05-06T09:30."""
    return moment.strftime("%Y-%m-%dT%H:%M")
