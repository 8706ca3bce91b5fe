"""Calls to other services."""

from __future__ import annotations

from functools import cache
from typing import Any

import httpx

from library.errors import Refusal


@cache
def _connections() -> httpx.Client:
    # Peers speak plain HTTP inside one network: no proxies, and no certificates to load.
    return httpx.Client(verify=False, trust_env=False, timeout=3)


def call(method: str, url: str, body: dict[str, Any] | None = None) -> tuple[int, Any]:
    """Status and JSON body of a peer's answer.

    Raises Refusal 503 `peer_unavailable` if the peer cannot be reached, answers with a server error,
    or with something that is not JSON.
    """
    try:
        response = _connections().request(method, url, json=body)
        if response.status_code >= 500:
            raise Refusal(503, "peer_unavailable", f"{url} answered {response.status_code}")
        return response.status_code, response.json()
    except (httpx.HTTPError, ValueError) as error:
        raise Refusal(503, "peer_unavailable", f"{url} cannot be reached: {type(error).__name__}") from None
