"""The rules of lending: who gets what, until when, and what it costs to be late."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from library.errors import Refusal

BACKDATING_DAYS = 60
SHELF_DAYS = {"open": 21, "short": 7}
STUDENT_EXTRA_DAYS = 7
INSTITUTION_DAYS = 42
MAX_RENEWALS = {"open": 2, "short": 0, "guest": 0}
MAX_FINE_CENTS = 500
DAMAGE_CENTS = 800
LOSS_CENTS = 2500
CONDITIONS = ("good", "damaged", "lost")
SUNDAY = 6


@dataclass(frozen=True)
class Standing:
    """What must be known of a borrower."""

    category: str
    may_borrow: bool
    reasons: list[str]
    max_loans: int


@dataclass(frozen=True)
class Item:
    """What is lent: a copy of our own, or a guest item of another library (shelf `guest`)."""

    barcode: str
    title: str
    shelf: str
    audience: str = "general"
    status: str = "available"


@dataclass(frozen=True)
class Loan:
    """One item in the hands of one borrower; `loan_id` is empty until the store has numbered it."""

    loan_id: str
    member_id: str
    barcode: str
    title: str
    shelf: str
    category: str
    lent_on: date
    due_on: date
    renewals: int = 0
    returned_on: date | None = None
    condition: str | None = None
    fine_cents: int = 0

    def status_on(self, today: date) -> str:
        if self.returned_on is not None:
            return "returned"
        return "overdue" if self.due_on < today else "open"


def check_lending_date(lent_on: date, today: date) -> None:
    """Slips written by hand may be entered later, but not for ever."""
    if lent_on > today:
        raise Refusal(422, "invalid_date", "a loan cannot start in the future")
    if (today - lent_on).days > BACKDATING_DAYS:
        raise Refusal(422, "invalid_date", f"a slip can be entered for {BACKDATING_DAYS} days")


def check_borrower(standing: Standing, open_loans: Sequence[Loan], today: date) -> None:
    """Refuse a borrower who is barred, has something overdue, or has enough."""
    if not standing.may_borrow:
        raise Refusal(403, "member_barred", "the member may not borrow", reasons=standing.reasons)
    if any(loan.status_on(today) == "overdue" for loan in open_loans):
        raise Refusal(409, "overdue_loans", "something overdue must come back first")
    if len(open_loans) >= standing.max_loans:
        raise Refusal(409, "loan_limit", f"the member has {len(open_loans)} of {standing.max_loans} loans")


def check_item(item: Item, category: str) -> None:
    """Refuse what is not lent at all, not to this borrower, or not now."""
    if item.shelf == "reference":
        raise Refusal(403, "reference_only", f"{item.barcode} is read in the library")
    if category == "junior" and (item.audience == "adult" or item.shelf == "guest"):
        raise Refusal(403, "not_for_juniors", f"{item.barcode} is not lent to juniors")
    if item.status != "available":
        raise Refusal(409, "copy_unavailable", f"{item.barcode} is {item.status}")


def open_day(day: date) -> date:
    """The day itself, or Monday if it is a Sunday."""
    return day + timedelta(days=1) if day.weekday() == SUNDAY else day


def due_date(shelf: str, category: str, start: date) -> date:
    """When a copy of our own is due that is lent or renewed on a day."""
    days = SHELF_DAYS[shelf]
    if shelf == "open" and category == "institution":
        days = INSTITUTION_DAYS
    elif shelf == "open" and category == "student":
        days += STUDENT_EXTRA_DAYS
    return open_day(start + timedelta(days=days))


def check_renewal(loan: Loan, today: date) -> None:
    status = loan.status_on(today)
    if status == "returned":
        raise Refusal(409, "already_returned", f"{loan.loan_id} is back")
    if loan.renewals >= MAX_RENEWALS[loan.shelf]:
        raise Refusal(409, "renewal_limit", f"{loan.loan_id} cannot be renewed again")
    if status == "overdue":
        raise Refusal(409, "overdue", f"{loan.loan_id} is overdue")


def check_return(loan: Loan, returned_on: date, condition: str, today: date) -> None:
    if loan.returned_on is not None:
        raise Refusal(409, "already_returned", f"{loan.loan_id} is back")
    if condition not in CONDITIONS:
        raise Refusal(422, "unknown_condition", f"{condition!r} is none of {', '.join(CONDITIONS)}")
    if not loan.lent_on <= returned_on <= today:
        raise Refusal(422, "invalid_date", "the day of return is before the loan or in the future")


def late_days(due_on: date, returned_on: date) -> int:
    """Days after the due date, without Sundays, on which nobody could have come."""
    late = 0
    day = due_on
    while day < returned_on:
        day += timedelta(days=1)
        if day.weekday() != SUNDAY:
            late += 1
    return late


def charges(loan: Loan, returned_on: date, condition: str, daily_cents: int) -> list[tuple[str, int]]:
    """(reason, cents) of all that a return costs; a lost item costs its price and nothing more."""
    if condition == "lost":
        return [("loss", LOSS_CENTS)]
    due = []
    fine = min(late_days(loan.due_on, returned_on) * daily_cents, MAX_FINE_CENTS)
    if fine > 0:
        due.append(("late", fine))
    if condition == "damaged":
        due.append(("damage", DAMAGE_CENTS))
    return due
