"""What interlibrary-loan-service asks of the lending desk."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import quote

from library.errors import Refusal
from library.peers import call
from library.settings import peer_url

LOAN_SERVICE_URL = peer_url("LOAN_SERVICE_URL", "loan-service")


@dataclass(frozen=True)
class DeskLoan:
    """As much of a loan as matters here."""

    status: str
    returned_on: date | None
    condition: str | None


class LoanServiceClient:
    def overdue(self, member_id: str) -> int:
        """How many items of a borrower are overdue."""
        status, body = call("GET", f"{LOAN_SERVICE_URL}/loans?memberId={quote(member_id)}&status=overdue")
        if status != 200:
            raise Refusal(503, "peer_unavailable", "the desk does not list loans")
        return len(body)

    def lend(self, member_id: str, guest_item: dict[str, Any]) -> str:
        """Lend a guest item; returns the id of the loan."""
        status, body = call(
            "POST", f"{LOAN_SERVICE_URL}/loans", {"memberId": member_id, "guestItem": guest_item}
        )
        if status != 201:
            cause = body.get("code", "unknown")
            raise Refusal(409, "loan_refused", f"the desk refused: {cause}", cause=cause)
        return str(body["loanId"])

    def loan(self, loan_id: str) -> DeskLoan:
        status, body = call("GET", f"{LOAN_SERVICE_URL}/loans/{loan_id}")
        if status != 200:
            raise Refusal(503, "peer_unavailable", f"the desk does not know {loan_id}")
        returned_on = date.fromisoformat(body["returnedOn"]) if body["returnedOn"] else None
        return DeskLoan(body["status"], returned_on, body["condition"])
