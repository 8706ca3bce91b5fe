from __future__ import annotations

from random import Random
from statistics import NormalDist, correlation, mean, quantiles

import pytest

from study.agents.simulated.profile import Box, list_profiles, load_assumptions, load_profile
from study.agents.simulated.program.chance import normal, weighted
from study.agents.simulated.program.usage import Consumption, cost, draw, quantile

CELLS = [(name, condition) for name in list_profiles() for condition in load_profile(name).conditions]

# means of Figures 4, 6a and 6b: minutes, million input tokens, thousand output tokens
PUBLISHED_MEANS = {
    ("claude-code", "Inc-P1"): (7.525, 3.852671, 3.272583),
    ("claude-code", "CS-P1"): (8.241667, 5.482635, 1.846083),
    ("codex", "Inc-P1"): (17.491667, 4.333405, 31.644833),
    ("codex", "Inc-P2"): (20.466667, 3.845460, 40.305750),
    ("code-qwen", "Inc-P1"): (7.491667, 2.641205, 15.548250),
    ("code-qwen", "CS-P2"): (7.825, 3.115590, 17.304417),
}
FAR_OUTLIER = {("codex", "Inc-P1"), ("codex", "Inc-P2")}


def consumption(name: str, condition: str) -> Consumption:
    profile = load_profile(name)
    published = profile.conditions[condition]  # type: ignore[index]
    return {
        "time_min": published.time_min.knots(profile.runs, 1),
        "input_tokens": published.input_tokens_m.knots(profile.runs, 1e6),
        "output_tokens": published.output_tokens_k.knots(profile.runs, 1e3),
        "prices": {"input": profile.prices.input, "output": profile.prices.output},
        "correlation": load_assumptions().correlation,
    }


def draws(name: str, condition: str, count: int = 4000) -> list[dict[str, float]]:
    given = consumption(name, condition)
    return [draw(given, Random(f"{condition} {number}")) for number in range(count)]


def ranks(values: list[float]) -> list[int]:
    order = sorted(range(len(values)), key=values.__getitem__)
    places = [0] * len(values)
    for rank, place in enumerate(order):
        places[place] = rank
    return places


def test_a_box_without_outliers_is_its_five_numbers() -> None:
    box = Box(whisker_low=1, q1=2, median=4, q3=5, whisker_high=9)
    assert box.knots(12, 1) == [(0, 1), (0.25, 2), (0.5, 4), (0.75, 5), (1, 9)]


def test_outliers_take_the_outermost_runs() -> None:
    box = Box(whisker_low=2, q1=3, median=4, q3=5, whisker_high=9, outliers=[104.4, 1])
    points = box.knots(12, 10)
    assert points[:2] == [(0, 10), (1 / 11, 20)]
    assert points[-2:] == [pytest.approx((10 / 11, 90)), (1, 1044)]


def test_the_quantile_function_is_linear_between_its_points() -> None:
    knots = [(0.0, 1.0), (0.5, 3.0), (1.0, 13.0)]
    assert [quantile(knots, p) for p in (0, 0.25, 0.5, 0.75, 1)] == [1, 2, 3, 8, 13]


@pytest.mark.parametrize(("name", "condition"), CELLS)
def test_quartiles_and_extremes_are_the_published_ones(name: str, condition: str) -> None:
    published = load_profile(name).conditions[condition]  # type: ignore[index]
    minutes = [run["agent_minutes"] for run in draws(name, condition, 2000)]
    box = published.time_min
    low = min([box.whisker_low, *box.outliers])
    high = max([box.whisker_high, *box.outliers])
    assert low <= min(minutes) and max(minutes) <= high
    assert quantiles(minutes, n=4) == pytest.approx([box.q1, box.median, box.q3], rel=0.06)


@pytest.mark.parametrize(("cell", "means"), PUBLISHED_MEANS.items())
def test_means_are_near_the_published_ones(cell: tuple[str, str], means: tuple[float, ...]) -> None:
    """Five numbers and outliers do not fix a mean, but they come near, less so beside a far outlier."""
    runs = draws(*cell)
    found = (
        mean(run["agent_minutes"] for run in runs),
        mean(run["input_fresh_tokens"] for run in runs) / 1e6,
        mean(run["output_tokens"] for run in runs) / 1e3,
    )
    assert found == pytest.approx(means, rel=0.18 if cell in FAR_OUTLIER else 0.12)


@pytest.mark.parametrize(
    ("name", "prices"), [("claude-code", (3, 15)), ("codex", (1.25, 10)), ("code-qwen", (1, 4))]
)
def test_cost_is_exactly_tokens_times_price(name: str, prices: tuple[float, float]) -> None:
    for run in draws(name, "Inc-P1", 50):
        read, written = run["input_fresh_tokens"], run["output_tokens"]
        assert isinstance(read, int) and isinstance(written, int)
        assert run["cost_usd"] == (read * prices[0] + written * prices[1]) / 1e6


def test_published_cost_follows_from_published_tokens() -> None:
    """Means of Figures 5, 6a and 6b, Codex, incremental, P1."""
    assert cost({"input": 1.25, "output": 10}, 4_333_405, 31_645) == pytest.approx(5.733192, abs=2e-5)


def test_a_long_run_also_reads_more() -> None:
    runs = draws("claude-code", "Inc-P1")
    # ranks of a Gaussian copula with correlation 0.6 correlate by 6 / pi * asin(0.6 / 2) = 0.582
    minutes = ranks([run["agent_minutes"] for run in runs])
    tokens = ranks([run["input_fresh_tokens"] for run in runs])
    assert correlation(minutes, tokens) == pytest.approx(0.582, abs=0.04)


def test_draws_have_the_distributions_they_say() -> None:
    random = Random("normal")
    numbers = [normal(random) for _ in range(5000)]
    fitted = NormalDist.from_samples(numbers)
    assert (fitted.mean, fitted.stdev) == pytest.approx((0, 1), abs=0.04)
    keys = [weighted({"a": 1.0, "b": 3.0, "c": 0.0}, random) for _ in range(4000)]
    assert keys.count("b") / 4000 == pytest.approx(0.75, abs=0.03)
    assert "c" not in keys
