"""catalogue-service: what the library owns. A few reads and one write, so Starlette alone will do."""

from __future__ import annotations

from library.errors import Refusal, install_errors
from library.server import serve
from library.settings import database_file
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from services.catalogue_service.store import CatalogueStore


def open_store() -> CatalogueStore:
    return CatalogueStore(database_file("catalogue.db"))


async def health(_: Request) -> JSONResponse:
    return JSONResponse({"status": "up", "service": "catalogue-service"})


async def list_copies(request: Request) -> JSONResponse:
    return JSONResponse(open_store().copies(request.query_params.get("title")))


async def get_copy(request: Request) -> JSONResponse:
    return JSONResponse(open_store().copy(request.path_params["barcode"]))


async def put_status(request: Request) -> JSONResponse:
    try:
        status = (await request.json())["status"]
    except (ValueError, TypeError, KeyError):
        raise Refusal(422, "invalid_body", "send a JSON object with `status`") from None
    return JSONResponse(open_store().set_status(request.path_params["barcode"], status))


app = Starlette(
    routes=[
        Route("/health", health),
        Route("/copies", list_copies),
        Route("/copies/{barcode}", get_copy),
        Route("/copies/{barcode}/status", put_status, methods=["PUT"]),
    ]
)
install_errors(app)

if __name__ == "__main__":
    open_store().fill()
    serve(app, "catalogue-service")
