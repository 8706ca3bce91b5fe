"""Articles, lots, and how goods for an order are taken from them."""

import re
from dataclasses import asdict, dataclass
from datetime import date

from hall.errors import HallError

UNITS = ("piece", "bunch", "kilo")
VAT_RATES = (7, 19)
WRITE_OFF_REASONS = ("spoiled", "damaged", "stolen")
MAX_PRICE_CENTS = 100_000
MAX_LOT = 1000
MAX_LINE = 99


@dataclass
class Article:
    """Something that a stall sells."""

    id: str
    stall_id: str
    name: str
    unit: str
    price_cents: int
    vat_percent: int

    def to_json(self):
        return asdict(self)

    def change_price(self, price_cents):
        """Set a new price; a jump is more likely a slip of the finger."""
        check_price(price_cents)
        if price_cents > 2 * self.price_cents or 2 * price_cents < self.price_cents:
            raise HallError(
                409, "price_jump", "a price may at most double or halve", price_cents=self.price_cents
            )
        self.price_cents = price_cents


@dataclass
class Lot:
    """A delivery of one article with one best-before day."""

    id: int
    article_id: str
    quantity: int
    held: int
    best_before: str

    @property
    def free(self):
        return self.quantity - self.held

    def to_json(self):
        return {**asdict(self), "free": self.free}

    def write_off(self, quantity, reason):
        """Take goods out that cannot be sold."""
        if reason not in WRITE_OFF_REASONS:
            raise HallError(422, "unknown_reason", f"reasons are {', '.join(WRITE_OFF_REASONS)}")
        if quantity < 1:
            raise HallError(422, "invalid_quantity", "the quantity is at least 1")
        if quantity > self.free:
            raise HallError(409, "not_free", "so much is not free in this lot", free=self.free)
        self.quantity -= quantity


@dataclass(frozen=True)
class Portion:
    """What one lot gives for one line of an order."""

    lot_id: int
    quantity: int
    reduced: bool


class Picker:
    """Takes goods from lots, those first that have to go first."""

    def __init__(self, day, reduction_percent):
        self.day = day
        self.reduction_percent = reduction_percent

    def pick(self, article, lots, quantity):
        """The portions for a line; no lot may be past its day at pickup."""
        usable = [lot for lot in lots if lot.best_before >= self.day]
        usable.sort(key=lambda lot: (lot.best_before, lot.id))
        available = sum(lot.free for lot in usable)
        if quantity > available:
            raise HallError(
                409, "out_of_stock", f"not enough {article.name}", article_id=article.id, available=available
            )
        portions = []
        for lot in usable:
            taken = min(quantity, lot.free)
            if taken > 0:
                portions.append(Portion(lot.id, taken, lot.best_before == self.day))
                quantity -= taken
        return portions

    def amount(self, article, portions):
        """Price of the portions in cents; goods on their last day cost less."""
        total = 0
        for portion in portions:
            cents = portion.quantity * article.price_cents
            if portion.reduced:
                cents = half_up(cents * (100 - self.reduction_percent), 100)
            total += cents
        return total

    def line(self, article, portions):
        """The line as the order will show it."""
        return {
            "article_id": article.id,
            "name": article.name,
            "quantity": sum(portion.quantity for portion in portions),
            "amount_cents": self.amount(article, portions),
            "vat_percent": article.vat_percent,
            "reduced": sum(portion.quantity for portion in portions if portion.reduced),
        }


def half_up(numerator, denominator):
    """Quotient of two whole numbers, rounded to the nearest, halves upwards."""
    return (2 * numerator + denominator) // (2 * denominator)


def check_price(price_cents):
    if not 1 <= price_cents <= MAX_PRICE_CENTS:
        raise HallError(422, "invalid_price", f"a price is 1 to {MAX_PRICE_CENTS} cents")


def check_quantity(quantity, most):
    if not 1 <= quantity <= most:
        raise HallError(422, "invalid_quantity", f"the quantity is 1 to {most}")


def check_day(text):
    """The text itself, if it is a day like 2026-05-06."""
    try:
        if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
            date.fromisoformat(text)
            return text
    except ValueError:
        pass
    raise HallError(422, "invalid_day", "days are written like 2026-05-06")


def new_article(fields):
    """An article without id from the fields of a request."""
    name = " ".join(fields.text("name").split())
    if not 1 <= len(name) <= 60:
        raise HallError(422, "invalid_name", "a name has 1 to 60 characters")
    unit = fields.text("unit")
    if unit not in UNITS:
        raise HallError(422, "unknown_unit", f"units are {', '.join(UNITS)}")
    price_cents = fields.integer("price_cents")
    check_price(price_cents)
    vat_percent = fields.integer("vat_percent") if fields.has("vat_percent") else 7
    if vat_percent not in VAT_RATES:
        raise HallError(422, "unknown_vat", "VAT is 7 or 19 percent")
    return Article("", fields.text("stall_id"), name, unit, price_cents, vat_percent)
