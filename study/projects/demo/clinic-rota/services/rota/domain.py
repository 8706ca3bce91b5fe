"""Shifts, leave, and the rules on working time."""

import re
from dataclasses import dataclass
from datetime import datetime, time, timedelta

from common.clock import parse_clock, parse_day
from common.web import Problem

GRID = 15
SHORTEST_SHIFT = 2 * 60
LONGEST_SHIFT = 10 * 60
NIGHTLY_REST = 11 * 60
WEEKLY_LIMIT = 40 * 60
LONGEST_LEAVE = 30
KINDS = ("regular", "on_call")


@dataclass(frozen=True)
class Shift:
    staff_id: str
    date: str
    start: str
    end: str
    kind: str
    room: str | None
    id: int | None = None

    @property
    def day(self):
        return parse_day(self.date)

    @property
    def minutes(self):
        return parse_clock(self.end) - parse_clock(self.start)

    @property
    def counted_minutes(self):
        """Time that counts towards the weekly limit: being on call counts half."""
        if self.kind == "on_call":
            return self.minutes // 2
        return self.minutes

    def covers(self, start, end):
        """True if the whole stretch from `start` to `end` (minutes of the day) lies in the shift."""
        return parse_clock(self.start) <= start and end <= parse_clock(self.end)

    def overlaps(self, other):
        return self.date == other.date and self.start < other.end and other.start < self.end


@dataclass(frozen=True)
class Leave:
    staff_id: str
    first_day: str
    last_day: str
    id: int | None = None

    def includes(self, date):
        return self.first_day <= date <= self.last_day


def read_staff_id(body, field="staff_id"):
    staff_id = body.get(field)
    if not isinstance(staff_id, str) or not staff_id.strip():
        raise Problem(422, "bad_staff_id", f"{field} must not be empty")
    return staff_id.strip()


def read_shift(body):
    """A shift from the body of a request, if it is sound in itself."""
    staff_id = read_staff_id(body)
    date = parse_day(body.get("date")).isoformat()
    start = parse_clock(body.get("start"), "start")
    end = parse_clock(body.get("end"), "end")
    if start % GRID or end % GRID:
        raise Problem(422, "off_grid", f"shifts start and end on a multiple of {GRID} minutes")
    if end <= start:
        raise Problem(422, "end_before_start", "a shift ends later on the day on which it starts")
    if end - start < SHORTEST_SHIFT:
        raise Problem(422, "shift_too_short", f"a shift lasts at least {SHORTEST_SHIFT} minutes")
    if end - start > LONGEST_SHIFT:
        raise Problem(422, "shift_too_long", f"a shift lasts at most {LONGEST_SHIFT} minutes")
    kind = body.get("kind", "regular")
    if kind not in KINDS:
        raise Problem(422, "unknown_kind", f"kind must be one of {', '.join(KINDS)}")
    room = read_room(kind, body.get("room"))
    return Shift(staff_id, date, body["start"], body["end"], kind, room)


def read_room(kind, room):
    """Regular shifts take place in a room, on-call shifts do not."""
    if kind == "on_call":
        if room is not None:
            raise Problem(422, "room_not_allowed", "an on-call shift has no room")
        return None
    if not isinstance(room, str) or not re.fullmatch(r"R[1-9]", room):
        raise Problem(422, "bad_room", "room must be one of R1 to R9")
    return room


def read_leave(body):
    staff_id = read_staff_id(body)
    first = parse_day(body.get("first_day"), "first_day")
    last = parse_day(body.get("last_day"), "last_day")
    if last < first:
        raise Problem(422, "bad_period", "leave ends on its first day or later")
    if (last - first).days + 1 > LONGEST_LEAVE:
        raise Problem(422, "leave_too_long", f"leave lasts at most {LONGEST_LEAVE} days")
    return Leave(staff_id, first.isoformat(), last.isoformat())


def moment(date, clock):
    return datetime.combine(parse_day(date), time()) + timedelta(minutes=parse_clock(clock))


def rest_between(one, other):
    """Minutes between the end of the earlier and the start of the later of two shifts."""
    earlier, later = sorted((one, other), key=lambda shift: (shift.date, shift.start))
    pause = moment(later.date, later.start) - moment(earlier.date, earlier.end)
    return pause // timedelta(minutes=1)


def check_working_time(shift, own_shifts):
    """Hold a new shift against the other shifts of the same person."""
    same_week = 0
    for other in own_shifts:
        if shift.overlaps(other):
            raise Problem(409, "overlap", f"{shift.staff_id} works from {other.start} to {other.end} already")
        if other.date != shift.date and rest_between(shift, other) < NIGHTLY_REST:
            raise Problem(409, "rest_too_short", f"less than {NIGHTLY_REST} minutes from or to {other.date}")
        if other.day.isocalendar()[:2] == shift.day.isocalendar()[:2]:
            same_week += other.counted_minutes
    if same_week + shift.counted_minutes > WEEKLY_LIMIT:
        raise Problem(409, "weekly_limit", f"more than {WEEKLY_LIMIT} minutes in one week")


def check_shift(shift, own_shifts, day_shifts, leaves):
    """All rules that relate a new shift to what is on the rota already."""
    if any(leave.includes(shift.date) for leave in leaves):
        raise Problem(409, "on_leave", f"{shift.staff_id} is on leave on {shift.date}")
    check_working_time(shift, own_shifts)
    for other in day_shifts:
        if shift.room is not None and other.room == shift.room and shift.overlaps(other):
            raise Problem(409, "room_taken", f"{other.staff_id} is in {shift.room} at that time")


def check_leave(leave, own_shifts, own_leaves):
    for other in own_leaves:
        if leave.first_day <= other.last_day and other.first_day <= leave.last_day:
            raise Problem(409, "leave_overlap", f"there is leave from {other.first_day} already")
    if any(leave.includes(shift.date) for shift in own_shifts):
        raise Problem(409, "shifts_in_leave", "take the shifts of these days off the rota first")


def availability(day_shifts, on_leave, start, minutes):
    """Whether a person can see a patient then, and if so in which room; if not, why not."""
    if on_leave:
        return {"available": False, "reason": "on_leave", "room": None}
    regular = [shift for shift in day_shifts if shift.kind == "regular"]
    if not regular:
        return {"available": False, "reason": "not_on_rota", "room": None}
    for shift in regular:
        if shift.covers(start, start + minutes):
            return {"available": True, "reason": None, "room": shift.room}
    return {"available": False, "reason": "outside_shift", "room": None}


def on_duty(day_shifts, at=None):
    """The shifts of a day, or those that run at one moment; the end of a shift is no part of it."""
    if at is not None:
        day_shifts = [s for s in day_shifts if parse_clock(s.start) <= at < parse_clock(s.end)]
    return sorted(day_shifts, key=lambda shift: (shift.start, shift.staff_id))
