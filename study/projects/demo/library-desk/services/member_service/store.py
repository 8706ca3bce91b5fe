"""Members and their fees in SQLite."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from datetime import date
from pathlib import Path

from library.database import session
from library.errors import Refusal

from services.member_service.membership import Member

SCHEMA = """
CREATE TABLE IF NOT EXISTS members (
    number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, birth_date TEXT NOT NULL,
    category TEXT NOT NULL, email TEXT UNIQUE, guardian_id TEXT,
    joined_on TEXT NOT NULL, expires_on TEXT NOT NULL, block_reason TEXT
);
CREATE TABLE IF NOT EXISTS entries (
    number INTEGER PRIMARY KEY AUTOINCREMENT, member_id TEXT NOT NULL, cents INTEGER NOT NULL,
    reason TEXT NOT NULL, reference TEXT
);
"""


def _member(row: sqlite3.Row) -> Member:
    return Member(
        member_id=f"M{row['number']:04d}",
        name=row["name"],
        birth_date=date.fromisoformat(row["birth_date"]),
        category=row["category"],
        email=row["email"],
        guardian_id=row["guardian_id"],
        joined_on=date.fromisoformat(row["joined_on"]),
        expires_on=date.fromisoformat(row["expires_on"]),
        block_reason=row["block_reason"],
    )


def _number(member_id: str) -> int:
    """The number in an id, or 0, which no member has."""
    digits = member_id[1:]
    return int(digits) if member_id.startswith("M") and digits.isdecimal() else 0


class MemberStore:
    def __init__(self, file: Path) -> None:
        self.file = file

    def find(self, member_id: str) -> Member | None:
        with session(self.file, SCHEMA) as db:
            row = db.execute("SELECT * FROM members WHERE number = ?", (_number(member_id),)).fetchone()
        if row is None or _member(row).member_id != member_id:
            return None
        return _member(row)

    def get(self, member_id: str) -> Member:
        member = self.find(member_id)
        if member is None:
            raise Refusal(404, "unknown_member", f"no member {member_id}")
        return member

    def add(self, member: Member) -> Member:
        try:
            with session(self.file, SCHEMA) as db:
                cursor = db.execute(
                    "INSERT INTO members (name, birth_date, category, email, guardian_id, joined_on,"
                    " expires_on) VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (
                        member.name,
                        member.birth_date.isoformat(),
                        member.category,
                        member.email,
                        member.guardian_id,
                        member.joined_on.isoformat(),
                        member.expires_on.isoformat(),
                    ),
                )
        except sqlite3.IntegrityError:
            raise Refusal(409, "email_taken", f"{member.email} belongs to another member") from None
        return replace(member, member_id=f"M{cursor.lastrowid:04d}")

    def update(self, member: Member) -> None:
        """Save what can change: category, end of the membership, block."""
        with session(self.file, SCHEMA) as db:
            db.execute(
                "UPDATE members SET category = ?, expires_on = ?, block_reason = ? WHERE number = ?",
                (
                    member.category,
                    member.expires_on.isoformat(),
                    member.block_reason,
                    _number(member.member_id),
                ),
            )

    def balance(self, member_id: str) -> int:
        with session(self.file, SCHEMA) as db:
            row = db.execute("SELECT SUM(cents) FROM entries WHERE member_id = ?", (member_id,)).fetchone()
        return row[0] or 0

    def has_entry(self, member_id: str, reason: str, reference: str) -> bool:
        with session(self.file, SCHEMA) as db:
            row = db.execute(
                "SELECT 1 FROM entries WHERE member_id = ? AND reason = ? AND reference = ?",
                (member_id, reason, reference),
            ).fetchone()
        return row is not None

    def book(self, member_id: str, cents: int, reason: str, reference: str | None = None) -> None:
        """Enter a charge (positive) or a payment (negative)."""
        with session(self.file, SCHEMA) as db:
            db.execute(
                "INSERT INTO entries (member_id, cents, reason, reference) VALUES (?, ?, ?, ?)",
                (member_id, cents, reason, reference),
            )
