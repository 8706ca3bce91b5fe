"""Requests in SQLite."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from datetime import date
from pathlib import Path

from library.database import session
from library.errors import Refusal

from services.interlibrary_loan_service.lifecycle import ACTIVE, Request

SCHEMA = """
CREATE TABLE IF NOT EXISTS requests (
    number INTEGER PRIMARY KEY AUTOINCREMENT, member_id TEXT NOT NULL, title TEXT NOT NULL,
    author TEXT NOT NULL, partner TEXT NOT NULL, status TEXT NOT NULL, requested_on TEXT NOT NULL,
    expected_on TEXT NOT NULL, fee_cents INTEGER NOT NULL, due_back TEXT, pickup_by TEXT,
    loan_id TEXT, penalty_cents INTEGER NOT NULL DEFAULT 0
);
"""


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


def _text(day: date | None) -> str | None:
    return day.isoformat() if day else None


def _request(row: sqlite3.Row) -> Request:
    return Request(
        request_id=f"R{row['number']:04d}",
        member_id=row["member_id"],
        title=row["title"],
        author=row["author"],
        partner=row["partner"],
        status=row["status"],
        requested_on=date.fromisoformat(row["requested_on"]),
        expected_on=date.fromisoformat(row["expected_on"]),
        fee_cents=row["fee_cents"],
        due_back=_day(row["due_back"]),
        pickup_by=_day(row["pickup_by"]),
        loan_id=row["loan_id"],
        penalty_cents=row["penalty_cents"],
    )


class RequestStore:
    def __init__(self, file: Path) -> None:
        self.file = file

    def add(self, request: Request) -> Request:
        with session(self.file, SCHEMA) as db:
            cursor = db.execute(
                "INSERT INTO requests (member_id, title, author, partner, status, requested_on, expected_on,"
                " fee_cents) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    request.member_id,
                    request.title,
                    request.author,
                    request.partner,
                    request.status,
                    _text(request.requested_on),
                    _text(request.expected_on),
                    request.fee_cents,
                ),
            )
        return replace(request, request_id=f"R{cursor.lastrowid:04d}")

    def all(self, member_id: str | None = None, status: str | None = None) -> list[Request]:
        """Requests in the order of their ids."""
        with session(self.file, SCHEMA) as db:
            rows = db.execute(
                "SELECT * FROM requests WHERE (?1 IS NULL OR member_id = ?1) AND (?2 IS NULL OR status = ?2)"
                " ORDER BY number",
                (member_id, status),
            )
            return [_request(row) for row in rows]

    def active(self, member_id: str) -> list[Request]:
        return [request for request in self.all(member_id) if request.status in ACTIVE]

    def get(self, request_id: str) -> Request:
        for request in self.all():
            if request.request_id == request_id:
                return request
        raise Refusal(404, "unknown_request", f"no request {request_id}")

    def update(self, request: Request) -> None:
        """Save what can change after the request was placed."""
        with session(self.file, SCHEMA) as db:
            db.execute(
                "UPDATE requests SET status = ?, fee_cents = ?, due_back = ?, pickup_by = ?, loan_id = ?,"
                " penalty_cents = ? WHERE number = ?",
                (
                    request.status,
                    request.fee_cents,
                    _text(request.due_back),
                    _text(request.pickup_by),
                    request.loan_id,
                    request.penalty_cents,
                    int(request.request_id[1:]),
                ),
            )
