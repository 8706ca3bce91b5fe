"""HTTP layer of loan-service."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import date
from typing import Annotated, Any

from fastapi import Depends, FastAPI
from library.bodies import Body
from library.errors import Refusal, install_errors
from library.settings import business_date, database_file

from services.loan_service import lending
from services.loan_service.clients import CatalogueClient, MemberServiceClient
from services.loan_service.lending import Item, Loan
from services.loan_service.store import LoanStore

DAILY_FINE_CENTS = int(os.environ.get("DAILY_FINE_CENTS", "10"))
STATUSES = ("open", "overdue", "returned")


class GuestItem(Body):
    """An item that another library has sent us; it is not in our catalogue."""

    barcode: str
    title: str
    due_on: date


class Lending(Body):
    member_id: str
    barcode: str | None = None
    guest_item: GuestItem | None = None
    lent_on: date | None = None


class Return(Body):
    returned_on: date | None = None
    condition: str = "good"


def open_store() -> LoanStore:
    return LoanStore(database_file("loans.db"))


Store = Annotated[LoanStore, Depends(open_store)]
Catalogue = Annotated[CatalogueClient, Depends(CatalogueClient)]
Members = Annotated[MemberServiceClient, Depends(MemberServiceClient)]
app = FastAPI(title="loan-service", docs_url=None, redoc_url=None)
install_errors(app)


def loan_json(loan: Loan, today: date) -> dict[str, Any]:
    return {
        "loanId": loan.loan_id,
        "memberId": loan.member_id,
        "barcode": loan.barcode,
        "title": loan.title,
        "guest": loan.shelf == "guest",
        "lentOn": loan.lent_on.isoformat(),
        "dueOn": loan.due_on.isoformat(),
        "renewals": loan.renewals,
        "status": loan.status_on(today),
        "returnedOn": loan.returned_on.isoformat() if loan.returned_on else None,
        "condition": loan.condition,
        "fineCents": loan.fine_cents,
    }


def find_item(body: Lending, catalogue: CatalogueClient, store: LoanStore) -> Item:
    """The copy or guest item that a lending is about."""
    if (body.barcode is None) == (body.guest_item is None):
        raise Refusal(422, "item_required", "give either `barcode` or `guestItem`")
    if body.barcode is not None:
        return catalogue.item(body.barcode)
    guest = body.guest_item
    assert guest is not None
    status = "on_loan" if store.holds(guest.barcode) else "available"
    return Item(guest.barcode, guest.title, "guest", status=status)


@app.get("/health")
def health() -> dict[str, str]:
    return {"status": "up", "service": "loan-service"}


@app.post("/loans", status_code=201)
def lend(body: Lending, store: Store, catalogue: Catalogue, members: Members) -> dict[str, Any]:
    today = business_date()
    lent_on = body.lent_on or today
    lending.check_lending_date(lent_on, today)
    standing = members.standing(body.member_id)
    lending.check_borrower(standing, store.open_loans(body.member_id), today)
    item = find_item(body, catalogue, store)
    lending.check_item(item, standing.category)
    if body.guest_item is not None:
        due_on = body.guest_item.due_on
        if due_on <= lent_on:
            raise Refusal(422, "invalid_date", "a guest item is due after the day of lending")
    else:
        due_on = lending.due_date(item.shelf, standing.category, lent_on)
        catalogue.set_status(item.barcode, "on_loan")
    loan = Loan("", body.member_id, item.barcode, item.title, item.shelf, standing.category, lent_on, due_on)
    return loan_json(store.add(loan), today)


@app.get("/loans")
def list_loans(store: Store, memberId: str | None = None, status: str | None = None) -> list[dict[str, Any]]:
    if status is not None and status not in STATUSES:
        raise Refusal(422, "unknown_status", f"{status!r} is none of {', '.join(STATUSES)}")
    today = business_date()
    loans = [loan for loan in store.all(memberId) if status in {None, loan.status_on(today)}]
    return [loan_json(loan, today) for loan in loans]


@app.get("/loans/{loan_id}")
def get_loan(loan_id: str, store: Store) -> dict[str, Any]:
    return loan_json(store.get(loan_id), business_date())


@app.post("/loans/{loan_id}/renewal")
def renew(loan_id: str, store: Store, members: Members) -> dict[str, Any]:
    today = business_date()
    loan = store.get(loan_id)
    lending.check_renewal(loan, today)
    standing = members.standing(loan.member_id)
    if not standing.may_borrow:
        raise Refusal(403, "member_barred", "the member may not borrow", reasons=standing.reasons)
    due_on = max(loan.due_on, lending.due_date(loan.shelf, standing.category, today))
    renewed = replace(loan, due_on=due_on, renewals=loan.renewals + 1)
    store.update(renewed)
    return loan_json(renewed, today)


@app.post("/loans/{loan_id}/return")
def take_back(
    loan_id: str, body: Return, store: Store, catalogue: Catalogue, members: Members
) -> dict[str, Any]:
    today = business_date()
    loan = store.get(loan_id)
    returned_on = body.returned_on or today
    lending.check_return(loan, returned_on, body.condition, today)
    fine = 0
    for reason, cents in lending.charges(loan, returned_on, body.condition, DAILY_FINE_CENTS):
        fine += members.charge(loan.member_id, cents, reason, loan.loan_id)
    if loan.shelf != "guest":
        catalogue.set_status(loan.barcode, "missing" if body.condition == "lost" else "available")
    closed = replace(loan, returned_on=returned_on, condition=body.condition, fine_cents=fine)
    store.update(closed)
    return loan_json(closed, today)
