"""Orders: their parts, what they cost, and what makes a wish for one acceptable."""

import re
from dataclasses import asdict, dataclass
from datetime import date, datetime, timedelta

from hall.errors import HallError

OPEN = ("placed", "accepted", "packed")
CLOSED = ("collected", "cancelled", "rejected", "missed")
MAX_LINES = 20
MAX_QUANTITY = 99
MAX_TEXT = 200
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
    closed_at: str | None = None
    charge_cents: int = 0
    note: str | None = None
    reason: str | None = None

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
            bill=Bill.of(lines, fields.integer("discount_percent")),
            status=fields.text("status"),
            placed_at=fields.text("placed_at"),
            closed_at=fields.optional_text("closed_at"),
            charge_cents=fields.integer("charge_cents"),
            note=fields.optional_text("note"),
            reason=fields.optional_text("reason"),
        )

    def to_json(self):
        document = asdict(self)
        document.update(document.pop("bill"))
        return document

    @property
    def pickup_start(self):
        return datetime.fromisoformat(f"{self.pickup_day}T{self.pickup_from}")

    @property
    def pickup_end(self):
        return self.pickup_start + timedelta(hours=1)


@dataclass
class Wish:
    """What a customer asks for."""

    customer_id: str
    stall_id: str
    pickup_day: str
    pickup_from: str
    lines: list
    note: str | None

    @classmethod
    def from_json(cls, fields):
        lines = [(line.text("article_id"), line.integer("quantity")) for line in fields.objects("lines")]
        wish = cls(
            customer_id=fields.text("customer_id"),
            stall_id=fields.text("stall_id"),
            pickup_day=fields.text("pickup_day"),
            pickup_from=fields.text("pickup_from"),
            lines=lines,
            note=tidy_text(fields.optional_text("note"), "note_too_long"),
        )
        check_customer(wish.customer_id)
        check_lines(wish.lines)
        check_pickup(wish.pickup_day, wish.pickup_from)
        return wish

    @property
    def pickup_start(self):
        return datetime.fromisoformat(f"{self.pickup_day}T{self.pickup_from}")


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


def tidy_text(text, code):
    """Text without blanks around it, None for nothing at all."""
    if text is None or not text.strip():
        return None
    if len(text.strip()) > MAX_TEXT:
        raise HallError(422, code, f"at most {MAX_TEXT} characters")
    return text.strip()


def half_up(numerator, denominator):
    """Quotient of two whole numbers, rounded to the nearest, halves upwards."""
    return (2 * numerator + denominator) // (2 * denominator)
