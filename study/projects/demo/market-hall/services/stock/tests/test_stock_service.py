"""The store room: what is on the shelves, and what is held for orders."""

from datetime import datetime

import pytest
from hall.fields import Fields
from hall.settings import Settings
from hall.web import make_app
from services.stock.api import StockBlueprint
from services.stock.main import build_app
from services.stock.repository import StockRepository
from services.stock.service import StockService
from tests.support.refusals import refusal

TODAY = "2026-05-06"
TOMORROW = "2026-05-07"


@pytest.fixture
def service(tmp_path):
    """A store room with two articles of S01 and one of S02."""
    repository = StockRepository(str(tmp_path / "stock.sqlite3"))
    service = StockService(repository, lambda: datetime(2026, 5, 6, 9, 30))
    for stall_id, name, cents in (("S01", "Chard", 300), ("S01", "Leeks", 450), ("S02", "Rye loaf", 520)):
        service.add_article(
            Fields({"stall_id": stall_id, "name": name, "unit": "piece", "price_cents": cents})
        )
    service.add_lot("A001", 6, "2026-05-10")
    service.add_lot("A001", 2, TOMORROW)
    service.add_lot("A002", 4, TODAY)
    return service


class TestShelves:
    def test_articles_show_what_is_available(self, service):
        assert service.show_article("A001")["available"] == 8
        assert [article["id"] for article in service.list_articles("S01", only_low=False)] == ["A001", "A002"]
        assert [article["id"] for article in service.list_articles(None, only_low=True)] == ["A002", "A003"]
        service.add_lot("A002", 1, TODAY)
        assert [article["id"] for article in service.list_articles(None, only_low=True)] == ["A003"]
        assert refusal(service.show_article, "A999") == (404, "unknown_article")

    def test_a_name_is_taken_within_its_stall_only(self, service):
        twin = {"stall_id": "S01", "name": "LEEKS", "unit": "kilo", "price_cents": 100}
        assert refusal(service.add_article, Fields(twin)) == (409, "duplicate_article")
        assert service.add_article(Fields({**twin, "stall_id": "S03"}))["id"] == "A004"

    def test_deliveries_have_limits(self, service):
        assert refusal(service.add_lot, "A001", 1001, TOMORROW) == (422, "invalid_quantity")
        assert refusal(service.add_lot, "A001", 1, "2026-05-05") == (422, "already_stale")
        assert refusal(service.add_lot, "A009", 1, TOMORROW) == (404, "unknown_article")
        assert [lot.best_before for lot in service.list_lots("A001")] == [TOMORROW, "2026-05-10"]

    def test_goods_are_written_off(self, service):
        service.reserve("O00001", "S01", TOMORROW, [("A001", 2)])
        assert refusal(service.write_off, 2, 1, "spoiled") == (409, "not_free")
        assert service.write_off(1, 5, "damaged").free == 1
        assert service.show_article("A001")["available"] == 1
        assert refusal(service.write_off, 77, 1, "spoiled") == (404, "unknown_lot")


