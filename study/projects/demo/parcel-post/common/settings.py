"""Settings: environment variables first, config/settings.json for what they leave open."""

import json
import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def load():
    """The content of config/settings.json."""
    return json.loads((ROOT / "config" / "settings.json").read_text(encoding="utf-8"))


def default_port(service):
    """The port of a service that is not told another."""
    return load()["services"][service]["port"]


def port(service):
    """The port this process listens on."""
    return int(os.environ.get("PORT") or default_port(service))


def peer_url(service):
    """Address of another service: `<NAME>_URL`, or its default port on this machine."""
    variable = service.upper().replace("-", "_") + "_URL"
    return os.environ.get(variable) or f"http://127.0.0.1:{default_port(service)}"


def data_file(name):
    """Path of a database file in DATA_DIR."""
    folder = Path(os.environ.get("DATA_DIR") or ROOT / "data")
    folder.mkdir(parents=True, exist_ok=True)
    return str(folder / name)
