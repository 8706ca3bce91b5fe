"""member-service, called in this process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from services.member_service.api import app

from tests.support.asgi import request

pytestmark = pytest.mark.usefixtures("data_dir")


def register(**fields: Any) -> Any:
    return request(app, "POST", "/members", {"name": "Vera Lind", "birthDate": "1980-05-04", **fields})


def test_a_registered_member_is_found_again() -> None:
    created = register(email="Vera@Town.example")
    assert created.status_code == 201
    assert created.json() == {
        "memberId": "M0001",
        "name": "Vera Lind",
        "birthDate": "1980-05-04",
        "category": "adult",
        "email": "vera@town.example",
        "guardianId": None,
        "joinedOn": "2026-03-02",
        "expiresOn": "2027-03-02",
        "blocked": False,
        "feesCents": 0,
    }
    assert request(app, "GET", "/members/M0001").json() == created.json()
    for unknown in ("M0002", "M1", "0001", "Mabcd"):
        assert request(app, "GET", f"/members/{unknown}").status_code == 404


def test_registration_is_checked() -> None:
    assert register(email="a@b.example").status_code == 201
    taken = register(email="A@B.example")
    assert (taken.status_code, taken.json()["code"]) == (409, "email_taken")
    assert register(birthDate="2015-01-01").json()["code"] == "guardian_required"
    assert register(birthDate="yesterday").status_code == 422
    assert request(app, "POST", "/members", {"name": "Nobody"}).status_code == 422
    junior = register(birthDate="2015-01-01", guardianId="M0001")
    assert (junior.status_code, junior.json()["guardianId"]) == (201, "M0001")


def test_the_standing_tells_limits_and_bars() -> None:
    register(birthDate="2002-01-01", category="student")
    good = request(app, "GET", "/members/M0001/standing").json()
    assert good == {
        "memberId": "M0001",
        "category": "student",
        "mayBorrow": True,
        "reasons": [],
        "maxLoans": 15,
    }
    request(app, "POST", "/members/M0001/charges", {"amountCents": 1000, "reason": "loss"})
    barred = request(app, "GET", "/members/M0001/standing").json()
    assert (barred["mayBorrow"], barred["reasons"]) == (False, ["fees"])
    assert request(app, "GET", "/members/M0007/standing").status_code == 404


def test_a_charge_with_a_reference_is_booked_once() -> None:
    register()
    charge = {"amountCents": 120, "reason": "late", "reference": "L0001"}
    first = request(app, "POST", "/members/M0001/charges", charge)
    again = request(app, "POST", "/members/M0001/charges", charge)
    other = request(app, "POST", "/members/M0001/charges", {**charge, "reason": "damage"})
    assert (first.status_code, first.json()["chargedCents"]) == (201, 120)
    assert (again.status_code, again.json()["chargedCents"]) == (200, 0)
    assert (other.status_code, other.json()["feesCents"]) == (201, 240)


def test_payments_block_and_renewal_change_the_member(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    register()
    request(app, "POST", "/members/M0001/charges", {"amountCents": 120, "reason": "late"})
    assert request(app, "POST", "/members/M0001/payments", {"amountCents": 100}).json()["feesCents"] == 20
    assert request(app, "POST", "/members/M0001/payments", {"amountCents": 21}).status_code == 409
    assert request(app, "PUT", "/members/M0001/block", {"reason": " "}).status_code == 422
    assert request(app, "PUT", "/members/M0001/block", {"reason": "lost card"}).json()["blocked"] is True
    assert request(app, "GET", "/members/M0001").json()["blocked"] is True
    assert request(app, "DELETE", "/members/M0001/block").json()["blocked"] is False
    request(app, "POST", "/members/M0001/payments", {"amountCents": 20})
    assert request(app, "POST", "/members/M0001/renewal").json()["code"] == "too_early"
    monkeypatch.setenv("BUSINESS_DATE", "2027-02-01")
    renewed = request(app, "POST", "/members/M0001/renewal")
    assert (renewed.status_code, renewed.json()["expiresOn"]) == (200, "2028-03-01")
    assert request(app, "GET", "/members/M0001").json()["expiresOn"] == "2028-03-01"
    assert (data_dir / "members.db").exists()
