"""Rules for compartments, without a server."""

import os
import unittest
from unittest import mock

from common.numbers import make_number
from common.web import Problem
from services.locker_service import checks, rules

NUMBER = make_number(1)


def refusal(function, *arguments):
    try:
        function(*arguments)
    except Problem as problem:
        return problem.status, problem.code
    return None


class Compartments(unittest.TestCase):
    def test_the_smallest_that_fits_and_the_lowest_number(self):
        self.assertEqual(rules.labels({"S": 2, "M": 0, "L": 1}), ["S1", "S2", "L1"])
        free = ["L1", "S10", "S9", "M2"]
        self.assertEqual([rules.choose(free, size) for size in "SML"], ["S9", "M2", "L1"])
        self.assertEqual(rules.choose(["L1", "S1"], "M"), "L1")
        self.assertIsNone(rules.choose(["S1", "M1"], "L"))


class CodesAndDeadlines(unittest.TestCase):
    def test_pickup_codes_have_six_digits(self):
        codes = {rules.pickup_code(NUMBER, f"B{serial:05d}") for serial in range(200)}
        self.assertTrue(all(len(code) == 6 and code.isdigit() for code in codes))
        self.assertGreater(len(codes), 190)

    def test_deadline_and_hold_time_from_the_environment(self):
        self.assertEqual(rules.later("2024-02-27T10:00:00Z", 72), "2024-03-01T10:00:00Z")
        self.assertEqual(rules.hold_hours(), 72)
        with mock.patch.dict(os.environ, {"HOLD_HOURS": "24"}):
            self.assertEqual(rules.hold_hours(), 24)


class Checks(unittest.TestCase):
    def test_stations(self):
        self.assertEqual(checks.station_code("NHV01"), "NHV01")
        for code in ("nhv01", "NHV1", "NHV001", None):
            self.assertEqual(refusal(checks.station_code, code), (400, "bad_field"), code)
        self.assertEqual(
            checks.station({"name": " Quay ", "compartments": {"M": 2}}), ("Quay", {"S": 0, "M": 2, "L": 0})
        )
        wrong = {
            "bad_field": ({"XL": 1}, {"S": "1"}, {"S": True}, [1]),
            "no_compartments": ({}, {"S": 0}),
            "out_of_range": ({"S": 51}, {"S": 5, "M": -1}),
        }
        for code, counts in wrong.items():
            for each in counts:
                body = {"name": "Quay", "compartments": each}
                status = 400 if code == "bad_field" else 422
                self.assertEqual(refusal(checks.station, body), (status, code), each)
        self.assertEqual(refusal(checks.station, {"name": " ", "compartments": {"S": 1}}), (400, "bad_field"))

    def test_bookings(self):
        good = {"number": NUMBER, "station": "NHV01", "size": "S"}
        self.assertEqual(checks.booking(good), good)
        self.assertEqual(refusal(checks.booking, {**good, "size": "XL"}), (422, "too_large"))
        self.assertEqual(refusal(checks.booking, {**good, "size": "tiny"}), (400, "bad_field"))
        self.assertEqual(refusal(checks.booking, {**good, "number": "PP000000010"}), (422, "bad_number"))
        self.assertEqual(refusal(checks.booking, {**good, "number": 1}), (400, "bad_field"))

    def test_times_are_turned_into_utc(self):
        self.assertEqual(checks.moment({"at": "2024-05-06T12:30:00+02:00"}, "at"), "2024-05-06T10:30:00Z")
        for text in (None, "noon", "2024-05-06T12:30:00"):
            self.assertEqual(refusal(checks.moment, {"at": text}, "at"), (400, "bad_field"))
