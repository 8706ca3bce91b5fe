"""The gateway in front of interlibrary-loan-service; nobody else runs, and the desk view says so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.processes import Running, system

API = "/api/interlibrary"


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    data = tmp_path_factory.mktemp("data")
    with system(data, "gateway", "interlibrary_loan_service", MAX_OPEN_REQUESTS="4") as running:
        yield running


def place(front: Running, member_id: str, title: str, partner: str = "HARBOUR", **fields: Any) -> Any:
    wish = {"memberId": member_id, "title": title, "partner": partner, **fields}
    return front.call("gateway", "POST", f"{API}/requests", wish)


def arrive(front: Running, request_id: str, due_back: str) -> Any:
    return front.call("gateway", "POST", f"{API}/requests/{request_id}/arrival", {"dueBack": due_back})


def test_partners_are_listed_in_the_order_of_their_codes(front: Running) -> None:
    partners = front.call("gateway", "GET", f"{API}/partners").json()
    assert [partner["code"] for partner in partners] == ["HARBOUR", "HILLSIDE", "UNIVERSITY"]
    assert partners[2]["feeCents"] == 400


def test_a_request_says_when_it_is_expected(front: Running) -> None:
    answer = place(front, "M0001", "Deep Harbours", "hillside")
    assert answer.status_code == 201
    assert answer.json()["partner"] == "HILLSIDE"
    assert (answer.json()["expectedOn"], answer.json()["feeCents"]) == ("2026-03-09", 250)


def test_refusals_reach_the_caller_unchanged(front: Running) -> None:
    late = place(front, "M0002", "Northern Birds", "UNIVERSITY", neededBy="2026-03-10")
    assert (late.status_code, late.json()["code"]) == (409, "not_in_time")
    unknown = place(front, "M0002", "Northern Birds", "NOWHERE")
    assert (unknown.status_code, unknown.json()["code"]) == (422, "unknown_partner")


def test_a_member_has_as_many_requests_as_the_setting_says(front: Running) -> None:
    answers = [place(front, "M0003", f"Part {number}").status_code for number in range(5)]
    assert answers == [201] * 4 + [409]


def test_the_desk_view_counts_what_is_waiting_and_lists_what_is_ready(front: Running) -> None:
    place(front, "M0004", "Still Coming", "UNIVERSITY")
    for title, due_back in (("Later", "2026-03-30"), ("Sooner", "2026-03-10")):
        arrive(front, place(front, "M0004", title, "HILLSIDE").json()["requestId"], due_back)
    view = front.call("gateway", "GET", "/desk/members/M0004").json()["interlibrary"]
    assert (view["waiting"], view["feesCents"]) == (1, 900)
    assert [(item["title"], item["daysLeft"]) for item in view["ready"]] == [("Sooner", 4), ("Later", 10)]


def test_a_cancelled_request_costs_nothing_before_it_arrives(front: Running) -> None:
    early = place(front, "M0005", "Changed Mind", "UNIVERSITY").json()["requestId"]
    front.call("gateway", "POST", f"{API}/requests/{early}/cancellation")
    late = place(front, "M0005", "Changed Mind", "UNIVERSITY").json()["requestId"]
    arrive(front, late, "2026-03-30")
    front.call("gateway", "POST", f"{API}/requests/{late}/cancellation")
    cancelled = front.call("gateway", "GET", f"{API}/requests?memberId=M0005&status=cancelled").json()
    assert [request["feeCents"] for request in cancelled] == [0, 400]


def test_a_handover_without_the_desk_is_put_off(front: Running) -> None:
    request_id = place(front, "M0006", "Patience").json()["requestId"]
    arrive(front, request_id, "2026-03-30")
    answer = front.call("gateway", "POST", f"{API}/requests/{request_id}/handover")
    assert (answer.status_code, answer.json()["code"]) == (503, "peer_unavailable")
    assert front.call("gateway", "GET", f"{API}/requests/{request_id}").json()["status"] == "ready"


def test_the_desk_view_goes_on_without_the_other_services(front: Running) -> None:
    answer = front.call("gateway", "GET", "/desk/members/M0007")
    assert (answer.status_code, answer.json()["memberId"]) == (200, "M0007")
    empty = sorted(name for name, part in answer.json().items() if part is None)
    assert empty == answer.json()["unavailable"] != []


def test_nothing_is_served_outside_the_routes(front: Running) -> None:
    answer = front.call("gateway", "GET", "/api/interlibraryx/partners")
    assert (answer.status_code, answer.json()["code"]) == (404, "no_route")


def test_the_gateway_is_up(front: Running) -> None:
    assert front.call("gateway", "GET", "/health").json() == {"status": "up", "service": "gateway"}
