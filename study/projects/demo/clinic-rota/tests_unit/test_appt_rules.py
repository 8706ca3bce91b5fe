from dataclasses import replace
from datetime import date, datetime

import pytest
from common.web import Problem
from services.appt.booking import (
    Appointment,
    check_diary,
    check_move,
    check_person,
    is_late,
    read_request,
)

TODAY = date(2031, 5, 12)
BODY = {
    "patient": "P-100",
    "staff_id": "DR-01",
    "kind": "consultation",
    "date": "2031-05-12",
    "start": "09:00",
}
DOCTOR = {"id": "DR-01", "name": "Ada Brook", "role": "doctor", "active": True}


def visit(start="09:00", end="09:30", patient="P-100", staff_id="DR-01", number=None, state="booked"):
    return Appointment(patient, staff_id, "consultation", "2031-05-12", start, end, state=state, id=number)


def code_of(function, *arguments):
    with pytest.raises(Problem) as caught:
        function(*arguments)
    return caught.value.status_code, caught.value.code


def test_the_kind_decides_how_long_a_visit_takes():
    assert read_request(BODY, TODAY) == visit()
    assert read_request({**BODY, "kind": "follow_up"}, TODAY).end == "09:15"
    assert read_request({**BODY, "kind": "procedure", "note": " fasting "}, TODAY).end == "10:00"


def test_unsound_times_are_refused():
    assert code_of(read_request, {**BODY, "date": "2031-05-11"}, TODAY) == (422, "date_in_past")
    assert code_of(read_request, {**BODY, "start": "09:20"}, TODAY) == (422, "off_grid")
    assert code_of(read_request, {**BODY, "start": "23:30"}, TODAY) == (422, "past_midnight")


def test_unsound_people_kinds_and_notes_are_refused():
    for patient in ("P-12", "P-1234567", 100):
        assert code_of(read_request, {**BODY, "patient": patient}, TODAY) == (422, "bad_patient")
    for staff_id in ("", None, 7):
        assert code_of(read_request, {**BODY, "staff_id": staff_id}, TODAY) == (422, "bad_staff_id")
    assert code_of(read_request, {**BODY, "kind": "surgery"}, TODAY) == (422, "unknown_kind")
    for note in ("x" * 201, None):
        assert code_of(read_request, {**BODY, "note": note}, TODAY) == (422, "note_too_long")
    assert read_request({**BODY, "note": "x" * 200}, TODAY).note == "x" * 200


def test_only_qualified_active_staff_see_patients():
    check_person(DOCTOR, "procedure")
    check_person({**DOCTOR, "role": "therapist"}, "consultation")
    check_person({**DOCTOR, "role": "nurse"}, "follow_up")
    assert code_of(check_person, None, "consultation") == (422, "unknown_staff")
    assert code_of(check_person, {**DOCTOR, "active": False}, "consultation") == (409, "staff_inactive")
    assert code_of(check_person, {**DOCTOR, "role": "nurse"}, "consultation") == (409, "wrong_role")
    assert code_of(check_person, {**DOCTOR, "role": "therapist"}, "procedure") == (409, "wrong_role")


def test_nobody_is_in_two_visits_at_once():
    other_patient = visit("09:15", "09:45", patient="P-200", number=1)
    assert code_of(check_diary, visit(), [other_patient]) == (409, "staff_busy")
    other_doctor = visit("09:15", "09:45", staff_id="DR-02", number=1)
    assert code_of(check_diary, visit(), [other_doctor]) == (409, "patient_busy")
    check_diary(visit("09:45", "10:15"), [other_patient, other_doctor])
    check_diary(visit("08:45", "09:15"), [other_patient, other_doctor])
    check_diary(visit(), [replace(other_patient, date="2031-05-13")])
    check_diary(visit(), [replace(other_patient, state="cancelled"), replace(other_doctor, state="missed")])


def test_two_visits_a_day_are_enough_for_a_patient():
    first, second = visit("07:00", "07:30", number=1), visit("08:00", "08:30", staff_id="DR-02", number=2)
    check_diary(visit(), [first])
    assert code_of(check_diary, visit(), [first, second]) == (409, "daily_limit")
    check_diary(visit(number=2), [first, second])


def test_an_appointment_moves_twice_at_most():
    check_move(replace(visit(), moves=1))
    assert code_of(check_move, replace(visit(), moves=2)) == (409, "moved_too_often")
    assert code_of(check_move, visit(state="attended")) == (409, "not_booked")


def test_cancelling_within_a_day_is_late():
    assert not is_late(visit(), datetime(2031, 5, 11, 9, 0))
    assert is_late(visit(), datetime(2031, 5, 11, 9, 1))
