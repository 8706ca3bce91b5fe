"""HTTP layer of member-service."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import date
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Response
from library.bodies import Body
from library.errors import Refusal, install_errors
from library.settings import business_date, database_file

from services.member_service import ledger, membership
from services.member_service.membership import Member
from services.member_service.store import MemberStore

FEE_LIMIT_CENTS = int(os.environ.get("FEE_LIMIT_CENTS", "1000"))


class Registration(Body):
    name: str
    birth_date: date
    category: str | None = None
    email: str | None = None
    guardian_id: str | None = None


class Charge(Body):
    amount_cents: int
    reason: str
    reference: str | None = None


class Payment(Body):
    amount_cents: int


class Block(Body):
    reason: str


def open_store() -> MemberStore:
    return MemberStore(database_file("members.db"))


Store = Annotated[MemberStore, Depends(open_store)]
app = FastAPI(title="member-service", docs_url=None, redoc_url=None)
install_errors(app)


def member_json(member: Member, balance: int) -> dict[str, Any]:
    return {
        "memberId": member.member_id,
        "name": member.name,
        "birthDate": member.birth_date.isoformat(),
        "category": member.category,
        "email": member.email,
        "guardianId": member.guardian_id,
        "joinedOn": member.joined_on.isoformat(),
        "expiresOn": member.expires_on.isoformat(),
        "blocked": member.block_reason is not None,
        "feesCents": balance,
    }


@app.get("/health")
def health() -> dict[str, str]:
    return {"status": "up", "service": "member-service"}


@app.post("/members", status_code=201)
def register(registration: Registration, store: Store) -> dict[str, Any]:
    today = business_date()
    name = membership.check_name(registration.name)
    membership.check_birth_date(registration.birth_date, today)
    email = membership.check_email(registration.email)
    age = membership.age_on(registration.birth_date, today)
    category = membership.choose_category(registration.category, age, email)
    guardian_id = registration.guardian_id
    guardian = store.find(guardian_id) if guardian_id else None
    membership.check_guardian(category, guardian_id, guardian, today)
    member = Member(
        member_id="",
        name=name,
        birth_date=registration.birth_date,
        category=category,
        email=email,
        guardian_id=guardian_id if category == "junior" else None,
        joined_on=today,
        expires_on=membership.expiry(category, registration.birth_date, today),
    )
    return member_json(store.add(member), 0)


@app.get("/members/{member_id}")
def get_member(member_id: str, store: Store) -> dict[str, Any]:
    return member_json(store.get(member_id), store.balance(member_id))


@app.get("/members/{member_id}/standing")
def get_standing(member_id: str, store: Store) -> dict[str, Any]:
    member = store.get(member_id)
    reasons = membership.bars(member, store.balance(member_id), FEE_LIMIT_CENTS, business_date())
    return {
        "memberId": member.member_id,
        "category": member.category,
        "mayBorrow": not reasons,
        "reasons": reasons,
        "maxLoans": membership.MAX_LOANS[member.category],
    }


@app.post("/members/{member_id}/charges", status_code=201)
def charge(member_id: str, body: Charge, response: Response, store: Store) -> dict[str, Any]:
    member = store.get(member_id)
    cents = ledger.charged(body.amount_cents, body.reason, member.category)
    if body.reference is not None and store.has_entry(member_id, body.reason, body.reference):
        response.status_code = 200
        return {"memberId": member_id, "chargedCents": 0, "feesCents": store.balance(member_id)}
    store.book(member_id, cents, body.reason, body.reference)
    return {"memberId": member_id, "chargedCents": cents, "feesCents": store.balance(member_id)}


@app.post("/members/{member_id}/payments")
def pay(member_id: str, body: Payment, store: Store) -> dict[str, Any]:
    store.get(member_id)
    balance = ledger.balance_after_payment(store.balance(member_id), body.amount_cents)
    store.book(member_id, -body.amount_cents, "payment")
    return {"memberId": member_id, "feesCents": balance}


@app.post("/members/{member_id}/renewal")
def renew_membership(member_id: str, store: Store) -> dict[str, Any]:
    balance = store.balance(member_id)
    member = membership.renew(store.get(member_id), balance, business_date())
    store.update(member)
    return member_json(member, balance)


@app.put("/members/{member_id}/block")
def block(member_id: str, body: Block, store: Store) -> dict[str, Any]:
    member = store.get(member_id)
    if not body.reason.strip():
        raise Refusal(422, "reason_required", "a block needs a reason")
    member = replace(member, block_reason=body.reason.strip())
    store.update(member)
    return member_json(member, store.balance(member_id))


@app.delete("/members/{member_id}/block")
def unblock(member_id: str, store: Store) -> dict[str, Any]:
    member = replace(store.get(member_id), block_reason=None)
    store.update(member)
    return member_json(member, store.balance(member_id))
