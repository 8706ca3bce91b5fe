"""Requests to other services."""

import json

from tornado.httpclient import AsyncHTTPClient, HTTPClientError
from tornado.httputil import url_concat

from common.web import Problem


async def send(method, url, body=None):
    """Status and raw body of a peer's answer.

    Raises OSError or HTTPClientError if there is no answer within the time limits.
    """
    return await AsyncHTTPClient().fetch(
        url,
        method=method,
        body=body,
        headers={"Content-Type": "application/json"},
        allow_nonstandard_methods=True,
        raise_error=False,
        connect_timeout=1.0,
        request_timeout=3.0,
    )


async def ask(peer, base, path, query=None):
    """Status and JSON of a GET to a peer; the problem `<peer>_unavailable` if it does not answer sensibly."""
    try:
        response = await send("GET", url_concat(base + path, query or {}))
        data = json.loads(response.body)
    except (OSError, HTTPClientError, ValueError):
        raise Problem(503, f"{peer}_unavailable", f"{peer} does not answer") from None
    if response.code >= 500:
        raise Problem(503, f"{peer}_unavailable", f"{peer} answers {response.code}")
    return response.code, data
