"""How a price comes about. All amounts are whole cents."""

import os

from common.web import Problem
from services.tariff_service.checks import HOME_COUNTRY

ZONES = ("local", "regional", "national", "abroad")
BANDS_G = (1_000, 5_000, 10_000, 20_000, 30_000)
VOLUME_PER_GRAM_MM3 = 5_000
MINIMUM_CENTS = 300
LOCKER_REBATE_CENTS = 100
BULKY_SIDE_MM = 1_000
BULKY_CENTS = 500
REMOTE_CENTS = 350
SIGNATURE_CENTS = 180
FRAGILE_CENTS = 250
FREE_VALUE_CENTS = 50_000
EXPRESS_PERCENT = 60


def zone_of(from_code, to_code, country):
    """Zone of a journey, from the leading digits of the two postal codes."""
    if country != HOME_COUNTRY:
        return "abroad"
    if from_code[:2] == to_code[:2]:
        return "local"
    if from_code[0] == to_code[0]:
        return "regional"
    return "national"


def size_class(sides_mm):
    """S, M, L or XL, by the longest side and the sum of all three."""
    longest, total = sides_mm[0], sum(sides_mm)
    if longest <= 350 and total <= 600:
        return "S"
    if longest <= 600 and total <= 1_000:
        return "M"
    if longest <= 800 and total <= 1_600:
        return "L"
    return "XL"


def chargeable_weight(weight_g, sides_mm):
    """The weight or the volumetric weight, whichever is more; a started gram counts in full."""
    longest, middle, shortest = sides_mm
    volumetric = -(-longest * middle * shortest // VOLUME_PER_GRAM_MM3)
    return max(weight_g, volumetric)


def base_price(prices, chargeable_g):
    """Price of the first band that holds the weight; beyond the last, each started kilogram costs more."""
    for limit, price in zip(BANDS_G, prices):
        if chargeable_g <= limit:
            return price
    extra_kg = -(-(chargeable_g - BANDS_G[-1]) // 1_000)
    return prices[-1] + 90 * extra_kg


def check_offer(service, zone, size):
    """Refuse what is not offered at all."""
    if service == "express" and zone == "abroad":
        raise Problem(422, "not_offered", "express is not offered abroad")
    if service == "locker":
        if zone == "abroad":
            raise Problem(422, "not_offered", "lockers are not offered abroad")
        if size == "XL":
            raise Problem(422, "not_offered", "the parcel does not fit a locker")


def bulky(parcel):
    return BULKY_CENTS if parcel["sides_mm"][0] > BULKY_SIDE_MM else 0


def remote(parcel):
    """Far-off addresses cost more, unless the recipient comes to a locker."""
    if parcel["to_code"] is None or parcel["service"] == "locker":
        return 0
    return REMOTE_CENTS if parcel["to_code"].startswith("9") else 0


def signature(parcel):
    return SIGNATURE_CENTS if "signature" in parcel["extras"] else 0


def fragile(parcel):
    return FRAGILE_CENTS if "fragile" in parcel["extras"] else 0


def insurance(parcel):
    """1.5 percent of the value above the free amount, rounded up."""
    insured = parcel["value_cents"] - FREE_VALUE_CENTS
    if insured <= 0:
        return 0
    return -(-insured * 15 // 1_000)


SURCHARGES = {
    "bulky": bulky,
    "remote": remote,
    "signature": signature,
    "fragile": fragile,
    "insurance": insurance,
}


def express_supplement(base):
    """The supplement for express, rounded up to ten cents."""
    return -(-base * EXPRESS_PERCENT // 1_000) * 10


def fuel_supplement(base):
    """Percentage that changes now and then, rounded up; from the environment."""
    percent = int(os.environ.get("FUEL_PERCENT", "0"))
    return -(-base * percent // 100)


def unit_lines(parcel, prices, chargeable_g):
    """What one parcel costs, line by line; lines of nothing are left out."""
    base = base_price(prices, chargeable_g)
    lines = [("base", base), ("fuel", fuel_supplement(base))]
    if parcel["service"] == "express":
        lines.append(("express", express_supplement(base)))
    if parcel["service"] == "locker":
        lines.append(("locker_rebate", -LOCKER_REBATE_CENTS))
    for label, surcharge in SURCHARGES.items():
        lines.append((label, surcharge(parcel)))
    total = sum(cents for _, cents in lines)
    if total < MINIMUM_CENTS:
        lines.append(("minimum", MINIMUM_CENTS - total))
    return [{"label": label, "cents": cents} for label, cents in lines if cents]


def count_percent(count):
    """Discount for many parcels at once."""
    if count >= 50:
        return 10
    if count >= 10:
        return 5
    return 0


def discount_cents(amount, percent):
    """The discount on an amount, to the cent."""
    return round(amount * percent / 100)


def quote(parcel, rates, promo_percent):
    """Zone, size class, lines and total of a parcel; the better of the two discounts holds."""
    zone = zone_of(parcel["from_code"], parcel["to_code"], parcel["country"])
    size = size_class(parcel["sides_mm"])
    check_offer(parcel["service"], zone, size)
    chargeable_g = chargeable_weight(parcel["weight_g"], parcel["sides_mm"])
    lines = unit_lines(parcel, rates[zone], chargeable_g)
    amount = sum(line["cents"] for line in lines) * parcel["count"]
    discount = discount_cents(amount, max(count_percent(parcel["count"]), promo_percent))
    return {
        "service": parcel["service"],
        "zone": zone,
        "size_class": size,
        "chargeable_g": chargeable_g,
        "lines": lines,
        "count": parcel["count"],
        "discount_cents": discount,
        "total_cents": amount - discount,
    }
