"""Settings of the services: one TOML file with a section for each, named like the service's directory."""

import tomllib
from pathlib import Path

SETTINGS_FILE = Path(__file__).resolve().parents[1] / "config" / "clinic.toml"


def section(name):
    """The settings of one service, empty if the file has none for it."""
    with SETTINGS_FILE.open("rb") as stream:
        return tomllib.load(stream).get(name, {})
