"""Refusals: raised by the rules, answered as JSON by the HTTP layer."""

from __future__ import annotations

from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse


class Refusal(Exception):
    """A request that the rules do not allow, with the status and code of the answer."""

    def __init__(self, status: int, code: str, message: str = "", **details: Any) -> None:
        super().__init__(f"{status} {code}")
        self.status = status
        self.code = code
        self.message = message
        self.details = details


async def answer_refusal(_: Request, refusal: Exception) -> JSONResponse:
    assert isinstance(refusal, Refusal)
    body = {"code": refusal.code, "message": refusal.message or refusal.code, **refusal.details}
    return JSONResponse(body, status_code=refusal.status)


def install_errors(app: Starlette) -> None:
    app.add_exception_handler(Refusal, answer_refusal)
