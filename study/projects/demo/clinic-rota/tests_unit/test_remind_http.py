import pytest
from services.remind.handlers import make_app
from services.remind.outbox import Outbox


@pytest.fixture
def ask(http):
    outbox = Outbox(":memory:")
    app = make_app(outbox)
    yield lambda method, path, body=None: http(app, method, path, body)
    outbox.db.close()


def wish(**changes):
    return {
        "appointment": "17",
        "patient": "P-100",
        "name": "Mo Reed",
        "channel": "email",
        "address": "mo@reed.example",
        "starts_at": "2031-05-12T09:30",
        **changes,
    }


def states(ask):
    return [reminder["state"] for reminder in ask("GET", "/reminders")[1]["reminders"]]


def refused(answer):
    """Status and code of an error."""
    status, body = answer
    return status, body["error"]


def test_health_and_unknown_reminders(ask):
    assert ask("GET", "/health") == (200, {"status": "ok", "service": "reminder-service"})
    assert refused(ask("GET", "/reminders/9")) == (404, "unknown_reminder")


def test_one_waiting_reminder_for_an_appointment_and_channel(ask):
    status, reminder = ask("POST", "/reminders", wish())
    assert (status, reminder["send_at"]) == (201, "2031-05-10T09:30")
    assert ask("GET", f"/reminders/{reminder['id']}") == (200, reminder)
    assert refused(ask("POST", "/reminders", wish())) == (409, "duplicate")
    assert ask("POST", "/reminders", wish(channel="sms", address="+4412345678"))[0] == 201
    assert ask("POST", "/reminders", wish(appointment="18"))[0] == 201


def test_list_by_state_and_patient_in_the_order_of_sending(ask):
    ask("POST", "/reminders", wish())
    ask("POST", "/reminders", wish(appointment="18", patient="P-200", starts_at="2031-05-10T09:30"))
    assert [r["id"] for r in ask("GET", "/reminders?state=waiting")[1]["reminders"]] == [2, 1]
    assert [r["id"] for r in ask("GET", "/reminders?patient=P-100")[1]["reminders"]] == [1]
    assert ask("GET", "/reminders?state=sent")[1]["reminders"] == []
    assert refused(ask("GET", "/reminders?state=lost")) == (422, "unknown_state")


def test_withdraw_only_what_is_waiting(ask):
    ask("POST", "/reminders", wish())
    assert ask("DELETE", "/reminders/1") == (204, None)
    assert states(ask) == ["withdrawn"]
    assert refused(ask("DELETE", "/reminders/1")) == (409, "not_waiting")
    assert ask("POST", "/reminders", wish())[0] == 201


def test_dispatch_sends_what_is_due_and_drops_what_is_too_late(ask):
    ask("POST", "/reminders", wish())
    ask("POST", "/reminders", wish(appointment="18", starts_at="2031-05-10T09:30"))
    ask("POST", "/reminders", wish(appointment="19", starts_at="2031-06-01T09:30"))
    now = {"now": "2031-05-10T09:30"}
    assert ask("POST", "/reminders/dispatch", now) == (200, {"sent": [1], "expired": [2]})
    assert ask("POST", "/reminders/dispatch", now) == (200, {"sent": [], "expired": []})
    assert sorted(states(ask)) == ["expired", "sent", "waiting"]
    assert refused(ask("POST", "/reminders/dispatch", {})) == (422, "bad_moment")


def test_a_bounced_message_is_tried_three_times(ask):
    ask("POST", "/reminders", wish())
    assert refused(ask("POST", "/reminders/1/bounce", {"now": "2031-05-10T10:00"})) == (409, "not_sent")
    seen = []
    for hour in ("10", "12", "14"):
        ask("POST", "/reminders/dispatch", {"now": f"2031-05-10T{hour}:00"})
        answer = ask("POST", "/reminders/1/bounce", {"now": f"2031-05-10T{hour}:05"})[1]
        seen.append((answer["state"], answer["attempts"], answer["send_at"]))
    assert seen == [
        ("waiting", 1, "2031-05-10T11:05"),
        ("waiting", 2, "2031-05-10T13:05"),
        ("failed", 3, "2031-05-10T13:05"),
    ]


def test_patients_can_decline_a_channel_but_not_letters(ask):
    ask("POST", "/reminders", wish())
    ask("POST", "/reminders", wish(patient="P-200", appointment="18"))
    answer = {"patient": "P-100", "channel": "email", "withdrawn": 1}
    assert ask("POST", "/opt-outs", {"patient": "P-100", "channel": "email"}) == (201, answer)
    assert sorted(states(ask)) == ["waiting", "withdrawn"]
    assert refused(ask("POST", "/reminders", wish(appointment="20"))) == (409, "opted_out")
    assert ask("POST", "/reminders", wish(channel="sms", address="+4412345678"))[0] == 201
    assert refused(ask("POST", "/opt-outs", {"patient": "P-100", "channel": "letter"})) == (
        422,
        "letters_stay",
    )
