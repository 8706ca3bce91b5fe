"""Stations, bookings and the parcels in the compartments over HTTP."""

from common.web import Problem
from services.locker_service import checks, reports, rules, store


def health(request):
    return 200, {"service": "locker-service", "status": "up"}


def put_station(request):
    code = checks.station_code(request["params"]["code"])
    name, counts = checks.station(request["body"])
    with store.open_db() as db:
        if store.get_station(db, code) is not None:
            raise Problem(409, "station_exists", code)
        store.add_station(db, code, name, rules.labels(counts))
        return 201, station_view(db, code)


def station_view(db, code):
    """Name, free compartments by size and number of taken ones."""
    station = store.get_station(db, code)
    if station is None:
        raise Problem(404, "unknown_station", code)
    free = store.free_compartments(db, code)
    by_size = {size: sum(rules.size_of(label) == size for label in free) for size in rules.SIZES}
    return {"code": code, "name": station["name"], "free": by_size, "taken": station["total"] - len(free)}


def show_station(request):
    with store.open_db() as db:
        return 200, station_view(db, request["params"]["code"])


def book(request):
    wanted = checks.booking(request["body"])
    with store.open_db() as db:
        station_view(db, wanted["station"])
        if store.open_booking_of(db, wanted["number"]) is not None:
            raise Problem(409, "already_booked", wanted["number"])
        checked = reports.check_shipment(wanted["number"])
        label = rules.choose(store.free_compartments(db, wanted["station"]), wanted["size"])
        if label is None:
            raise Problem(409, "station_full", f"no compartment of size {wanted['size']} or larger")
        booking_id = store.add_booking(db, wanted["number"], wanted["station"], label)
        booking = store.get_booking(db, booking_id)
    return 201, {**booking_view(booking), "hold_hours": rules.hold_hours(), "shipment_checked": checked}


def booking_view(booking):
    """A booking without the pickup code."""
    return {
        key: booking[key] for key in ("booking_id", "number", "station", "compartment", "state", "expires_at")
    }


def find(db, booking_id):
    booking = store.get_booking(db, booking_id)
    if booking is None:
        raise Problem(404, "unknown_booking", booking_id)
    return booking


def show_booking(request):
    with store.open_db() as db:
        return 200, booking_view(find(db, request["params"]["booking_id"]))


def cancel(request):
    with store.open_db() as db:
        booking = find(db, request["params"]["booking_id"])
        if booking["state"] != "booked":
            raise Problem(409, "not_booked", f"the booking is {booking['state']}")
        store.change(db, booking["booking_id"], state="cancelled")
        return 200, booking_view(find(db, booking["booking_id"]))


def deposit(request):
    at = checks.moment(request["body"], "at")
    with store.open_db() as db:
        booking = find(db, request["params"]["booking_id"])
        if booking["state"] != "booked":
            raise Problem(409, "not_booked", f"the booking is {booking['state']}")
        code = rules.pickup_code(booking["number"], booking["booking_id"])
        expires_at = rules.later(at, rules.hold_hours())
        store.change(db, booking["booking_id"], state="deposited", expires_at=expires_at, code=code)
        reported = reports.report(db, booking, "in_locker", at)
        booking = find(db, booking["booking_id"])
    return 200, {**booking_view(booking), "pickup_code": code, "reported": reported}


def extend(request):
    hours = checks.extra_hours(request["body"])
    with store.open_db() as db:
        booking = find(db, request["params"]["booking_id"])
        if booking["state"] != "deposited":
            raise Problem(409, "not_deposited", f"the booking is {booking['state']}")
        if booking["extended"]:
            raise Problem(409, "already_extended", booking["booking_id"])
        expires_at = rules.later(booking["expires_at"], hours)
        store.change(db, booking["booking_id"], expires_at=expires_at, extended=1)
        return 200, booking_view(find(db, booking["booking_id"]))


def pick_up(request):
    at = checks.moment(request["body"], "at")
    with store.open_db() as db:
        booking = find(db, request["params"]["booking_id"])
        check_open(booking, at)
        if request["body"].get("code") == booking["code"]:
            store.change(db, booking["booking_id"], state="collected")
            reported = reports.report(db, booking, "delivered", at)
            return 200, {**booking_view(find(db, booking["booking_id"])), "reported": reported}
        wrong = booking["wrong_codes"] + 1
        store.change(db, booking["booking_id"], wrong_codes=wrong)
    raise Problem(403, "wrong_code", f"{max(rules.MAX_WRONG_CODES - wrong, 0)} attempts left")


def check_open(booking, at):
    """Refuse to open a compartment that is empty, blocked or overdue."""
    if booking["state"] != "deposited":
        raise Problem(409, "not_deposited", f"the booking is {booking['state']}")
    if booking["wrong_codes"] >= rules.MAX_WRONG_CODES:
        raise Problem(423, "blocked", "too many wrong codes")
    if at > booking["expires_at"]:
        raise Problem(410, "too_late", f"the parcel was kept until {booking['expires_at']}")


def sweep(request):
    """Take overdue parcels out; run by the night shift."""
    at = checks.moment(request["body"], "at")
    with store.open_db() as db:
        overdue = [b for b in store.deposited_bookings(db) if at > b["expires_at"]]
        for booking in overdue:
            store.change(db, booking["booking_id"], state="expired")
            reports.report(db, booking, "locker_expired", at)
    return 200, {"expired": [booking["booking_id"] for booking in overdue]}


def show_outbox(request):
    with store.open_db() as db:
        return 200, {"waiting": [event for _, event in store.outbox(db)]}


def flush_outbox(request):
    with store.open_db() as db:
        sent = reports.flush(db)
        return 200, {"sent": sent, "waiting": len(store.outbox(db))}


ROUTES = {
    ("GET", "/health"): health,
    ("PUT", "/stations/{code}"): put_station,
    ("GET", "/stations/{code}"): show_station,
    ("POST", "/bookings"): book,
    ("GET", "/bookings/{booking_id}"): show_booking,
    ("DELETE", "/bookings/{booking_id}"): cancel,
    ("POST", "/bookings/{booking_id}/deposit"): deposit,
    ("POST", "/bookings/{booking_id}/extend"): extend,
    ("POST", "/bookings/{booking_id}/pickup"): pick_up,
    ("POST", "/sweeps"): sweep,
    ("GET", "/outbox"): show_outbox,
    ("POST", "/outbox/flush"): flush_outbox,
}
