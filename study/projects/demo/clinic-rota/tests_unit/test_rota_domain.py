from dataclasses import replace

import pytest
from common.web import Problem
from services.rota.domain import (
    Leave,
    Shift,
    availability,
    check_leave,
    check_shift,
    check_working_time,
    on_duty,
    read_leave,
    read_shift,
)

MONDAY = "2031-05-12"
BODY = {"staff_id": "DR-01", "date": MONDAY, "start": "08:00", "end": "16:00", "room": "R2"}


def shift(start="08:00", end="16:00", date=MONDAY, kind="regular", room="R2", staff_id="DR-01"):
    return Shift(staff_id, date, start, end, kind, room)


def code_of(function, *arguments):
    with pytest.raises(Problem) as caught:
        function(*arguments)
    return caught.value.status_code, caught.value.code


def test_a_sound_shift_is_read():
    assert read_shift(BODY) == shift()
    assert read_shift({**BODY, "kind": "on_call", "room": None}) == shift(kind="on_call", room=None)


def test_unsound_times_are_refused():
    assert code_of(read_shift, {**BODY, "date": "2031-02-29"}) == (422, "bad_date")
    assert code_of(read_shift, {**BODY, "start": "08:10"}) == (422, "off_grid")
    assert code_of(read_shift, {**BODY, "end": "16:05"}) == (422, "off_grid")
    assert code_of(read_shift, {**BODY, "end": "08:00"}) == (422, "end_before_start")


def test_unsound_people_kinds_and_rooms_are_refused():
    assert code_of(read_shift, {**BODY, "staff_id": " "}) == (422, "bad_staff_id")
    assert code_of(read_shift, {**BODY, "staff_id": 7}) == (422, "bad_staff_id")
    assert code_of(read_shift, {**BODY, "kind": "night"}) == (422, "unknown_kind")
    assert code_of(read_shift, {**BODY, "room": "B1"}) == (422, "bad_room")
    assert code_of(read_shift, {**BODY, "room": None}) == (422, "bad_room")
    assert code_of(read_shift, {**BODY, "kind": "on_call"}) == (422, "room_not_allowed")


def test_a_shift_lasts_two_to_ten_hours():
    assert read_shift({**BODY, "end": "10:00"}).minutes == 120
    assert read_shift({**BODY, "end": "18:00"}).minutes == 600
    assert code_of(read_shift, {**BODY, "end": "09:45"}) == (422, "shift_too_short")
    assert code_of(read_shift, {**BODY, "end": "18:15"}) == (422, "shift_too_long")


def test_shifts_may_touch_but_not_overlap():
    check_working_time(shift("08:00", "12:00"), [shift("12:00", "16:00")])
    check_working_time(shift("12:00", "16:00"), [shift("08:00", "12:00")])
    check_working_time(shift("08:00", "12:00"), [shift("08:00", "12:00", date="2031-05-14")])
    assert code_of(check_working_time, shift("08:00", "12:15"), [shift("12:00", "16:00")]) == (409, "overlap")


def test_eleven_hours_of_rest_before_and_after():
    late = shift("13:00", "21:00")
    early = shift("08:00", "12:00", date="2031-05-13")
    check_working_time(late, [early])
    check_working_time(early, [late])
    assert code_of(check_working_time, replace(late, end="21:15"), [early]) == (409, "rest_too_short")
    assert code_of(check_working_time, replace(early, start="07:45"), [late]) == (409, "rest_too_short")


def test_forty_hours_a_week_where_being_on_call_counts_half():
    week = [shift(date=f"2031-05-{day}") for day in (13, 14, 15)]
    on_call = shift(date="2031-05-16", kind="on_call", room=None)
    sunday_before = shift(date="2031-05-11")
    saturday = shift("08:00", "12:00", date="2031-05-17")
    longer = replace(saturday, end="12:15")
    wanted = shift(date="2031-05-12")
    check_working_time(wanted, [*week, on_call, sunday_before, saturday])
    assert code_of(check_working_time, wanted, [*week, on_call, longer]) == (409, "weekly_limit")
    worked = replace(on_call, kind="regular")
    assert code_of(check_working_time, wanted, [*week, worked, saturday]) == (409, "weekly_limit")
    check_working_time(replace(wanted, kind="on_call"), [*week, worked, saturday])


def test_a_room_holds_one_person_at_a_time():
    other = shift("12:00", "16:00", staff_id="DR-02")
    assert code_of(check_shift, shift(), [], [other], []) == (409, "room_taken")
    check_shift(shift(room="R3"), [], [other], [])
    check_shift(shift(end="12:00"), [], [other], [])
    check_shift(shift(kind="on_call", room=None), [], [replace(other, kind="on_call", room=None)], [])


def test_no_shift_during_leave():
    leave = Leave("DR-01", "2031-05-12", "2031-05-14")
    assert code_of(check_shift, shift(date="2031-05-14"), [], [], [leave]) == (409, "on_leave")
    check_shift(shift(date="2031-05-15"), [], [], [leave])


def test_leave_has_limits_and_needs_days_without_shifts():
    period = {"staff_id": "DR-01", "first_day": "2031-05-01"}
    leave = read_leave({**period, "last_day": "2031-05-30"})
    assert leave == Leave("DR-01", "2031-05-01", "2031-05-30")
    assert code_of(read_leave, {**period, "last_day": "2031-05-31"}) == (422, "leave_too_long")
    assert code_of(read_leave, {**period, "last_day": "2031-04-30"}) == (422, "bad_period")
    before, after = Leave("DR-01", "2031-04-01", "2031-04-30"), Leave("DR-01", "2031-05-31", "2031-06-02")
    check_leave(leave, [shift(date="2031-05-31")], [before, after])
    assert code_of(check_leave, leave, [shift(date="2031-05-30")], []) == (409, "shifts_in_leave")
    for touching in (replace(before, last_day="2031-05-01"), replace(after, first_day="2031-05-30")):
        assert code_of(check_leave, leave, [], [touching]) == (409, "leave_overlap")


def test_availability_gives_the_room_or_the_reason():
    day = [shift("08:00", "12:00"), shift("14:00", "18:00", room="R3")]
    assert availability(day, False, 11 * 60 + 30, 30) == {"available": True, "reason": None, "room": "R2"}
    assert availability(day, False, 14 * 60, 60)["room"] == "R3"
    assert availability(day, False, 11 * 60 + 45, 30)["reason"] == "outside_shift"
    assert availability(day, True, 9 * 60, 30)["reason"] == "on_leave"
    assert availability([shift(kind="on_call", room=None)], False, 9 * 60, 30)["reason"] == "not_on_rota"


def test_who_is_on_duty_at_a_moment():
    early, late = shift("08:00", "12:00", staff_id="NU-02"), shift("12:00", "16:00", staff_id="NU-01")
    assert on_duty([late, early]) == [early, late]
    assert on_duty([late, early], 12 * 60) == [late]
    assert on_duty([late, early], 16 * 60) == []
