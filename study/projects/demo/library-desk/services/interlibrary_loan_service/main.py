"""Entry point of interlibrary-loan-service."""

from __future__ import annotations

from library.server import serve

from services.interlibrary_loan_service.api import app

if __name__ == "__main__":
    serve(app, "interlibrary-loan-service")
