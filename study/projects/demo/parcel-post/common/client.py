"""JSON requests to other services."""

import json
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

from common.web import Problem

TIMEOUT_SECONDS = 2.0
UNREACHABLE = 0
_opener = build_opener(ProxyHandler({}))


def call(method, url, body=None):
    """Status and JSON object of the answer; status 0 if nobody answers."""
    data = None if body is None else json.dumps(body).encode()
    request = Request(url, data=data, method=method, headers={"Content-Type": "application/json"})
    try:
        with _opener.open(request, timeout=TIMEOUT_SECONDS) as response:
            return response.status, _object(response.read())
    except HTTPError as error:
        with error:
            return error.code, _object(error.read())
    except OSError:
        return UNREACHABLE, {}


def require(method, url, body, unavailable):
    """The answer of a service that cannot be done without; its refusals are passed on as they are."""
    status, answer = call(method, url, body)
    if 400 <= status < 500:
        raise Problem(status, answer.get("error", "refused"), answer.get("detail", ""))
    if not 200 <= status < 300:
        raise Problem(502, unavailable, "no usable answer from the service in charge")
    return answer


def _object(raw):
    try:
        answer = json.loads(raw or b"{}")
    except ValueError:
        return {}
    return answer if isinstance(answer, dict) else {}
