"""What a service takes from its environment and from config/hall.ini."""

import os
from configparser import ConfigParser
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


class Settings:
    """The settings of one service."""

    def __init__(self, service):
        self.service = service
        self._ini = ConfigParser()
        self._ini.read(ROOT / "config" / "hall.ini", encoding="utf-8")

    @property
    def host(self):
        return os.environ.get("HOST", "127.0.0.1")

    @property
    def port(self):
        return int(os.environ.get("PORT") or self._default_port(self.service))

    @property
    def db_file(self):
        return os.environ.get("DB_FILE") or str(ROOT / "data" / f"{self.service}.sqlite3")

    def peer_url(self, peer):
        """Address of another service: from `<NAME>_URL`, or this machine and the port in hall.ini."""
        variable = peer.upper().replace("-", "_") + "_URL"
        return os.environ.get(variable) or f"http://127.0.0.1:{self._default_port(peer)}"

    def _default_port(self, service):
        return self._ini.getint(service, "port", fallback=0)


def hall_time():
    """The minute that the hall's clock shows: HALL_NOW if it is set, else the present one in UTC."""
    fixed = os.environ.get("HALL_NOW")
    if fixed:
        return datetime.fromisoformat(fixed)
    return datetime.now(UTC).replace(tzinfo=None, second=0, microsecond=0)
