"""appointment-service as a consumer of rota-service: three processes, driven by the consumer."""

from datetime import date, timedelta

import pytest

APPT, ROTA, STAFF = "services/appt", "services/rota", "services/staff"
MONDAY = date(2093, 5, 11)


@pytest.fixture(scope="module")
def clinic(system):
    system.start({STAFF: {}, ROTA: {}, APPT: {"STAFF_URL": STAFF, "ROTA_URL": ROTA}})
    for number, role in ((1, "doctor"), (2, "doctor"), (3, "nurse")):
        person = {"id": f"ST-0{number}", "name": f"Person {number}", "role": role}
        assert system.ask(STAFF, "POST", "/staff", person)[0] == 201
    return system


def day(number):
    """Each test has days of its own, a week apart."""
    return (MONDAY + timedelta(weeks=number)).isoformat()


def enter_shift(clinic, on, staff_id="ST-01", **changes):
    shift = {"staff_id": staff_id, "date": on, "start": "08:00", "end": "12:00", "room": "R1", **changes}
    status, entered = clinic.ask(ROTA, "POST", "/shifts", shift)
    assert status == 201
    return entered


def book(clinic, on, start="09:00", **changes):
    wish = {
        "patient": "P-100",
        "staff_id": "ST-01",
        "kind": "consultation",
        "date": on,
        "start": start,
        **changes,
    }
    return clinic.ask(APPT, "POST", "/appointments", wish)


def test_an_appointment_gets_the_room_of_the_shift(clinic):
    enter_shift(clinic, day(1), room="R4")
    status, booked = book(clinic, day(1))
    assert (status, booked["room"], booked["end"]) == (201, "R4", "09:30")


def test_nobody_is_booked_outside_a_shift(clinic):
    enter_shift(clinic, day(2))
    assert book(clinic, day(2), "11:45")[1]["error"] == "outside_shift"
    assert book(clinic, day(2), "11:30")[0] == 201


def test_being_on_call_is_not_for_appointments(clinic):
    enter_shift(clinic, day(3), kind="on_call", room=None)
    assert book(clinic, day(3))[1]["error"] == "not_on_rota"


def test_nobody_is_booked_during_leave(clinic):
    leave = {"staff_id": "ST-02", "first_day": day(4), "last_day": day(4)}
    assert clinic.ask(ROTA, "POST", "/leave", leave)[0] == 201
    status, answer = book(clinic, day(4), staff_id="ST-02")
    assert (status, answer["error"]) == (409, "on_leave")


def test_a_move_follows_the_rota(clinic):
    enter_shift(clinic, day(5))
    booked = book(clinic, day(5))[1]
    path = f"/appointments/{booked['id']}"
    assert clinic.ask(APPT, "PATCH", path, {"date": day(5), "start": "13:00"})[1]["error"] == "outside_shift"
    afternoon = enter_shift(clinic, day(5), start="13:00", end="15:00", room="R2")
    status, moved = clinic.ask(APPT, "PATCH", path, {"date": day(5), "start": "13:00"})
    assert (status, moved["room"], moved["start"]) == (200, afternoon["room"], "13:00")


def test_free_slots_come_from_the_shifts(clinic):
    enter_shift(clinic, day(6), end="10:00")
    book(clinic, day(6), "08:30")
    path = f"/slots?staff_id=ST-01&date={day(6)}&kind=consultation"
    assert clinic.ask(APPT, "GET", path)[1]["slots"] == ["08:00", "09:00", "09:15", "09:30"]


def test_the_board_without_a_date_shows_today(clinic):
    today = date.today().isoformat()
    enter_shift(clinic, today, staff_id="ST-02", room="R9")
    status, answer = clinic.ask(APPT, "GET", "/board")
    assert status == 200
    assert [(line["staff_id"], line["room"]) for line in answer["board"]] == [("ST-02", "R9")]


def test_unsound_wishes_are_refused_at_once(clinic):
    assert book(clinic, day(8), patient="?")[1]["error"] == "bad_patient"
    assert book(clinic, "2001-01-01")[1]["error"] == "date_in_past"


def test_unqualified_or_unknown_staff_are_refused_at_once(clinic):
    assert book(clinic, day(9), staff_id="ST-03", kind="procedure")[1]["error"] == "wrong_role"
    assert book(clinic, day(9), staff_id="ST-99")[1]["error"] == "unknown_staff"
