"""Who may become a member, in which category, for how long, and what a member may borrow."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta

from library.errors import Refusal

JUNIOR_BELOW = 16
SENIOR_FROM = 65
STUDENT_UP_TO = 27
MEMBERSHIP_DAYS = 365
RENEWAL_WINDOW_DAYS = 60
EARLIEST_BIRTH = date(1900, 1, 1)
MAX_LOANS = {"junior": 5, "adult": 10, "senior": 10, "student": 15, "institution": 30}


@dataclass(frozen=True)
class Member:
    """A registered member; `member_id` is empty until the store has numbered it."""

    member_id: str
    name: str
    birth_date: date
    category: str
    email: str | None
    guardian_id: str | None
    joined_on: date
    expires_on: date
    block_reason: str | None = None


def age_on(birth_date: date, day: date) -> int:
    """Completed years of life."""
    had_birthday = (day.month, day.day) >= (birth_date.month, birth_date.day)
    return day.year - birth_date.year - (0 if had_birthday else 1)


def birthday(birth_date: date, age: int) -> date:
    """The day on which someone reaches an age; 1 March where the year has no 29 February."""
    try:
        return birth_date.replace(year=birth_date.year + age)
    except ValueError:
        return date(birth_date.year + age, 3, 1)


def check_name(name: str) -> str:
    """The name without surrounding blanks."""
    cleaned = " ".join(name.split())
    if not cleaned:
        raise Refusal(422, "invalid_name", "a member needs a name")
    if len(cleaned) > 80:
        raise Refusal(422, "invalid_name", "a name has at most 80 characters")
    return cleaned


def check_birth_date(birth_date: date, today: date) -> None:
    if birth_date > today:
        raise Refusal(422, "invalid_birth_date", "the date of birth is in the future")
    if birth_date < EARLIEST_BIRTH:
        raise Refusal(422, "invalid_birth_date", f"the date of birth is before {EARLIEST_BIRTH}")


def check_email(email: str | None) -> str | None:
    """The address in lower case, or None if there is none."""
    if email is None:
        return None
    cleaned = email.strip().lower()
    local, at, domain = cleaned.partition("@")
    if not at or not local or "@" in domain or "." not in domain.strip("."):
        raise Refusal(422, "invalid_email", f"{email!r} is not an e-mail address")
    return cleaned


def choose_category(requested: str | None, age: int, email: str | None) -> str:
    """The category of a new member: by age, unless one was asked for and is allowed."""
    if requested is not None and requested not in MAX_LOANS:
        raise Refusal(422, "unknown_category", f"{requested!r} is none of {sorted(MAX_LOANS)}")
    if requested == "institution":
        if email is None:
            raise Refusal(422, "email_required", "an institution needs an e-mail address")
        return "institution"
    if requested == "student":
        if not JUNIOR_BELOW <= age <= STUDENT_UP_TO:
            raise Refusal(422, "not_eligible", f"students are {JUNIOR_BELOW} to {STUDENT_UP_TO} years old")
        return "student"
    if age < JUNIOR_BELOW:
        by_age = "junior"
    elif age >= SENIOR_FROM:
        by_age = "senior"
    else:
        by_age = "adult"
    if requested is not None and requested != by_age:
        raise Refusal(422, "not_eligible", f"at the age of {age} the category is {by_age}")
    return by_age


def check_guardian(category: str, guardian_id: str | None, guardian: Member | None, today: date) -> None:
    """A junior needs a grown-up member who answers for the fees."""
    if category != "junior":
        return
    if guardian_id is None:
        raise Refusal(422, "guardian_required", "a junior needs a guardian")
    if guardian is None:
        raise Refusal(422, "unknown_guardian", f"no member {guardian_id}")
    if guardian.category in {"junior", "institution"} or guardian.expires_on < today:
        raise Refusal(422, "unfit_guardian", f"{guardian_id} cannot be a guardian")


def expiry(category: str, birth_date: date, start: date) -> date:
    """Last day of a membership: a year, but a junior's ends on the 16th birthday at the latest."""
    end = start + timedelta(days=MEMBERSHIP_DAYS)
    if category == "junior":
        return min(end, birthday(birth_date, JUNIOR_BELOW))
    return end


def renew(member: Member, balance: int, today: date) -> Member:
    """The member with a year more, in the category of the present age."""
    if member.block_reason is not None:
        raise Refusal(409, "blocked", f"{member.member_id} is blocked: {member.block_reason}")
    if balance > 0:
        raise Refusal(409, "fees_outstanding", f"{balance} cents are to be paid first")
    if member.expires_on - today > timedelta(days=RENEWAL_WINDOW_DAYS):
        raise Refusal(409, "too_early", f"renewal is possible {RENEWAL_WINDOW_DAYS} days before the end")
    age = age_on(member.birth_date, today)
    category = member.category
    if category != "institution" and not (category == "student" and age <= STUDENT_UP_TO):
        category = choose_category(None, age, member.email)
    start = max(member.expires_on, today)
    return replace(member, category=category, expires_on=expiry(category, member.birth_date, start))


def bars(member: Member, balance: int, fee_limit: int, today: date) -> list[str]:
    """Why a member may not borrow; empty if the member may."""
    limit = fee_limit // 2 if member.category == "junior" else fee_limit
    reasons = []
    if member.expires_on < today:
        reasons.append("expired")
    if member.block_reason is not None:
        reasons.append("blocked")
    if balance >= limit:
        reasons.append("fees")
    return reasons
