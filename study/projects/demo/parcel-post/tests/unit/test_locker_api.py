"""The locker service as its callers see it, in this process; nobody else is there."""

import unittest

from common.numbers import make_number
from common.web import dispatch
from services.locker_service.api import ROUTES

from tests.support import error_of, own_settings, peer_variables

MONDAY, TUESDAY, THURSDAY, FRIDAY = (f"2024-05-{day:02d}T10:00:00Z" for day in (6, 7, 9, 10))


def get(path):
    return dispatch(ROUTES, "GET", path)


def post(path, **body):
    return dispatch(ROUTES, "POST", path, body)


def put_station(code="NHV01", **compartments):
    return dispatch(ROUTES, "PUT", f"/stations/{code}", {"name": "Quay", "compartments": compartments})


def book(serial=1, size="S", station="NHV01"):
    return post("/bookings", number=make_number(serial), station=station, size=size)


class WithStation(unittest.TestCase):
    def setUp(self):
        own_settings(self, **peer_variables({}))
        put_station(S=1, M=1)

    def deposited(self):
        """Path and pickup code of a parcel that is in its compartment since Monday."""
        path = f"/bookings/{book()[1]['booking_id']}"
        return path, post(f"{path}/deposit", at=MONDAY)[1]["pickup_code"]


class Stations(WithStation):
    def test_a_station_and_its_compartments(self):
        free = {"S": 1, "M": 1, "L": 0}
        self.assertEqual(
            get("/stations/NHV01"), (200, {"code": "NHV01", "name": "Quay", "free": free, "taken": 0})
        )
        self.assertEqual(error_of(put_station(S=3)), (409, "station_exists"))
        self.assertEqual(error_of(get("/stations/NHV99")), (404, "unknown_station"))


class Bookings(WithStation):
    def test_a_booking_takes_a_compartment(self):
        status, booking = book()
        self.assertEqual((status, booking["compartment"], booking["state"]), (201, "S1", "booked"))
        self.assertEqual((booking["hold_hours"], booking["shipment_checked"]), (72, False))
        self.assertEqual(get("/stations/NHV01")[1]["free"]["S"], 0)
        self.assertEqual(get("/stations/NHV01")[1]["taken"], 1)
        self.assertEqual(get(f"/bookings/{booking['booking_id']}")[1]["number"], make_number(1))

    def test_the_next_size_up_and_then_no_more(self):
        book(1)
        self.assertEqual(book(2)[1]["compartment"], "M1")
        self.assertEqual(error_of(book(3)), (409, "station_full"))

    def test_bookings_that_are_refused(self):
        book(1)
        self.assertEqual(error_of(book(1)), (409, "already_booked"))
        self.assertEqual(book(2, station="NHV99")[0], 404)
        self.assertEqual(error_of(get("/bookings/B99999")), (404, "unknown_booking"))

    def test_cancelling_frees_the_compartment(self):
        booking_id = book()[1]["booking_id"]
        self.assertEqual(dispatch(ROUTES, "DELETE", f"/bookings/{booking_id}")[1]["state"], "cancelled")
        self.assertEqual(error_of(dispatch(ROUTES, "DELETE", f"/bookings/{booking_id}")), (409, "not_booked"))
        self.assertEqual(book()[1]["compartment"], "S1")


class Parcels(WithStation):
    def test_deposit(self):
        path = f"/bookings/{book()[1]['booking_id']}"
        status, answer = post(f"{path}/deposit", at=MONDAY)
        self.assertEqual((status, answer["state"], answer["expires_at"]), (200, "deposited", THURSDAY))
        self.assertFalse(answer["reported"])
        self.assertEqual(error_of(post(f"{path}/deposit", at=MONDAY)), (409, "not_booked"))
        self.assertNotIn("pickup_code", get(path)[1])

    def test_pickup(self):
        path, code = self.deposited()
        self.assertEqual(error_of(post(f"{path}/pickup", code=code, at=FRIDAY)), (410, "too_late"))
        status, answer = post(f"{path}/pickup", code=code, at=THURSDAY)
        self.assertEqual((status, answer["state"]), (200, "collected"))
        self.assertEqual(error_of(post(f"{path}/pickup", code=code, at=THURSDAY)), (409, "not_deposited"))
        self.assertEqual(get("/stations/NHV01")[1]["taken"], 0)

    def test_wrong_codes_block_the_compartment(self):
        path, code = self.deposited()
        for left in (2, 1, 0):
            status, answer = post(f"{path}/pickup", code="no", at=TUESDAY)
            self.assertEqual((status, answer["error"], answer["detail"][0]), (403, "wrong_code", str(left)))
        self.assertEqual(post(f"{path}/pickup", code=code, at=TUESDAY)[0], 423)

    def test_extension_once(self):
        path, code = self.deposited()
        self.assertEqual(error_of(post(f"{path}/extend", hours=49)), (422, "out_of_range"))
        self.assertEqual(error_of(post(f"{path}/extend", hours="1")), (400, "bad_field"))
        self.assertEqual(post(f"{path}/extend", hours=24)[1]["expires_at"], FRIDAY)
        self.assertEqual(error_of(post(f"{path}/extend", hours=1)), (409, "already_extended"))
        self.assertEqual(post(f"{path}/pickup", code=code, at=FRIDAY)[0], 200)
        self.assertEqual(error_of(post(f"{path}/extend", hours=1)), (409, "not_deposited"))

    def test_the_night_shift_takes_overdue_parcels_out(self):
        path, _ = self.deposited()
        self.assertEqual(post("/sweeps", at=THURSDAY), (200, {"expired": []}))
        self.assertEqual(post("/sweeps", at=FRIDAY), (200, {"expired": [path.rpartition("/")[2]]}))
        self.assertEqual(get(path)[1]["state"], "expired")
        self.assertEqual(get("/stations/NHV01")[1]["taken"], 0)

    def test_unsent_events_wait(self):
        self.deposited()
        event = {"number": make_number(1), "kind": "in_locker", "place": "locker NHV01", "at": MONDAY}
        self.assertEqual(get("/outbox"), (200, {"waiting": [event]}))
        self.assertEqual(post("/outbox/flush"), (200, {"sent": 0, "waiting": 1}))
