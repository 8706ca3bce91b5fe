"""loan-service, called in this process with stand-ins for its peers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from library.errors import Refusal
from services.loan_service import clients
from services.loan_service.api import app
from services.loan_service.clients import CatalogueClient, MemberServiceClient
from services.loan_service.lending import Item, Standing

from tests.support.asgi import request
from tests.support.refusals import refused

pytestmark = pytest.mark.usefixtures("data_dir")


class FakeCatalogue:
    def __init__(self) -> None:
        self.statuses: dict[str, str] = {}

    def item(self, barcode: str) -> Item:
        if not barcode.startswith("C"):
            raise Refusal(422, "unknown_copy")
        return Item(barcode, "Salt Roads", "open", status=self.statuses.get(barcode, "available"))

    def set_status(self, barcode: str, status: str) -> None:
        self.statuses[barcode] = status


class FakeMembers:
    def __init__(self) -> None:
        self.good = Standing("adult", True, [], 10)
        self.charged: list[tuple[str, int, str, str]] = []

    def standing(self, member_id: str) -> Standing:
        if member_id != "M0001":
            raise Refusal(422, "unknown_member")
        return self.good

    def charge(self, member_id: str, cents: int, reason: str, loan_id: str) -> int:
        self.charged.append((member_id, cents, reason, loan_id))
        return cents // 2


@pytest.fixture
def catalogue() -> Iterator[FakeCatalogue]:
    fake = FakeCatalogue()
    app.dependency_overrides[CatalogueClient] = lambda: fake
    yield fake
    del app.dependency_overrides[CatalogueClient]


@pytest.fixture
def members() -> Iterator[FakeMembers]:
    fake = FakeMembers()
    app.dependency_overrides[MemberServiceClient] = lambda: fake
    yield fake
    del app.dependency_overrides[MemberServiceClient]


def lend(**fields: Any) -> Any:
    return request(app, "POST", "/loans", {"memberId": "M0001", **fields})


def guest(barcode: str, due_on: str = "2026-03-20") -> dict[str, str]:
    return {"barcode": barcode, "title": "Dust", "dueOn": due_on}


def test_a_copy_is_lent_and_leaves_the_shelf(catalogue: FakeCatalogue, members: FakeMembers) -> None:
    loan = lend(barcode="C1")
    assert loan.status_code == 201
    assert loan.json() == {
        "loanId": "L0001",
        "memberId": "M0001",
        "barcode": "C1",
        "title": "Salt Roads",
        "guest": False,
        "lentOn": "2026-03-02",
        "dueOn": "2026-03-23",
        "renewals": 0,
        "status": "open",
        "returnedOn": None,
        "condition": None,
        "fineCents": 0,
    }
    assert catalogue.statuses == {"C1": "on_loan"}
    assert lend(barcode="C1").json()["code"] == "copy_unavailable"
    assert request(app, "GET", "/loans/L0001").json() == loan.json()
    assert request(app, "GET", "/loans/L0002").status_code == 404


def test_a_lending_names_one_item_and_a_member(catalogue: FakeCatalogue, members: FakeMembers) -> None:
    assert (lend().status_code, lend().json()["code"]) == (422, "item_required")
    assert lend(barcode="C1", guestItem=guest("G1")).json()["code"] == "item_required"
    assert lend(barcode="X1").json()["code"] == "unknown_copy"
    assert lend(memberId="M0002", barcode="C1").json()["code"] == "unknown_member"
    assert request(app, "POST", "/loans", {"barcode": "C1"}).status_code == 422
    members.good = Standing("adult", False, ["expired"], 10)
    refused = lend(barcode="C1")
    assert (refused.status_code, refused.json()["reasons"]) == (403, ["expired"])
    assert catalogue.statuses == {}


def test_a_guest_item_keeps_its_own_date(catalogue: FakeCatalogue, members: FakeMembers) -> None:
    loan = lend(guestItem=guest("G1"))
    assert (loan.json()["guest"], loan.json()["dueOn"]) == (True, "2026-03-20")
    assert lend(guestItem=guest("G1")).json()["code"] == "copy_unavailable"
    assert lend(guestItem=guest("G2", "2026-03-02")).json()["code"] == "invalid_date"
    assert lend(guestItem=guest("G2", "2026-03-02")).status_code == 422
    assert request(app, "POST", "/loans/L0001/return", {}).json()["status"] == "returned"
    assert catalogue.statuses == {}
    assert lend(guestItem=guest("G1")).status_code == 201


def test_a_late_return_is_charged(catalogue: FakeCatalogue, members: FakeMembers) -> None:
    lend(barcode="C1", lentOn="2026-02-02")
    assert lend(barcode="C2").json()["code"] == "overdue_loans"
    answer = request(app, "POST", "/loans/L0001/return", {"condition": "damaged"}).json()
    assert members.charged == [("M0001", 60, "late", "L0001"), ("M0001", 800, "damage", "L0001")]
    assert (answer["status"], answer["condition"], answer["fineCents"]) == ("returned", "damaged", 430)
    assert request(app, "GET", "/loans/L0001").json() == answer
    assert catalogue.statuses == {"C1": "available"}


def test_a_lost_copy_is_missing(catalogue: FakeCatalogue, members: FakeMembers) -> None:
    lend(barcode="C1", lentOn="2026-02-16")
    body = {"condition": "lost", "returnedOn": "2026-02-28"}
    assert request(app, "POST", "/loans/L0001/return", body).json()["returnedOn"] == "2026-02-28"
    assert catalogue.statuses == {"C1": "missing"}
    assert request(app, "POST", "/loans/L0001/return", body).json()["code"] == "already_returned"


def test_a_renewal_counts_from_today(catalogue: FakeCatalogue, members: FakeMembers) -> None:
    lend(barcode="C1", lentOn="2026-02-16")
    renewed = request(app, "POST", "/loans/L0001/renewal").json()
    assert (renewed["dueOn"], renewed["renewals"]) == ("2026-03-23", 1)
    assert request(app, "GET", "/loans/L0001").json()["renewals"] == 1
    members.good = Standing("adult", False, ["fees"], 10)
    barred = request(app, "POST", "/loans/L0001/renewal")
    assert (barred.status_code, barred.json()["reasons"]) == (403, ["fees"])


def test_loans_are_listed_by_member_and_status(catalogue: FakeCatalogue, members: FakeMembers) -> None:
    lend(barcode="C1")
    lend(barcode="C2")
    request(app, "POST", "/loans/L0001/return", {})
    lend(barcode="C3", lentOn="2026-02-02")
    listed = {
        query: [loan["loanId"] for loan in request(app, "GET", f"/loans?{query}").json()]
        for query in ("memberId=M0001", "status=open", "status=overdue", "memberId=M0002", "status=returned")
    }
    assert listed == {
        "memberId=M0001": ["L0001", "L0002", "L0003"],
        "status=open": ["L0002"],
        "status=overdue": ["L0003"],
        "memberId=M0002": [],
        "status=returned": ["L0001"],
    }
    assert request(app, "GET", "/loans?status=gone").status_code == 422


class FakePeer:
    """Answers every call alike and remembers it."""

    def __init__(self, status: int, body: dict[str, Any]) -> None:
        self.answer = (status, body)
        self.calls: list[tuple[Any, ...]] = []

    def __call__(self, *call: Any) -> tuple[int, dict[str, Any]]:
        self.calls.append(call)
        return self.answer


def test_members_are_asked_and_charged(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {"category": "senior", "mayBorrow": False, "reasons": ["fees"], "maxLoans": 10, "chargedCents": 7}
    peer = FakePeer(200, known)
    monkeypatch.setattr(clients, "call", peer)
    assert MemberServiceClient().standing("M0001") == Standing("senior", False, ["fees"], 10)
    assert MemberServiceClient().charge("M0001", 15, "late", "L0001") == 7
    assert peer.calls[0][1].endswith("/members/M0001/standing")
    assert peer.calls[1][2] == {"amountCents": 15, "reason": "late", "reference": "L0001"}
    peer.answer = (201, known)
    assert MemberServiceClient().charge("M0001", 15, "late", "L0002") == 7
    peer.answer = (404, {})
    with refused(422, "unknown_member"):
        MemberServiceClient().standing("M0009")
    with refused(503, "peer_unavailable"):
        MemberServiceClient().charge("M0009", 15, "late", "L0001")


def test_the_catalogue_is_asked_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    copy = {"title": "Atlas", "shelf": "reference", "audience": "adult", "status": "missing"}
    peer = FakePeer(200, copy)
    monkeypatch.setattr(clients, "call", peer)
    assert CatalogueClient().item("C1") == Item("C1", "Atlas", "reference", "adult", "missing")
    CatalogueClient().set_status("C1", "on_loan")
    assert (peer.calls[1][0], peer.calls[1][2]) == ("PUT", {"status": "on_loan"})
    peer.answer = (404, {})
    with refused(422, "unknown_copy"):
        CatalogueClient().item("C9")
