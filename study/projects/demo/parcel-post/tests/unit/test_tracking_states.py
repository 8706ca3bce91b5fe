"""Rules for shipments, without a server."""

import os
import unittest
from unittest import mock

from common.web import Problem
from services.tracking_service import checks, due, states


def event(kind, at="2024-05-06T10:00:00Z", place="Nordhaven"):
    return {"kind": kind, "place": place, "at": at}


def refusal(function, *arguments):
    try:
        function(*arguments)
    except Problem as problem:
        return problem.status, problem.code
    return None


class Steps(unittest.TestCase):
    def test_every_step_that_is_allowed(self):
        allowed = {
            (state, kind)
            for state in states.FOLLOWERS
            for kind in states.KINDS
            if refusal(states.check_step, state, kind, []) is None
        }
        self.assertEqual(len(allowed), 18)
        self.assertIn(("accepted", "in_locker"), allowed)
        self.assertIn(("in_transit", "in_transit"), allowed)
        self.assertNotIn(("in_transit", "cancelled"), allowed)
        self.assertNotIn(("in_locker", "returned"), allowed)

    def test_refusals_say_why(self):
        self.assertEqual(refusal(states.check_step, "accepted", "delivered", []), (409, "not_allowed"))
        self.assertEqual(refusal(states.check_step, "delivered", "returned", []), (409, "shipment_closed"))

    def test_no_fourth_attempt(self):
        failed = [event("attempt_failed")] * 3
        step = ("attempt_failed", "out_for_delivery")
        self.assertIsNone(refusal(states.check_step, *step, failed[:2]))
        self.assertEqual(refusal(states.check_step, *step, failed), (409, "too_many_attempts"))
        self.assertIsNone(refusal(states.check_step, "attempt_failed", "returned", failed))

    def test_number_of_attempts_from_the_environment(self):
        with mock.patch.dict(os.environ, {"MAX_ATTEMPTS": "1"}):
            failed = [event("attempt_failed")]
            self.assertIsNotNone(refusal(states.check_step, "attempt_failed", "out_for_delivery", failed))

    def test_order_and_repeats(self):
        known = [event("accepted")]
        self.assertTrue(states.is_repeat(event("accepted"), known))
        self.assertFalse(states.is_repeat(event("accepted", place="Sudhaven"), known))
        self.assertIsNone(refusal(states.check_order, event("in_transit"), known))
        earlier = event("in_transit", "2024-05-06T09:59:59Z")
        self.assertEqual(refusal(states.check_order, earlier, known), (409, "out_of_order"))


class DueDates(unittest.TestCase):
    def test_working_days_leave_sundays_out(self):
        self.assertEqual(due.due_date("standard", "accepted", [event("accepted")]), "2024-05-09")
        friday = [event("accepted", "2024-05-10T10:00:00Z")]
        self.assertEqual(due.due_date("standard", "in_transit", friday), "2024-05-14")
        self.assertEqual(due.due_date("locker", "in_transit", friday), "2024-05-13")

    def test_express_after_noon_takes_a_day_more(self):
        self.assertEqual(due.due_date("express", "accepted", [event("accepted")]), "2024-05-07")
        noon = [event("accepted", "2024-05-06T12:00:00Z")]
        self.assertEqual(due.due_date("express", "accepted", noon), "2024-05-08")
        self.assertEqual(due.due_date("standard", "accepted", noon), "2024-05-09")

    def test_each_failed_attempt_takes_a_day_more(self):
        events = [event("accepted"), event("attempt_failed"), event("attempt_failed")]
        self.assertEqual(due.due_date("express", "attempt_failed", events), "2024-05-09")

    def test_no_due_date_before_and_after(self):
        self.assertIsNone(due.due_date("standard", "announced", []))
        for state in ("delivered", "cancelled", "in_locker", "locker_expired"):
            self.assertIsNone(due.due_date("standard", state, [event("accepted")]), state)


class Checks(unittest.TestCase):
    def test_times_are_turned_into_utc(self):
        self.assertEqual(checks.moment({"at": "2024-05-06T12:30:00+02:00"}, "at"), "2024-05-06T10:30:00Z")
        for text in (None, "noon", "2024-05-06T12:30:00"):
            self.assertEqual(refusal(checks.moment, {"at": text}, "at"), (400, "bad_field"))

    def test_events(self):
        self.assertEqual(checks.event(event("accepted", place=" Nordhaven ")), event("accepted"))
        self.assertEqual(refusal(checks.event, event("announced")), (400, "bad_field"))
        self.assertEqual(refusal(checks.event, event("accepted", place=" ")), (400, "bad_field"))
        self.assertEqual(checks.event(event("accepted", place="x" * 60))["place"], "x" * 60)
        self.assertEqual(refusal(checks.event, event("accepted", place="x" * 61)), (422, "place_too_long"))
