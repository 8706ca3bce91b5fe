"""Loans in SQLite."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from datetime import date
from pathlib import Path

from library.database import session
from library.errors import Refusal

from services.loan_service.lending import Loan

SCHEMA = """
CREATE TABLE IF NOT EXISTS loans (
    number INTEGER PRIMARY KEY AUTOINCREMENT, member_id TEXT NOT NULL, barcode TEXT NOT NULL,
    title TEXT NOT NULL, shelf TEXT NOT NULL, category TEXT NOT NULL, lent_on TEXT NOT NULL,
    due_on TEXT NOT NULL, renewals INTEGER NOT NULL DEFAULT 0, returned_on TEXT, condition TEXT,
    fine_cents INTEGER NOT NULL DEFAULT 0
);
"""


def _loan(row: sqlite3.Row) -> Loan:
    returned_on = row["returned_on"]
    return Loan(
        loan_id=f"L{row['number']:04d}",
        member_id=row["member_id"],
        barcode=row["barcode"],
        title=row["title"],
        shelf=row["shelf"],
        category=row["category"],
        lent_on=date.fromisoformat(row["lent_on"]),
        due_on=date.fromisoformat(row["due_on"]),
        renewals=row["renewals"],
        returned_on=date.fromisoformat(returned_on) if returned_on else None,
        condition=row["condition"],
        fine_cents=row["fine_cents"],
    )


class LoanStore:
    def __init__(self, file: Path) -> None:
        self.file = file

    def add(self, loan: Loan) -> Loan:
        with session(self.file, SCHEMA) as db:
            cursor = db.execute(
                "INSERT INTO loans (member_id, barcode, title, shelf, category, lent_on, due_on)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    loan.member_id,
                    loan.barcode,
                    loan.title,
                    loan.shelf,
                    loan.category,
                    loan.lent_on.isoformat(),
                    loan.due_on.isoformat(),
                ),
            )
        return replace(loan, loan_id=f"L{cursor.lastrowid:04d}")

    def get(self, loan_id: str) -> Loan:
        for loan in self.all():
            if loan.loan_id == loan_id:
                return loan
        raise Refusal(404, "unknown_loan", f"no loan {loan_id}")

    def all(self, member_id: str | None = None) -> list[Loan]:
        """Loans in the order of their ids, of one borrower or of all."""
        with session(self.file, SCHEMA) as db:
            rows = db.execute(
                "SELECT * FROM loans WHERE ?1 IS NULL OR member_id = ?1 ORDER BY number", (member_id,)
            )
            return [_loan(row) for row in rows]

    def open_loans(self, member_id: str) -> list[Loan]:
        return [loan for loan in self.all(member_id) if loan.returned_on is None]

    def holds(self, barcode: str) -> bool:
        """Whether an item is out on loan."""
        return any(loan.barcode == barcode and loan.returned_on is None for loan in self.all())

    def update(self, loan: Loan) -> None:
        """Save what can change after the lending."""
        returned_on = loan.returned_on.isoformat() if loan.returned_on else None
        with session(self.file, SCHEMA) as db:
            db.execute(
                "UPDATE loans SET due_on = ?, renewals = ?, returned_on = ?, condition = ?, fine_cents = ?"
                " WHERE number = ?",
                (
                    loan.due_on.isoformat(),
                    loan.renewals,
                    returned_on,
                    loan.condition,
                    loan.fine_cents,
                    int(loan.loan_id[1:]),
                ),
            )
