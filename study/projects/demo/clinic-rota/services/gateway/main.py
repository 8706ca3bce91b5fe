"""gateway: the one address that the front desk's screens know."""

import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from common.settings import SETTINGS_FILE, section
from common.web import serve
from services.gateway.handlers import make_app
from services.gateway.routing import read_routes

SETTINGS = section("gateway")
PORT = int(os.environ.get("PORT", SETTINGS["port"]))
ROUTES_FILE = SETTINGS_FILE.parents[1] / os.environ.get("ROUTES_FILE", SETTINGS["routes"])


if __name__ == "__main__":
    config = json.loads(ROUTES_FILE.read_text(encoding="utf-8"))
    serve(make_app(read_routes(config["routes"], os.environ), config["day_view"]), PORT)
