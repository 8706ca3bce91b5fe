"""HTTP layer of interlibrary-loan-service."""

from __future__ import annotations

import os
from datetime import date
from typing import Annotated, Any

from fastapi import Depends, FastAPI
from library.bodies import Body
from library.errors import Refusal, install_errors
from library.settings import business_date, database_file

from services.interlibrary_loan_service import lifecycle
from services.interlibrary_loan_service.desk import LoanServiceClient
from services.interlibrary_loan_service.lifecycle import Request
from services.interlibrary_loan_service.partners import find_partner, load_partners
from services.interlibrary_loan_service.store import RequestStore

MAX_OPEN_REQUESTS = int(os.environ.get("MAX_OPEN_REQUESTS", "3"))


class Wish(Body):
    member_id: str
    title: str
    partner: str
    author: str = ""
    needed_by: date | None = None


class Arrival(Body):
    due_back: date


def open_store() -> RequestStore:
    return RequestStore(database_file("interlibrary.db"))


Store = Annotated[RequestStore, Depends(open_store)]
Desk = Annotated[LoanServiceClient, Depends(LoanServiceClient)]
app = FastAPI(title="interlibrary-loan-service", docs_url=None, redoc_url=None)
install_errors(app)


def request_json(request: Request, today: date) -> dict[str, Any]:
    return {
        "requestId": request.request_id,
        "memberId": request.member_id,
        "title": request.title,
        "author": request.author,
        "partner": request.partner,
        "status": request.status,
        "requestedOn": request.requested_on.isoformat(),
        "expectedOn": request.expected_on.isoformat(),
        "feeCents": request.fee_cents,
        "dueBack": request.due_back.isoformat() if request.due_back else None,
        "pickupBy": request.pickup_by.isoformat() if request.pickup_by else None,
        "daysLeft": lifecycle.days_left(request, today),
        "loanId": request.loan_id,
        "penaltyCents": request.penalty_cents,
    }


@app.get("/health")
def health() -> dict[str, str]:
    return {"status": "up", "service": "interlibrary-loan-service"}


@app.get("/partners")
def list_partners() -> list[dict[str, Any]]:
    return [
        {
            "code": partner.code,
            "name": partner.name,
            "transitDays": partner.transit_days,
            "feeCents": partner.fee_cents,
        }
        for partner in sorted(load_partners().values(), key=lambda partner: partner.code)
    ]


@app.post("/requests", status_code=201)
def place_request(body: Wish, store: Store) -> dict[str, Any]:
    today = business_date()
    title = lifecycle.check_title(body.title)
    partner = find_partner(body.partner)
    request = lifecycle.place(body.member_id, title, body.author, partner, today)
    lifecycle.check_needed_by(body.needed_by, request.expected_on, today)
    lifecycle.check_room(store.active(body.member_id), title, MAX_OPEN_REQUESTS)
    return request_json(store.add(request), today)


@app.get("/requests")
def list_requests(
    store: Store, memberId: str | None = None, status: str | None = None
) -> list[dict[str, Any]]:
    if status is not None and status not in lifecycle.STATUSES:
        raise Refusal(422, "unknown_status", f"{status!r} is none of {', '.join(lifecycle.STATUSES)}")
    today = business_date()
    return [request_json(request, today) for request in store.all(memberId, status)]


@app.get("/requests/{request_id}")
def get_request(request_id: str, store: Store) -> dict[str, Any]:
    return request_json(store.get(request_id), business_date())


@app.post("/requests/{request_id}/arrival")
def record_arrival(request_id: str, body: Arrival, store: Store) -> dict[str, Any]:
    today = business_date()
    request = lifecycle.arrive(store.get(request_id), body.due_back, today)
    store.update(request)
    return request_json(request, today)


@app.post("/requests/{request_id}/cancellation")
def cancel_request(request_id: str, store: Store) -> dict[str, Any]:
    request = lifecycle.cancel(store.get(request_id))
    store.update(request)
    return request_json(request, business_date())


@app.post("/requests/{request_id}/handover")
def hand_over(request_id: str, store: Store, desk: Desk) -> dict[str, Any]:
    today = business_date()
    request = store.get(request_id)
    due_on = lifecycle.check_pickup(request, today)
    if desk.overdue(request.member_id) > 0:
        raise Refusal(409, "overdue_loans", "something overdue must come back first")
    guest_item = {
        "barcode": f"ILL-{request_id}",
        "title": request.title,
        "dueOn": due_on.isoformat(),
    }
    request = lifecycle.hand_over(request, desk.lend(request.member_id, guest_item))
    store.update(request)
    return request_json(request, today)


@app.post("/requests/{request_id}/giveback")
def give_back(request_id: str, store: Store, desk: Desk) -> dict[str, Any]:
    request = store.get(request_id)
    loan = desk.loan(lifecycle.check_lent(request))
    if loan.returned_on is None:
        raise Refusal(409, "still_lent", f"{request_id} is still with the borrower")
    partner = find_partner(request.partner)
    request = lifecycle.close(request, partner, loan.returned_on, loan.condition)
    store.update(request)
    return request_json(request, business_date())
