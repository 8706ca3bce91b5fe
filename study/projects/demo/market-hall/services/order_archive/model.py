"""Closed orders: their parts, what they cost, and what makes one fit for the archive."""

import re
from dataclasses import asdict, dataclass
from datetime import date, datetime

from hall.errors import HallError

CLOSED = ("collected", "cancelled", "rejected", "missed")
REFUND_REASONS = ("spoiled", "missing", "wrong")
MAX_LINES = 20
MAX_QUANTITY = 99
FEE_PERCENT = 5
LOWEST_FEE_CENTS = 50
HIGHEST_FEE_CENTS = 400
FREE_FROM_CENTS = 10000
FEE_VAT_PERCENT = 19


@dataclass
class OrderLine:
    """Goods of one article, priced."""

    article_id: str
    name: str
    quantity: int
    amount_cents: int
    vat_percent: int

    @classmethod
    def from_json(cls, fields):
        return cls(
            article_id=fields.text("article_id"),
            name=fields.text("name"),
            quantity=fields.integer("quantity"),
            amount_cents=fields.integer("amount_cents"),
            vat_percent=fields.integer("vat_percent"),
        )


@dataclass
class Bill:
    """What an order costs, all in cents."""

    goods_cents: int
    discount_cents: int
    fee_cents: int
    vat_cents: int
    total_cents: int

    @classmethod
    def of(cls, lines, discount_percent):
        """Work the bill out from the lines."""
        goods = sum(line.amount_cents for line in lines)
        discount = half_up(goods * discount_percent, 100)
        fee = cls.fee(goods - discount)
        vat = half_up(fee * FEE_VAT_PERCENT, 100 + FEE_VAT_PERCENT)
        for rate in sorted({line.vat_percent for line in lines}):
            share = sum(line.amount_cents for line in lines if line.vat_percent == rate)
            vat += half_up(share * (100 - discount_percent) * rate, 100 * (100 + rate))
        return cls(goods, discount, fee, vat, goods - discount + fee)

    @classmethod
    def from_json(cls, fields):
        return cls(
            fields.integer("goods_cents"),
            fields.integer("discount_cents"),
            fields.integer("fee_cents"),
            fields.integer("vat_cents"),
            fields.integer("total_cents"),
        )

    @staticmethod
    def fee(cents):
        """The hall's fee for goods of so many cents."""
        if cents >= FREE_FROM_CENTS:
            return 0
        fee = half_up(cents * FEE_PERCENT, 100)
        return min(max(fee, LOWEST_FEE_CENTS), HIGHEST_FEE_CENTS)


@dataclass
class Order:
    """One order of one customer at one stall."""

    id: str
    customer_id: str
    stall_id: str
    pickup_day: str
    pickup_from: str
    lines: list
    discount_percent: int
    commission_percent: int
    bill: Bill
    status: str
    placed_at: str
    closed_at: str
    charge_cents: int
    note: str | None
    reason: str | None
    refunded_cents: int = 0

    @classmethod
    def from_json(cls, fields):
        lines = [OrderLine.from_json(line) for line in fields.objects("lines")]
        return cls(
            id=fields.text("id"),
            customer_id=fields.text("customer_id"),
            stall_id=fields.text("stall_id"),
            pickup_day=fields.text("pickup_day"),
            pickup_from=fields.text("pickup_from"),
            lines=lines,
            discount_percent=fields.integer("discount_percent"),
            commission_percent=fields.integer("commission_percent"),
            bill=Bill.from_json(fields),
            status=fields.text("status"),
            placed_at=fields.text("placed_at"),
            closed_at=fields.text("closed_at"),
            charge_cents=fields.integer("charge_cents"),
            note=fields.optional_text("note"),
            reason=fields.optional_text("reason"),
        )

    def to_json(self):
        document = asdict(self)
        document.update(document.pop("bill"))
        return document

    def check(self):
        """Refuse what no order can be."""
        if not re.fullmatch(r"O\d{5}", self.id):
            raise HallError(422, "invalid_order_id", "orders are numbered O00001 and so on")
        check_customer(self.customer_id)
        check_lines([(line.article_id, line.quantity) for line in self.lines])
        check_pickup(self.pickup_day, self.pickup_from)
        if self.status not in CLOSED:
            raise HallError(409, "not_closed", f"the order is {self.status}", status=self.status)
        if check_minute(self.closed_at) < check_minute(self.placed_at):
            raise HallError(422, "invalid_times", "an order is closed after it is placed")
        right = asdict(Bill.of(self.lines, self.discount_percent))
        for name, cents in asdict(self.bill).items():
            if cents != right[name]:
                raise HallError(422, "totals_disagree", f"{name} should be {right[name]}", field=name)
        if not 0 <= self.charge_cents <= self.bill.total_cents:
            raise HallError(422, "invalid_charge", "a charge is at most the total")

    @property
    def commission_cents(self):
        """What the hall takes from the stall."""
        return half_up((self.bill.goods_cents - self.bill.discount_cents) * self.commission_percent, 100)


def check_customer(customer_id):
    if not re.fullmatch(r"C\d{4}", customer_id):
        raise HallError(422, "invalid_customer", "customers are numbered C0001 and so on")


def check_lines(lines):
    """Pairs of article id and quantity."""
    if not 1 <= len(lines) <= MAX_LINES:
        raise HallError(422, "invalid_lines", f"an order has 1 to {MAX_LINES} lines")
    seen = set()
    for article_id, quantity in lines:
        if not 1 <= quantity <= MAX_QUANTITY:
            raise HallError(
                422, "invalid_quantity", f"a quantity is 1 to {MAX_QUANTITY}", article_id=article_id
            )
        if article_id in seen:
            raise HallError(422, "duplicate_article", "an article has one line", article_id=article_id)
        seen.add(article_id)


def check_pickup(day, time):
    """A day like 2026-05-06 and a whole hour like 09:00."""
    if not re.fullmatch(r"([01]\d|2[0-3]):00", time):
        raise HallError(422, "invalid_pickup_time", "goods are fetched from a whole hour, such as 09:00")
    check_day(day)


def check_day(text):
    """A day like 2026-05-06."""
    try:
        if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
            date.fromisoformat(text)
            return
    except ValueError:
        pass
    raise HallError(422, "invalid_day", "days are written like 2026-05-06")


def check_minute(text):
    """A moment like 2026-05-06T09:30."""
    try:
        return datetime.strptime(text, "%Y-%m-%dT%H:%M")
    except ValueError:
        raise HallError(422, "invalid_times", "moments are written like 2026-05-06T09:30") from None


def half_up(numerator, denominator):
    """Quotient of two whole numbers, rounded to the nearest, halves upwards."""
    return (2 * numerator + denominator) // (2 * denominator)
