"""Compartments, at the locker service."""

from common import client, settings


def base():
    return settings.peer_url("locker-service")


def book(number, station, size):
    """The booking of a compartment; a refusal is passed on."""
    wanted = {"number": number, "station": station, "size": size}
    booking = client.require("POST", f"{base()}/bookings", wanted, "lockers_unavailable")
    return {key: booking.get(key) for key in ("booking_id", "station", "compartment", "state", "hold_hours")}


def show(booking_id):
    """Station, compartment, state and deadline of a booking."""
    booking = client.require("GET", f"{base()}/bookings/{booking_id}", None, "lockers_unavailable")
    return {key: booking.get(key) for key in ("station", "compartment", "state", "expires_at")}


def release(booking_id):
    return client.require("DELETE", f"{base()}/bookings/{booking_id}", None, "lockers_unavailable")["state"]


def deposit(booking_id, at):
    """Pickup code and deadline of a parcel that was put into its compartment."""
    answer = client.require(
        "POST", f"{base()}/bookings/{booking_id}/deposit", {"at": at}, "lockers_unavailable"
    )
    return {"pickup_code": answer["pickup_code"], "expires_at": answer["expires_at"]}


def free(station):
    """Number of free compartments of a station by size."""
    return client.require("GET", f"{base()}/stations/{station}", None, "lockers_unavailable")["free"]
