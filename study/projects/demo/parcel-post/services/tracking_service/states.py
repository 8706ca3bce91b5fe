"""The life of a shipment: which event may follow which state."""

import os

from common.web import Problem

FOLLOWERS = {
    "announced": ("accepted", "cancelled"),
    "accepted": ("in_transit", "in_locker", "cancelled"),
    "in_transit": ("in_transit", "out_for_delivery", "in_locker", "returned"),
    "out_for_delivery": ("delivered", "attempt_failed", "in_locker"),
    "attempt_failed": ("out_for_delivery", "in_locker", "returned"),
    "in_locker": ("delivered", "locker_expired"),
    "locker_expired": ("returned",),
    "delivered": (),
    "returned": (),
    "cancelled": (),
}
"""For each state the events that may come next; the kind of an event is the state it leads to."""

KINDS = tuple(state for state in FOLLOWERS if state != "announced")
CLOSED = tuple(state for state, followers in FOLLOWERS.items() if not followers)


def max_attempts():
    """Failed deliveries after which a shipment goes back."""
    return int(os.environ.get("MAX_ATTEMPTS", "3"))


def attempts(events):
    """Number of failed deliveries."""
    return sum(event["kind"] == "attempt_failed" for event in events)


def is_repeat(event, events):
    """True if the very same event is already known: couriers' scanners send twice when in doubt."""
    return any(all(known[key] == event[key] for key in ("kind", "place", "at")) for known in events)


def check_order(event, events):
    """An event must not be older than the last one."""
    if events and event["at"] < events[-1]["at"]:
        raise Problem(409, "out_of_order", f"the last event is of {events[-1]['at']}")


def check_step(state, kind, events):
    """Refuse an event that cannot follow."""
    if state in CLOSED:
        raise Problem(409, "shipment_closed", f"the shipment is {state}")
    if kind not in FOLLOWERS[state]:
        raise Problem(409, "not_allowed", f"{kind} cannot follow {state}")
    if kind == "out_for_delivery" and attempts(events) >= max_attempts():
        raise Problem(409, "too_many_attempts", "the shipment must be returned or go to a locker")
