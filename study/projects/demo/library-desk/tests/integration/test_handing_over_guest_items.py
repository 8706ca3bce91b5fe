"""Interlibrary requests that end in loans at the desk: the requests, the desk and the members run."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

from tests.support.processes import Running, system

REQUESTS = "interlibrary_loan_service"
DESK = "loan_service"
MEMBERS = "member_service"
TITLES = count(1)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    data = tmp_path_factory.mktemp("data")
    with system(data, REQUESTS, DESK, MEMBERS, DAILY_FINE_CENTS="25") as running:
        yield running


@pytest.fixture
def member(library: Running) -> str:
    body = {"name": "Vera Lind", "birthDate": "1980-05-04"}
    return str(library.call(MEMBERS, "POST", "/members", body).json()["memberId"])


def ready_request(library: Running, member_id: str, due_back: str = "2026-03-30") -> str:
    wish = {"memberId": member_id, "title": f"Volume {next(TITLES)}", "partner": "HARBOUR"}
    request_id = library.call(REQUESTS, "POST", "/requests", wish).json()["requestId"]
    library.call(REQUESTS, "POST", f"/requests/{request_id}/arrival", {"dueBack": due_back})
    return str(request_id)


def step(library: Running, request_id: str, name: str) -> Any:
    return library.call(REQUESTS, "POST", f"/requests/{request_id}/{name}")


def test_a_handover_is_a_loan_that_ends_before_the_partner_wants_the_item(
    library: Running, member: str
) -> None:
    request_id = ready_request(library, member)
    lent = step(library, request_id, "handover")
    assert (lent.status_code, lent.json()["status"]) == (200, "lent")
    loan = library.call(DESK, "GET", f"/loans/{lent.json()['loanId']}").json()
    assert (loan["memberId"], loan["barcode"]) == (member, f"ILL-{request_id}")
    assert (loan["guest"], loan["dueOn"]) == (True, "2026-03-27")


def test_what_is_still_with_the_borrower_cannot_go_home(library: Running, member: str) -> None:
    request_id = ready_request(library, member)
    step(library, request_id, "handover")
    answer = step(library, request_id, "giveback")
    assert (answer.status_code, answer.json()["code"]) == (409, "still_lent")


def test_what_came_back_goes_home_without_penalty(library: Running, member: str) -> None:
    request_id = ready_request(library, member)
    loan_id = step(library, request_id, "handover").json()["loanId"]
    library.call(DESK, "POST", f"/loans/{loan_id}/return", {})
    closed = step(library, request_id, "giveback").json()
    assert (closed["status"], closed["penaltyCents"]) == ("closed", 0)


def test_a_lost_item_costs_the_highest_penalty(library: Running, member: str) -> None:
    request_id = ready_request(library, member)
    loan_id = step(library, request_id, "handover").json()["loanId"]
    library.call(DESK, "POST", f"/loans/{loan_id}/return", {"condition": "lost"})
    assert step(library, request_id, "giveback").json()["penaltyCents"] == 3000
    assert library.call(MEMBERS, "GET", f"/members/{member}").json()["feesCents"] == 2500


def test_no_handover_while_something_is_overdue(library: Running, member: str) -> None:
    item = {"barcode": f"OLD-{member}", "title": "Dust", "dueOn": "2026-02-20"}
    slip = {"memberId": member, "guestItem": item, "lentOn": "2026-02-10"}
    loan = library.call(DESK, "POST", "/loans", slip).json()
    assert loan["status"] == "overdue"
    request_id = ready_request(library, member)
    answer = step(library, request_id, "handover")
    assert (answer.status_code, answer.json()["code"]) == (409, "overdue_loans")
    back = library.call(DESK, "POST", f"/loans/{loan['loanId']}/return", {}).json()
    assert back["fineCents"] == 200
    assert step(library, request_id, "handover").status_code == 200


def test_a_refusal_of_the_desk_leaves_the_request_ready(library: Running, member: str) -> None:
    library.call(MEMBERS, "PUT", f"/members/{member}/block", {"reason": "lost card"})
    request_id = ready_request(library, member)
    answer = step(library, request_id, "handover")
    assert (answer.status_code, answer.json()["cause"]) == (409, "member_barred")
    assert library.call(REQUESTS, "GET", f"/requests/{request_id}").json()["status"] == "ready"


def test_an_item_is_handed_over_once(library: Running, member: str) -> None:
    request_id = ready_request(library, member)
    assert step(library, request_id, "handover").status_code == 200
    answer = step(library, request_id, "handover")
    assert (answer.status_code, answer.json()["code"]) == (409, "wrong_status")


def test_nothing_is_handed_over_before_it_has_arrived(library: Running, member: str) -> None:
    wish = {"memberId": member, "title": "Too Soon", "partner": "HARBOUR"}
    request_id = library.call(REQUESTS, "POST", "/requests", wish).json()["requestId"]
    answer = step(library, request_id, "handover")
    assert (answer.status_code, answer.json()["found"]) == (409, "requested")


def test_a_request_nobody_made_cannot_be_handed_over(library: Running) -> None:
    assert step(library, "R9999", "handover").status_code == 404
