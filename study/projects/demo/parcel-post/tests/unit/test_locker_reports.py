"""What the lockers ask and tell the tracking service, with its answers made up."""

import unittest
from unittest import mock

from common.web import Problem
from services.locker_service import reports, store

from tests.support import own_settings

BOOKING = {"number": "PP000000013", "station": "NHV01"}


def answers(**returned):
    """Let the client return made-up answers."""
    return mock.patch.multiple(
        reports.tracking_client, **{name: mock.Mock(side_effect=values) for name, values in returned.items()}
    )


class Reports(unittest.TestCase):
    def setUp(self):
        own_settings(self)

    def test_a_parcel_is_looked_up(self):
        with answers(get_shipment=[(200, {"state": "in_transit"}), (0, {}), (500, {})]):
            self.assertEqual([reports.check_shipment("x") for _ in range(3)], [True, False, False])

    def test_unknown_and_closed_parcels_are_refused(self):
        found = [(404, {}), *((200, {"state": state}) for state in ("delivered", "returned", "cancelled"))]
        codes = []
        with answers(get_shipment=found):
            for _ in found:
                with self.assertRaises(Problem) as caught:
                    reports.check_shipment("x")
                codes.append((caught.exception.status, caught.exception.code))
        self.assertEqual(codes, [(422, "unknown_parcel")] + 3 * [(409, "parcel_closed")])

    def test_events_that_cannot_be_sent_are_sent_later(self):
        with store.open_db() as db:
            with answers(post_event=[0, 503, 201, 409]):
                sent = [reports.report(db, BOOKING, "in_locker", f"2024-05-0{day}") for day in (1, 2, 3, 4)]
            self.assertEqual(sent, [False, False, True, True])
            with answers(post_event=[201, 0]):
                self.assertEqual(reports.flush(db), 1)
            self.assertEqual([event["at"] for _, event in store.outbox(db)], ["2024-05-02"])
