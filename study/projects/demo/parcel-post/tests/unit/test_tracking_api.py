"""The tracking service as its callers see it, in this process."""

import unittest

from common.numbers import make_number
from common.web import dispatch
from services.tracking_service.api import ROUTES

from tests.support import error_of, own_settings

NUMBER = make_number(1)


def get(path):
    return dispatch(ROUTES, "GET", path)


def announce(number=NUMBER, **more):
    return dispatch(ROUTES, "POST", "/shipments", {"number": number, **more})


def add(kind, hour, number=NUMBER):
    body = {"kind": kind, "place": "Nordhaven", "at": f"2024-05-06T{hour:02d}:00:00Z"}
    return dispatch(ROUTES, "POST", f"/shipments/{number}/events", body)


def watch(email):
    return dispatch(ROUTES, "POST", f"/shipments/{NUMBER}/watchers", {"email": email})


class Shipments(unittest.TestCase):
    def setUp(self):
        own_settings(self)

    def test_announcing(self):
        status, answer = announce(service="express")
        self.assertEqual((status, answer["state"], answer["service"]), (201, "announced", "express"))
        self.assertEqual((answer["place"], answer["due"], answer["events"]), (None, None, 0))
        self.assertEqual(error_of(announce()), (409, "already_announced"))
        self.assertEqual(get(f"/shipments/{NUMBER}"), (200, answer))

    def test_bad_announcements(self):
        self.assertEqual(error_of(announce("PP000000010")), (422, "bad_number"))
        self.assertEqual(announce(None)[0], 400)
        self.assertEqual(announce(service="pigeon")[0], 400)
        self.assertEqual(error_of(get(f"/shipments/{NUMBER}")), (404, "unknown_shipment"))

    def test_a_shipment_follows_its_events(self):
        announce()
        self.assertEqual(add("accepted", 8)[0], 201)
        status, answer = add("in_transit", 9)
        self.assertEqual((status, answer["state"], answer["place"]), (201, "in_transit", "Nordhaven"))
        self.assertEqual((answer["events"], answer["due"], answer["repeated"]), (2, "2024-05-09", False))

    def test_an_event_that_comes_twice_counts_once(self):
        announce()
        add("accepted", 8)
        add("in_transit", 9)
        status, answer = add("accepted", 8)
        self.assertEqual((status, answer["repeated"], answer["events"]), (200, True, 2))

    def test_events_that_are_refused(self):
        announce()
        self.assertEqual(add("accepted", 8, make_number(2))[0], 404)
        self.assertEqual(error_of(add("delivered", 8)), (409, "not_allowed"))
        add("accepted", 8)
        self.assertEqual(error_of(add("in_transit", 7)), (409, "out_of_order"))
        self.assertEqual(get(f"/shipments/{NUMBER}")[1]["events"], 1)

    def test_events_by_kind(self):
        announce()
        add("accepted", 8)
        add("in_transit", 9)
        event = {"kind": "in_transit", "place": "Nordhaven", "at": "2024-05-06T09:00:00Z"}
        self.assertEqual(get(f"/shipments/{NUMBER}/events?kind=in_transit"), (200, {"events": [event]}))
        self.assertEqual(len(get(f"/shipments/{NUMBER}/events")[1]["events"]), 2)
        self.assertEqual(get(f"/shipments/{NUMBER}/events?kind=lost")[0], 400)
        self.assertEqual(get(f"/shipments/{make_number(2)}/events")[0], 404)


class Overviews(unittest.TestCase):
    def setUp(self):
        own_settings(self)

    def test_list_by_state_and_limit(self):
        numbers = [make_number(serial) for serial in (3, 1, 2)]
        for number in numbers:
            announce(number)
        add("cancelled", 8, numbers[1])

        def listed(query):
            return [shipment["number"] for shipment in get(f"/shipments{query}")[1]["shipments"]]

        self.assertEqual(listed(""), numbers)
        self.assertEqual(listed("?limit=1"), numbers[:1])
        self.assertEqual(listed("?limit=200"), numbers)
        self.assertEqual(listed("?state=announced"), [numbers[0], numbers[2]])
        for query in ("?state=lost", "?limit=0", "?limit=201", "?limit=x"):
            self.assertEqual(get(f"/shipments{query}")[0], 400, query)

    def test_statistics(self):
        empty = {"total": 0, "by_state": {}, "first_attempt_percent": None}
        self.assertEqual(get("/statistics"), (200, empty))
        for serial in (1, 2, 3):
            announce(make_number(serial))
        for kind in ("accepted", "in_locker", "delivered"):
            add(kind, 8, make_number(1))
        way = (
            "accepted",
            "in_transit",
            "out_for_delivery",
            "attempt_failed",
            "out_for_delivery",
            "delivered",
        )
        for hour, kind in enumerate(way):
            add(kind, hour, make_number(2))
        expected = {"total": 3, "by_state": {"announced": 1, "delivered": 2}, "first_attempt_percent": 50.0}
        self.assertEqual(get("/statistics"), (200, expected))

    def test_watchers(self):
        announce()
        self.assertEqual(watch("Ada@Example.org"), (201, {"number": NUMBER, "watchers": ["ada@example.org"]}))
        self.assertEqual(watch("ada@example.org")[0], 200)
        self.assertEqual(watch("ada at example")[0], 400)
        for name in "bcde":
            self.assertEqual(watch(f"{name}@example.org")[0], 201)
        self.assertEqual(error_of(watch("f@example.org")), (409, "too_many_watchers"))
        add("cancelled", 8)
        self.assertEqual(error_of(watch("ada@example.org")), (409, "shipment_closed"))
