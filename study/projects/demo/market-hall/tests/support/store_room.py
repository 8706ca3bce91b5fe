"""A made-up store room: everything costs 3 euros, and only eels are out of stock."""


def store_room(method, path, body):
    """Answers of the store room, for a stand-in."""
    if path != "/reservations":
        return 200, {}
    lines = []
    for line in body["lines"]:
        if line["article_id"] == "EELS":
            error = {"code": "out_of_stock", "message": "no eels", "article_id": "EELS", "available": 0}
            return 409, {"error": error}
        priced = {"name": "Goods", "amount_cents": 300 * line["quantity"], "vat_percent": 7, "reduced": 0}
        lines.append({**line, **priced})
    return 201, {"reference": body["reference"], "status": "held", "lines": lines}
