"""The plan of the notebook on any dataset: tables, sentences and the figure, or why there are none."""

from __future__ import annotations

from pathlib import Path

import pytest
from synthetic import make_dataset

from study.figures.planning import power_curves
from study.planning import (
    Question,
    assume,
    cost_of_needed,
    default_question,
    from_dataset,
    plan,
    plan_dataset,
    tables,
)
from study.planning.advice import double, doubled, with_spread
from study.planning.population import Assumptions
from study.planning.power import differences, power_grid, tally
from study.records.dataset import load_dataset

CASES = {
    "ordinary": {},
    "one run": {"projects": ["toy-red"], "services": ["alpha-service"], "scenarios": ["incremental"]},
    "one agent, five prompts": {"agents": ["a"], "prompts": ["minimal", "summary", "p3", "p4", "p5"]},
    "one scenario": {"scenarios": ["incremental"]},
    "a single condition": {"agents": ["a"], "scenarios": ["incremental"], "prompts": ["minimal"]},
    "no rate at all": {"passed": -1},
    "no code at all": {"passed": 0},
    "measured, replicates": {"kind": "measured", "replicates": 2, "agents": ["a", "b"]},
}
WITHOUT = {"one run", "a single condition", "no rate at all", "no code at all"}


def _texts(figure) -> str:
    return "\n".join(text.get_text() for text in figure.findobj(match=lambda a: hasattr(a, "get_text")))


@pytest.mark.parametrize("name", CASES)
def test_every_dataset_gives_a_plan_or_the_reason(name: str, tmp_path: Path) -> None:
    data = make_dataset(tmp_path / "toy", **CASES[name])
    planned = plan_dataset(data, studies=100)
    figure = power_curves(planned)
    text = _texts(figure)
    assert "SIMULATED" in text and "Kind: simulated." in text
    assert f"Dataset: toy ({', '.join(sorted(data.kind))} runs)" in text
    costs = cost_of_needed(data, planned)
    if name in WITHOUT:
        assert planned.why and planned.advice == [f"Nothing can be planned from these runs. {planned.why}"]
        assert "no plan from these" in text
        assert all(table.empty for table in (planned.grid, planned.needed, planned.assumed, costs))
    else:
        assert "n = 100 simulated studies" in text.replace("\n", " ")
        assert "To find +10 points" in planned.advice[0]
        assert len(tables.designs(planned)) == len(planned.grid) >= 9
        assert costs["agent"].iloc[-1] == "all"
        assert "nan" not in tables.designs(planned).to_string()
        assert "nan" not in tables.cost(costs).to_string()
    for table in (
        tables.assumed(planned),
        tables.designs(planned),
        tables.needed(planned),
        tables.cost(costs),
    ):
        assert "<NA>" not in table.to_string()


def test_the_first_factor_with_levels_is_planned_for(tmp_path: Path) -> None:
    data = make_dataset(tmp_path / "toy", scenarios=["incremental"])
    assert default_question(data, 7) == Question("prompt", 7)


@pytest.mark.parametrize(
    ("spread", "verdict"),
    [
        (0.0, "replicates add about as much as projects"),
        (0.4, "projects add more than replicates"),
        (1.5, "replicates add little, projects add much"),
    ],
)
def test_the_verdict_follows_from_the_spread_between_services(spread: float, verdict: str) -> None:
    population = assume(
        Assumptions(services=24, projects=8, scenario_sd=spread, service_share=0.0, agent_service_share=0.0)
    )
    services, replicates = doubled(population)
    grid = power_grid(population, Question(), services, replicates, [3])
    found = double(grid, population, 3)
    assert found.verdict == verdict
    assert found.more_services["runs"] == found.more_replicates["runs"] == 2 * found.base["runs"]


def test_the_sentence_says_what_the_tables_say() -> None:
    planned = plan(assume(), Question("scenario", 20), services=[12, 24], replicates=[1], studies=400)
    twelve, twice = planned.grid["power_t"]
    best = planned.needed.iloc[0]
    assert f"from {twelve:.2f} to {twice:.2f} as services" in planned.sentences[0]
    assert f"takes {best['services']} services, about {best['projects']} projects" in planned.sentences[0]
    assert planned.sentences[0].endswith(f"{best['runs']} runs.")
    assert len(planned.sentences) == 1


def test_words_of_the_figure_do_not_touch() -> None:
    planned = plan(assume(), Question(), studies=100)
    figure = power_curves(planned)
    renderer = figure.canvas.get_renderer()
    left, right = (axes.get_tightbbox(renderer) for axes in figure.axes)
    assert left.x1 <= right.x0
    assert all(box.x0 >= 0 and box.x1 <= figure.bbox.x1 for box in (left, right))


def test_a_spread_that_is_given_is_said_and_not_second_guessed() -> None:
    wide = with_spread(from_dataset(load_dataset("demo")), "scenario", 5)
    planned = plan(wide, Question(), studies=100)
    assert wide.notes[-1].startswith("the scenario's effect is taken to differ between services by 5 points")
    assert len(planned.sentences) == 1 and planned.cautious.empty


def test_points_of_spread_are_points() -> None:
    """With many runs a service's difference is its own effect: its sd is the spread that was given."""
    given = Assumptions(agents=10, service_share=0.0, agent_service_share=0.0)
    population = with_spread(assume(given), "scenario", 8)
    question = Question("scenario", 5)
    drawn = differences(population, question, services=30, replicates=12, agents=10, studies=40)
    assert tally(drawn[-1]).sd == pytest.approx(8, abs=1.2)
