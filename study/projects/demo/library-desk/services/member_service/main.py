"""Entry point of member-service."""

from __future__ import annotations

from library.server import serve

from services.member_service.api import app

if __name__ == "__main__":
    serve(app, "member-service")
