"""Sizes, pickup codes and deadlines."""

import os
from datetime import datetime, timedelta
from zlib import crc32

SIZES = ("S", "M", "L")
MAX_WRONG_CODES = 3


def hold_hours():
    """How long a parcel is kept after its deposit; from the environment."""
    return int(os.environ.get("HOLD_HOURS", "72"))


def labels(counts):
    """Names of the compartments of a station: S1, S2, M1 and so on."""
    return [f"{size}{place}" for size in SIZES for place in range(1, counts[size] + 1)]


def size_of(label):
    return label[0]


def choose(free, size):
    """The smallest free compartment that holds the size, the lowest number first; None if there is none."""
    fitting = [label for label in free if SIZES.index(size_of(label)) >= SIZES.index(size)]
    if not fitting:
        return None
    return min(fitting, key=lambda label: (SIZES.index(size_of(label)), int(label[1:])))


def pickup_code(number, booking_id):
    """Six digits that differ from booking to booking."""
    return f"{crc32(f'{number}/{booking_id}'.encode()) % 1_000_000:06d}"


def later(at, hours):
    """A time of the form 2024-05-06T10:00:00Z, so many hours later."""
    moment = datetime.fromisoformat(at) + timedelta(hours=hours)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
