"""When a reminder goes out, to where, and with which words."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from common.web import Problem

AHEAD = {"sms": timedelta(hours=24), "email": timedelta(hours=48), "letter": timedelta(days=5)}
POST_HOUR = 8
NIGHT_FROM = 21
NIGHT_UNTIL = 8
EVENING_HOUR = 20
RETRY_AFTER = timedelta(hours=1)
ATTEMPTS = 3
SMS_LENGTH = 160
STATES = ("waiting", "sent", "failed", "expired", "withdrawn")


@dataclass(frozen=True)
class Reminder:
    appointment: str
    patient: str
    channel: str
    address: str
    starts_at: str
    send_at: str
    text: str
    state: str = "waiting"
    attempts: int = 0
    id: int | None = None


def read_moment(value, field):
    """A `YYYY-MM-DDTHH:MM` moment."""
    if isinstance(value, str) and re.fullmatch(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}", value):
        try:
            return datetime.fromisoformat(value)
        except ValueError:
            pass
    raise Problem(422, "bad_moment", f"{field} must be a moment like 2031-05-12T09:30")


def moment_text(moment):
    return moment.strftime("%Y-%m-%dT%H:%M")


def read_text(body, field):
    value = body.get(field)
    if not isinstance(value, str) or not value.strip():
        raise Problem(422, "missing_field", f"{field} must not be empty")
    return value.strip()


def read_channel(body):
    channel = body.get("channel")
    if channel not in AHEAD:
        raise Problem(422, "unknown_channel", f"channel must be one of {', '.join(AHEAD)}")
    return channel


def check_address(channel, address):
    """A telephone number, an e-mail address or a postal address."""
    if channel == "sms":
        good = re.fullmatch(r"\+\d{8,15}", address)
    elif channel == "email":
        good = re.fullmatch(r"[^@\s]+@[^@\s]+\.[^@\s.]+", address)
    else:
        good = len(address) >= 10 and re.search(r"\b\d{5}\b", address)
    if not good:
        raise Problem(422, "bad_address", f"this is no address for channel {channel}")


def out_of_the_night(moment):
    """Nobody's telephone rings at night: the message goes out at 20:00, before the night begins."""
    if moment.hour >= NIGHT_FROM:
        return moment.replace(hour=EVENING_HOUR, minute=0)
    if moment.hour < NIGHT_UNTIL:
        return moment.replace(hour=EVENING_HOUR, minute=0) - timedelta(days=1)
    return moment


def send_time(channel, starts_at):
    """When to send the reminder of an appointment."""
    planned = starts_at - AHEAD[channel]
    if channel == "letter":
        return planned.replace(hour=POST_HOUR, minute=0)
    if channel == "sms":
        return out_of_the_night(planned)
    return planned


def compose(channel, name, starts_at):
    """The words of the reminder. A text message is one message long at most: the name gives way."""
    when = f"{starts_at:%d.%m.%Y} at {starts_at:%H:%M}"
    if channel == "letter":
        return f"Dear {name},\n\nwe expect you on {when}.\n\nYour clinic"
    text = f"{name}, your appointment: {when}. Please call if you cannot come."
    if channel == "sms" and len(text) > SMS_LENGTH:
        kept = len(name) - (len(text) - SMS_LENGTH) - 3
        return f"{name[:kept]}...{text[len(name) :]}"
    return text


def read_reminder(body):
    """A reminder from the body of a request, if it is sound in itself."""
    appointment = read_text(body, "appointment")
    patient = read_text(body, "patient")
    name = read_text(body, "name")
    channel = read_channel(body)
    address = read_text(body, "address")
    check_address(channel, address)
    starts_at = read_moment(body.get("starts_at"), "starts_at")
    send_at = send_time(channel, starts_at)
    text = compose(channel, name, starts_at)
    return Reminder(
        appointment, patient, channel, address, moment_text(starts_at), moment_text(send_at), text
    )


def next_state(reminder, now):
    """What becomes of a waiting reminder at this moment: sent, expired, or waiting on."""
    if reminder.starts_at <= now:
        return "expired"
    if reminder.send_at <= now:
        return "sent"
    return "waiting"


def after_failure(reminder, now):
    """State and time of sending after a delivery that failed."""
    if reminder.attempts >= ATTEMPTS:
        return "failed", reminder.send_at
    return "waiting", moment_text(now + RETRY_AFTER)
