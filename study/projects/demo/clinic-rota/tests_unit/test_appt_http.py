import pytest
from services.appt.handlers import make_app
from services.appt.store import AppointmentBook

DAY = "2093-05-11"
SHIFT = {"staff_id": "DR-01", "start": "08:00", "end": "10:00", "kind": "regular", "room": "R1"}


class FakeStaff:
    async def person(self, staff_id):
        people = {"DR-01": "doctor", "NU-01": "nurse"}
        if staff_id not in people:
            return None
        return {"id": staff_id, "name": staff_id, "role": people[staff_id], "active": True}


class FakeRota:
    async def availability(self, staff_id, date, start, minutes):
        if start >= "18:00":
            return {"available": False, "reason": "outside_shift", "room": None}
        return {"available": True, "reason": None, "room": "R1"}

    async def shifts(self, staff_id, date):
        return [SHIFT]

    async def on_duty(self, date):
        return [SHIFT]


@pytest.fixture
def ask(http):
    book = AppointmentBook(":memory:")
    app = make_app(book, FakeStaff(), FakeRota())
    yield lambda method, path, body=None: http(app, method, path, body)
    book.db.close()


def wish(**changes):
    return {
        "patient": "P-100",
        "staff_id": "DR-01",
        "kind": "consultation",
        "date": DAY,
        "start": "09:00",
        **changes,
    }


def refused(answer):
    """Status and code of an error."""
    status, body = answer
    return status, body["error"]


def test_health_and_bodies_that_are_no_objects(ask):
    assert ask("GET", "/health") == (200, {"status": "ok", "service": "appointment-service"})
    assert refused(ask("POST", "/appointments", ["P-100"])) == (400, "bad_json")


def test_book_and_read_back(ask):
    status, booked = ask("POST", "/appointments", wish(note=" first visit "))
    assert status == 201
    assert booked == {
        **wish(note="first visit"),
        "id": 1,
        "end": "09:30",
        "room": "R1",
        "state": "booked",
        "late": False,
        "moves": 0,
    }
    assert ask("GET", "/appointments/1") == (200, booked)
    assert refused(ask("GET", "/appointments/2")) == (404, "unknown_appointment")


def test_refused_appointments_are_not_booked(ask):
    assert refused(ask("POST", "/appointments", wish(date="2001-01-01"))) == (422, "date_in_past")
    assert refused(ask("POST", "/appointments", wish(staff_id="XX-01"))) == (422, "unknown_staff")
    assert refused(ask("POST", "/appointments", wish(start="18:00"))) == (409, "outside_shift")
    ask("POST", "/appointments", wish())
    assert refused(ask("POST", "/appointments", wish(patient="P-200", start="09:15"))) == (409, "staff_busy")
    assert len(ask("GET", "/appointments")[1]["appointments"]) == 1


def test_list_by_day_person_patient_and_state(ask):
    ask("POST", "/appointments", wish())
    ask("POST", "/appointments", wish(patient="P-200", staff_id="NU-01", kind="follow_up", start="08:00"))
    everything = ask("GET", f"/appointments?date={DAY}")[1]["appointments"]
    assert [appointment["start"] for appointment in everything] == ["08:00", "09:00"]
    assert [a["id"] for a in ask("GET", "/appointments?patient=P-100")[1]["appointments"]] == [1]
    assert [a["id"] for a in ask("GET", "/appointments?staff_id=NU-01")[1]["appointments"]] == [2]
    assert ask("GET", "/appointments?state=cancelled")[1]["appointments"] == []
    assert refused(ask("GET", "/appointments?state=lost")) == (422, "unknown_state")
    assert refused(ask("GET", "/appointments?date=monday")) == (422, "bad_date")


def test_move_to_another_time(ask):
    ask("POST", "/appointments", wish())
    ask("POST", "/appointments", wish(patient="P-200", start="10:00"))
    assert refused(ask("PATCH", "/appointments/1", {"date": DAY, "start": "10:15"})) == (409, "staff_busy")
    status, moved = ask("PATCH", "/appointments/1", {"date": DAY, "start": "09:15"})
    assert (status, moved["start"], moved["end"], moved["moves"]) == (200, "09:15", "09:45", 1)
    assert len(ask("GET", "/appointments")[1]["appointments"]) == 2


def test_cancel_once_and_free_the_time(ask):
    ask("POST", "/appointments", wish())
    status, cancelled = ask("POST", "/appointments/1/cancel")
    assert (status, cancelled["state"], cancelled["late"]) == (200, "cancelled", False)
    assert refused(ask("POST", "/appointments/1/cancel")) == (409, "not_booked")
    assert ask("POST", "/appointments", wish(patient="P-200"))[0] == 201


def test_close_with_an_outcome(ask):
    ask("POST", "/appointments", wish())
    assert refused(ask("POST", "/appointments/1/outcome", {"outcome": "late"})) == (422, "unknown_outcome")
    assert ask("POST", "/appointments/1/outcome", {"outcome": "attended"})[1]["state"] == "attended"
    assert refused(ask("POST", "/appointments/1/outcome", {"outcome": "missed"})) == (409, "not_booked")


def test_slots_and_board_leave_out_cancelled_visits(ask):
    ask("POST", "/appointments", wish(start="08:00"))
    ask("POST", "/appointments", wish(patient="P-200", start="09:00"))
    ask("POST", "/appointments/1/cancel")
    path = f"/slots?staff_id=DR-01&date={DAY}&kind=procedure"
    assert ask("GET", path)[1]["slots"] == ["08:00"]
    assert refused(ask("GET", f"{path}s")) == (422, "unknown_kind")
    assert refused(ask("GET", f"/slots?staff_id=XX-01&date={DAY}")) == (422, "unknown_staff")
    assert refused(ask("GET", "/board?date=monday")) == (422, "bad_date")
    assert ask("GET", "/board")[0] == 200
    status, answer = ask("GET", f"/board?date={DAY}")
    assert (status, answer["date"], answer["board"][0]["appointments"]) == (200, DAY, 1)
