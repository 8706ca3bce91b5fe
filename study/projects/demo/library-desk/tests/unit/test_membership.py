"""Rules of member-service: membership and fees."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from services.member_service.ledger import balance_after_payment, charged
from services.member_service.membership import (
    MAX_LOANS,
    Member,
    age_on,
    bars,
    birthday,
    check_birth_date,
    check_email,
    check_guardian,
    check_name,
    choose_category,
    expiry,
    renew,
)

from tests.support.refusals import refused

TODAY = date(2026, 3, 2)
ADULT = Member(
    "M0001", "Vera Lind", date(1980, 5, 4), "adult", None, None, date(2025, 4, 1), date(2026, 4, 1)
)


def test_age_is_in_completed_years() -> None:
    assert age_on(date(2010, 3, 2), TODAY) == 16
    assert age_on(date(2010, 3, 3), TODAY) == 15
    assert birthday(date(2012, 2, 29), 16) == date(2028, 2, 29)
    assert birthday(date(2012, 2, 29), 15) == date(2027, 3, 1)


def test_a_name_is_tidied_and_must_say_something() -> None:
    assert check_name("  Vera \t Lind ") == "Vera Lind"
    assert check_name("x" * 80) == "x" * 80
    for name in ("", "  ", "x" * 81):
        with refused(422, "invalid_name"):
            check_name(name)


def test_a_birth_date_is_possible() -> None:
    check_birth_date(TODAY, TODAY)
    check_birth_date(date(1900, 1, 1), TODAY)
    for impossible in (date(2026, 3, 3), date(1899, 12, 31)):
        with refused(422, "invalid_birth_date"):
            check_birth_date(impossible, TODAY)


def test_an_email_address_has_two_sides() -> None:
    assert check_email(" Desk@Town.example ") == "desk@town.example"
    assert check_email(None) is None
    for address in ("desk", "@town.example", "desk@town", "a@b@town.example", "desk@.town"):
        with refused(422, "invalid_email"):
            check_email(address)


def test_the_category_follows_from_the_age() -> None:
    for age, category in ((0, "junior"), (15, "junior"), (16, "adult"), (64, "adult"), (65, "senior")):
        assert choose_category(None, age, None) == category
        assert choose_category(category, age, None) == category


def test_a_category_may_be_asked_for() -> None:
    assert choose_category("student", 16, None) == "student"
    assert choose_category("student", 27, None) == "student"
    assert choose_category("institution", 40, "a@b.example") == "institution"
    with refused(422, "email_required"):
        choose_category("institution", 40, None)
    with refused(422, "unknown_category"):
        choose_category("wizard", 40, None)
    for wish, age in (("student", 15), ("student", 28), ("adult", 15), ("senior", 64)):
        with refused(422, "not_eligible"):
            choose_category(wish, age, None)


def test_a_junior_needs_a_fit_guardian() -> None:
    check_guardian("junior", "M0001", ADULT, TODAY)
    check_guardian("junior", "M0001", replace(ADULT, expires_on=TODAY), TODAY)
    check_guardian("adult", None, None, TODAY)
    with refused(422, "guardian_required"):
        check_guardian("junior", None, None, TODAY)
    with refused(422, "unknown_guardian"):
        check_guardian("junior", "M0009", None, TODAY)
    for unfit in (
        replace(ADULT, category="junior"),
        replace(ADULT, category="institution"),
        replace(ADULT, expires_on=date(2026, 3, 1)),
    ):
        with refused(422, "unfit_guardian"):
            check_guardian("junior", "M0001", unfit, TODAY)


def test_a_membership_lasts_a_year_but_a_junior_one_not_past_the_birthday() -> None:
    assert expiry("adult", date(1980, 5, 4), TODAY) == date(2027, 3, 2)
    assert expiry("junior", date(2010, 6, 1), TODAY) == date(2026, 6, 1)
    assert expiry("junior", date(2015, 6, 1), TODAY) == date(2027, 3, 2)


def test_renewal_adds_a_year_and_adapts_the_category() -> None:
    assert renew(ADULT, 0, TODAY).expires_on == date(2027, 4, 1)
    lapsed = replace(ADULT, expires_on=date(2026, 1, 1), birth_date=date(1960, 1, 1))
    assert renew(lapsed, 0, TODAY).expires_on == date(2027, 3, 2)
    assert renew(lapsed, 0, TODAY).category == "senior"
    student = replace(ADULT, category="student", birth_date=date(1999, 3, 2))
    assert renew(student, 0, TODAY).category == "student"
    assert renew(replace(student, birth_date=date(1998, 3, 2)), 0, TODAY).category == "adult"
    assert renew(replace(ADULT, category="institution"), 0, TODAY).category == "institution"


def test_renewal_is_refused_while_something_is_open() -> None:
    renew(replace(ADULT, expires_on=date(2026, 5, 1)), 0, TODAY)
    with refused(409, "too_early"):
        renew(replace(ADULT, expires_on=date(2026, 5, 2)), 0, TODAY)
    with refused(409, "fees_outstanding"):
        renew(ADULT, 1, TODAY)
    with refused(409, "blocked"):
        renew(replace(ADULT, block_reason="lost card"), 0, TODAY)


def test_what_bars_a_member() -> None:
    assert bars(ADULT, 999, 1000, TODAY) == []
    assert bars(replace(ADULT, expires_on=TODAY), 0, 1000, TODAY) == []
    assert bars(ADULT, 1000, 1000, TODAY) == ["fees"]
    assert bars(replace(ADULT, category="junior"), 499, 1000, TODAY) == []
    assert bars(replace(ADULT, category="junior"), 500, 1000, TODAY) == ["fees"]
    worst = replace(ADULT, expires_on=date(2026, 3, 1), block_reason="lost card")
    assert bars(worst, 1000, 1000, TODAY) == ["expired", "blocked", "fees"]


def test_every_category_has_a_limit() -> None:
    assert MAX_LOANS == {"junior": 5, "adult": 10, "senior": 10, "student": 15, "institution": 30}


def test_charges_depend_on_reason_and_category() -> None:
    assert charged(75, "late", "adult") == 75
    assert charged(75, "late", "junior") == 37
    assert charged(75, "damage", "junior") == 75
    assert charged(75, "postage", "institution") == 0
    assert charged(1, "postage", "adult") == 1
    assert charged(50_000, "loss", "adult") == 50_000
    with refused(422, "unknown_reason"):
        charged(75, "coffee", "adult")
    for amount in (0, -5, 50_001):
        with refused(422, "invalid_amount"):
            charged(amount, "late", "adult")


def test_no_more_is_paid_than_owed() -> None:
    assert balance_after_payment(300, 300) == 0
    with refused(409, "overpayment"):
        balance_after_payment(300, 301)
    with refused(422, "invalid_amount"):
        balance_after_payment(300, 0)
