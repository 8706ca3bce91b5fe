"""Forwarding, and the one view that the gateway puts together from several services."""

import asyncio

from common.clock import parse_day
from common.peers import ask, send
from common.web import JsonHandler, Problem, make_application
from tornado.httpclient import HTTPClientError


class HealthHandler(JsonHandler):
    def get(self):
        self.reply({"status": "ok", "service": "gateway"})


class ForwardHandler(JsonHandler):
    """`/api/<prefix>/<path>` goes to `/<path>` of that prefix's service; the answer stays as it is."""

    def initialize(self, routes):
        self.routes = routes

    async def forward(self, prefix, path):
        route = self.routes.get(prefix)
        if route is None:
            raise Problem(404, "unknown_route", f"nothing is served under {prefix}")
        if self.request.method not in route.methods:
            raise Problem(405, "method_not_allowed", f"{self.request.method} is not open on {prefix}")
        query = f"?{self.request.query}" if self.request.query else ""
        try:
            answer = await send(self.request.method, f"{route.url}{path}{query}", self.request.body or None)
        except (OSError, HTTPClientError):
            raise Problem(502, "upstream_unavailable", f"{prefix} does not answer") from None
        self.set_status(answer.code)
        if answer.body:
            self.set_header("Content-Type", answer.headers.get("Content-Type", "application/json"))
            self.write(answer.body)

    get = post = patch = delete = forward


class DayHandler(JsonHandler):
    """All that concerns one day; a part whose service does not answer is null and listed as missing."""

    def initialize(self, routes, parts):
        self.routes = routes
        self.parts = parts

    async def get(self, day):
        parse_day(day)
        answers = await asyncio.gather(*(self.fetch(part, day) for part in self.parts))
        view = {part["part"]: answer for part, answer in zip(self.parts, answers)}
        missing = sorted(name for name, answer in view.items() if answer is None)
        self.reply({"date": day, **view, "missing": missing})

    async def fetch(self, part, day):
        base = self.routes[part["prefix"]].url
        try:
            status, data = await ask(part["prefix"], base, part["path"].format(date=day))
        except Problem:
            return None
        return data.get(part["part"]) if status == 200 else None


def make_app(routes, day_view):
    return make_application(
        [
            (r"/health", HealthHandler),
            (r"/api/day/([^/]+)", DayHandler, {"routes": routes, "parts": day_view}),
            (r"/api/([^/]+)(/.*)", ForwardHandler, {"routes": routes}),
        ]
    )
