"""Keys never stay in what is kept: their values are replaced wherever they turn up."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

from study.files import is_regular, iter_files

SHORTEST = 6
"""Characters of a value that can be told from the text around it; no key may be shorter."""


def redact(data: bytes, secrets: Mapping[str, str]) -> bytes:
    """Replace the values of keys by `[redacted: NAME]`.

    Parameters
    ----------
    data : bytes
        Any text or binary data.
    secrets : mapping
        Name of a key's variable to its value. The value is found as it is, as it stands in JSON, and as it
        stands in an address; not if somebody takes it apart or encodes it in another way.
    """
    for name, value in secrets.items():
        if len(value) < SHORTEST:
            continue
        for form in dict.fromkeys((value, json.dumps(value)[1:-1], quote(value, safe=""))):
            data = data.replace(form.encode("utf-8", "surrogateescape"), f"[redacted: {name}]".encode())
    return data


def redact_text(text: str, secrets: Mapping[str, str]) -> str:
    """As `redact`, for a text."""
    return redact(text.encode("utf-8", "surrogateescape"), secrets).decode("utf-8", "surrogateescape")


def redact_file(path: Path, secrets: Mapping[str, str]) -> None:
    """Replace the values of keys in a file; it is not touched if there are none."""
    if not secrets:
        return
    before = path.read_bytes()
    after = redact(before, secrets)
    if after != before:
        path.write_bytes(after)


def redact_tree(folder: Path, secrets: Mapping[str, str]) -> None:
    """Replace the values of keys in all regular files of a tree that can be read and written."""
    for path in iter_files(folder) if secrets else ():
        if is_regular(path):
            try:
                redact_file(path, secrets)
            except PermissionError:
                path.chmod(0o600)
                redact_file(path, secrets)
