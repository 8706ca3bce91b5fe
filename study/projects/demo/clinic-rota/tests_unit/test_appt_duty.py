import asyncio

import pytest
from common.web import JsonHandler, Problem, make_application
from services.appt.booking import Appointment
from services.appt.colleagues import StaffClient
from services.appt.duty import RotaClient, board, free_slots, room_on_duty
from tornado.testing import bind_unused_port

DAY = "2031-05-12"
REGULAR = {"staff_id": "DR-01", "start": "08:00", "end": "10:00", "kind": "regular", "room": "R1"}
ON_CALL = {"staff_id": "DR-02", "start": "10:00", "end": "12:00", "kind": "on_call", "room": None}


def visit(start, end, staff_id="DR-01"):
    return Appointment("P-100", staff_id, "consultation", DAY, start, end)


class Availability(JsonHandler):
    def get(self):
        asked = {name: self.get_query_argument(name) for name in ("staff_id", "date", "start", "minutes")}
        if asked["start"] == "09:00":
            self.reply({"available": True, "reason": None, "room": asked["minutes"]})
        elif asked["start"] == "10:00":
            self.reply({"available": False, "reason": "outside_shift", "room": None})
        else:
            self.reply({"error": "bad_time", "detail": ""}, 422)


def test_the_room_comes_from_the_rota(serving):
    app = make_application([("/availability", Availability)])

    async def work(base):
        rota = RotaClient(base + "/")
        room = await room_on_duty(rota, visit("09:00", "09:30"))
        problems = []
        for start in ("10:00", "11:00"):
            with pytest.raises(Problem) as caught:
                await room_on_duty(rota, visit(start, "12:00"))
            problems.append((caught.value.status_code, caught.value.code))
        return room, problems

    assert serving(app, work) == ("30", [(409, "outside_shift"), (503, "rota_unavailable")])


class Person(JsonHandler):
    def get(self, staff_id):
        status = {"DR-01": 200, "DR 02": 404}.get(staff_id, 422)
        self.reply({"id": staff_id} if status == 200 else {"error": "some_code", "detail": ""}, status)


def test_an_unknown_person_is_none_and_an_odd_answer_no_answer(serving):
    app = make_application([("/staff/(.*)", Person)])

    async def work(base):
        staff = StaffClient(base)
        with pytest.raises(Problem) as caught:
            await staff.person("DR-03")
        return await staff.person("DR-01"), await staff.person("DR 02"), caught.value

    known, unknown, problem = serving(app, work)
    assert (known, unknown) == ({"id": "DR-01"}, None)
    assert (problem.status_code, problem.code) == (503, "staff_unavailable")


def test_a_silent_rota_is_unavailable():
    socket, port = bind_unused_port()
    socket.close()
    with pytest.raises(Problem) as caught:
        asyncio.run(RotaClient(f"http://127.0.0.1:{port}").on_duty(DAY))
    assert (caught.value.status_code, caught.value.code) == (503, "rota_unavailable")


def test_free_slots_lie_in_regular_shifts_between_visits():
    shifts = [REGULAR, ON_CALL]
    assert free_slots(shifts, [], "procedure") == ["08:00", "08:15", "08:30", "08:45", "09:00"]
    assert free_slots(shifts, [visit("08:30", "09:00")], "consultation") == [
        "08:00",
        "09:00",
        "09:15",
        "09:30",
    ]
    assert free_slots([ON_CALL], [], "follow_up") == []


def test_the_board_counts_the_patients_of_each_shift():
    visits = [
        visit("08:00", "08:30"),
        visit("09:45", "10:15"),
        visit("10:00", "10:30"),
        visit("08:00", "08:30", "DR-02"),
    ]
    assert board([REGULAR, ON_CALL], visits) == [
        {"staff_id": "DR-01", "room": "R1", "start": "08:00", "end": "10:00", "appointments": 2},
        {"staff_id": "DR-02", "room": None, "start": "10:00", "end": "12:00", "appointments": 0},
    ]
