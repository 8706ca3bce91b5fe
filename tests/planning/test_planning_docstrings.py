"""The checked values in the docstrings."""

from __future__ import annotations

import doctest

from study.planning import theory


def test_examples_hold() -> None:
    assert doctest.testmod(theory) == (0, 1)
