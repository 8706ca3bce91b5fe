"""rota-service: who works when, and where."""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from common.settings import section
from common.web import serve
from services.rota.handlers import make_app
from services.rota.store import RotaStore

SETTINGS = section("rota")
PORT = int(os.environ.get("PORT", SETTINGS["port"]))
DB_FILE = os.environ.get("DB_FILE", SETTINGS["db_file"])


if __name__ == "__main__":
    serve(make_app(RotaStore(DB_FILE)), PORT)
