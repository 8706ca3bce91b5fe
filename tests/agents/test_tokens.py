from __future__ import annotations

import pytest

from study.agents.tokens import Tokens, count, disagreement, total


def test_input_with_the_cached_parts_in_it() -> None:
    tokens = Tokens.of_whole(2500, 1100, 110, 50, 12)
    assert (tokens.input_fresh, tokens.input) == (1290, 2500)
    assert Tokens.of_whole(2500, None, None, 50).model_dump() == {
        "input_fresh": 2500,
        "cache_read": None,
        "cache_write": None,
        "output": 50,
        "reasoning": None,
    }
    with pytest.raises(ValueError, match="100 input tokens with 90 read from and 20 written to a cache"):
        Tokens.of_whole(100, 90, 20)


def test_a_sum_lacks_what_one_part_lacks() -> None:
    parts = [Tokens(input_fresh=1, output=2), Tokens(input_fresh=3, output=None)]
    assert total(parts) == Tokens(input_fresh=4)
    assert total([]) == Tokens()


def test_without_the_fresh_part_there_is_no_sum() -> None:
    assert Tokens(cache_read=5).input is None
    assert Tokens(input_fresh=0, cache_read=5).input == 5


@pytest.mark.parametrize("value", [None, True, "7", -1, float("inf"), 1e300, [3]])
def test_what_is_no_count(value: object) -> None:
    assert count(value) is None


def test_what_does_not_add_up() -> None:
    tokens = Tokens(input_fresh=800, cache_read=200, output=30, reasoning=7)
    assert disagreement(tokens, 1030) == disagreement(tokens) == ""
    assert disagreement(tokens, 1031) == "1000 input and 30 output tokens, but 1031 in total"
    assert disagreement(Tokens(output=5, reasoning=6)) == "6 reasoning tokens in an output of 5"
    assert disagreement(Tokens(output=5), 1031) == ""
