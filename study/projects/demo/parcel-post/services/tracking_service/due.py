"""The day on which a shipment is due."""

from datetime import date, timedelta

from services.tracking_service.states import CLOSED, attempts

WORKING_DAYS = {"standard": 3, "express": 1, "locker": 2}
SUNDAY = 6
NOON = "12:00:00"


def add_working_days(day, count):
    """The day that is so many working days later; Sundays are none."""
    while count > 0:
        day += timedelta(days=1)
        if day.weekday() != SUNDAY:
            count -= 1
    return day


def accepted_at(events):
    """Time of the event `accepted`, or None."""
    for event in events:
        if event["kind"] == "accepted":
            return event["at"]
    return None


def due_date(service, state, events):
    """ISO date, or None while the shipment is not accepted and once it is closed or waits in a locker."""
    accepted = accepted_at(events)
    if accepted is None or state in CLOSED or state in ("in_locker", "locker_expired"):
        return None
    days = WORKING_DAYS[service] + attempts(events)
    day, time = accepted.rstrip("Z").split("T")
    if service == "express" and time >= NOON:
        days += 1
    return add_working_days(date.fromisoformat(day), days).isoformat()
