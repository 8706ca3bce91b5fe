from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from pydantic import ValidationError

from study.agents import MODELS
from study.agents.cost import cost_of
from study.agents.prices import Price, PriceList, load_prices
from study.agents.tokens import Tokens, total
from study.agents.trajectory import AgentLog
from study.published.data import load_paper
from study.schema import StudyError

PAPER = date(2026, 2, 8)
NOW = date(2026, 12, 1)
PRICE = {"model": "m", "seen": "2026-01-01", "input": 10, "output": 100, "source": "a test"}


def price(**more: object) -> Price:
    return Price.model_validate({**PRICE, **more})


def prices(*rows: Price) -> PriceList:
    return PriceList({Path("test.yaml"): list(rows)})


def log(complete: bool = True, calls: int = 0, **buckets: int | None) -> AgentLog:
    made = AgentLog(tokens={"m": Tokens(**buckets)}, complete=complete)
    for _ in range(calls):
        made.add("api_call", model="m", tokens=Tokens(input_fresh=1_000_000, output=10_000))
    return made


@pytest.mark.parametrize(
    ("agent", "model", "usd"),
    [
        ("Claude Code", "claude-sonnet-4-20250514", 13.28),
        ("Codex", "gpt-5", 5.92),
        ("Code Qwen", "qwen3-coder-480b-a35b", 2.98),
    ],
)
def test_the_costs_of_table_iv_follow_from_its_tokens(agent: str, model: str, usd: float) -> None:
    row = load_paper()["efficiency"].set_index("agent").loc[agent]
    tokens = Tokens(
        input_fresh=round(row["input_tokens_k"] * 1e3), output=round(row["output_tokens_k"] * 1e3)
    )
    found = load_prices().price(model, PAPER, "here").list_usd(tokens)
    assert round(found, 2) == usd == row["avg_cost_usd"]


def test_the_three_ways_and_the_agents_own_figure_agree_on_a_real_sample() -> None:
    """Claude Code's own cost of 1290 fresh, 1100 read, 110 written and 50 output tokens: 0.0053625 USD."""
    name = "claude-sonnet-4-5-20250929"
    tokens = Tokens(input_fresh=1290, cache_read=1100, cache_write=110, output=50)
    cost = cost_of(AgentLog(tokens={name: tokens}, complete=True), load_prices(), NOW)
    assert cost.cached_usd == cost.low_usd == cost.high_usd == pytest.approx(0.0053625)
    assert cost.list_usd == pytest.approx((2500 * 3 + 50 * 15) / 1e6)
    assert cost.prices[0].startswith(f"{name} 2026-12-01: Claude Code 2.1.332")


def test_without_a_price_for_reads_only_bounds_are_known() -> None:
    made = log(input_fresh=600_000, cache_read=400_000, output=10_000)
    cost = cost_of(made, prices(price()), NOW)
    assert (cost.list_usd, cost.cached_usd) == (11.0, None)
    assert (cost.low_usd, cost.high_usd) == (7.0, 11.0)


def test_what_the_agent_does_not_say_widens_the_bounds() -> None:
    """All of the input may have been read from the cache, or written to it."""
    row = price(cache_read=1, cache_write=12.5)
    cost = cost_of(log(input_fresh=1_000_000, output=10_000), prices(row), NOW)
    assert (cost.list_usd, cost.cached_usd) == (11.0, None)
    assert (cost.low_usd, cost.high_usd) == (2.0, 13.5)


def test_a_log_that_stops_may_lack_one_call() -> None:
    row = price(cache_read=1)
    known = {"input_fresh": 1_000_000, "cache_read": 1_000_000, "cache_write": 0, "output": 20_000}
    cost = cost_of(log(complete=False, calls=2, **known), prices(row), NOW)
    assert cost.cached_usd == cost.low_usd == 13.0
    assert cost.high_usd == 22.0 + 11.0, "all at the list price, and one more call like the others"
    assert cost_of(log(complete=False, **known), prices(row), NOW).high_usd is None


LONG = {"above": 100_000, "input": 20, "output": 150, "cache_read": 2}
SHORT = Tokens(input_fresh=100_000, cache_read=0, output=1_000)
OVER = Tokens(input_fresh=50_000, cache_read=50_001, output=2_000)


def tiered(*calls: Tokens, **more: int | None) -> AgentLog:
    """A log with these calls, whose sum `more` replaces in part."""
    made = AgentLog(tokens={"m": total(calls).model_copy(update=more)}, complete=True)
    for call in calls:
        made.add("api_call", model="m", tokens=call)
    return made


