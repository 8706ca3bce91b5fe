"""Shipments and their events over HTTP."""

from common.web import Problem
from services.tracking_service import checks, due, states, store


def health(request):
    return 200, {"service": "tracking-service", "status": "up"}


def announce(request):
    shipment = checks.announcement(request["body"])
    with store.open_db() as db:
        if store.get_shipment(db, shipment["number"]) is not None:
            raise Problem(409, "already_announced", shipment["number"])
        store.add_shipment(db, shipment["number"], shipment["service"])
        return 201, summary(db, shipment["number"])


def find(db, number):
    shipment = store.get_shipment(db, number)
    if shipment is None:
        raise Problem(404, "unknown_shipment", number)
    return shipment


def summary(db, number):
    """A shipment as others see it."""
    shipment = find(db, number)
    events = store.events_of(db, number)
    return {
        "number": number,
        "service": shipment["service"],
        "state": shipment["state"],
        "place": events[-1]["place"] if events else None,
        "attempts": states.attempts(events),
        "events": len(events),
        "due": due.due_date(shipment["service"], shipment["state"], events),
    }


def show_shipment(request):
    with store.open_db() as db:
        return 200, summary(db, request["params"]["number"])


def list_shipments(request):
    state = checks.state_filter(request["query"])
    limit = checks.limit(request["query"])
    with store.open_db() as db:
        numbers = store.numbers_in(db, state, limit)
        return 200, {"shipments": [summary(db, number) for number in numbers]}


def show_events(request):
    kind = request["query"].get("kind")
    if kind is not None and kind not in states.KINDS:
        raise Problem(400, "bad_field", f"kind must be one of {', '.join(states.KINDS)}")
    with store.open_db() as db:
        find(db, request["params"]["number"])
        events = store.events_of(db, request["params"]["number"])
    return 200, {"events": [event for event in events if kind is None or event["kind"] == kind]}


def add_event(request):
    number = request["params"]["number"]
    event = checks.event(request["body"])
    with store.open_db() as db:
        shipment = find(db, number)
        events = store.events_of(db, number)
        if states.is_repeat(event, events):
            return 200, {"repeated": True, **summary(db, number)}
        states.check_order(event, events)
        states.check_step(shipment["state"], event["kind"], events)
        store.add_event(db, number, event)
        return 201, {"repeated": False, **summary(db, number)}


def add_watcher(request):
    number = request["params"]["number"]
    email = checks.email(request["body"])
    with store.open_db() as db:
        if find(db, number)["state"] in states.CLOSED:
            raise Problem(409, "shipment_closed", number)
        watchers = store.watchers_of(db, number)
        if email in watchers:
            return 200, {"number": number, "watchers": watchers}
        if len(watchers) >= checks.MAX_WATCHERS:
            raise Problem(409, "too_many_watchers", f"at most {checks.MAX_WATCHERS}")
        store.add_watcher(db, number, email)
        return 201, {"number": number, "watchers": store.watchers_of(db, number)}


def show_statistics(request):
    with store.open_db() as db:
        by_state = store.count_by_state(db)
        delivered = store.numbers_in(db, "delivered", None)
        at_once = [number for number in delivered if states.attempts(store.events_of(db, number)) == 0]
    share = round(100 * len(at_once) / len(delivered), 1) if delivered else None
    return 200, {"total": sum(by_state.values()), "by_state": by_state, "first_attempt_percent": share}


ROUTES = {
    ("GET", "/health"): health,
    ("POST", "/shipments"): announce,
    ("GET", "/shipments"): list_shipments,
    ("GET", "/shipments/{number}"): show_shipment,
    ("GET", "/shipments/{number}/events"): show_events,
    ("POST", "/shipments/{number}/events"): add_event,
    ("POST", "/shipments/{number}/watchers"): add_watcher,
    ("GET", "/statistics"): show_statistics,
}
