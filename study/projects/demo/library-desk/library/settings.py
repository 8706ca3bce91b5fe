"""What every process reads from its environment and from the config folder."""

from __future__ import annotations

import os
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[1]


def read_config(name: str) -> dict[str, Any]:
    """One YAML file of the config folder."""
    content: dict[str, Any] = yaml.safe_load((ROOT / "config" / name).read_text(encoding="utf-8"))
    return content


def default_port(service: str) -> int:
    """The port of a service in config/services.yaml; 0 (any free port) if it is not listed there."""
    entry = read_config("services.yaml")["services"].get(service, {})
    return int(entry.get("port", 0))


def listening_port(service: str) -> int:
    return int(os.environ.get("PORT") or default_port(service))


def peer_url(variable: str, service: str) -> str:
    """Address of a peer: from the environment, or this machine and the port in config/services.yaml."""
    return (os.environ.get(variable) or f"http://127.0.0.1:{default_port(service)}").rstrip("/")


def database_file(name: str) -> Path:
    """A SQLite file below DATA_DIR, which is created if need be."""
    folder = Path(os.environ.get("DATA_DIR", "data"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder / name


def business_date() -> date:
    """The day that the desk works on: BUSINESS_DATE if it is set, else today in UTC."""
    fixed = os.environ.get("BUSINESS_DATE")
    return date.fromisoformat(fixed) if fixed else datetime.now(UTC).date()
