"""Prices, without a server."""

import os
import unittest
from unittest import mock

from common.web import Problem
from services.tariff_service import checks, pricing

RATES = {
    "local": [400, 500, 800, 1200, 1700],
    "regional": [450, 620, 890, 1320, 1850],
    "national": [525, 740, 1050, 1560, 2190],
    "abroad": [1290, 1890, 2790, 4290, 5990],
}
FORM = {
    "weight_g": 900,
    "length_mm": 300,
    "width_mm": 200,
    "height_mm": 50,
    "from_code": "20115",
    "to_code": "80331",
}


def quote(promo_percent=0, **changes):
    return pricing.quote(checks.parcel({**FORM, **changes}), RATES, promo_percent)


def lines(answer):
    return {line["label"]: line["cents"] for line in answer["lines"]}


class ZonesAndSizes(unittest.TestCase):
    def test_zones_by_leading_digits(self):
        self.assertEqual(pricing.zone_of("20115", "20999", "NV"), "local")
        self.assertEqual(pricing.zone_of("20115", "21115", "NV"), "regional")
        self.assertEqual(pricing.zone_of("20115", "30115", "NV"), "national")
        self.assertEqual(pricing.zone_of("20115", None, "SE"), "abroad")

    def test_limits_of_the_size_classes(self):
        expected = {
            (350, 150, 100): "S",
            (350, 150, 101): "M",
            (351, 100, 50): "M",
            (600, 300, 100): "M",
            (601, 100, 50): "L",
            (800, 500, 300): "L",
            (800, 500, 301): "XL",
            (801, 10, 10): "XL",
        }
        self.assertEqual({sides: pricing.size_class(sides) for sides in expected}, expected)

    def test_light_but_voluminous(self):
        self.assertEqual(pricing.chargeable_weight(900, [300, 200, 100]), 1200)
        self.assertEqual(pricing.chargeable_weight(1201, [300, 200, 100]), 1201)
        self.assertEqual(pricing.chargeable_weight(1, [301, 7, 5]), 3)

    def test_bands_and_what_lies_beyond(self):
        prices = RATES["local"]
        self.assertEqual([pricing.base_price(prices, g) for g in (1000, 1001, 30000)], [400, 500, 1700])
        self.assertEqual(
            [pricing.base_price(prices, g) for g in (5000, 5001, 10001, 20001)], [500, 800, 1200, 1700]
        )
        self.assertEqual([pricing.base_price(prices, g) for g in (30001, 31001)], [1790, 1880])


class Lines(unittest.TestCase):
    def test_a_plain_parcel_has_one_line(self):
        answer = quote()
        self.assertEqual(answer["lines"], [{"label": "base", "cents": 525}])
        self.assertEqual(
            (answer["zone"], answer["size_class"], answer["total_cents"]), ("national", "S", 525)
        )

    def test_express_is_rounded_up_to_ten_cents(self):
        self.assertEqual(lines(quote(service="express"))["express"], 320)

    def test_express_and_lockers_are_not_offered_everywhere(self):
        for changes in (
            {"service": "express", "country": "SE"},
            {"service": "locker", "country": "SE"},
            {"service": "locker", "length_mm": 900},
        ):
            with self.assertRaises(Problem) as caught:
                quote(**changes)
            self.assertEqual((caught.exception.status, caught.exception.code), (422, "not_offered"))

    def test_surcharges(self):
        parcel = {"length_mm": 1001, "to_code": "90001", "extras": ["fragile", "signature", "fragile"]}
        answer = lines(quote(**parcel))
        answer.pop("base")
        self.assertNotIn("bulky", lines(quote(length_mm=1000)))
        self.assertEqual(answer, {"bulky": 500, "remote": 350, "signature": 180, "fragile": 250})

    def test_lockers_are_cheaper_and_never_remote_but_cost_the_minimum(self):
        self.assertEqual(
            lines(quote(service="locker", to_code="90001")), {"base": 525, "locker_rebate": -100}
        )
        cheap = {**RATES, "local": [310] * 5}
        answer = pricing.quote(checks.parcel({**FORM, "to_code": "20115", "service": "locker"}), cheap, 0)
        self.assertEqual((lines(answer)["minimum"], answer["total_cents"]), (90, 300))

    def test_insurance_of_what_is_above_the_free_value(self):
        self.assertNotIn("insurance", lines(quote(value_cents=50_000)))
        self.assertEqual(lines(quote(value_cents=50_101))["insurance"], 2)
        self.assertEqual(lines(quote(value_cents=250_000))["insurance"], 3000)

    def test_fuel_supplement_from_the_environment(self):
        with mock.patch.dict(os.environ, {"FUEL_PERCENT": "3"}):
            self.assertEqual(lines(quote())["fuel"], 16)
            self.assertEqual(lines(quote(weight_g=20_001))["fuel"], 66)


class Discounts(unittest.TestCase):
    def test_the_better_discount_holds(self):
        self.assertEqual([quote(count=n, weight_g=1001)["discount_cents"] for n in (9, 10)], [0, 370])
        self.assertEqual(quote(count=20)["discount_cents"], 525)
        self.assertEqual(quote(count=50)["total_cents"], 23625)
        self.assertEqual(quote(promo_percent=8, count=20)["discount_cents"], 840)
        self.assertEqual(quote(promo_percent=4, count=20)["discount_cents"], 525)

    def test_half_a_cent_of_discount_goes_to_the_customer(self):
        self.assertEqual(pricing.discount_cents(1050, 5), 53)
