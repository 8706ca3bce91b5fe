"""Fees: what is charged, and what is paid."""

from __future__ import annotations

from library.errors import Refusal

MAX_AMOUNT = 50_000
REASONS = ("late", "damage", "loss", "postage")


def check_amount(amount: int) -> None:
    if not 0 < amount <= MAX_AMOUNT:
        raise Refusal(422, "invalid_amount", f"an amount is between 1 and {MAX_AMOUNT} cents")


def charged(amount: int, reason: str, category: str) -> int:
    """Cents that a charge comes to: juniors pay half of a late fee, institutions pay no postage."""
    if reason not in REASONS:
        raise Refusal(422, "unknown_reason", f"{reason!r} is none of {', '.join(REASONS)}")
    check_amount(amount)
    if reason == "late" and category == "junior":
        return amount // 2
    if reason == "postage" and category == "institution":
        return 0
    return amount


def balance_after_payment(balance: int, amount: int) -> int:
    check_amount(amount)
    if amount > balance:
        raise Refusal(409, "overpayment", f"only {balance} cents are to be paid")
    return balance - amount
