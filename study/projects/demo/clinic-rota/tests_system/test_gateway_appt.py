"""The gateway as a consumer of appointment-service: four real processes, driven through the gateway."""

from datetime import date, timedelta

import pytest

GATEWAY, APPT, ROTA, STAFF = "services/gateway", "services/appt", "services/rota", "services/staff"
MONDAY = date(2093, 5, 11)


@pytest.fixture(scope="module")
def clinic(system):
    peers = {"STAFF_URL": STAFF, "ROTA_URL": ROTA}
    system.start({STAFF: {}, ROTA: {}, APPT: peers, GATEWAY: {**peers, "APPT_URL": APPT}})
    doctor = {"id": "DR-01", "name": "Ada Brook", "role": "doctor"}
    assert system.ask(GATEWAY, "POST", "/api/staff/staff", doctor)[0] == 201
    for number in range(1, 8):
        shift = {"staff_id": "DR-01", "date": day(number), "start": "08:00", "end": "12:00", "room": "R1"}
        assert system.ask(GATEWAY, "POST", "/api/rota/shifts", shift)[0] == 201
    return system


def day(number):
    """Each test has a day of its own."""
    return (MONDAY + timedelta(weeks=number)).isoformat()


def book(clinic, on, **changes):
    wish = {
        "patient": "P-100",
        "staff_id": "DR-01",
        "kind": "consultation",
        "date": on,
        "start": "09:00",
        **changes,
    }
    return clinic.ask(GATEWAY, "POST", "/api/appt/appointments", wish)


def test_an_appointment_is_booked_and_read_back(clinic):
    status, booked = book(clinic, day(1))
    assert (status, booked["state"], booked["room"]) == (201, "booked", "R1")
    assert clinic.ask(GATEWAY, "GET", f"/api/appt/appointments/{booked['id']}") == (200, booked)


def test_the_day_view_joins_duty_and_appointments(clinic):
    booked = book(clinic, day(2))[1]
    status, view = clinic.ask(GATEWAY, "GET", f"/api/day/{day(2)}")
    assert (status, view["date"], view["missing"]) == (200, day(2), [])
    assert [shift["staff_id"] for shift in view["on_duty"]] == ["DR-01"]
    assert view["appointments"] == [booked]


def test_a_time_is_given_once(clinic):
    book(clinic, day(3))
    status, answer = book(clinic, day(3), patient="P-200", start="09:15")
    assert (status, answer["error"]) == (409, "staff_busy")
    assert book(clinic, day(3), patient="P-200", start="09:30")[0] == 201


def test_refusals_come_through_unchanged(clinic):
    status, answer = book(clinic, day(3), staff_id="DR-99")
    assert (status, answer["error"]) == (422, "unknown_staff")
    status, answer = book(clinic, day(3), start="11:45")
    assert (status, answer["error"]) == (409, "outside_shift")


def test_a_patient_comes_twice_a_day_at_most(clinic):
    book(clinic, day(4), start="08:00")
    book(clinic, day(4), start="09:00")
    status, answer = book(clinic, day(4), start="10:00")
    assert (status, answer["error"]) == (409, "daily_limit")


def test_a_cancelled_appointment_frees_its_time(clinic):
    number = book(clinic, day(5))[1]["id"]
    status, cancelled = clinic.ask(GATEWAY, "POST", f"/api/appt/appointments/{number}/cancel")
    assert (status, cancelled["state"], cancelled["late"]) == (200, "cancelled", False)
    slots = clinic.ask(GATEWAY, "GET", f"/api/appt/slots?staff_id=DR-01&date={day(5)}&kind=procedure")[1][
        "slots"
    ]
    assert "09:00" in slots
    assert clinic.ask(GATEWAY, "POST", f"/api/appt/appointments/{number}/cancel")[0] == 409


def test_an_appointment_is_moved_and_closed(clinic):
    path = f"/api/appt/appointments/{book(clinic, day(6))[1]['id']}"
    assert clinic.ask(GATEWAY, "PATCH", path, {"date": day(6), "start": "10:00"})[1]["moves"] == 1
    assert clinic.ask(GATEWAY, "POST", f"{path}/outcome", {"outcome": "attended"})[1]["state"] == "attended"


def test_other_services_are_reached_all_the_same(clinic):
    assert clinic.ask(GATEWAY, "GET", "/api/staff/staff/DR-01")[1]["name"] == "Ada Brook"
    assert clinic.ask(GATEWAY, "GET", f"/api/rota/shifts?date={day(7)}")[1]["shifts"][0]["room"] == "R1"


def test_what_is_not_open_stays_closed(clinic):
    assert clinic.ask(GATEWAY, "DELETE", "/api/appt/appointments/1")[0] == 405
    assert clinic.ask(GATEWAY, "GET", "/api/billing/invoices")[1]["error"] == "unknown_route"
