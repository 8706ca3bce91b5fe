"""Rules of interlibrary-loan-service."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from services.interlibrary_loan_service.lifecycle import (
    arrive,
    cancel,
    check_lent,
    check_needed_by,
    check_pickup,
    check_room,
    check_title,
    close,
    days_left,
    hand_over,
    place,
)
from services.interlibrary_loan_service.partners import after_working_days, find_partner, load_partners

from tests.support.refusals import refused

TODAY = date(2026, 3, 2)
HILLSIDE = find_partner("HILLSIDE")
NEW = replace(place("M0001", "Dust", " Ira Noll ", HILLSIDE, TODAY), request_id="R0001")
READY = arrive(NEW, date(2026, 3, 30), TODAY)
LENT = hand_over(READY, "L0001")


def test_partners_are_found_in_any_spelling() -> None:
    assert sorted(load_partners()) == ["HARBOUR", "HILLSIDE", "UNIVERSITY"]
    assert find_partner(" hillside ").transit_days == 5
    with refused(422, "unknown_partner"):
        find_partner("NOWHERE")


def test_transit_takes_no_weekend() -> None:
    assert after_working_days(date(2026, 3, 2), 4) == date(2026, 3, 6)
    assert after_working_days(date(2026, 3, 6), 1) == date(2026, 3, 9)
    assert after_working_days(date(2026, 3, 7), 2) == date(2026, 3, 10)


def test_a_new_request_has_the_terms_of_its_partner() -> None:
    assert (NEW.status, NEW.author, NEW.partner) == ("requested", "Ira Noll", "HILLSIDE")
    assert (NEW.requested_on, NEW.expected_on, NEW.fee_cents) == (TODAY, date(2026, 3, 9), 250)


def test_a_title_says_something() -> None:
    assert check_title("  Dust \n and  Light ") == "Dust and Light"
    with refused(422, "invalid_title"):
        check_title(" \t")


def test_what_is_needed_before_it_can_come_is_refused() -> None:
    check_needed_by(None, date(2026, 3, 9), TODAY)
    check_needed_by(TODAY, TODAY, TODAY)
    check_needed_by(date(2026, 3, 9), date(2026, 3, 9), TODAY)
    with refused(409, "not_in_time"):
        check_needed_by(date(2026, 3, 8), date(2026, 3, 9), TODAY)
    with refused(422, "invalid_date"):
        check_needed_by(date(2026, 3, 1), date(2026, 3, 9), TODAY)


def test_a_member_has_a_few_different_requests() -> None:
    check_room([NEW], "Light", 2)
    with refused(409, "duplicate_request"):
        check_room([NEW], "DUST", 2)
    with refused(409, "request_limit"):
        check_room([NEW, replace(NEW, title="Light")], "Salt", 2)


def test_an_arrived_item_waits_ten_days_or_less() -> None:
    waits = {30: 12, 17: 12, 16: 12, 15: 11, 9: 5}
    for due_back, pickup_by in waits.items():
        ready = arrive(NEW, date(2026, 3, due_back), TODAY)
        assert (ready.status, ready.due_back) == ("ready", date(2026, 3, due_back))
        assert ready.pickup_by == date(2026, 3, pickup_by)


def test_only_what_was_requested_arrives_and_for_long_enough() -> None:
    with refused(409, "too_short"):
        arrive(NEW, date(2026, 3, 8), TODAY)
    with refused(409, "wrong_status"):
        arrive(READY, date(2026, 3, 30), TODAY)


def test_cancelling_is_free_until_the_item_is_here() -> None:
    assert (cancel(NEW).status, cancel(NEW).fee_cents) == ("cancelled", 0)
    assert (cancel(READY).status, cancel(READY).fee_cents) == ("cancelled", 250)
    with refused(409, "wrong_status"):
        cancel(LENT)


def test_an_item_is_fetched_in_time_and_due_before_it_goes_home() -> None:
    assert check_pickup(READY, date(2026, 3, 12)) == date(2026, 3, 27)
    with refused(409, "pickup_expired"):
        check_pickup(READY, date(2026, 3, 13))
    with refused(409, "wrong_status"):
        check_pickup(NEW, TODAY)


def test_only_what_is_lent_comes_back() -> None:
    assert (LENT.status, check_lent(LENT)) == ("lent", "L0001")
    with refused(409, "wrong_status"):
        check_lent(READY)


def test_the_partner_is_paid_for_late_and_lost_items() -> None:
    def penalty(day: date, condition: str = "good") -> int:
        closed = close(LENT, HILLSIDE, day, condition)
        assert closed.status == "closed"
        return closed.penalty_cents

    assert penalty(date(2026, 3, 30)) == 0
    assert penalty(date(2026, 4, 2)) == 150
    assert penalty(date(2026, 6, 30)) == 3000
    assert penalty(date(2026, 3, 20), "lost") == 3000


def test_days_left_are_those_of_ready_items() -> None:
    assert days_left(READY, TODAY) == 10
    assert days_left(READY, date(2026, 3, 20)) == 0
    assert days_left(NEW, TODAY) is None
    assert days_left(LENT, TODAY) is None
