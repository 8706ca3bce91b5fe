"""Shipments, at the tracking service."""

from common import client, settings


def base():
    return f"{settings.peer_url('tracking-service')}/shipments"


def announce(number, service):
    """True if the new parcel is known there now."""
    return client.call("POST", base(), {"number": number, "service": service})[0] == 201


def add_event(number, kind, place, at):
    """The shipment after the event; a refusal is passed on."""
    event = {"kind": kind, "place": place, "at": at}
    return client.require("POST", f"{base()}/{number}/events", event, "shipments_unavailable")


def state(number):
    """State, place and due date of a shipment, or None if nobody can say."""
    status, answer = client.call("GET", f"{base()}/{number}")
    if status != 200:
        return None
    return {key: answer.get(key) for key in ("state", "place", "due")}


def history(number):
    """Kinds and places of the events so far."""
    answer = client.require("GET", f"{base()}/{number}/events", None, "shipments_unavailable")
    return [f"{event['kind']} at {event['place']}" for event in answer["events"]]
