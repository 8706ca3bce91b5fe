"""What a request must look like before a price is worked out."""

import re

from common.web import Problem

HOME_COUNTRY = "NV"
MAX_WEIGHT_G = 30_000
MAX_SIDE_MM = 1_200
MAX_GIRTH_MM = 3_000
MAX_COUNT = 500
MAX_VALUE_CENTS = 500_000
SERVICES = ("standard", "express", "locker")
EXTRAS = ("signature", "fragile")


def whole_number(body, field, low, high):
    """A whole number from `low` to `high`."""
    value = body.get(field)
    if isinstance(value, bool) or not isinstance(value, int):
        raise Problem(400, "bad_field", f"{field} must be a whole number")
    if value < low or value > high:
        raise Problem(422, "out_of_range", f"{field} must be from {low} to {high}")
    return value


def postal_code(body, field):
    """Five digits."""
    value = body.get(field)
    if not isinstance(value, str) or not re.fullmatch("[0-9]{5}", value):
        raise Problem(400, "bad_field", f"{field} must be five digits")
    return value


def promo_code(text):
    """A promotion code in capitals: 4 to 12 letters and digits."""
    if not isinstance(text, str) or not re.fullmatch("[A-Za-z0-9]{4,12}", text):
        raise Problem(400, "bad_field", "a promotion code is 4 to 12 letters and digits")
    return text.upper()


def price_list(body):
    """Five prices in cents, one for each weight band, that never fall."""
    prices = body.get("prices")
    if not isinstance(prices, list) or len(prices) != 5:
        raise Problem(400, "bad_field", "prices must be a list of five whole numbers")
    for price in prices:
        if isinstance(price, bool) or not isinstance(price, int) or price < 1:
            raise Problem(400, "bad_field", "prices must be a list of five whole numbers")
    if prices != sorted(prices):
        raise Problem(422, "prices_fall", "a heavier band must not be cheaper")
    return prices


def measures(body):
    """The three sides in millimetres, longest first."""
    sides = [whole_number(body, field, 1, MAX_SIDE_MM) for field in ("length_mm", "width_mm", "height_mm")]
    sides.sort(reverse=True)
    if sides[0] + 2 * (sides[1] + sides[2]) > MAX_GIRTH_MM:
        raise Problem(422, "too_large", f"length plus girth is more than {MAX_GIRTH_MM} mm")
    return sides


def parcel(body):
    """The parcel that a quote is asked for, with its defaults filled in."""
    country = body.get("country", HOME_COUNTRY)
    if not isinstance(country, str) or not re.fullmatch("[A-Z]{2}", country):
        raise Problem(400, "bad_field", "country must be two capital letters")
    service = body.get("service", "standard")
    if service not in SERVICES:
        raise Problem(400, "bad_field", f"service must be one of {', '.join(SERVICES)}")
    extras = body.get("extras", [])
    if not isinstance(extras, list) or any(extra not in EXTRAS for extra in extras):
        raise Problem(400, "bad_field", f"extras may hold {', '.join(EXTRAS)}")
    promo = body.get("promo")
    return {
        "weight_g": whole_number(body, "weight_g", 1, MAX_WEIGHT_G),
        "sides_mm": measures(body),
        "from_code": postal_code(body, "from_code"),
        "to_code": postal_code(body, "to_code") if country == HOME_COUNTRY else None,
        "country": country,
        "service": service,
        "extras": sorted(set(extras)),
        "value_cents": whole_number({"value_cents": 0, **body}, "value_cents", 0, MAX_VALUE_CENTS),
        "count": whole_number({"count": 1, **body}, "count", 1, MAX_COUNT),
        "promo": None if promo is None else promo_code(promo),
    }
