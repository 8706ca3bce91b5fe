"""What a request must look like."""

import re
from datetime import UTC, datetime

from common.numbers import is_number
from common.web import Problem
from services.locker_service import rules

MAX_COMPARTMENTS = 50
MAX_EXTRA_HOURS = 48


def station_code(text):
    """Three capitals and two digits."""
    if not isinstance(text, str) or not re.fullmatch("[A-Z]{3}[0-9]{2}", text):
        raise Problem(400, "bad_field", "a station code is three capitals and two digits")
    return text


def station(body):
    """Name and number of compartments by size."""
    name = body.get("name")
    if not isinstance(name, str) or not name.strip():
        raise Problem(400, "bad_field", "name is missing")
    given = body.get("compartments")
    if not isinstance(given, dict) or any(size not in rules.SIZES for size in given):
        raise Problem(400, "bad_field", f"compartments must be counts for {', '.join(rules.SIZES)}")
    counts = {size: given.get(size, 0) for size in rules.SIZES}
    for size, count in counts.items():
        if isinstance(count, bool) or not isinstance(count, int):
            raise Problem(400, "bad_field", f"the count of {size} must be a whole number")
        if count < 0 or count > MAX_COMPARTMENTS:
            raise Problem(422, "out_of_range", f"the count of {size} must be from 0 to {MAX_COMPARTMENTS}")
    if sum(counts.values()) == 0:
        raise Problem(422, "no_compartments", "a station needs at least one compartment")
    return name.strip(), counts


def booking(body):
    """Parcel number, station and size of a booking."""
    number = body.get("number")
    if not isinstance(number, str):
        raise Problem(400, "bad_field", "number is missing")
    if not is_number(number):
        raise Problem(422, "bad_number", f"{number} is no parcel number")
    size = body.get("size")
    if size == "XL":
        raise Problem(422, "too_large", "no compartment holds XL")
    if size not in rules.SIZES:
        raise Problem(400, "bad_field", f"size must be one of {', '.join(rules.SIZES)}")
    return {"number": number, "station": station_code(body.get("station")), "size": size}


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


def extra_hours(body):
    """How much longer a parcel is to be kept."""
    hours = body.get("hours")
    if isinstance(hours, bool) or not isinstance(hours, int):
        raise Problem(400, "bad_field", "hours must be a whole number")
    if hours < 1 or hours > MAX_EXTRA_HOURS:
        raise Problem(422, "out_of_range", f"hours must be from 1 to {MAX_EXTRA_HOURS}")
    return hours
