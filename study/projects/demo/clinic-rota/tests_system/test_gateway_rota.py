"""The gateway as a consumer of rota-service: two real processes, driven through the gateway."""

import pytest

GATEWAY, ROTA = "services/gateway", "services/rota"
MONDAY = "2093-05-11"


@pytest.fixture(scope="module")
def clinic(system):
    return system.start({ROTA: {}, GATEWAY: {"ROTA_URL": ROTA}})


def new_shift(**changes):
    return {"staff_id": "ST-01", "date": MONDAY, "start": "08:00", "end": "12:00", "room": "R1", **changes}


def test_a_shift_is_entered_and_deleted_through_the_gateway(clinic):
    status, shift = clinic.ask(GATEWAY, "POST", "/api/rota/shifts", new_shift())
    assert status == 201
    path = f"/api/rota/shifts/{shift['id']}"
    assert clinic.ask(GATEWAY, "GET", path) == (200, shift)
    assert clinic.ask(GATEWAY, "DELETE", path) == (204, None)
    assert clinic.ask(GATEWAY, "GET", path)[0] == 404


def test_refusals_come_through_unchanged(clinic):
    status, answer = clinic.ask(GATEWAY, "POST", "/api/rota/shifts", new_shift(end="09:00"))
    assert (status, answer["error"]) == (422, "shift_too_short")


def test_a_handover_and_the_query_reach_the_service(clinic):
    shift = clinic.ask(GATEWAY, "POST", "/api/rota/shifts", new_shift(date="2093-05-18", staff_id="ST-02"))[1]
    path = f"/api/rota/shifts/{shift['id']}/handover"
    assert clinic.ask(GATEWAY, "POST", path, {"to": "ST-03"})[0] == 200
    on_duty = clinic.ask(GATEWAY, "GET", "/api/rota/on-duty?date=2093-05-18&time=08:00")[1]["on_duty"]
    assert [entry["staff_id"] for entry in on_duty] == ["ST-03"]


def test_leave_entered_through_the_gateway_counts(clinic):
    leave = {"staff_id": "ST-04", "first_day": MONDAY, "last_day": MONDAY}
    assert clinic.ask(GATEWAY, "POST", "/api/rota/leave", leave)[0] == 201
    path = f"/api/rota/availability?staff_id=ST-04&date={MONDAY}&start=09:00&minutes=30"
    assert clinic.ask(GATEWAY, "GET", path)[1]["reason"] == "on_leave"


def test_shifts_are_not_patched(clinic):
    status, answer = clinic.ask(GATEWAY, "PATCH", "/api/rota/shifts/1", {"end": "13:00"})
    assert (status, answer["error"]) == (405, "method_not_allowed")
