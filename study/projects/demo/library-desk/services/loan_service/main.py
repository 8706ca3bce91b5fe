"""Entry point of loan-service."""

from __future__ import annotations

from library.server import serve

from services.loan_service.api import app

if __name__ == "__main__":
    serve(app, "loan-service")
