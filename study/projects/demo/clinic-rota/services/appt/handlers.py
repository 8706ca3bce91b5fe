"""HTTP interface of appointment-service."""

from dataclasses import asdict, replace

from common.clock import parse_day, utc_now, utc_today
from common.web import JsonHandler, Problem, make_application
from services.appt.booking import (
    MINUTES,
    STATES,
    check_booked,
    check_diary,
    check_move,
    check_person,
    is_late,
    read_outcome,
    read_request,
    read_time,
)
from services.appt.duty import board, free_slots, room_on_duty

FILTERS = ("date", "staff_id", "patient", "state")


class HealthHandler(JsonHandler):
    def get(self):
        self.reply({"status": "ok", "service": "appointment-service"})


class BookHandler(JsonHandler):
    """Base of the handlers that work on the appointment book."""

    def initialize(self, book, staff, rota):
        self.book = book
        self.staff = staff
        self.rota = rota

    def find(self, appointment_id):
        appointment = self.book.get(int(appointment_id))
        if appointment is None:
            raise Problem(404, "unknown_appointment", f"there is no appointment {appointment_id}")
        return appointment

    async def book_it(self, wanted):
        """Check the wanted appointment and save it.

        The peers are asked first: between the look into the diary and the saving nothing is awaited, so
        that no other request can take the same time.
        """
        check_person(await self.staff.person(wanted.staff_id), wanted.kind)
        wanted = replace(wanted, room=await room_on_duty(self.rota, wanted))
        check_diary(wanted, self.book.find(date=wanted.date))
        return self.book.save(wanted)


class AppointmentsHandler(BookHandler):
    def get(self):
        filters = {name: self.get_query_argument(name, None) for name in FILTERS}
        if filters["date"] is not None:
            parse_day(filters["date"])
        if filters["state"] is not None and filters["state"] not in STATES:
            raise Problem(422, "unknown_state", f"state must be one of {', '.join(STATES)}")
        found = self.book.find(**filters)
        self.reply({"appointments": [asdict(appointment) for appointment in found]})

    async def post(self):
        wanted = read_request(self.read_body(), utc_today())
        self.reply(asdict(await self.book_it(wanted)), 201)


class AppointmentHandler(BookHandler):
    def get(self, appointment_id):
        self.reply(asdict(self.find(appointment_id)))

    async def patch(self, appointment_id):
        """Move the appointment to another time."""
        appointment = self.find(appointment_id)
        check_move(appointment)
        date, start, end = read_time(self.read_body(), appointment.kind, utc_today())
        moved = replace(appointment, date=date, start=start, end=end, moves=appointment.moves + 1)
        self.reply(asdict(await self.book_it(moved)))


class CancelHandler(BookHandler):
    def post(self, appointment_id):
        appointment = self.find(appointment_id)
        check_booked(appointment)
        late = is_late(appointment, utc_now())
        self.reply(asdict(self.book.save(replace(appointment, state="cancelled", late=late))))


class OutcomeHandler(BookHandler):
    def post(self, appointment_id):
        appointment = self.find(appointment_id)
        outcome = read_outcome(self.read_body())
        check_booked(appointment)
        self.reply(asdict(self.book.save(replace(appointment, state=outcome))))


class SlotsHandler(BookHandler):
    async def get(self):
        kind = self.get_query_argument("kind", "consultation")
        if kind not in MINUTES:
            raise Problem(422, "unknown_kind", f"kind must be one of {', '.join(MINUTES)}")
        date = parse_day(self.get_query_argument("date", None)).isoformat()
        staff_id = self.get_query_argument("staff_id", "")
        if await self.staff.person(staff_id) is None:
            raise Problem(422, "unknown_staff", "nobody has this staff id")
        shifts = await self.rota.shifts(staff_id, date)
        booked = self.book.find(date=date, staff_id=staff_id, state="booked")
        self.reply({"staff_id": staff_id, "date": date, "slots": free_slots(shifts, booked, kind)})


class BoardHandler(BookHandler):
    async def get(self):
        date = self.get_query_argument("date", None)
        day = (utc_today() if date is None else parse_day(date)).isoformat()
        shifts = await self.rota.on_duty(day)
        self.reply({"date": day, "board": board(shifts, self.book.find(date=day, state="booked"))})


def make_app(book, staff, rota):
    shared = {"book": book, "staff": staff, "rota": rota}
    return make_application(
        [
            (r"/health", HealthHandler),
            (r"/appointments", AppointmentsHandler, shared),
            (r"/appointments/(\d+)", AppointmentHandler, shared),
            (r"/appointments/(\d+)/cancel", CancelHandler, shared),
            (r"/appointments/(\d+)/outcome", OutcomeHandler, shared),
            (r"/slots", SlotsHandler, shared),
            (r"/board", BoardHandler, shared),
        ]
    )
