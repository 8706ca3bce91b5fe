"""The depot sends parcels on their way: depot-service with tracking-service."""

import itertools
import unittest

from tests.support import ask, start_services

AT = "2024-05-06T10:00:00Z"


class DepotShipments(unittest.TestCase):
    stamps = (f"ST-{serial:06d}" for serial in itertools.count())

    @classmethod
    def setUpClass(cls):
        cls.addresses = start_services(cls, "depot-service", "tracking-service")

    def depot(self, method, path, body=None):
        return ask(method, self.addresses["depot-service"] + path, body)

    def hand_in(self, **changes):
        return self.depot(
            "POST", "/parcels", {"recipient": "Ada Berg", "stamp": next(self.stamps), **changes}
        )

    def parcel(self, **changes):
        return f"/parcels/{self.hand_in(**changes)[1]['number']}"

    def test_a_new_parcel_is_announced(self):
        self.assertTrue(self.hand_in()[1]["announced"])

    def test_the_depot_shows_the_shipment(self):
        shipment = self.depot("GET", self.parcel())[1]["shipment"]
        self.assertEqual(shipment, {"state": "announced", "place": None, "due": None})

    def test_an_accepted_parcel_has_a_due_date(self):
        path = self.parcel(service="express")
        status, answer = self.depot("POST", f"{path}/accept", {"at": AT})
        self.assertEqual((status, answer["state"], answer["due"]), (200, "accepted", "2024-05-07"))

    def test_a_cancelled_parcel_is_not_accepted_any_more(self):
        path = self.parcel()
        self.assertEqual(self.depot("POST", f"{path}/cancel", {"at": AT})[1]["state"], "cancelled")
        status, answer = self.depot("POST", f"{path}/accept", {"at": AT})
        self.assertEqual((status, answer["error"]), (409, "shipment_closed"))

    def test_events_need_a_time(self):
        status, answer = self.depot("POST", f"{self.parcel()}/accept", {"at": "today"})
        self.assertEqual((status, answer["error"]), (400, "bad_field"))

    def test_events_keep_their_order(self):
        path = self.parcel()
        self.depot("POST", f"{path}/accept", {"at": AT})
        status, answer = self.depot("POST", f"{path}/cancel", {"at": "2024-05-06T09:00:00Z"})
        self.assertEqual((status, answer["error"]), (409, "out_of_order"))

    def test_the_history_of_a_parcel(self):
        path = self.parcel()
        self.depot("POST", f"{path}/accept", {"at": AT})
        self.depot("POST", f"{path}/cancel", {"at": AT})
        expected = ["accepted at Depot Nordhaven", "cancelled at Depot Nordhaven"]
        self.assertEqual(self.depot("GET", f"{path}/history")[1]["history"], expected)

    def test_a_stamp_is_good_for_one_parcel(self):
        self.assertEqual(self.hand_in(stamp="ST-999999")[0], 201)
        self.assertEqual(self.hand_in(stamp="ST-999999")[1]["error"], "stamp_used")
        self.assertEqual(self.hand_in(stamp="999999")[0], 422)
