from datetime import datetime

import pytest
from common.web import Problem
from services.remind.rules import (
    after_failure,
    check_address,
    compose,
    next_state,
    read_moment,
    read_reminder,
    send_time,
)

BODY = {
    "appointment": "17",
    "patient": "P-100",
    "name": "Mo Reed",
    "channel": "sms",
    "address": "+4412345678",
    "starts_at": "2031-05-12T09:30",
}


def code_of(function, *arguments):
    with pytest.raises(Problem) as caught:
        function(*arguments)
    return caught.value.status_code, caught.value.code


def test_a_reminder_is_planned_and_worded_when_it_is_read():
    reminder = read_reminder(BODY)
    assert reminder.send_at == "2031-05-11T09:30"
    assert reminder.text == "Mo Reed, your appointment: 12.05.2031 at 09:30. Please call if you cannot come."
    assert (reminder.state, reminder.attempts) == ("waiting", 0)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"appointment": ""}, "missing_field"),
        ({"patient": None}, "missing_field"),
        ({"name": "  "}, "missing_field"),
        ({"channel": "fax"}, "unknown_channel"),
        ({"starts_at": "2031-05-12"}, "bad_moment"),
        ({"starts_at": "2031-13-12T09:30"}, "bad_moment"),
    ],
)
def test_unsound_reminders_are_refused(change, code):
    assert code_of(read_reminder, {**BODY, **change}) == (422, code)


def test_an_address_fits_its_channel():
    for channel, address in (
        ("sms", "+49123456789"),
        ("email", "mo@reed.example"),
        ("letter", "12345 Elys"),
    ):
        check_address(channel, address)
    for channel, address in (
        ("sms", "0123456789"),
        ("sms", "+1234567"),
        ("email", "mo@reed"),
        ("email", "mo reed@x.example"),
        ("letter", "12345 Ely"),
        ("letter", "1 Mill Road, 1234 Ely"),
    ):
        assert code_of(check_address, channel, address) == (422, "bad_address")


def test_text_messages_leave_a_day_ahead_and_not_at_night():
    assert send_time("sms", datetime(2031, 5, 12, 8, 0)) == datetime(2031, 5, 11, 8, 0)
    assert send_time("sms", datetime(2031, 5, 12, 7, 45)) == datetime(2031, 5, 10, 20, 0)
    assert send_time("sms", datetime(2031, 5, 12, 20, 45)) == datetime(2031, 5, 11, 20, 45)
    assert send_time("sms", datetime(2031, 5, 12, 21, 15)) == datetime(2031, 5, 11, 20, 0)


def test_mail_leaves_two_days_ahead_and_letters_five_in_the_morning():
    assert send_time("email", datetime(2031, 5, 12, 7, 45)) == datetime(2031, 5, 10, 7, 45)
    assert send_time("letter", datetime(2031, 5, 12, 16, 30)) == datetime(2031, 5, 7, 8, 0)


def test_a_text_message_fits_into_one():
    text = compose("sms", "A" * 200, datetime(2031, 5, 12, 9, 30))
    assert len(text) == 160
    assert text.startswith("AAA") and "A..., your appointment: 12.05.2031 at 09:30." in text
    longest = 160 - len(compose("email", "", datetime(2031, 5, 12, 9, 30)))
    assert compose("sms", "A" * longest, datetime(2031, 5, 12, 9, 30)).startswith("A" * longest)
    assert len(compose("email", "A" * 200, datetime(2031, 5, 12, 9, 30))) > 200


def test_letters_are_letters():
    assert compose("letter", "Mo", datetime(2031, 5, 2, 9, 5)) == (
        "Dear Mo,\n\nwe expect you on 02.05.2031 at 09:05.\n\nYour clinic"
    )


def test_a_waiting_reminder_is_sent_in_time_or_expires():
    reminder = read_reminder(BODY)
    assert next_state(reminder, "2031-05-11T09:29") == "waiting"
    assert next_state(reminder, "2031-05-11T09:30") == "sent"
    assert next_state(reminder, "2031-05-12T09:29") == "sent"
    assert next_state(reminder, "2031-05-12T09:30") == "expired"
    assert after_failure(reminder, read_moment("2031-05-11T23:30", "now")) == ("waiting", "2031-05-12T00:30")
