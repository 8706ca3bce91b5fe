"""Appointments: what may be booked, moved, cancelled and closed."""

import re
from dataclasses import dataclass
from datetime import datetime, time, timedelta

from common.clock import clock_text, parse_clock, parse_day
from common.web import Problem

GRID = 15
MINUTES = {"follow_up": 15, "consultation": 30, "procedure": 60}
QUALIFIED = {
    "follow_up": ("doctor", "nurse", "therapist"),
    "consultation": ("doctor", "therapist"),
    "procedure": ("doctor",),
}
STATES = ("booked", "cancelled", "attended", "missed")
OUTCOMES = ("attended", "missed")
PER_PATIENT_AND_DAY = 2
MOVES_ALLOWED = 2
NOTICE = timedelta(hours=24)
LONGEST_NOTE = 200


@dataclass(frozen=True)
class Appointment:
    patient: str
    staff_id: str
    kind: str
    date: str
    start: str
    end: str
    note: str = ""
    room: str | None = None
    state: str = "booked"
    late: bool = False
    moves: int = 0
    id: int | None = None

    @property
    def starts_at(self):
        return datetime.combine(parse_day(self.date), time()) + timedelta(minutes=parse_clock(self.start))

    def overlaps(self, other):
        return self.date == other.date and self.start < other.end and other.start < self.end


def read_time(body, kind, today):
    """Date, start and end of a visit of this kind from the body of a request."""
    day = parse_day(body.get("date"))
    if day < today:
        raise Problem(422, "date_in_past", f"{day} is over")
    start = parse_clock(body.get("start"))
    if start % GRID:
        raise Problem(422, "off_grid", f"appointments start on a multiple of {GRID} minutes")
    end = start + MINUTES[kind]
    if end >= 24 * 60:
        raise Problem(422, "past_midnight", "an appointment ends on the day on which it starts")
    return day.isoformat(), clock_text(start), clock_text(end)


def read_request(body, today):
    """A new appointment from the body of a request, if it is sound in itself."""
    patient = body.get("patient")
    if not isinstance(patient, str) or not re.fullmatch(r"P-\d{3,6}", patient):
        raise Problem(422, "bad_patient", "patient must look like P-1234")
    staff_id = body.get("staff_id")
    if not isinstance(staff_id, str) or not staff_id:
        raise Problem(422, "bad_staff_id", "staff_id must not be empty")
    kind = body.get("kind")
    if kind not in MINUTES:
        raise Problem(422, "unknown_kind", f"kind must be one of {', '.join(MINUTES)}")
    note = body.get("note", "")
    if not isinstance(note, str) or len(note) > LONGEST_NOTE:
        raise Problem(422, "note_too_long", f"a note has at most {LONGEST_NOTE} characters")
    return Appointment(patient, staff_id, kind, *read_time(body, kind, today), note.strip())


def check_person(person, kind):
    """The person who is asked for must work here and be qualified for such a visit."""
    if person is None:
        raise Problem(422, "unknown_staff", "nobody has this staff id")
    if not person["active"]:
        raise Problem(409, "staff_inactive", f"{person['name']} does not see patients at present")
    if person["role"] not in QUALIFIED[kind]:
        raise Problem(409, "wrong_role", f"a {person['role']} does not do this: {kind}")


def check_diary(wanted, same_day):
    """Hold a wanted appointment against the others of its day; only booked ones stand in the way."""
    others = [other for other in same_day if other.state == "booked" and other.id != wanted.id]
    for other in others:
        if other.staff_id == wanted.staff_id and wanted.overlaps(other):
            raise Problem(409, "staff_busy", f"{other.staff_id} sees a patient from {other.start} on")
    patients = [other for other in others if other.patient == wanted.patient]
    if any(wanted.overlaps(other) for other in patients):
        raise Problem(409, "patient_busy", f"{wanted.patient} is with somebody else then")
    if len(patients) >= PER_PATIENT_AND_DAY:
        raise Problem(409, "daily_limit", f"at most {PER_PATIENT_AND_DAY} appointments a day for one patient")


def check_booked(appointment):
    if appointment.state != "booked":
        raise Problem(409, "not_booked", f"the appointment is {appointment.state}")


def check_move(appointment):
    check_booked(appointment)
    if appointment.moves >= MOVES_ALLOWED:
        raise Problem(409, "moved_too_often", f"an appointment can be moved {MOVES_ALLOWED} times")


def is_late(appointment, now):
    """True if cancelling now leaves the clinic less than the notice it asks for."""
    return appointment.starts_at - now < NOTICE


def read_outcome(body):
    outcome = body.get("outcome")
    if outcome not in OUTCOMES:
        raise Problem(422, "unknown_outcome", f"outcome must be one of {', '.join(OUTCOMES)}")
    return outcome
