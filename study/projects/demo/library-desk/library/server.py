"""Run one application as one process."""

from __future__ import annotations

import os

import uvicorn
from starlette.applications import Starlette

from library.settings import listening_port


def serve(app: Starlette, service: str) -> None:
    uvicorn.run(
        app,
        host=os.environ.get("HOST", "127.0.0.1"),
        port=listening_port(service),
        log_level="warning",
        access_log=False,
        loop="asyncio",
        http="h11",
        ws="none",
        lifespan="off",
        timeout_graceful_shutdown=1,
    )
