"""Addresses of a model's service: what one looks like, and whether one on this machine answers."""

from __future__ import annotations

import socket
from ipaddress import ip_address
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator

from study.schema import StudyError

SECONDS = 5.0


def _http(address: str) -> str:
    parts = urlsplit(address)
    try:
        known = parts.scheme in {"http", "https"} and bool(parts.hostname) and (parts.port or 0) >= 0
    except ValueError:
        known = False
    if not known:
        raise ValueError(f"{address!r} is no address; give for instance http://127.0.0.1:8080/v1")
    return address


Address = Annotated[str, AfterValidator(_http)]
"""`http://` or `https://`, a host, perhaps a port and a path."""


def check_local(address: str | None, where: str) -> None:
    """Tell now if nothing listens at an address on this machine: an agent would try for minutes.

    Addresses elsewhere are not tried, since a proxy may lead to them.

    Raises
    ------
    StudyError
        If the connection is refused.
    """
    parts = urlsplit(address or "")
    host = parts.hostname or ""
    if not _is_here(host):
        return
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        socket.create_connection((host, port), SECONDS).close()
    except OSError as error:
        said = error.strerror or str(error)
        raise StudyError(
            f"{where}: nothing answers at {address} ({said}); start the model's service first, or correct it"
        ) from None


def _is_here(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
