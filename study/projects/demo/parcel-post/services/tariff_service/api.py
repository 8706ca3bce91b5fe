"""Quotes, rates and promotion codes over HTTP."""

from common.web import Problem
from services.tariff_service import checks, pricing, store


def health(request):
    return 200, {"service": "tariff-service", "status": "up"}


def show_rates(request):
    with store.open_db() as db:
        return 200, {"bands_g": list(pricing.BANDS_G), "rates": store.all_rates(db)}


def change_rates(request):
    zone = request["params"]["zone"]
    if zone not in pricing.ZONES:
        raise Problem(404, "unknown_zone", zone)
    prices = checks.price_list(request["body"])
    with store.open_db() as db:
        store.set_rates(db, zone, prices)
    return 200, {"zone": zone, "prices": prices}


def put_promo(request):
    code = checks.promo_code(request["params"]["code"])
    percent = checks.whole_number(request["body"], "percent", 1, 50)
    uses = checks.whole_number(request["body"], "uses", 1, 100_000)
    with store.open_db() as db:
        created = store.get_promo(db, code) is None
        store.put_promo(db, code, percent, uses)
    return 201 if created else 200, {"code": code, "percent": percent, "uses_left": uses}


def show_promo(request):
    with store.open_db() as db:
        promo = store.get_promo(db, request["params"]["code"].upper())
    if promo is None:
        raise Problem(404, "unknown_promo", request["params"]["code"])
    return 200, promo


def create_quote(request):
    parcel = checks.parcel(request["body"])
    with store.open_db() as db:
        percent = promo_percent(db, parcel["promo"])
        quote = pricing.quote(parcel, store.all_rates(db), percent)
        quote_id = store.add_quote(db, quote, parcel["promo"])
    return 201, {"quote_id": quote_id, "accepted": False, **quote}


def promo_percent(db, code):
    """Discount of a promotion code; 0 without one."""
    if code is None:
        return 0
    promo = store.get_promo(db, code)
    if promo is None:
        raise Problem(422, "unknown_promo", code)
    if promo["uses_left"] < 1:
        raise Problem(422, "promo_used_up", code)
    return promo["percent"]


def find_quote(db, quote_id):
    quote = store.get_quote(db, quote_id)
    if quote is None:
        raise Problem(404, "unknown_quote", quote_id)
    return quote


def show_quote(request):
    with store.open_db() as db:
        quote = find_quote(db, request["params"]["quote_id"])
    quote.pop("promo")
    return 200, quote


def accept_quote(request):
    with store.open_db() as db:
        quote = find_quote(db, request["params"]["quote_id"])
        if quote["accepted"]:
            raise Problem(409, "already_accepted", quote["quote_id"])
        if quote["promo"] is not None and not store.use_promo(db, quote["promo"]):
            raise Problem(409, "promo_used_up", quote["promo"])
        store.accept(db, quote["quote_id"])
    return 200, {"quote_id": quote["quote_id"], "accepted": True, "total_cents": quote["total_cents"]}


ROUTES = {
    ("GET", "/health"): health,
    ("GET", "/rates"): show_rates,
    ("PUT", "/rates/{zone}"): change_rates,
    ("PUT", "/promos/{code}"): put_promo,
    ("GET", "/promos/{code}"): show_promo,
    ("POST", "/quotes"): create_quote,
    ("GET", "/quotes/{quote_id}"): show_quote,
    ("POST", "/quotes/{quote_id}/accept"): accept_quote,
}
