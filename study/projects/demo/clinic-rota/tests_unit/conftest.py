"""Help for tests that go through a service's HTTP layer within this process."""

import asyncio
import json

import pytest
from tornado.httpclient import AsyncHTTPClient
from tornado.httpserver import HTTPServer
from tornado.testing import bind_unused_port


async def with_server(application, work):
    """Await `work(base_url)` while the application listens on a free port."""
    socket, port = bind_unused_port()
    server = HTTPServer(application)
    server.add_socket(socket)
    try:
        return await work(f"http://127.0.0.1:{port}")
    finally:
        server.stop()
        await server.close_all_connections()


@pytest.fixture
def serving():
    """`serving(application, work)`: what the coroutine function `work` returns for the base URL."""
    return lambda application, work: asyncio.run(with_server(application, work))


@pytest.fixture
def http(serving):
    """`http(application, method, path, body)`: status and JSON of one request."""

    def request(application, method, path, body=None):
        async def work(base):
            answer = await AsyncHTTPClient().fetch(
                base + path,
                method=method,
                body=None if body is None else json.dumps(body),
                allow_nonstandard_methods=True,
                raise_error=False,
            )
            return answer.code, json.loads(answer.body) if answer.body else None

        return serving(application, work)

    return request
