"""Starts the locker service."""

import sys
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from common.web import dispatch, serve
from services.locker_service.api import ROUTES

if __name__ == "__main__":
    serve("locker-service", partial(dispatch, ROUTES))
