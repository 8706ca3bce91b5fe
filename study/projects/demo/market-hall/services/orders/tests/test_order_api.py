"""The paths of the service, and the calls that it makes."""

from unittest import mock

import pytest
from hall.errors import HallError, PeerDown
from hall.settings import Settings
from services.orders.clients import ArchiveClient, Record, StallClient, StockClient
from services.orders.tests.desk import Desk, wish
from tests.support.refusals import refusal


@pytest.fixture
def desk(tmp_path):
    return Desk(tmp_path)


class TestPaths:
    def test_an_order_over_http(self, desk):
        http = desk.http()
        placed = http.post("/orders", json=wish())
        assert (placed.status_code, placed.json["id"], placed.json["total_cents"]) == (201, "O00001", 1260)
        assert http.post("/orders/O00001/accept").json["status"] == "accepted"
        assert http.post("/orders/O00001/pack").json["status"] == "packed"
        early = http.post("/orders/O00001/miss")
        assert (early.status_code, early.json["error"]["code"]) == (409, "too_early")
        assert http.post("/orders/O00001/collect").json["error"]["code"] == "too_early"
        assert http.post("/orders/O00001/cancel").json["charge_cents"] == 630
        assert http.get("/orders/O00001").json["archived"] is True
        assert http.post("/orders/hand-over").json == {"handed_over": 0, "waiting": 0}
        assert http.get("/orders/O00009").status_code == 404
        rejected = http.post("/orders/O00009/reject", json={"reason": "frost"})
        assert rejected.json["error"]["code"] == "unknown_order"

    def test_lists_are_filtered_and_cut(self, desk):
        http = desk.http()
        for customer_id in ("C0001", "C0002", "C0001"):
            desk.place(customer_id=customer_id)
        desk.service.accept("O00003")
        desk.place(customer_id="C0003", pickup_day="2026-05-07")

        def ids(query):
            answer = http.get(f"/orders?{query}").json
            return [order["id"] for order in answer["orders"]], answer["total"]

        assert ids("customer_id=C0001") == (["O00001", "O00003"], 2)
        assert ids("status=accepted&stall_id=S01") == (["O00003"], 1)
        assert ids("pickup_day=2026-05-07") == (["O00004"], 1)
        assert ids("stall_id=S02") == ([], 0)
        assert ids("limit=2&offset=1") == (["O00002", "O00003"], 4)
        for query in ("limit=0", "limit=101", "offset=-1"):
            assert http.get(f"/orders?{query}").json["error"]["code"] == "invalid_page"
        unknown = http.get("/orders?status=eaten")
        assert (unknown.status_code, unknown.json["error"]["code"]) == (422, "unknown_status")
        assert http.post("/orders", data="[]").json["error"]["code"] == "bad_body"


class TestCalls:
    @pytest.fixture
    def answers(self):
        """Replaces what peers answer."""
        with mock.patch("hall.peers.Peer.call") as call:
            yield call

    def test_goods_are_reserved(self, answers):
        client = StockClient(Settings("order-service"))
        line = {"article_id": "A001", "name": "Chard", "quantity": 2, "amount_cents": 600, "vat_percent": 7}
        answers.return_value = 201, {"lines": [{**line, "reduced": 0}]}
        assert client.reserve("O00001", "S01", "2026-05-06", [("A001", 2)])[0].amount_cents == 600
        wanted = {
            "reference": "O00001",
            "stall_id": "S01",
            "day": "2026-05-06",
            "lines": [{"article_id": "A001", "quantity": 2}],
        }
        answers.assert_called_once_with("POST", "/reservations", wanted)
        answers.return_value = 422, {"error": {"code": "wrong_stall", "message": "no", "article_id": "A001"}}
        with pytest.raises(HallError) as refused:
            client.reserve("O00001", "S01", "2026-05-06", [("A001", 2)])
        assert (refused.value.status, refused.value.code) == (409, "goods_refused")
        assert refused.value.details == {"cause": "wrong_stall", "article_id": "A001"}
        client.commit("O00001")
        client.release("O00002")
        assert answers.call_args_list[-2:] == [
            mock.call("POST", "/reservations/O00001/commit"),
            mock.call("POST", "/reservations/O00002/release"),
        ]

    def test_a_silent_archive_is_no_reason_not_to_sell(self, answers):
        client = ArchiveClient(Settings("order-service"))
        answers.side_effect = PeerDown("archive")
        assert client.put({"id": "O00001"}) is False
        assert client.record("C0001") == Record(barred=False, discount_percent=0)
        assert refusal(client.find, "O00001") == (502, "peer_down")

    def test_the_archive_answers(self, answers):
        client = ArchiveClient(Settings("order-service"))
        answers.return_value = 200, {"barred": True, "discount_percent": 3}
        assert client.record("C0001") == Record(barred=True, discount_percent=3)
        assert client.find("O00001") == {"barred": True, "discount_percent": 3}
        assert client.put({"id": "O00001"}) is True
        answers.return_value = 201, {}
        assert client.put({"id": "O00001"}) is True
        answers.return_value = 404, {"error": {}}
        assert client.find("O00001") is None
        assert client.put({"id": "O00001"}) is False

    def test_an_unknown_stall(self, answers):
        client = StallClient(Settings("order-service"))
        answers.return_value = 404, {"error": {}}
        assert refusal(client.terms, "S09") == (422, "unknown_stall")
        answers.return_value = 200, {"open": True}
        assert client.terms("S01") == {"open": True}
