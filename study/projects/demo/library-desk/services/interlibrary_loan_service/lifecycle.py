"""The life of a request: requested, ready, lent, closed - or cancelled on the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from library.errors import Refusal

from services.interlibrary_loan_service.partners import Partner, after_working_days

MIN_LENDING_DAYS = 7
PICKUP_DAYS = 10
RETURN_BUFFER_DAYS = 3
MAX_PENALTY_CENTS = 3000
ACTIVE = ("requested", "ready", "lent")
STATUSES = (*ACTIVE, "closed", "cancelled")


@dataclass(frozen=True)
class Request:
    """An item asked of a partner; `request_id` is empty until the store has numbered it."""

    request_id: str
    member_id: str
    title: str
    author: str
    partner: str
    status: str
    requested_on: date
    expected_on: date
    fee_cents: int
    due_back: date | None = None
    pickup_by: date | None = None
    loan_id: str | None = None
    penalty_cents: int = 0


def check_title(title: str) -> str:
    cleaned = " ".join(title.split())
    if not cleaned:
        raise Refusal(422, "invalid_title", "a request needs a title")
    return cleaned


def check_needed_by(needed_by: date | None, expected_on: date, today: date) -> None:
    if needed_by is None:
        return
    if needed_by < today:
        raise Refusal(422, "invalid_date", "the day is past")
    if needed_by < expected_on:
        raise Refusal(409, "not_in_time", f"expected on {expected_on}", expectedOn=expected_on.isoformat())


def check_room(active: Sequence[Request], title: str, limit: int) -> None:
    """Refuse a second request for the same title, and more than a member may have."""
    for request in active:
        if request.title.casefold() == title.casefold():
            raise Refusal(409, "duplicate_request", f"{request.request_id} asks for the same title")
    if len(active) >= limit:
        raise Refusal(409, "request_limit", f"a member may have {limit} requests at a time")


def place(member_id: str, title: str, author: str, partner: Partner, today: date) -> Request:
    """A new request."""
    return Request(
        request_id="",
        member_id=member_id,
        title=title,
        author=author.strip(),
        partner=partner.code,
        status="requested",
        requested_on=today,
        expected_on=after_working_days(today, partner.transit_days),
        fee_cents=partner.fee_cents,
    )


def _require(request: Request, *allowed: str) -> None:
    if request.status not in allowed:
        raise Refusal(409, "wrong_status", f"{request.request_id} is {request.status}", found=request.status)


def arrive(request: Request, due_back: date, today: date) -> Request:
    """The item is here; the partner wants it back on a day."""
    _require(request, "requested")
    if due_back < today + timedelta(days=MIN_LENDING_DAYS):
        raise Refusal(409, "too_short", f"a partner must leave us {MIN_LENDING_DAYS} days")
    pickup_by = min(today + timedelta(days=PICKUP_DAYS), due_back - timedelta(days=RETURN_BUFFER_DAYS + 1))
    return replace(request, status="ready", due_back=due_back, pickup_by=pickup_by)


def cancel(request: Request) -> Request:
    """Free of charge until the item has arrived."""
    _require(request, "requested", "ready")
    fee = request.fee_cents if request.status == "ready" else 0
    return replace(request, status="cancelled", fee_cents=fee)


def check_pickup(request: Request, today: date) -> date:
    """The day on which the borrower must bring the item back, some days before the partner wants it."""
    _require(request, "ready")
    assert request.due_back is not None and request.pickup_by is not None
    if today > request.pickup_by:
        raise Refusal(409, "pickup_expired", f"it was to be fetched by {request.pickup_by}")
    return request.due_back - timedelta(days=RETURN_BUFFER_DAYS)


def hand_over(request: Request, loan_id: str) -> Request:
    return replace(request, status="lent", loan_id=loan_id)


def close(request: Request, partner: Partner, returned_on: date, condition: str | None) -> Request:
    """The item goes home; we owe the partner for days past its date, or all we can for a lost item."""
    assert request.due_back is not None
    late = max((returned_on - request.due_back).days, 0)
    penalty = min(late * partner.daily_penalty_cents, MAX_PENALTY_CENTS)
    if condition == "lost":
        penalty = MAX_PENALTY_CENTS
    return replace(request, status="closed", penalty_cents=penalty)


def check_lent(request: Request) -> str:
    """The id of the loan that goes with a lent item."""
    _require(request, "lent")
    assert request.loan_id is not None
    return request.loan_id


def days_left(request: Request, today: date) -> int | None:
    """Days until a ready item goes back unread; None for any other request."""
    if request.status != "ready" or request.pickup_by is None:
        return None
    return max((request.pickup_by - today).days, 0)
