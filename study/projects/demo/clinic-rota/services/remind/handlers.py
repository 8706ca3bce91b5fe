"""HTTP interface of reminder-service."""

from dataclasses import asdict, replace

from common.web import JsonHandler, Problem, make_application
from services.remind.rules import (
    STATES,
    after_failure,
    moment_text,
    next_state,
    read_channel,
    read_moment,
    read_reminder,
    read_text,
)


class HealthHandler(JsonHandler):
    def get(self):
        self.reply({"status": "ok", "service": "reminder-service"})


class OutboxHandler(JsonHandler):
    """Base of the handlers that work on the outbox."""

    def initialize(self, outbox):
        self.outbox = outbox

    def find(self, reminder_id):
        reminder = self.outbox.get(int(reminder_id))
        if reminder is None:
            raise Problem(404, "unknown_reminder", f"there is no reminder {reminder_id}")
        return reminder


class RemindersHandler(OutboxHandler):
    def get(self):
        state = self.get_query_argument("state", None)
        if state is not None and state not in STATES:
            raise Problem(422, "unknown_state", f"state must be one of {', '.join(STATES)}")
        found = self.outbox.find(state, self.get_query_argument("patient", None))
        self.reply({"reminders": [asdict(reminder) for reminder in found]})

    def post(self):
        reminder = read_reminder(self.read_body())
        if self.outbox.objects_to(reminder.patient, reminder.channel):
            raise Problem(409, "opted_out", f"{reminder.patient} does not want {reminder.channel}")
        if self.outbox.waiting_for(reminder.appointment, reminder.channel):
            raise Problem(409, "duplicate", "such a reminder is waiting already")
        self.reply(asdict(self.outbox.save(reminder)), 201)


class ReminderHandler(OutboxHandler):
    def get(self, reminder_id):
        self.reply(asdict(self.find(reminder_id)))

    def delete(self, reminder_id):
        reminder = self.find(reminder_id)
        if reminder.state != "waiting":
            raise Problem(409, "not_waiting", f"the reminder is {reminder.state}")
        self.outbox.save(replace(reminder, state="withdrawn"))
        self.set_status(204)


class DispatchHandler(OutboxHandler):
    def post(self):
        now = moment_text(read_moment(self.read_body().get("now"), "now"))
        done = {"sent": [], "expired": []}
        for reminder in self.outbox.find(state="waiting"):
            state = next_state(reminder, now)
            if state == "waiting":
                continue
            attempts = reminder.attempts + (state == "sent")
            self.outbox.save(replace(reminder, state=state, attempts=attempts))
            done[state].append(reminder.id)
        self.reply(done)


class BounceHandler(OutboxHandler):
    """The provider tells that a message did not arrive."""

    def post(self, reminder_id):
        reminder = self.find(reminder_id)
        now = read_moment(self.read_body().get("now"), "now")
        if reminder.state != "sent":
            raise Problem(409, "not_sent", f"the reminder is {reminder.state}")
        state, send_at = after_failure(reminder, now)
        self.reply(asdict(self.outbox.save(replace(reminder, state=state, send_at=send_at))))


class OptOutHandler(OutboxHandler):
    def post(self):
        body = self.read_body()
        patient = read_text(body, "patient")
        channel = read_channel(body)
        if channel == "letter":
            raise Problem(422, "letters_stay", "letters cannot be declined")
        withdrawn = self.outbox.object_to(patient, channel)
        self.reply({"patient": patient, "channel": channel, "withdrawn": withdrawn}, 201)


def make_app(outbox):
    shared = {"outbox": outbox}
    return make_application(
        [
            (r"/health", HealthHandler),
            (r"/reminders", RemindersHandler, shared),
            (r"/reminders/(\d+)", ReminderHandler, shared),
            (r"/reminders/dispatch", DispatchHandler, shared),
            (r"/reminders/(\d+)/bounce", BounceHandler, shared),
            (r"/opt-outs", OptOutHandler, shared),
        ]
    )
