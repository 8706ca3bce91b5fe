"""The lockers report what happens: locker-service with tracking-service."""

import itertools
import unittest

from common.numbers import make_number

from tests.support import ask, start_services

MONDAY, TUESDAY, NEXT_MONDAY = (f"2024-05-{day:02d}T10:00:00Z" for day in (6, 7, 13))


class LockerEvents(unittest.TestCase):
    numbers = (make_number(serial) for serial in itertools.count(500))

    @classmethod
    def setUpClass(cls):
        cls.addresses = start_services(cls, "locker-service", "tracking-service")
        station = {"name": "Quay", "compartments": {"S": 20}}
        ask("PUT", cls.addresses["locker-service"] + "/stations/NHV01", station)

    def locker(self, method, path, body=None):
        return ask(method, self.addresses["locker-service"] + path, body)

    def tracking(self, method, path, body=None):
        return ask(method, self.addresses["tracking-service"] + path, body)

    def accepted(self):
        """Number of a parcel that a depot has accepted."""
        number = next(self.numbers)
        self.tracking("POST", "/shipments", {"number": number, "service": "locker"})
        self.tracking(
            "POST", f"/shipments/{number}/events", {"kind": "accepted", "place": "Depot", "at": MONDAY}
        )
        return number

    def book(self, number):
        return self.locker("POST", "/bookings", {"number": number, "station": "NHV01", "size": "S"})

    def deposit(self, number):
        """Path of the booking and the answer to the deposit."""
        path = f"/bookings/{self.book(number)[1]['booking_id']}"
        return path, self.locker("POST", f"{path}/deposit", {"at": MONDAY})[1]

    def state(self, number):
        return self.tracking("GET", f"/shipments/{number}")[1]["state"]

    def test_a_known_parcel_is_booked(self):
        status, booking = self.book(self.accepted())
        self.assertEqual((status, booking["shipment_checked"]), (201, True))

    def test_an_unknown_parcel_is_refused(self):
        status, answer = self.book(next(self.numbers))
        self.assertEqual((status, answer["error"]), (422, "unknown_parcel"))

    def test_a_cancelled_parcel_is_refused(self):
        number = self.accepted()
        self.tracking(
            "POST", f"/shipments/{number}/events", {"kind": "cancelled", "place": "Depot", "at": MONDAY}
        )
        status, answer = self.book(number)
        self.assertEqual((status, answer["error"]), (409, "parcel_closed"))

    def test_a_deposit_is_reported(self):
        number = self.accepted()
        _, answer = self.deposit(number)
        self.assertTrue(answer["reported"])
        shipment = self.tracking("GET", f"/shipments/{number}")[1]
        self.assertEqual((shipment["state"], shipment["place"]), ("in_locker", "locker NHV01"))

    def test_a_pickup_is_a_delivery(self):
        number = self.accepted()
        path, answer = self.deposit(number)
        pickup = {"code": answer["pickup_code"], "at": TUESDAY}
        self.assertTrue(self.locker("POST", f"{path}/pickup", pickup)[1]["reported"])
        self.assertEqual(self.state(number), "delivered")

    def test_an_overdue_parcel_is_reported(self):
        number = self.accepted()
        path, _ = self.deposit(number)
        self.assertIn(
            path.rpartition("/")[2], self.locker("POST", "/sweeps", {"at": NEXT_MONDAY})[1]["expired"]
        )
        self.assertEqual(self.state(number), "locker_expired")

    def test_an_unknown_station_is_refused(self):
        wanted = {"number": next(self.numbers), "station": "XXX99", "size": "S"}
        status, answer = self.locker("POST", "/bookings", wanted)
        self.assertEqual((status, answer["error"]), (404, "unknown_station"))

    def test_a_wrong_number_is_refused(self):
        status, answer = self.book("PP000000010")
        self.assertEqual((status, answer["error"]), (422, "bad_number"))
