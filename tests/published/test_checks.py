"""Arithmetic against values computed by hand or printed in the paper."""

from __future__ import annotations

import pytest

from study.published.checks import (
    Prices,
    cached_share_for,
    cost,
    least_total,
    mean_from_total,
    percent_change,
    recover_prices,
    tokens_per_line,
    whole_sum,
)
from study.published.data import load_paper
from study.published.verdicts import Part, close, half_unit, judge


@pytest.mark.parametrize(
    ("agent", "prices"), [("Claude Code", (3, 15)), ("Codex", (1.25, 10)), ("Code Qwen", (1, 4))]
)
def test_prices_are_recovered_without_a_discount(agent: str, prices: tuple[float, float]) -> None:
    paper = load_paper()
    tokens_in, tokens_out, usd = (
        paper[f"boxplots_{name}"].set_index("agent").loc[agent, "mean"].tolist()
        for name in ("input_tokens", "output_tokens", "cost")
    )
    found = recover_prices(tokens_in, tokens_out, usd)
    assert (found.input_usd, found.output_usd) == prices
    assert found.largest_residual_usd < 2e-5


def test_cost_and_caching() -> None:
    prices = Prices(3, 15, 0)
    assert cost(4, 2, prices) == pytest.approx(12.03)
    assert cost(4, 2, prices, cached=0.5, discount=0.9) == pytest.approx(4 * 0.55 * 3 + 0.03)
    share = cached_share_for(6, 4, 2, prices)
    assert cost(4, 2, prices, cached=share or 0) == pytest.approx(6)
    assert cached_share_for(1, 4, 2, prices) is None, "even a full cache costs 1.23"


@pytest.mark.parametrize(
    ("height", "groups", "left_out"),
    [
        (982.25, 1, False),
        (713.2121, 4, True),
        (101.4792, 4, False),
        (120.0581, 3, True),
        (120.0556, 3, False),
        (120.0650, 3, None),
    ],
)
def test_whole_sums(height: float, groups: int, left_out: bool | None) -> None:
    assert whole_sum(height, groups, 12).left_out is left_out


def test_a_mean_over_fewer_runs_is_seen() -> None:
    complete, short = [7] * 11 + [9], [7] * 10 + [9]
    both = (sum(complete) / 12 + sum(short) / 11) / 2
    assert whole_sum(round(both, 4), 2, 12).left_out is True
    assert whole_sum(round(sum(complete) / 12, 4), 1, 12).left_out is False


def test_small_sums() -> None:
    assert percent_change(146.3, 139.1) == pytest.approx(-4.92, abs=0.01)
    assert mean_from_total(13.25, 48, 60) == pytest.approx(16.5625)
    assert tokens_per_line(37_536, 920) == pytest.approx(40.8)
    # 12 of 178: 166 / 178 = 93.258 rounds to 93.3; 165 / 177 = 93.220 does not
    assert least_total(12, 93.3, 0.05) == 178


def test_verdicts_follow_from_parts() -> None:
    yes, no, unknown = Part("", True), Part("", False), Part("", None)
    assert judge([yes, yes]) == "agrees"
    assert judge([yes, no]) == judge([yes, unknown]) == "partly"
    assert judge([no, unknown]) == judge([no]) == "disagrees"
    assert judge([unknown]) == judge([]) == "not testable"
    assert (half_unit("5.180"), half_unit("34")) == (0.0005, 0.5)
    assert close(75.875, 75.9, 0.025)
    assert not close(75.8, 75.9, 0.05)
