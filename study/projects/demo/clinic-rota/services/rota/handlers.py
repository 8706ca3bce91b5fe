"""HTTP interface of rota-service."""

from dataclasses import asdict, replace

from common.clock import parse_clock, parse_day, utc_today
from common.web import JsonHandler, Problem, make_application
from services.rota.domain import (
    availability,
    check_leave,
    check_shift,
    on_duty,
    read_leave,
    read_shift,
    read_staff_id,
)

LONGEST_VISIT = 240


class HealthHandler(JsonHandler):
    def get(self):
        self.reply({"status": "ok", "service": "rota-service"})


class RotaHandler(JsonHandler):
    def initialize(self, store):
        self.store = store

    def find_shift(self, shift_id):
        shift = self.store.get_shift(int(shift_id))
        if shift is None:
            raise Problem(404, "unknown_shift", f"there is no shift {shift_id}")
        return shift

    def check(self, shift):
        """Raise a Problem if the shift breaks a rule; a shift is never in its own way."""
        own = [other for other in self.store.shifts(staff_id=shift.staff_id) if other.id != shift.id]
        same_day = [other for other in self.store.shifts(date=shift.date) if other.id != shift.id]
        check_shift(shift, own, same_day, self.store.leaves(shift.staff_id))


class ShiftsHandler(RotaHandler):
    def get(self):
        date = self.get_query_argument("date", None)
        if date is not None:
            parse_day(date)
        shifts = self.store.shifts(date, self.get_query_argument("staff_id", None))
        self.reply({"shifts": [asdict(shift) for shift in shifts]})

    def post(self):
        shift = read_shift(self.read_body())
        self.check(shift)
        self.reply(asdict(self.store.add_shift(shift)), 201)


class ShiftHandler(RotaHandler):
    def get(self, shift_id):
        self.reply(asdict(self.find_shift(shift_id)))

    def delete(self, shift_id):
        self.store.remove_shift(self.find_shift(shift_id).id)
        self.set_status(204)


class HandoverHandler(RotaHandler):
    def post(self, shift_id):
        shift = self.find_shift(shift_id)
        successor = read_staff_id(self.read_body(), "to")
        if successor == shift.staff_id:
            raise Problem(409, "same_person", "the shift is this person's already")
        taken_over = replace(shift, staff_id=successor)
        self.check(taken_over)
        self.store.hand_over(shift.id, successor)
        self.reply(asdict(taken_over))


class LeaveHandler(RotaHandler):
    def post(self):
        leave = read_leave(self.read_body())
        own_shifts = self.store.shifts(staff_id=leave.staff_id)
        check_leave(leave, own_shifts, self.store.leaves(leave.staff_id))
        self.reply(asdict(self.store.add_leave(leave)), 201)


class OnDutyHandler(RotaHandler):
    def get(self):
        date = self.get_query_argument("date", None)
        day = utc_today() if date is None else parse_day(date)
        time = self.get_query_argument("time", None)
        at = None if time is None else parse_clock(time, "time")
        shifts = on_duty(self.store.shifts(date=day.isoformat()), at)
        self.reply({"date": day.isoformat(), "on_duty": [asdict(shift) for shift in shifts]})


class AvailabilityHandler(RotaHandler):
    def get(self):
        staff_id = self.get_query_argument("staff_id", "")
        if not staff_id:
            raise Problem(422, "bad_staff_id", "staff_id must not be empty")
        date = parse_day(self.get_query_argument("date", None)).isoformat()
        start = parse_clock(self.get_query_argument("start", None))
        minutes = self.get_query_argument("minutes", "")
        if not minutes.isdecimal() or not 1 <= int(minutes) <= LONGEST_VISIT:
            raise Problem(422, "bad_minutes", f"minutes must be a number from 1 to {LONGEST_VISIT}")
        on_leave = any(leave.includes(date) for leave in self.store.leaves(staff_id))
        shifts = self.store.shifts(date, staff_id)
        self.reply(availability(shifts, on_leave, start, int(minutes)))


def make_app(store):
    shared = {"store": store}
    return make_application(
        [
            (r"/health", HealthHandler),
            (r"/shifts", ShiftsHandler, shared),
            (r"/shifts/(\d+)", ShiftHandler, shared),
            (r"/shifts/(\d+)/handover", HandoverHandler, shared),
            (r"/leave", LeaveHandler, shared),
            (r"/on-duty", OnDutyHandler, shared),
            (r"/availability", AvailabilityHandler, shared),
        ]
    )
