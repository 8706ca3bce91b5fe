"""staff-service: who belongs to the clinic, and in which role."""

import os
import re
import sys
from dataclasses import asdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from common.settings import section
from common.web import JsonHandler, Problem, make_application, serve
from services.staff.store import ROLES, Person, StaffStore

SETTINGS = section("staff")
PORT = int(os.environ.get("PORT", SETTINGS["port"]))
DB_FILE = os.environ.get("DB_FILE", SETTINGS["db_file"])


class HealthHandler(JsonHandler):
    def get(self):
        self.reply({"status": "ok", "service": "staff-service"})


class StaffHandler(JsonHandler):
    def initialize(self, store):
        self.store = store


class PeopleHandler(StaffHandler):
    def get(self):
        people = self.store.find(self.get_query_argument("role", None))
        self.reply({"staff": [asdict(person) for person in people]})

    def post(self):
        body = self.read_body()
        if not re.fullmatch(r"[A-Z]{2}-\d{2}", str(body.get("id"))):
            raise Problem(422, "bad_id", "id must look like DR-07")
        if body.get("role") not in ROLES:
            raise Problem(422, "bad_role", f"role must be one of {', '.join(ROLES)}")
        if not isinstance(body.get("name"), str) or not body["name"].strip():
            raise Problem(422, "bad_name", "name must not be empty")
        person = Person(body["id"], body["name"].strip(), body["role"], True)
        if not self.store.add(person):
            raise Problem(409, "id_taken", f"{person.id} is known already")
        self.reply(asdict(person), 201)


class PersonHandler(StaffHandler):
    def get(self, person_id):
        self.reply(asdict(self.find(person_id)))

    def patch(self, person_id):
        self.find(person_id)
        active = self.read_body().get("active")
        if not isinstance(active, bool):
            raise Problem(422, "bad_active", "active must be true or false")
        self.store.set_active(person_id, active)
        self.reply(asdict(self.find(person_id)))

    def find(self, person_id):
        person = self.store.get(person_id)
        if person is None:
            raise Problem(404, "unknown_staff", f"nobody has the id {person_id}")
        return person


def make_app(store):
    shared = {"store": store}
    return make_application(
        [
            (r"/health", HealthHandler),
            (r"/staff", PeopleHandler, shared),
            (r"/staff/([^/]+)", PersonHandler, shared),
        ]
    )


if __name__ == "__main__":
    serve(make_app(StaffStore(DB_FILE)), PORT)
