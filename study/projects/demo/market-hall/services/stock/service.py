"""What the stock-service does: keep articles and lots, and hold goods for orders."""

from threading import Lock

from hall.errors import HallError

from services.stock.model import MAX_LINE, MAX_LOT, Picker, check_day, check_quantity, new_article


class StockService:
    """Rules of the store room."""

    def __init__(self, repository, clock, low_stock=5, reduction_percent=30):
        self.repository = repository
        self.clock = clock
        self.low_stock = low_stock
        self.reduction_percent = reduction_percent
        # two orders must not both find the last bunch free
        self._one_at_a_time = Lock()

    def add_article(self, fields):
        article = new_article(fields)
        for other in self.repository.articles(article.stall_id):
            if other.name.lower() == article.name.lower():
                raise HallError(
                    409, "duplicate_article", "the stall has such an article", article_id=other.id
                )
        self.repository.add_article(article)
        return self._shown(article)

    def list_articles(self, stall_id, only_low):
        shown = [self._shown(article) for article in self.repository.articles(stall_id)]
        if only_low:
            shown = [article for article in shown if article["available"] < self.low_stock]
        return shown

    def show_article(self, article_id):
        return self._shown(self._article(article_id))

    def change_price(self, article_id, price_cents):
        article = self._article(article_id)
        article.change_price(price_cents)
        self.repository.save_price(article)
        return self._shown(article)

    def add_lot(self, article_id, quantity, best_before):
        article = self._article(article_id)
        check_quantity(quantity, MAX_LOT)
        if check_day(best_before) < self._today():
            raise HallError(422, "already_stale", "the best-before day is past")
        return self.repository.add_lot(article.id, quantity, best_before)

    def list_lots(self, article_id):
        return self.repository.lots(self._article(article_id).id)

    def write_off(self, lot_id, quantity, reason):
        with self._one_at_a_time:
            lot = self.repository.lot(lot_id)
            if lot is None:
                raise HallError(404, "unknown_lot", f"there is no lot {lot_id}")
            lot.write_off(quantity, reason)
            self.repository.save_lot(lot)
        return lot

    def reserve(self, reference, stall_id, day, wishes):
        """Hold goods for an order: all its lines, or none.

        `wishes` are pairs of article id and quantity.
        """
        check_day(day)
        if not wishes:
            raise HallError(422, "invalid_lines", "there is nothing to reserve")
        with self._one_at_a_time:
            if self.repository.reservation(reference) is not None:
                raise HallError(409, "duplicate_reference", f"{reference} has a reservation already")
            picker = Picker(day, self.reduction_percent)
            lines, held = [], []
            for article_id, quantity in wishes:
                article, portions = self._pick(picker, stall_id, article_id, quantity, held)
                lines.append(picker.line(article, portions))
                held += portions
            reservation = {
                "reference": reference,
                "stall_id": stall_id,
                "day": day,
                "status": "held",
                "lines": lines,
            }
            self.repository.add_reservation(reservation, held)
        return reservation

    def show_reservation(self, reference):
        return self._reservation(reference)[0]

    def commit(self, reference):
        """The goods are sold."""
        return self._settle(reference, "sold")

    def release(self, reference):
        """The goods are free again."""
        return self._settle(reference, "released")

    def _pick(self, picker, stall_id, article_id, quantity, held):
        check_quantity(quantity, MAX_LINE)
        article = self.repository.article(article_id)
        if article is None:
            raise HallError(
                422, "unknown_article", f"there is no article {article_id}", article_id=article_id
            )
        if article.stall_id != stall_id:
            raise HallError(
                422, "wrong_stall", f"{stall_id} does not sell {article_id}", article_id=article_id
            )
        lots = self.repository.lots(article_id)
        for lot in lots:
            # an order may name an article twice
            lot.held += sum(portion.quantity for portion in held if portion.lot_id == lot.id)
        return article, picker.pick(article, lots, quantity)

    def _settle(self, reference, status):
        with self._one_at_a_time:
            reservation, portions = self._reservation(reference)
            if reservation["status"] == status:
                return reservation
            if reservation["status"] != "held":
                raise HallError(409, "not_held", "the reservation is settled", status=reservation["status"])
            reservation["status"] = status
            self.repository.settle(reservation, portions, sold=status == "sold")
        return reservation

    def _shown(self, article):
        today = self._today()
        lots = self.repository.lots(article.id)
        available = sum(lot.free for lot in lots if lot.best_before >= today)
        return {**article.to_json(), "available": available}

    def _article(self, article_id):
        article = self.repository.article(article_id)
        if article is None:
            raise HallError(404, "unknown_article", f"there is no article {article_id}")
        return article

    def _reservation(self, reference):
        found = self.repository.reservation(reference)
        if found is None:
            raise HallError(404, "unknown_reservation", f"nothing is reserved for {reference}")
        return found

    def _today(self):
        return self.clock().date().isoformat()
