"""Calls to the tracking service."""

from common import client, settings


def get_shipment(number):
    """Status and content of the answer; status 0 if nobody answers."""
    return client.call("GET", f"{settings.peer_url('tracking-service')}/shipments/{number}")


def post_event(event):
    """Status of the answer to a new event; 0 if nobody answers."""
    url = f"{settings.peer_url('tracking-service')}/shipments/{event['number']}/events"
    body = {key: event[key] for key in ("kind", "place", "at")}
    return client.call("POST", url, body)[0]
