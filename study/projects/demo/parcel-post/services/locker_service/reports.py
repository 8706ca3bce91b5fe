"""What the carrier's other systems are asked and told; without them the stations go on working."""

from common.web import Problem
from services.locker_service import store, tracking_client

CLOSED_STATES = ("delivered", "returned", "cancelled")


def check_shipment(number):
    """True if the parcel is known and on its way, False if nobody could say; else the booking is refused."""
    status, shipment = tracking_client.get_shipment(number)
    if status == 404:
        raise Problem(422, "unknown_parcel", number)
    if status != 200:
        return False
    if shipment.get("state") in CLOSED_STATES:
        raise Problem(409, "parcel_closed", f"the parcel is {shipment['state']}")
    return True


def report(db, booking, kind, at):
    """Report an event of a parcel at once if possible, else keep it in the outbox."""
    event = {"number": booking["number"], "kind": kind, "place": f"locker {booking['station']}", "at": at}
    if send(event):
        return True
    store.keep(db, event)
    return False


def send(event):
    """True if the event arrived, also if it was refused: a refusal will not change by asking again."""
    status = tracking_client.post_event(event)
    return 200 <= status < 500


def flush(db):
    """Send the outbox, oldest first, until one fails; return how many were sent."""
    sent = 0
    for serial, event in store.outbox(db):
        if not send(event):
            break
        store.drop(db, serial)
        sent += 1
    return sent
