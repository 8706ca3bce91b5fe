"""The depot asks for prices: depot-service with tariff-service."""

import unittest

from tests.support import ask, start_services

FORM = {
    "recipient": "Ada Berg",
    "weight_g": 900,
    "length_mm": 300,
    "width_mm": 200,
    "height_mm": 50,
    "to_code": "20999",
}


class DepotPrices(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.addresses = start_services(cls, "depot-service", "tariff-service")

    def depot(self, method, path, body=None):
        return ask(method, self.addresses["depot-service"] + path, body)

    def hand_in(self, **changes):
        return self.depot("POST", "/parcels", {**FORM, **changes})

    def test_a_parcel_is_handed_in_at_a_price(self):
        status, answer = self.hand_in()
        self.assertEqual((status, answer["price_cents"], answer["paid"]), (201, 390, False))

    def test_the_price_knows_zone_and_extras(self):
        self.assertEqual(self.hand_in(to_code="90001", extras=["fragile"])[1]["price_cents"], 520 + 350 + 250)
        self.assertEqual(self.hand_in(country="SE")[1]["price_cents"], 1290)

    def test_a_parcel_that_is_too_heavy_is_refused(self):
        status, answer = self.hand_in(weight_g=30_001)
        self.assertEqual((status, answer["error"]), (422, "out_of_range"))

    def test_a_parcel_that_is_too_large_is_refused(self):
        status, answer = self.hand_in(length_mm=1_200, width_mm=600, height_mm=301)
        self.assertEqual((status, answer["error"]), (422, "too_large"))

    def test_a_postal_code_must_have_five_digits(self):
        status, answer = self.hand_in(to_code="2099")
        self.assertEqual((status, answer["error"]), (400, "bad_field"))

    def test_a_parcel_is_paid_once(self):
        parcel = self.hand_in(weight_g=1_500)[1]
        path = f"/parcels/{parcel['number']}"
        self.assertEqual(self.depot("POST", f"{path}/pay")[1]["paid_cents"], 540)
        self.assertTrue(self.depot("GET", path)[1]["paid"])
        status, answer = self.depot("POST", f"{path}/pay")
        self.assertEqual((status, answer["error"]), (409, "already_accepted"))

    def test_offers_are_compared(self):
        answer = self.depot("POST", "/prices", FORM)[1]
        found = [(offer["service"], offer["total_cents"]) for offer in answer["offers"]]
        self.assertEqual(found, [("locker", 300), ("standard", 390), ("express", 630)])
        self.assertEqual(answer["refused"], {})

    def test_what_is_not_offered_is_left_out_of_the_comparison(self):
        answer = self.depot("POST", "/prices", {**FORM, "country": "SE"})[1]
        self.assertEqual([offer["service"] for offer in answer["offers"]], ["standard"])
        self.assertEqual(sorted(answer["refused"]), ["express", "locker"])

    def test_a_stamped_parcel_needs_no_price(self):
        status, answer = self.hand_in(stamp="ST-000001")
        self.assertEqual((status, answer["price_cents"], answer["paid"]), (201, 0, True))

    def test_a_recipient_is_needed(self):
        self.assertEqual(self.hand_in(recipient=" ")[0], 400)
