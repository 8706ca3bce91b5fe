"""appointment-service: the appointment book of the clinic."""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from common.settings import section
from common.web import serve
from services.appt.colleagues import StaffClient
from services.appt.duty import RotaClient
from services.appt.handlers import make_app
from services.appt.store import AppointmentBook

SETTINGS = section("appt")
PORT = int(os.environ.get("PORT", SETTINGS["port"]))
DB_FILE = os.environ.get("DB_FILE", SETTINGS["db_file"])
STAFF_URL = os.environ.get("STAFF_URL", SETTINGS["staff_url"])
ROTA_URL = os.environ.get("ROTA_URL", SETTINGS["rota_url"])


if __name__ == "__main__":
    serve(make_app(AppointmentBook(DB_FILE), StaffClient(STAFF_URL), RotaClient(ROTA_URL)), PORT)
