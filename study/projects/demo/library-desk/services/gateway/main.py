"""gateway: one address for the whole desk. It forwards and gathers, so Starlette alone will do."""

from __future__ import annotations

from functools import cache

import httpx
from library.errors import Refusal, install_errors
from library.server import serve
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route as Path

from services.gateway.desk import desk_view
from services.gateway.routing import Route, load_routes, resolve

METHODS = ["GET", "POST", "PUT", "DELETE"]


@cache
def connections() -> httpx.AsyncClient:
    # Peers speak plain HTTP inside one network: no proxies, and no certificates to load.
    return httpx.AsyncClient(verify=False, trust_env=False, timeout=3)


@cache
def routes() -> list[Route]:
    return load_routes()


async def health(_: Request) -> JSONResponse:
    return JSONResponse({"status": "up", "service": "gateway"})


async def list_routes(_: Request) -> JSONResponse:
    return JSONResponse({route.key: route.prefix for route in routes()})


async def member_at_desk(request: Request) -> JSONResponse:
    return JSONResponse(await desk_view(connections(), request.path_params["member_id"]))


async def forward(request: Request) -> Response:
    address = resolve(request.url.path, routes())
    if address is None:
        raise Refusal(404, "no_route", f"nothing is served at {request.url.path}")
    if request.url.query:
        address += f"?{request.url.query}"
    try:
        answer = await connections().request(
            request.method,
            address,
            content=await request.body(),
            headers={"content-type": request.headers.get("content-type", "application/json")},
        )
    except httpx.HTTPError:
        raise Refusal(503, "peer_unavailable", f"nobody answers for {request.url.path}") from None
    return Response(answer.content, answer.status_code, media_type=answer.headers.get("content-type"))


app = Starlette(
    routes=[
        Path("/health", health),
        Path("/routes", list_routes),
        Path("/desk/members/{member_id}", member_at_desk),
        Path("/{path:path}", forward, methods=METHODS),
    ]
)
install_errors(app)

if __name__ == "__main__":
    serve(app, "gateway")
