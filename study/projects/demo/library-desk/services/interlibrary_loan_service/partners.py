"""The libraries that lend to us."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from library.errors import Refusal
from library.settings import read_config

SATURDAY = 5


@dataclass(frozen=True)
class Partner:
    """A partner library and its terms; transit is counted in working days."""

    code: str
    name: str
    transit_days: int
    fee_cents: int
    daily_penalty_cents: int


def load_partners() -> dict[str, Partner]:
    """All partners by code, as config/partners.yaml lists them."""
    return {
        code: Partner(
            code, terms["name"], terms["transitDays"], terms["feeCents"], terms["dailyPenaltyCents"]
        )
        for code, terms in read_config("partners.yaml")["partners"].items()
    }


def find_partner(code: str) -> Partner:
    """The partner with a code in any case."""
    partner = load_partners().get(code.strip().upper())
    if partner is None:
        raise Refusal(422, "unknown_partner", f"no partner library {code!r}")
    return partner


def after_working_days(start: date, days: int) -> date:
    """The day that is a number of working days (Monday to Friday) later."""
    day = start
    while days > 0:
        day += timedelta(days=1)
        if day.weekday() < SATURDAY:
            days -= 1
    return day
