"""What a request must look like."""

import re
from datetime import UTC, datetime

from common.numbers import is_number
from common.web import Problem
from services.tracking_service import states

SERVICES = ("standard", "express", "locker")
MAX_PLACE = 60
MAX_WATCHERS = 5
MAX_LIMIT = 200


def announcement(body):
    """Number and service of a new shipment."""
    number = body.get("number")
    if not isinstance(number, str):
        raise Problem(400, "bad_field", "number is missing")
    if not is_number(number):
        raise Problem(422, "bad_number", f"{number} is no parcel number")
    service = body.get("service", "standard")
    if service not in SERVICES:
        raise Problem(400, "bad_field", f"service must be one of {', '.join(SERVICES)}")
    return {"number": number, "service": service}


def moment(body, field):
    """A point in time with its offset, turned into UTC."""
    text = body.get(field)
    try:
        value = datetime.fromisoformat(text)
    except (TypeError, ValueError):
        raise Problem(400, "bad_field", f"{field} must be a time such as 2024-05-06T10:00:00Z") from None
    if value.tzinfo is None:
        raise Problem(400, "bad_field", f"{field} must say its offset from UTC")
    return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def event(body):
    """Kind, place and time of an event."""
    kind = body.get("kind")
    if kind not in states.KINDS:
        raise Problem(400, "bad_field", f"kind must be one of {', '.join(states.KINDS)}")
    place = body.get("place")
    if not isinstance(place, str) or not place.strip():
        raise Problem(400, "bad_field", "place is missing")
    if len(place.strip()) > MAX_PLACE:
        raise Problem(422, "place_too_long", f"at most {MAX_PLACE} characters")
    return {"kind": kind, "place": place.strip(), "at": moment(body, "at")}


def email(body):
    """An address in small letters."""
    value = body.get("email")
    if not isinstance(value, str) or not re.fullmatch(r"[^@\s]+@[^@\s]+\.[^@\s]+", value):
        raise Problem(400, "bad_field", "email is not an address")
    return value.lower()


def state_filter(query):
    """The state to list, or None for all."""
    state = query.get("state")
    if state is not None and state not in states.FOLLOWERS:
        raise Problem(400, "bad_field", f"state must be one of {', '.join(states.FOLLOWERS)}")
    return state


def limit(query):
    """How many shipments to list."""
    text = query.get("limit", "50")
    if not text.isdecimal() or not 1 <= int(text) <= MAX_LIMIT:
        raise Problem(400, "bad_field", f"limit must be from 1 to {MAX_LIMIT}")
    return int(text)
