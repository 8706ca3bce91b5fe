"""The depot sends parcels to lockers: depot-service with locker-service."""

import itertools
import unittest

from tests.support import ask, start_services

AT = "2024-05-06T10:00:00Z"


class DepotLockers(unittest.TestCase):
    stamps = (f"ST-{serial:06d}" for serial in itertools.count())
    codes = (f"NHV{serial:02d}" for serial in range(100))

    @classmethod
    def setUpClass(cls):
        cls.addresses = start_services(cls, "depot-service", "locker-service")

    def depot(self, method, path, body=None):
        return ask(method, self.addresses["depot-service"] + path, body)

    def station(self, **compartments):
        """Code of a new station."""
        code = next(self.codes)
        body = {"name": "Quay", "compartments": compartments}
        ask("PUT", f"{self.addresses['locker-service']}/stations/{code}", body)
        return code

    def parcel(self):
        answer = self.depot("POST", "/parcels", {"recipient": "Ada Berg", "stamp": next(self.stamps)})[1]
        return f"/parcels/{answer['number']}"

    def book(self, parcel, station, size="S"):
        return self.depot("POST", f"{parcel}/locker", {"station": station, "size": size})

    def test_a_compartment_is_booked(self):
        station = self.station(S=1)
        status, booking = self.book(self.parcel(), station)
        self.assertEqual((status, booking["compartment"], booking["state"]), (201, "S1", "booked"))

    def test_the_counter_says_how_long_a_parcel_is_kept(self):
        station = self.station(S=1)
        self.assertEqual(self.book(self.parcel(), station)[1]["hold_hours"], 48)

    def test_a_larger_compartment_if_need_be(self):
        station = self.station(S=1, L=1)
        self.assertEqual(self.book(self.parcel(), station, "M")[1]["compartment"], "L1")

    def test_a_full_station(self):
        station = self.station(S=1)
        self.book(self.parcel(), station)
        status, answer = self.book(self.parcel(), station)
        self.assertEqual((status, answer["error"]), (409, "station_full"))

    def test_an_unknown_station(self):
        status, answer = self.book(self.parcel(), "XXX99")
        self.assertEqual((status, answer["error"]), (404, "unknown_station"))

    def test_a_parcel_has_one_compartment_only(self):
        station, parcel = self.station(S=2), self.parcel()
        self.book(parcel, station)
        status, answer = self.book(parcel, station)
        self.assertEqual((status, answer["error"]), (409, "already_booked"))

    def test_the_largest_parcels_are_refused(self):
        status, answer = self.book(self.parcel(), self.station(L=1), "XL")
        self.assertEqual((status, answer["error"]), (422, "too_large"))

    def test_a_released_compartment_is_free_again(self):
        station, parcel = self.station(S=1), self.parcel()
        self.book(parcel, station)
        self.assertEqual(self.depot("GET", f"/stations/{station}")[1]["free"]["S"], 0)
        self.assertEqual(self.depot("DELETE", f"{parcel}/locker"), (200, {"state": "cancelled"}))
        self.assertEqual(self.depot("GET", f"/stations/{station}")[1]["free"]["S"], 1)

    def test_a_parcel_is_put_into_its_compartment(self):
        station, parcel = self.station(S=1), self.parcel()
        self.book(parcel, station)
        status, answer = self.depot("POST", f"{parcel}/locker/deposit", {"at": AT})
        self.assertEqual(
            (status, answer["expires_at"], len(answer["pickup_code"])), (200, "2024-05-09T10:00:00Z", 6)
        )
        self.assertEqual(self.depot("GET", f"{parcel}/locker")[1]["state"], "deposited")
        self.assertEqual(self.depot("DELETE", f"{parcel}/locker")[1]["error"], "not_booked")

    def test_a_parcel_without_a_booking(self):
        status, answer = self.depot("GET", f"{self.parcel()}/locker")
        self.assertEqual((status, answer["error"]), (404, "no_booking"))