def test_a_call_with_a_long_input_is_paid_at_its_own_rates() -> None:
    """As a whole, cached parts included; one with exactly as much input as the limit is not."""
    row = prices(price(cache_read=1, long=LONG))
    short, over = 1.0 + 0.1, 50_000 * 20e-6 + 50_001 * 2e-6 + 0.3
    for calls, usd in [((SHORT, SHORT), 2 * short), ((SHORT, OVER), short + over), ((OVER, OVER), 2 * over)]:
        cost = cost_of(tiered(*calls), row, NOW)
        assert cost.cached_usd == cost.low_usd == cost.high_usd == pytest.approx(usd)
    listed = 1.0 + 0.1 + 100_001 * 20e-6 + 0.3
    assert cost_of(tiered(SHORT, OVER), row, NOW).list_usd == pytest.approx(listed)


def test_where_long_calls_are_not_told_apart_the_bounds_are_wider() -> None:
    row = prices(price(cache_read=1, long=LONG))
    whole = AgentLog(tokens={"m": total([SHORT, OVER])}, complete=True)
    for made in (
        whole,
        tiered(SHORT, OVER, output=9_000),
        tiered(SHORT, OVER, input_fresh=150_001),
        tiered(SHORT, OVER.model_copy(update={"input_fresh": None}), input_fresh=150_000, output=3_000),
    ):
        cost = cost_of(made, row, NOW)
        tokens = made.tokens["m"]
        assert cost.list_usd is cost.cached_usd is None
        assert cost.low_usd == pytest.approx(row.price("m", NOW, "x").least_usd(tokens))
        assert tokens.input_fresh and tokens.cache_read and tokens.output
        dearest = (tokens.input_fresh + tokens.cache_read) * 20 + tokens.output * 150
        assert cost.high_usd == pytest.approx(dearest / 1e6)


def test_short_calls_alone_need_no_outputs_of_their_own() -> None:
    """Claude Code tells the output of a call only in part; which rates hold hangs on the input alone."""
    row = prices(price(cache_read=1, long=LONG))
    cost = cost_of(tiered(SHORT, SHORT, output=50_000), row, NOW)
    assert cost.list_usd == pytest.approx(2.0 + 5.0)


def test_long_calls_cost_no_less() -> None:
    with pytest.raises(ValidationError, match="was one left out"):
        price(cache_read=1, long={"above": 100_000, "input": 20, "output": 150})


def test_several_models_are_added() -> None:
    made = log(input_fresh=1_000_000, cache_read=0, output=0)
    made.tokens["n"] = Tokens(input_fresh=0, cache_read=0, output=1_000_000)
    cost = cost_of(made, prices(price(), price(model="n", output=7)), NOW)
    assert (cost.list_usd, cost.cached_usd, len(cost.prices)) == (17.0, 17.0, 2)


def test_the_newest_price_up_to_the_day_counts() -> None:
    rows = prices(price(), price(seen="2026-06-01", input=5))
    found = {day: rows.price("m", date.fromisoformat(day), "x").input for day in DAYS}
    assert found == DAYS


DAYS = {"2025-01-01": 10.0, "2026-01-01": 10.0, "2026-05-31": 10.0, "2026-06-01": 5.0, "2030-01-01": 5.0}


def test_names_with_a_provider_or_a_date() -> None:
    rows = prices(price())
    assert rows.find("openai/m", NOW) == rows.find("m-2026-03-01", NOW) == rows.find("m-20260301", NOW)
    assert rows.find("m-2", NOW) is None


def test_an_unknown_model_names_the_file_to_extend(tmp_path: Path) -> None:
    with pytest.raises(StudyError) as error:
        load_prices().price("gpt-9", NOW, "agents[codex].model")
    assert str(error.value).startswith("agents[codex].model: no price of 'gpt-9'; add a row for it to ")
    assert "study/agents/prices.yaml" in str(error.value)
    own = tmp_path / "own.yaml"
    own.write_text("- {model: gpt-9, seen: 2026-01-01, input: 0, output: 0, source: my own machine}\n")
    assert load_prices(own).price("gpt-9", NOW, "x").source == "my own machine"
    with pytest.raises(StudyError, match="own.yaml, or give a file"):
        load_prices(own).price("gpt-10", NOW, "x")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{}", "must be a list of prices"),
        ("- {model: a}", "row 1: input: Field required"),
        ("- {model: a, seen: 2026-01-01, input: -1, output: 0, source: x}", "row 1: input: "),
        (
            "- &a {model: a, seen: 2026-01-01, input: 1, output: 0, source: x}\n- *a",
            "two rows for a on 2026-01-01",
        ),
    ],
)
def test_a_wrong_price_list_is_named(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(text)
    with pytest.raises(StudyError) as error:
        load_prices(path)
    assert str(error.value).startswith(str(path))
    assert said in str(error.value)


def test_every_row_has_a_source_and_every_adapter_a_price() -> None:
    (rows,) = load_prices().files.values()
    assert all(len(row.source) > 20 for row in rows)
    assert all(load_prices().find(model, NOW) for model in MODELS.values())
