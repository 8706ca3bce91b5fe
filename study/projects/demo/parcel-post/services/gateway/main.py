"""Starts the gateway."""

import sys
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from common.web import serve
from services.gateway.forwarding import answer, load_routes

if __name__ == "__main__":
    serve("gateway", partial(answer, load_routes()))
