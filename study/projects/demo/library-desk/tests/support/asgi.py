"""Call an application in this process, without a server."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx


def request(app: Any, method: str, path: str, body: dict[str, Any] | None = None) -> httpx.Response:
    async def send() -> httpx.Response:
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://desk") as client:
            return await client.request(method, path, json=body)

    return asyncio.run(send())
