"""HTTP paths of the stock-service."""

from flask import Blueprint, request
from hall.web import body


class StockBlueprint(Blueprint):
    """Turns requests into calls of the service class."""

    def __init__(self, service):
        super().__init__("stock", __name__)
        self.service = service
        self.add_url_rule("/articles", view_func=self.add_article, methods=["POST"])
        self.add_url_rule("/articles", view_func=self.list_articles, methods=["GET"])
        self.add_url_rule("/articles/<article_id>", view_func=self.show_article, methods=["GET"])
        self.add_url_rule("/articles/<article_id>/price", view_func=self.change_price, methods=["PUT"])
        self.add_url_rule("/articles/<article_id>/lots", view_func=self.add_lot, methods=["POST"])
        self.add_url_rule("/articles/<article_id>/lots", view_func=self.list_lots, methods=["GET"])
        self.add_url_rule("/lots/<int:lot_id>/write-off", view_func=self.write_off, methods=["POST"])
        self.add_url_rule("/reservations", view_func=self.reserve, methods=["POST"])
        self.add_url_rule("/reservations/<reference>", view_func=self.show_reservation, methods=["GET"])
        self.add_url_rule("/reservations/<reference>/commit", view_func=self.commit, methods=["POST"])
        self.add_url_rule("/reservations/<reference>/release", view_func=self.release, methods=["POST"])

    def add_article(self):
        return self.service.add_article(body()), 201

    def list_articles(self):
        stall_id = request.args.get("stall_id")
        only_low = request.args.get("low") == "true"
        return {"articles": self.service.list_articles(stall_id, only_low)}

    def show_article(self, article_id):
        return self.service.show_article(article_id)

    def change_price(self, article_id):
        return self.service.change_price(article_id, body().integer("price_cents"))

    def add_lot(self, article_id):
        fields = body()
        lot = self.service.add_lot(article_id, fields.integer("quantity"), fields.text("best_before"))
        return lot.to_json(), 201

    def list_lots(self, article_id):
        return {"lots": [lot.to_json() for lot in self.service.list_lots(article_id)]}

    def write_off(self, lot_id):
        fields = body()
        return self.service.write_off(lot_id, fields.integer("quantity"), fields.text("reason")).to_json()

    def reserve(self):
        fields = body()
        wishes = [(line.text("article_id"), line.integer("quantity")) for line in fields.objects("lines")]
        reservation = self.service.reserve(
            fields.text("reference"), fields.text("stall_id"), fields.text("day"), wishes
        )
        return reservation, 201

    def show_reservation(self, reference):
        return self.service.show_reservation(reference)

    def commit(self, reference):
        return self.service.commit(reference)

    def release(self, reference):
        return self.service.release(reference)
