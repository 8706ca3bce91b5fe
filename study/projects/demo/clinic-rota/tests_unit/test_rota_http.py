from datetime import date

import pytest
from services.rota.handlers import make_app
from services.rota.store import RotaStore

MONDAY = "2031-05-12"


@pytest.fixture
def ask(http):
    store = RotaStore(":memory:")
    app = make_app(store)
    yield lambda method, path, body=None: http(app, method, path, body)
    store.db.close()


def new_shift(**changes):
    shift = {"staff_id": "DR-01", "date": MONDAY, "start": "08:00", "end": "16:00", "room": "R1"}
    return {**shift, **changes}


def refused(answer):
    """Status and code of an error."""
    status, body = answer
    return status, body["error"]


def test_health_and_unknown_paths(ask):
    assert ask("GET", "/health") == (200, {"status": "ok", "service": "rota-service"})
    assert ask("GET", "/nowhere")[0] == 404


def test_enter_read_list_and_delete_a_shift(ask):
    status, shift = ask("POST", "/shifts", new_shift())
    assert (status, shift["kind"], shift["room"]) == (201, "regular", "R1")
    assert ask("GET", f"/shifts/{shift['id']}") == (200, shift)
    assert ask("GET", f"/shifts?date={MONDAY}&staff_id=DR-01") == (200, {"shifts": [shift]})
    assert ask("GET", "/shifts?date=2031-05-13") == (200, {"shifts": []})
    assert ask("GET", "/shifts?staff_id=DR-02") == (200, {"shifts": []})
    assert refused(ask("GET", "/shifts?date=monday")) == (422, "bad_date")
    assert ask("DELETE", f"/shifts/{shift['id']}") == (204, None)
    assert refused(ask("GET", f"/shifts/{shift['id']}")) == (404, "unknown_shift")


def test_a_refused_shift_is_not_entered(ask):
    ask("POST", "/shifts", new_shift())
    assert refused(ask("POST", "/shifts", new_shift(staff_id="DR-02"))) == (409, "room_taken")
    assert len(ask("GET", "/shifts")[1]["shifts"]) == 1


def test_a_handover_obeys_the_rules_for_the_successor(ask):
    _, shift = ask("POST", "/shifts", new_shift())
    ask("POST", "/shifts", new_shift(staff_id="DR-02", date="2031-05-13", start="06:00", end="10:00"))
    ask("POST", "/shifts", new_shift(staff_id="DR-03", start="15:00", end="18:00", room="R2"))
    path = f"/shifts/{shift['id']}/handover"
    assert refused(ask("POST", path, {"to": "DR-01"})) == (409, "same_person")
    assert refused(ask("POST", path, {"to": "DR-03"})) == (409, "overlap")
    status, handed = ask("POST", path, {"to": "DR-02"})
    assert (status, handed) == (200, {**shift, "staff_id": "DR-02"})
    assert ask("GET", f"/shifts/{shift['id']}")[1]["staff_id"] == "DR-02"


def test_leave_shuts_the_rota_for_a_person(ask):
    assert ask("POST", "/leave", {"staff_id": "DR-01", "first_day": MONDAY, "last_day": MONDAY})[0] == 201
    assert refused(ask("POST", "/shifts", new_shift())) == (409, "on_leave")
    assert ask("POST", "/shifts", new_shift(staff_id="DR-02"))[0] == 201
    path = f"/availability?staff_id=DR-01&date={MONDAY}&start=09:00&minutes=30"
    assert ask("GET", path) == (200, {"available": False, "reason": "on_leave", "room": None})


def test_availability_wants_a_complete_question(ask):
    path = f"/availability?staff_id=DR-01&date={MONDAY}&start=09:00"
    assert refused(ask("GET", f"{path}&minutes=241")) == (422, "bad_minutes")
    assert refused(ask("GET", f"{path}&minutes=0")) == (422, "bad_minutes")
    assert refused(ask("GET", f"{path}&minutes=ten")) == (422, "bad_minutes")
    assert ask("GET", f"{path}&minutes=1")[1]["reason"] == "not_on_rota"
    assert ask("GET", f"{path}&minutes=240")[1]["reason"] == "not_on_rota"
    assert refused(ask("GET", f"/availability?date={MONDAY}&start=09:00&minutes=30")) == (422, "bad_staff_id")


def test_on_duty_without_a_date_is_about_today(ask):
    ask("POST", "/shifts", new_shift(date=date.today().isoformat()))
    status, answer = ask("GET", "/on-duty")
    assert status == 200
    assert [shift["staff_id"] for shift in answer["on_duty"]] == ["DR-01"]


def test_on_duty_at_a_time_of_a_day(ask):
    ask("POST", "/shifts", new_shift())
    assert ask("GET", f"/on-duty?date={MONDAY}&time=15:59")[1]["on_duty"][0]["room"] == "R1"
    assert ask("GET", f"/on-duty?date={MONDAY}&time=16:00") == (200, {"date": MONDAY, "on_duty": []})
    assert refused(ask("GET", f"/on-duty?date={MONDAY}&time=25:00")) == (422, "bad_time")
