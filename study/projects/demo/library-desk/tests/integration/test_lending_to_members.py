"""The lending desk with member-service behind it. Guest items are lent, so no catalogue is needed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

from tests.support.processes import Running, system

NUMBERS = count(1)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    data = tmp_path_factory.mktemp("data")
    with system(data, "loan_service", "member_service", FEE_LIMIT_CENTS="500") as running:
        yield running


def register(desk: Running, **fields: Any) -> str:
    body = {"name": "Vera Lind", "birthDate": "1980-05-04", **fields}
    answer = desk.call("member_service", "POST", "/members", body)
    assert answer.status_code == 201
    return str(answer.json()["memberId"])


def standing(desk: Running, member_id: str) -> dict[str, Any]:
    found: dict[str, Any] = desk.call("member_service", "GET", f"/members/{member_id}/standing").json()
    return found


def lend(desk: Running, member_id: str, due_on: str = "2026-03-20", **fields: Any) -> Any:
    item = {"barcode": f"G{next(NUMBERS)}", "title": "Salt Roads", "dueOn": due_on}
    return desk.call("loan_service", "POST", "/loans", {"memberId": member_id, "guestItem": item, **fields})


def give_back(desk: Running, loan_id: str, **fields: Any) -> Any:
    return desk.call("loan_service", "POST", f"/loans/{loan_id}/return", fields)


def test_a_new_member_borrows_and_returns_in_time(desk: Running) -> None:
    member_id = register(desk)
    loan = lend(desk, member_id)
    assert loan.status_code == 201
    back = give_back(desk, loan.json()["loanId"])
    assert (back.status_code, back.json()["status"], back.json()["fineCents"]) == (200, "returned", 0)
    assert desk.call("member_service", "GET", f"/members/{member_id}").json()["feesCents"] == 0


def test_nobody_unknown_borrows(desk: Running) -> None:
    answer = lend(desk, "M9999")
    assert (answer.status_code, answer.json()["code"]) == (422, "unknown_member")


def test_a_blocked_member_is_barred_until_the_block_is_lifted(desk: Running) -> None:
    member_id = register(desk)
    desk.call("member_service", "PUT", f"/members/{member_id}/block", {"reason": "lost card"})
    refused = lend(desk, member_id)
    assert (refused.status_code, refused.json()["reasons"]) == (403, ["blocked"])
    desk.call("member_service", "DELETE", f"/members/{member_id}/block")
    assert lend(desk, member_id).status_code == 201


def test_late_fees_of_a_return_are_charged_and_bar_the_member_at_the_limit(desk: Running) -> None:
    member_id = register(desk)
    loan = lend(desk, member_id, due_on="2026-01-05", lentOn="2026-01-02")
    give_back(desk, loan.json()["loanId"])
    assert desk.call("member_service", "GET", f"/members/{member_id}").json()["feesCents"] == 480
    assert standing(desk, member_id)["mayBorrow"] is True
    loan = lend(desk, member_id, due_on="2026-02-24", lentOn="2026-02-10")
    assert give_back(desk, loan.json()["loanId"]).json()["fineCents"] == 50
    assert standing(desk, member_id)["reasons"] == ["fees"]
    refused = lend(desk, member_id)
    assert (refused.status_code, refused.json()["reasons"]) == (403, ["fees"])


def test_paying_the_fees_lifts_the_bar(desk: Running) -> None:
    member_id = register(desk)
    loan_id = lend(desk, member_id).json()["loanId"]
    assert give_back(desk, loan_id, condition="lost").json()["fineCents"] == 2500
    assert lend(desk, member_id).status_code == 403
    paid = desk.call("member_service", "POST", f"/members/{member_id}/payments", {"amountCents": 2500})
    assert paid.json()["feesCents"] == 0
    assert lend(desk, member_id).status_code == 201


def test_a_junior_gets_no_guest_items(desk: Running) -> None:
    guardian = register(desk, name="Olaf Lind")
    junior = register(desk, name="Mia Lind", birthDate="2015-01-01", guardianId=guardian)
    answer = lend(desk, junior)
    assert (answer.status_code, answer.json()["code"]) == (403, "not_for_juniors")


def test_the_loan_limit_is_that_of_the_category(desk: Running) -> None:
    member_id = register(desk)
    answers = [lend(desk, member_id).status_code for _ in range(11)]
    assert answers == [201] * 10 + [409]


def test_a_loan_in_the_future_is_refused_whoever_asks(desk: Running) -> None:
    answer = lend(desk, "M9999", lentOn="2026-03-03")
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_date")


def test_a_loan_nobody_made_cannot_be_returned(desk: Running) -> None:
    assert give_back(desk, "L9999").status_code == 404
