"""Rules of loan-service."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from services.loan_service.lending import (
    Item,
    Loan,
    Standing,
    charges,
    check_borrower,
    check_item,
    check_lending_date,
    check_renewal,
    check_return,
    due_date,
    late_days,
    open_day,
)

from tests.support.refusals import refused

TODAY = date(2026, 3, 2)
ADULT = Standing("adult", True, [], 2)
LOAN = Loan("L0001", "M0001", "C1", "Salt Roads", "open", "adult", date(2026, 2, 16), date(2026, 3, 9))
LATE = replace(LOAN, due_on=date(2026, 2, 20))


def test_the_status_depends_on_the_day() -> None:
    assert LOAN.status_on(date(2026, 3, 9)) == "open"
    assert LOAN.status_on(date(2026, 3, 10)) == "overdue"
    assert replace(LATE, returned_on=TODAY).status_on(TODAY) == "returned"


def test_slips_are_entered_within_sixty_days() -> None:
    check_lending_date(TODAY, TODAY)
    check_lending_date(date(2026, 1, 1), TODAY)
    for day in (date(2026, 3, 3), date(2025, 12, 31)):
        with refused(422, "invalid_date"):
            check_lending_date(day, TODAY)


def test_a_borrower_is_in_good_standing_with_nothing_overdue_and_room_left() -> None:
    check_borrower(ADULT, [LOAN], TODAY)
    with refused(403, "member_barred"):
        check_borrower(replace(ADULT, may_borrow=False, reasons=["fees"]), [], TODAY)
    with refused(409, "overdue_loans"):
        check_borrower(ADULT, [LATE], TODAY)
    with refused(409, "loan_limit"):
        check_borrower(ADULT, [LOAN, LOAN], TODAY)


def test_some_items_are_not_for_everybody() -> None:
    check_item(Item("C1", "Salt Roads", "open"), "junior")
    check_item(Item("C1", "Night Ferry", "open", "adult"), "adult")
    with refused(403, "reference_only"):
        check_item(Item("C1", "Atlas", "reference"), "adult")
    for item in (Item("C1", "Night Ferry", "open", "adult"), Item("G1", "Dust", "guest")):
        with refused(403, "not_for_juniors"):
            check_item(item, "junior")
    with refused(409, "copy_unavailable"):
        check_item(Item("C1", "Salt Roads", "open", status="missing"), "adult")


def test_the_loan_period_depends_on_shelf_and_category() -> None:
    assert due_date("open", "adult", TODAY) == date(2026, 3, 23)
    assert due_date("open", "student", TODAY) == date(2026, 3, 30)
    assert due_date("open", "institution", TODAY) == date(2026, 4, 13)
    assert due_date("short", "student", TODAY) == date(2026, 3, 9)
    assert due_date("short", "institution", TODAY) == date(2026, 3, 9)


def test_nothing_is_due_on_a_sunday() -> None:
    assert open_day(date(2026, 3, 7)) == date(2026, 3, 7)
    assert open_day(date(2026, 3, 8)) == date(2026, 3, 9)
    assert due_date("open", "adult", date(2026, 3, 1)) == date(2026, 3, 23)


def test_a_loan_is_renewed_twice_and_in_time() -> None:
    check_renewal(replace(LOAN, renewals=1), TODAY)
    with refused(409, "renewal_limit"):
        check_renewal(replace(LOAN, renewals=2), TODAY)
    for shelf in ("short", "guest"):
        with refused(409, "renewal_limit"):
            check_renewal(replace(LOAN, shelf=shelf), TODAY)
    with refused(409, "overdue"):
        check_renewal(LATE, TODAY)
    with refused(409, "already_returned"):
        check_renewal(replace(LATE, returned_on=TODAY), TODAY)


def test_a_return_is_possible_once_between_loan_and_today() -> None:
    check_return(LOAN, LOAN.lent_on, "good", TODAY)
    check_return(LOAN, TODAY, "damaged", TODAY)
    for day in (date(2026, 2, 15), date(2026, 3, 3)):
        with refused(422, "invalid_date"):
            check_return(LOAN, day, "good", TODAY)
    with refused(422, "unknown_condition"):
        check_return(LOAN, TODAY, "wet", TODAY)
    with refused(409, "already_returned"):
        check_return(replace(LOAN, returned_on=TODAY), TODAY, "good", TODAY)


def test_sundays_are_not_counted_as_late() -> None:
    assert late_days(date(2026, 3, 2), date(2026, 3, 2)) == 0
    assert late_days(date(2026, 3, 6), date(2026, 3, 9)) == 2
    assert late_days(date(2026, 3, 9), date(2026, 3, 2)) == 0


def test_a_return_costs_what_is_late_damaged_or_lost() -> None:
    assert charges(LOAN, TODAY, "good", 10) == []
    assert charges(LATE, TODAY, "good", 10) == [("late", 80)]
    assert charges(replace(LOAN, due_on=date(2026, 2, 28)), TODAY, "good", 1) == [("late", 1)]
    assert charges(LATE, TODAY, "damaged", 10) == [("late", 80), ("damage", 800)]
    assert charges(LATE, TODAY, "lost", 10) == [("loss", 2500)]
    assert charges(replace(LATE, due_on=date(2025, 12, 1)), TODAY, "good", 10) == [("late", 500)]
