"""What appointments need to know of the rota: who is on duty, when and in which room."""

from common.clock import clock_text, parse_clock
from common.peers import ask
from common.web import Problem
from services.appt.booking import GRID, MINUTES


class RotaClient:
    """Asks rota-service."""

    def __init__(self, base_url):
        self.base_url = base_url.rstrip("/")

    async def availability(self, staff_id, date, start, minutes):
        query = {"staff_id": staff_id, "date": date, "start": start, "minutes": str(minutes)}
        return await self.get("/availability", query)

    async def shifts(self, staff_id, date):
        return (await self.get("/shifts", {"staff_id": staff_id, "date": date}))["shifts"]

    async def on_duty(self, date):
        return (await self.get("/on-duty", {"date": date}))["on_duty"]

    async def get(self, path, query):
        status, data = await ask("rota", self.base_url, path, query)
        if status != 200:
            raise Problem(503, "rota_unavailable", f"rota-service answers {status}")
        return data


async def room_on_duty(rota, wanted):
    """The room in which the person works at the wanted time; a Problem if that person does not."""
    answer = await rota.availability(wanted.staff_id, wanted.date, wanted.start, MINUTES[wanted.kind])
    if not answer["available"]:
        raise Problem(409, answer["reason"], f"{wanted.staff_id} cannot be booked then")
    return answer["room"]


def free_slots(shifts, booked, kind):
    """Starts in the regular shifts at which a visit of this kind fits between the booked ones."""
    taken = [(parse_clock(visit.start), parse_clock(visit.end)) for visit in booked]
    slots = []
    for shift in shifts:
        if shift["kind"] != "regular":
            continue
        last_start = parse_clock(shift["end"]) - MINUTES[kind]
        for start in range(parse_clock(shift["start"]), last_start + 1, GRID):
            end = start + MINUTES[kind]
            if all(end <= begins or start >= ends for begins, ends in taken):
                slots.append(clock_text(start))
    return sorted(set(slots))


def board(shifts, booked):
    """One line per shift for the screen at the entrance: who is where, with how many patients."""
    lines = []
    for shift in shifts:
        inside = [
            visit
            for visit in booked
            if visit.staff_id == shift["staff_id"] and shift["start"] <= visit.start < shift["end"]
        ]
        line = {key: shift[key] for key in ("staff_id", "room", "start", "end")}
        lines.append({**line, "appointments": len(inside)})
    return lines
