"""The tariff service as its callers see it, in this process."""

import unittest

from common.web import dispatch
from services.tariff_service.api import ROUTES

from tests.support import error_of, own_settings

FORM = {
    "weight_g": 900,
    "length_mm": 300,
    "width_mm": 200,
    "height_mm": 50,
    "from_code": "20115",
    "to_code": "20999",
}


def post(path, **body):
    return dispatch(ROUTES, "POST", path, body)


def put(path, **body):
    return dispatch(ROUTES, "PUT", path, body)


def get(path):
    return dispatch(ROUTES, "GET", path)


class Quotes(unittest.TestCase):
    def setUp(self):
        own_settings(self)

    def test_a_quote_is_kept(self):
        status, quote = post("/quotes", **FORM)
        self.assertEqual((status, quote["quote_id"], quote["total_cents"]), (201, "Q000001", 390))
        self.assertEqual(get("/quotes/Q000001"), (200, quote))
        for quote_id in ("Q000002", "X000001", "Qx"):
            self.assertEqual(error_of(get(f"/quotes/{quote_id}")), (404, "unknown_quote"))

    def test_bad_fields(self):
        for changes in (
            {"weight_g": "900"},
            {"weight_g": True},
            {"from_code": "2011"},
            {"to_code": None},
            {"service": "pigeon"},
            {"extras": ["ribbon"]},
            {"country": "sweden"},
            {"promo": "?"},
        ):
            status, answer = post("/quotes", **{**FORM, **changes})
            self.assertEqual((status, answer["error"]), (400, "bad_field"), changes)

    def test_limits(self):
        for changes in (
            {"weight_g": 30_001},
            {"weight_g": 0},
            {"length_mm": 1_201},
            {"count": 501},
            {"value_cents": 500_001},
            {"value_cents": -1},
        ):
            status, answer = post("/quotes", **{**FORM, **changes})
            self.assertEqual((status, answer["error"]), (422, "out_of_range"), changes)
        sides = {"length_mm": 600, "width_mm": 1_200, "height_mm": 300}
        self.assertEqual(post("/quotes", **{**FORM, **sides})[0], 201)
        self.assertEqual(error_of(post("/quotes", **{**FORM, **sides, "height_mm": 301})), (422, "too_large"))

    def test_a_quote_is_accepted_once(self):
        quote_id = post("/quotes", **FORM)[1]["quote_id"]
        answer = {"quote_id": quote_id, "accepted": True, "total_cents": 390}
        self.assertEqual(post(f"/quotes/{quote_id}/accept"), (200, answer))
        self.assertEqual(error_of(post(f"/quotes/{quote_id}/accept")), (409, "already_accepted"))
        self.assertEqual(post("/quotes/Q000077/accept")[0], 404)
        self.assertTrue(get(f"/quotes/{quote_id}")[1]["accepted"])


class RatesAndPromotions(unittest.TestCase):
    def setUp(self):
        own_settings(self)

    def test_rates_can_be_changed(self):
        self.assertEqual(get("/rates")[1]["rates"]["local"], [390, 540, 790, 1190, 1690])
        self.assertEqual(put("/rates/local", prices=[100, 600, 600, 700, 800])[0], 200)
        self.assertEqual(get("/rates")[1]["rates"]["local"], [100, 600, 600, 700, 800])
        rates = get("/rates")[1]["rates"]
        self.assertEqual(rates["regional"], [450, 620, 890, 1320, 1850])
        self.assertEqual(rates["national"], [520, 740, 1050, 1560, 2190])
        self.assertEqual(rates["abroad"], [1290, 1890, 2790, 4290, 5990])

    def test_rates_and_promotions_that_make_no_sense(self):
        self.assertEqual(error_of(put("/rates/moon", prices=[1, 2, 3, 4, 5])), (404, "unknown_zone"))
        self.assertEqual(error_of(put("/rates/local", prices=[1, 2, 3])), (400, "bad_field"))
        self.assertEqual(error_of(put("/rates/local", prices=[0, 2, 3, 4, 5])), (400, "bad_field"))
        self.assertEqual(error_of(put("/rates/local", prices=[5, 4, 3, 2, 1])), (422, "prices_fall"))
        self.assertEqual(error_of(post("/quotes", **FORM, promo="AUTUMN")), (422, "unknown_promo"))
        self.assertEqual(error_of(get("/promos/AUTUMN")), (404, "unknown_promo"))
        self.assertEqual(error_of(put("/promos/ab", percent=10, uses=1)), (400, "bad_field"))
        self.assertEqual(error_of(put("/promos/WINTER", percent=51, uses=1)), (422, "out_of_range"))

    def test_a_promotion_lasts_for_so_many_uses(self):
        self.assertEqual(put("/promos/spring", percent=10, uses=1)[0], 201)
        first = post("/quotes", **FORM, promo="Spring")[1]
        second = post("/quotes", **FORM, promo="SPRING")[1]
        self.assertEqual((first["discount_cents"], first["total_cents"]), (39, 351))
        self.assertEqual(post(f"/quotes/{first['quote_id']}/accept")[0], 200)
        self.assertEqual(get("/promos/SPRING")[1]["uses_left"], 0)
        self.assertEqual(error_of(post(f"/quotes/{second['quote_id']}/accept")), (409, "promo_used_up"))
        self.assertEqual(error_of(post("/quotes", **FORM, promo="SPRING")), (422, "promo_used_up"))
