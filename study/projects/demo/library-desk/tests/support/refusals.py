"""Expect a refusal of the rules."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from library.errors import Refusal


@contextmanager
def refused(status: int, code: str) -> Iterator[None]:
    with pytest.raises(Refusal) as caught:
        yield
    assert (caught.value.status, caught.value.code) == (status, code)
