"""Writes the files that stdin holds into the working directory."""

import base64
import json
import sys
from pathlib import Path


def main() -> None:
    order = json.load(sys.stdin)
    for name, content in order["files"].items():
        target = Path(order["destination"]) / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(base64.b64decode(content))


if __name__ == "__main__":
    main()
