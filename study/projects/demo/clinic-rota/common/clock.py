"""Days and times of day. The clinic keeps its books in UTC, whatever the machine's own time zone is."""

import re
from datetime import date, datetime, timezone

from common.web import Problem


def utc_now():
    """The present moment in UTC, without zone information, as all times here are UTC."""
    return datetime.now(timezone.utc).replace(tzinfo=None, microsecond=0)


def utc_today():
    """Today's date in UTC."""
    return utc_now().date()


def parse_day(text, field="date"):
    """A `YYYY-MM-DD` date, or the problem `bad_date`."""
    if isinstance(text, str) and re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
        try:
            return date.fromisoformat(text)
        except ValueError:
            pass
    raise Problem(422, "bad_date", f"{field} must be a date like 2031-05-12")


def parse_clock(text, field="start"):
    """Minutes after midnight of an `HH:MM` time of day, or the problem `bad_time`."""
    if isinstance(text, str) and re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", text):
        return int(text[:2]) * 60 + int(text[3:])
    raise Problem(422, "bad_time", f"{field} must be a time like 08:30")


def clock_text(minutes):
    """Minutes after midnight as `HH:MM`."""
    return f"{minutes // 60:02d}:{minutes % 60:02d}"