class TestReservations:
    def test_goods_are_held_by_lot_and_priced(self, service):
        reservation = service.reserve("O00001", "S01", TOMORROW, [("A001", 3)])
        # two bunches on their last day at 70 percent, one at the full price
        assert reservation["lines"][0]["amount_cents"] == 420 + 300
        assert (reservation["status"], reservation["lines"][0]["reduced"]) == ("held", 2)
        assert service.show_article("A001")["available"] == 5
        assert service.show_reservation("O00001") == reservation

    def test_all_lines_or_none(self, service):
        lines = [("A001", 3), ("A002", 5)]
        assert refusal(service.reserve, "O00001", "S01", TODAY, lines) == (409, "out_of_stock")
        assert service.show_article("A001")["available"] == 8
        assert refusal(service.show_reservation, "O00001") == (404, "unknown_reservation")

    def test_the_same_article_twice_takes_no_goods_twice(self, service):
        lines = [("A001", 5), ("A001", 4)]
        assert refusal(service.reserve, "O00001", "S01", TOMORROW, lines) == (409, "out_of_stock")
        service.reserve("O00001", "S01", TOMORROW, [("A001", 5), ("A001", 3)])
        assert [lot.free for lot in service.list_lots("A001")] == [0, 0]

    def test_what_cannot_be_reserved(self, service):
        service.reserve("O00001", "S01", TODAY, [("A001", 1)])

        def attempt(lines, reference="O00002", day=TODAY):
            return refusal(service.reserve, reference, "S01", day, lines)

        assert attempt([("A001", 1)], reference="O00001") == (409, "duplicate_reference")
        assert attempt([("A001", 100)]) == (422, "invalid_quantity")
        assert attempt([("A009", 1)]) == (422, "unknown_article")
        assert attempt([("A003", 1)]) == (422, "wrong_stall")
        assert attempt([]) == (422, "invalid_lines")
        assert attempt([("A001", 1)], day="tomorrow") == (422, "invalid_day")

    def test_sold_goods_are_gone(self, service):
        service.reserve("O00001", "S01", TOMORROW, [("A001", 3)])
        assert service.commit("O00001")["status"] == "sold"
        assert [(lot.quantity, lot.held) for lot in service.list_lots("A001")] == [(0, 0), (5, 0)]
        assert service.commit("O00001")["status"] == "sold"
        assert refusal(service.release, "O00001") == (409, "not_held")
        assert [(lot.quantity, lot.held) for lot in service.list_lots("A001")] == [(0, 0), (5, 0)]

    def test_released_goods_are_free_again(self, service):
        service.reserve("O00001", "S01", TOMORROW, [("A001", 3)])
        assert service.release("O00001")["status"] == "released"
        assert service.show_article("A001")["available"] == 8
        assert refusal(service.commit, "O00001") == (409, "not_held")
        assert refusal(service.commit, "O00002") == (404, "unknown_reservation")


class TestPaths:
    @pytest.fixture
    def http(self, service):
        return make_app("stock-service", StockBlueprint(service)).test_client()

    def test_articles_over_http(self, http):
        answer = http.post("/articles", json={"stall_id": "S01", "name": "Dill", "unit": "bunch"})
        assert (answer.status_code, answer.json["error"]["field"]) == (400, "price_cents")
        body = {"stall_id": "S01", "name": "Dill", "unit": "bunch", "price_cents": 150}
        answer = http.post("/articles", json=body)
        assert (answer.status_code, answer.json["id"], answer.json["available"]) == (201, "A004", 0)
        assert http.put("/articles/A004/price", json={"price_cents": 200}).json["price_cents"] == 200
        assert http.get("/articles/A004").json["price_cents"] == 200
        assert len(http.get("/articles?stall_id=S01&low=true").json["articles"]) == 2
        lot = http.post("/articles/A004/lots", json={"quantity": 5, "best_before": TOMORROW})
        assert (lot.status_code, lot.json["free"]) == (201, 5)
        assert http.get("/articles/A004/lots").json == {"lots": [lot.json]}
        written_off = http.post(
            f"/lots/{lot.json['id']}/write-off", json={"quantity": 2, "reason": "spoiled"}
        )
        assert written_off.json["quantity"] == 3

    def test_reservations_over_http(self, http):
        body = {"stall_id": "S01", "day": TODAY, "lines": [{"article_id": "A002", "quantity": 1}]}
        assert http.post("/reservations", json={**body, "reference": "O00001"}).status_code == 201
        assert http.post("/reservations/O00001/commit").json["status"] == "sold"
        assert http.post("/reservations", json={**body, "reference": "O00002"}).status_code == 201
        assert http.post("/reservations/O00002/release").json["status"] == "released"
        assert http.get("/reservations/O00002").json["lines"][0]["amount_cents"] == 315
        refused = http.post("/reservations", json={**body, "reference": "O00002"})
        assert (refused.status_code, refused.json["error"]["code"]) == (409, "duplicate_reference")


class TestSettings:
    def test_limits_come_from_the_environment(self, service, tmp_path, monkeypatch):
        monkeypatch.setenv("DB_FILE", str(tmp_path / "stock.sqlite3"))
        monkeypatch.setenv("HALL_NOW", "2026-05-06T09:30")
        monkeypatch.setenv("LOW_STOCK", "4")
        monkeypatch.setenv("REDUCTION_PERCENT", "50")
        http = build_app(Settings("stock-service")).test_client()
        assert [article["id"] for article in http.get("/articles?low=true").json["articles"]] == ["A003"]
        body = {"reference": "O00001", "stall_id": "S01", "day": TODAY}
        answer = http.post("/reservations", json={**body, "lines": [{"article_id": "A002", "quantity": 2}]})
        assert answer.json["lines"][0]["amount_cents"] == 450
