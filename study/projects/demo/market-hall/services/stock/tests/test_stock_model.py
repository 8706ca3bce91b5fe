"""Articles, lots and the picking of goods."""

import pytest
from hall.errors import HallError
from hall.fields import Fields
from services.stock.model import (
    Article,
    Lot,
    Picker,
    Portion,
    check_day,
    check_price,
    check_quantity,
    half_up,
    new_article,
)
from tests.support.refusals import refusal

DAY = "2026-05-07"


@pytest.fixture
def chard():
    return Article("A001", "S01", "Chard", "bunch", 299, 7)


@pytest.fixture
def lots():
    return [
        Lot(1, "A001", quantity=10, held=8, best_before="2026-05-09"),
        Lot(2, "A001", quantity=4, held=1, best_before=DAY),
        Lot(3, "A001", quantity=50, held=0, best_before="2026-05-06"),
        Lot(4, "A001", quantity=5, held=5, best_before=DAY),
        Lot(5, "A001", quantity=3, held=0, best_before="2026-05-08"),
    ]


class TestPicker:
    def test_what_has_to_go_first_goes_first(self, chard, lots):
        assert Picker(DAY, 30).pick(chard, lots, 7) == [
            Portion(2, 3, True),
            Portion(5, 3, False),
            Portion(1, 1, False),
        ]

    def test_no_more_lots_than_needed_are_touched(self, chard, lots):
        assert Picker(DAY, 30).pick(chard, lots, 3) == [Portion(2, 3, True)]

    def test_stale_and_held_goods_are_not_available(self, chard, lots):
        picker = Picker(DAY, 30)
        assert sum(portion.quantity for portion in picker.pick(chard, lots, 8)) == 8
        with pytest.raises(HallError) as refused:
            picker.pick(chard, lots, 9)
        assert refused.value.status == 409
        assert refused.value.code == "out_of_stock"
        assert refused.value.details == {"article_id": "A001", "available": 8}

    def test_goods_on_their_last_day_cost_less(self, chard):
        picker = Picker(DAY, 30)
        assert picker.amount(chard, [Portion(1, 2, False)]) == 598
        # 3 x 299 = 897, of which 70 percent are 627.9
        assert picker.amount(chard, [Portion(1, 2, False), Portion(2, 3, True)]) == 598 + 628

    def test_a_line_tells_how_much_of_it_is_reduced(self, chard):
        line = Picker(DAY, 50).line(chard, [Portion(1, 2, False), Portion(2, 1, True)])
        assert line == {
            "article_id": "A001",
            "name": "Chard",
            "quantity": 3,
            "amount_cents": 748,
            "vat_percent": 7,
            "reduced": 1,
        }


class TestArticle:
    def wanted(self, **changes):
        fields = {"stall_id": "S01", "name": "Chard", "unit": "bunch", "price_cents": 299}
        return Fields({**fields, **changes})

    def test_a_new_article_is_tidied_up(self):
        article = new_article(self.wanted(name="  Rainbow   chard "))
        assert (article.name, article.vat_percent) == ("Rainbow chard", 7)
        assert new_article(self.wanted(vat_percent=19)).vat_percent == 19
        for name in ("x", "x" * 60):
            assert new_article(self.wanted(name=name)).name == name

    def test_what_no_article_can_be(self):
        assert refusal(new_article, self.wanted(name="  ")) == (422, "invalid_name")
        assert refusal(new_article, self.wanted(name="x" * 61)) == (422, "invalid_name")
        assert refusal(new_article, self.wanted(unit="barrel")) == (422, "unknown_unit")
        assert refusal(new_article, self.wanted(price_cents=0)) == (422, "invalid_price")
        assert refusal(new_article, self.wanted(vat_percent=0)) == (422, "unknown_vat")
        assert refusal(new_article, self.wanted(price_cents=True)) == (400, "bad_field")

    def test_a_price_at_most_doubles_or_halves(self, chard):
        assert refusal(chard.change_price, 599) == (409, "price_jump")
        assert refusal(chard.change_price, 149) == (409, "price_jump")
        assert refusal(chard.change_price, -1) == (422, "invalid_price")
        chard.change_price(598)
        chard.change_price(299)
        assert chard.price_cents == 299


class TestLot:
    def test_only_free_goods_are_written_off(self):
        lot = Lot(1, "A001", quantity=10, held=4, best_before=DAY)
        assert refusal(lot.write_off, 7, "spoiled") == (409, "not_free")
        assert refusal(lot.write_off, 0, "spoiled") == (422, "invalid_quantity")
        assert refusal(lot.write_off, 1, "eaten") == (422, "unknown_reason")
        lot.write_off(6, "stolen")
        assert (lot.quantity, lot.free) == (4, 0)


class TestChecks:
    def test_limits_are_included(self):
        check_price(1)
        check_price(100_000)
        check_quantity(1, 99)
        check_quantity(99, 99)
        assert refusal(check_price, 100_001) == (422, "invalid_price")
        assert refusal(check_quantity, 0, 99) == (422, "invalid_quantity")
        assert refusal(check_quantity, 100, 99) == (422, "invalid_quantity")

    def test_days_are_days(self):
        assert check_day("2028-02-29") == "2028-02-29"
        for text in ("2026-02-29", "20260507", "7 May", ""):
            assert refusal(check_day, text) == (422, "invalid_day")

    def test_halves_are_rounded_up(self):
        assert [half_up(n, 100) for n in (49, 50, 149, 150, 250)] == [0, 1, 1, 2, 3]
