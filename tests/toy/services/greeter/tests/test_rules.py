import pytest

from services.greeter.rules import greet


def test_morning():
    assert greet("Ada", 8) == "Good morning, Ada"


def test_day():
    assert greet("Ada", 12) == "Good day, Ada"


def test_missing():
    with pytest.raises(ValueError):
        greet("", 8)


def test_too_long():
    with pytest.raises(ValueError):
        greet("x" * 21, 8)
