"""Passes requests on by the routes of config/routes.json."""

import json

from flask import Blueprint, Response, request
from hall.errors import HallError
from hall.peers import Peer
from hall.settings import ROOT


class ForwardingBlueprint(Blueprint):
    """Everything below /api belongs to the service whose prefix it has."""

    METHODS = ["GET", "POST", "PUT", "DELETE"]

    def __init__(self, settings):
        super().__init__("forwarding", __name__)
        self.settings = settings
        self.routes = json.loads((ROOT / "config" / "routes.json").read_text(encoding="utf-8"))["routes"]
        self.add_url_rule("/api/<path:rest>", view_func=self.forward, methods=self.METHODS)

    def forward(self, rest):
        path = f"/api/{rest}"
        for route in self.routes:
            if path == route["prefix"] or path.startswith(route["prefix"] + "/"):
                peer = Peer(self.settings, route["service"])
                target = route["path"] + path.removeprefix(route["prefix"])
                return self.answer(peer, target)
        raise HallError(404, "no_route", f"nobody is responsible for {path}")

    @staticmethod
    def answer(peer, target):
        status, content = peer.exchange(request.method, target, request.get_data(), request.query_string)
        return Response(content, status, mimetype="application/json")
