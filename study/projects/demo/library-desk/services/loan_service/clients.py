"""The peers of loan-service."""

from __future__ import annotations

from urllib.parse import quote

from library.errors import Refusal
from library.peers import call
from library.settings import peer_url

from services.loan_service.lending import Item, Standing

CATALOGUE_SERVICE_URL = peer_url("CATALOGUE_SERVICE_URL", "catalogue-service")
MEMBER_SERVICE_URL = peer_url("MEMBER_SERVICE_URL", "member-service")


class CatalogueClient:
    def item(self, barcode: str) -> Item:
        status, body = call("GET", f"{CATALOGUE_SERVICE_URL}/copies/{quote(barcode)}")
        if status != 200:
            raise Refusal(422, "unknown_copy", f"no copy {barcode}")
        return Item(barcode, body["title"], body["shelf"], body["audience"], body["status"])

    def set_status(self, barcode: str, status: str) -> None:
        call("PUT", f"{CATALOGUE_SERVICE_URL}/copies/{quote(barcode)}/status", {"status": status})


class MemberServiceClient:
    def standing(self, member_id: str) -> Standing:
        status, body = call("GET", f"{MEMBER_SERVICE_URL}/members/{quote(member_id)}/standing")
        if status != 200:
            raise Refusal(422, "unknown_member", f"no member {member_id}")
        return Standing(body["category"], body["mayBorrow"], body["reasons"], body["maxLoans"])

    def charge(self, member_id: str, cents: int, reason: str, loan_id: str) -> int:
        """Cents that were really charged."""
        url = f"{MEMBER_SERVICE_URL}/members/{quote(member_id)}/charges"
        status, body = call("POST", url, {"amountCents": cents, "reason": reason, "reference": loan_id})
        if status not in {200, 201}:
            raise Refusal(503, "peer_unavailable", f"{loan_id} could not be charged")
        return int(body["chargedCents"])
