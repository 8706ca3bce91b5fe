"""interlibrary-loan-service, called in this process with a stand-in for the lending desk."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
from library.errors import Refusal
from services.interlibrary_loan_service import desk as desk_module
from services.interlibrary_loan_service.api import app
from services.interlibrary_loan_service.desk import DeskLoan, LoanServiceClient

from tests.support.asgi import request
from tests.support.refusals import refused

pytestmark = pytest.mark.usefixtures("data_dir")


class FakeDesk:
    def __init__(self) -> None:
        self.overdue_items = 0
        self.refusal: str | None = None
        self.lent: list[tuple[str, dict[str, Any]]] = []
        self.found = DeskLoan("open", None, None)

    def overdue(self, member_id: str) -> int:
        return self.overdue_items

    def lend(self, member_id: str, guest_item: dict[str, Any]) -> str:
        if self.refusal:
            raise Refusal(409, "loan_refused", cause=self.refusal)
        self.lent.append((member_id, guest_item))
        return "L0042"

    def loan(self, loan_id: str) -> DeskLoan:
        assert loan_id == "L0042"
        return self.found


@pytest.fixture
def desk() -> Iterator[FakeDesk]:
    fake = FakeDesk()
    app.dependency_overrides[LoanServiceClient] = lambda: fake
    yield fake
    del app.dependency_overrides[LoanServiceClient]


def place(title: str = "Dust", **fields: Any) -> Any:
    wish = {"memberId": "M0001", "title": title, "partner": "HARBOUR", **fields}
    return request(app, "POST", "/requests", wish)


def step(name: str, request_id: str = "R0001", body: dict[str, Any] | None = None) -> Any:
    return request(app, "POST", f"/requests/{request_id}/{name}", body)


def test_a_request_is_placed_and_found_again() -> None:
    placed = place(author="Ira Noll", neededBy="2026-03-10")
    assert placed.status_code == 201
    assert placed.json() == {
        "requestId": "R0001",
        "memberId": "M0001",
        "title": "Dust",
        "author": "Ira Noll",
        "partner": "HARBOUR",
        "status": "requested",
        "requestedOn": "2026-03-02",
        "expectedOn": "2026-03-04",
        "feeCents": 0,
        "dueBack": None,
        "pickupBy": None,
        "daysLeft": None,
        "loanId": None,
        "penaltyCents": 0,
    }
    assert request(app, "GET", "/requests/R0001").json() == placed.json()
    assert request(app, "GET", "/requests/R0002").status_code == 404


def test_wishes_are_checked() -> None:
    assert place(title=" ").json()["code"] == "invalid_title"
    assert place(partner="NOWHERE").json()["code"] == "unknown_partner"
    assert place(neededBy="2026-03-03").json()["expectedOn"] == "2026-03-04"
    assert place(neededBy="soon").status_code == 422
    assert [place(title).status_code for title in ("One", "one", "Two", "Three", "Four")] == [
        201,
        409,
        201,
        201,
        409,
    ]


def test_closed_and_cancelled_requests_leave_room() -> None:
    for title in ("One", "Two", "Three"):
        place(title)
    assert step("cancellation", "R0002").json()["status"] == "cancelled"
    assert place("Two").status_code == 201
    listed = request(app, "GET", "/requests?memberId=M0001&status=requested").json()
    assert [item["requestId"] for item in listed] == ["R0001", "R0003", "R0004"]
    assert request(app, "GET", "/requests?memberId=M0002").json() == []
    assert request(app, "GET", "/requests?status=gone").status_code == 422


def test_a_ready_item_is_lent_at_the_desk(desk: FakeDesk) -> None:
    place()
    assert step("arrival", body={"dueBack": "2026-03-30"}).json()["pickupBy"] == "2026-03-12"
    lent = step("handover").json()
    assert (lent["status"], lent["loanId"]) == ("lent", "L0042")
    assert desk.lent == [("M0001", {"barcode": "ILL-R0001", "title": "Dust", "dueOn": "2026-03-27"})]
    assert (step("giveback").status_code, step("giveback").json()["code"]) == (409, "still_lent")
    desk.found = DeskLoan("returned", date(2026, 4, 1), "good")
    closed = step("giveback").json()
    assert (closed["status"], closed["penaltyCents"]) == ("closed", 40)
    assert request(app, "GET", "/requests/R0001").json() == closed


def test_the_desk_may_refuse(desk: FakeDesk) -> None:
    place()
    step("arrival", body={"dueBack": "2026-03-30"})
    desk.overdue_items = 1
    assert (step("handover").status_code, step("handover").json()["code"]) == (409, "overdue_loans")
    desk.overdue_items = 0
    desk.refusal = "member_barred"
    assert step("handover").json()["cause"] == "member_barred"
    assert (desk.lent, request(app, "GET", "/requests/R0001").json()["status"]) == ([], "ready")


class FakePeer:
    """Answers every call alike and remembers it."""

    def __init__(self, status: int, body: Any) -> None:
        self.answer = (status, body)
        self.calls: list[tuple[Any, ...]] = []

    def __call__(self, *call: Any) -> tuple[int, Any]:
        self.calls.append(call)
        return self.answer


def test_the_desk_is_asked_for_overdue_items_and_loans(monkeypatch: pytest.MonkeyPatch) -> None:
    peer = FakePeer(200, [{"loanId": "L0001"}, {"loanId": "L0002"}])
    monkeypatch.setattr(desk_module, "call", peer)
    assert LoanServiceClient().overdue("M0001") == 2
    assert peer.calls[0][1].endswith("/loans?memberId=M0001&status=overdue")
    peer.answer = (200, {"status": "returned", "returnedOn": "2026-03-01", "condition": "lost"})
    assert LoanServiceClient().loan("L0001") == DeskLoan("returned", date(2026, 3, 1), "lost")
    peer.answer = (200, {"status": "open", "returnedOn": None, "condition": None})
    assert LoanServiceClient().loan("L0001") == DeskLoan("open", None, None)
    peer.answer = (404, {})
    with refused(503, "peer_unavailable"):
        LoanServiceClient().overdue("M0001")
    with refused(503, "peer_unavailable"):
        LoanServiceClient().loan("L0009")


def test_the_desk_lends_or_says_why_not(monkeypatch: pytest.MonkeyPatch) -> None:
    peer = FakePeer(201, {"loanId": "L0007"})
    monkeypatch.setattr(desk_module, "call", peer)
    item = {"barcode": "ILL-R0001", "title": "Dust", "dueOn": "2026-03-27"}
    assert LoanServiceClient().lend("M0001", item) == "L0007"
    assert peer.calls[0][2] == {"memberId": "M0001", "guestItem": item}
    peer.answer = (403, {"code": "member_barred"})
    with refused(409, "loan_refused"):
        LoanServiceClient().lend("M0001", item)
