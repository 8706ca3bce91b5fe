"""Logs with one JSON object per line, as most agents write them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def read_events(path: Path) -> Iterator[dict[str, Any]]:
    """The JSON objects of a log; lines that are none (warnings, a line cut off by a kill) are passed over."""
    try:
        stream = path.open(encoding="utf-8", errors="replace")
    except OSError:
        return
    with stream:
        for line in stream:
            try:
                event = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(event, dict):
                yield event


def look_up(event: Any, path: str) -> Any:
    """The value at a dotted path; list items by number: `message.usage.0.input`. None if there is none."""
    for part in path.split("."):
        if isinstance(event, dict):
            event = event.get(part)
        elif isinstance(event, list) and part.isdecimal() and int(part) < len(event):
            event = event[int(part)]
        else:
            return None
    return event
