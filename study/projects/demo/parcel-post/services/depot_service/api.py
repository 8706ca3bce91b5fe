"""The counter: parcels are handed in, paid, sent on their way or to a locker."""

import re
from pathlib import Path

from common import settings
from common.web import Problem
from services.depot_service import locker_client, store, tariff_client, tracking_client

PAGE = Path(__file__).with_name("page")


def health(request):
    return 200, {"service": "depot-service", "status": "up"}


def counter_page(request):
    return 200, (PAGE / "counter.html").read_text(encoding="utf-8"), "text/html; charset=utf-8"


def counter_script(request):
    return 200, (PAGE / "counter.js").read_text(encoding="utf-8"), "text/javascript; charset=utf-8"


def depot():
    return settings.load()["depot"]


def find(number):
    with store.open_db() as db:
        parcel = store.get_parcel(db, number)
    if parcel is None:
        raise Problem(404, "unknown_parcel", number)
    return parcel


def check_stamp(stamp):
    """A stamp is prepaid: `ST-` and six digits, each good for one parcel."""
    if not isinstance(stamp, str) or not re.fullmatch("ST-[0-9]{6}", stamp):
        raise Problem(422, "bad_stamp", "a stamp is ST- and six digits")
    with store.open_db() as db:
        if store.stamp_is_used(db, stamp):
            raise Problem(409, "stamp_used", stamp)


def price_of(form):
    """Number of the quote and its price."""
    quote = tariff_client.quote({**form, "from_code": depot()["postal_code"]})
    return quote["quote_id"], quote["total_cents"]


def hand_in(request):
    form = request["body"]
    recipient = form.get("recipient")
    if not isinstance(recipient, str) or not recipient.strip():
        raise Problem(400, "bad_field", "recipient is missing")
    service = form.get("service", "standard")
    stamp = form.get("stamp")
    if stamp is not None:
        check_stamp(stamp)
        quote_id, price = None, 0
    else:
        quote_id, price = price_of(form)
    with store.open_db() as db:
        number = store.add_parcel(db, recipient.strip(), service, stamp, quote_id, price)
    announced = tracking_client.announce(number, service)
    return 201, {"number": number, "price_cents": price, "paid": stamp is not None, "announced": announced}


def show_parcel(request):
    parcel = find(request["params"]["number"])
    parcel["shipment"] = tracking_client.state(parcel["number"])
    return 200, parcel


def compare_prices(request):
    return 200, tariff_client.compare({**request["body"], "from_code": depot()["postal_code"]})


def pay(request):
    parcel = find(request["params"]["number"])
    if parcel["quote_id"] is None:
        raise Problem(409, "already_accepted", "the parcel has a stamp")
    cents = tariff_client.accept(parcel["quote_id"])
    with store.open_db() as db:
        store.set_paid(db, parcel["number"])
    return 200, {"number": parcel["number"], "paid_cents": cents}


def accept(request):
    parcel = find(request["params"]["number"])
    if not parcel["paid"]:
        raise Problem(402, "not_paid", parcel["number"])
    return 200, event_of(parcel, "accepted", request["body"].get("at"))


def cancel(request):
    parcel = find(request["params"]["number"])
    return 200, event_of(parcel, "cancelled", request["body"].get("at"))


def event_of(parcel, kind, at):
    """Record what happened at this depot; return the state and the day when the parcel is due."""
    shipment = tracking_client.add_event(parcel["number"], kind, depot()["name"], at)
    return {key: shipment.get(key) for key in ("number", "state", "due")}


def show_history(request):
    parcel = find(request["params"]["number"])
    return 200, {"history": tracking_client.history(parcel["number"])}


def book_locker(request):
    parcel = find(request["params"]["number"])
    wanted = request["body"]
    booking = locker_client.book(parcel["number"], wanted.get("station"), wanted.get("size"))
    with store.open_db() as db:
        store.set_booking(db, parcel["number"], booking["booking_id"])
    return 201, booking


def booking_of(request):
    parcel = find(request["params"]["number"])
    if parcel["booking_id"] is None:
        raise Problem(404, "no_booking", parcel["number"])
    return parcel["booking_id"]


def show_locker(request):
    return 200, locker_client.show(booking_of(request))


def fill_locker(request):
    return 200, locker_client.deposit(booking_of(request), request["body"].get("at"))


def release_locker(request):
    state = locker_client.release(booking_of(request))
    with store.open_db() as db:
        store.set_booking(db, request["params"]["number"], None)
    return 200, {"state": state}


def show_station(request):
    return 200, {"free": locker_client.free(request["params"]["code"])}


ROUTES = {
    ("GET", "/health"): health,
    ("GET", "/"): counter_page,
    ("GET", "/counter.js"): counter_script,
    ("POST", "/parcels"): hand_in,
    ("GET", "/parcels/{number}"): show_parcel,
    ("POST", "/prices"): compare_prices,
    ("POST", "/parcels/{number}/pay"): pay,
    ("POST", "/parcels/{number}/accept"): accept,
    ("POST", "/parcels/{number}/cancel"): cancel,
    ("GET", "/parcels/{number}/history"): show_history,
    ("POST", "/parcels/{number}/locker"): book_locker,
    ("GET", "/parcels/{number}/locker"): show_locker,
    ("POST", "/parcels/{number}/locker/deposit"): fill_locker,
    ("DELETE", "/parcels/{number}/locker"): release_locker,
    ("GET", "/stations/{code}"): show_station,
}
