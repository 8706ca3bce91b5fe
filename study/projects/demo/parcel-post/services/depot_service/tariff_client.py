"""Prices, from the tariff service."""

from common import client, settings
from common.web import Problem

SERVICES = ("standard", "express", "locker")


def quote(form):
    """A quote for the parcel; a refusal is passed on."""
    url = f"{settings.peer_url('tariff-service')}/quotes"
    return client.require("POST", url, form, "prices_unavailable")


def compare(form):
    """Offers of all services, the cheapest first, and the reasons of those that cannot be had."""
    offers, refused = [], {}
    for service in SERVICES:
        try:
            answer = quote({**form, "service": service})
            offers.append({key: answer[key] for key in ("service", "quote_id", "total_cents")})
        except Problem as problem:
            if problem.code != "not_offered":
                raise
            refused[service] = problem.detail
    offers.sort(key=lambda offer: offer["total_cents"])
    return {"offers": offers, "refused": refused}


def accept(quote_id):
    """What has to be paid, once the quote is accepted."""
    url = f"{settings.peer_url('tariff-service')}/quotes/{quote_id}/accept"
    return client.require("POST", url, {}, "prices_unavailable")["total_cents"]
