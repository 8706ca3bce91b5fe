"""One level left out, counts over all analyses, open source against private, and the published cells."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from synthetic import make_dataset

from study.figures import robustness as drawn
from study.figures import style
from study.published.data import load_paper
from study.records.dataset import Dataset
from study.robustness.choices import MAIN_ORIGIN
from study.robustness.curve import NO_RESULT, analyses, curves
from study.robustness.estimators import estimate
from study.robustness.leave_out import NOTHING, fragile, influence, leave_one_out
from study.robustness.published import published_analyses
from study.robustness.summary import by_choice, sentences, verdicts, weight_of_choices

RATES = ["pass_rate_percent", "pass_rate_executed_percent", "pass_rate_adjusted_percent"]
PROJECTS = ["toy-blue", "toy-green"]


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """The prompt adds 30 points to beta-service of toy-blue, and nothing to any other service."""
    data = make_dataset(tmp_path_factory.mktemp("planted") / "toy", projects=PROJECTS, passed=4)
    moved = (data.runs["service"] == "beta-service") & (data.runs["project"] == "toy-blue")
    rate = 30 + 30.0 * (moved & (data.runs["prompt"] == "summary"))
    return replace(data, runs=data.runs.assign(**dict.fromkeys(RATES, rate)))


@pytest.fixture(scope="module")
def prompts(planted: Dataset) -> pd.DataFrame:
    return leave_one_out([one for one in analyses(planted) if one.headline.topic == "prompt"], jobs=1)


def test_who_carries_an_effect_alone_is_found(prompts: pd.DataFrame) -> None:
    """Six services, one with 30 points: 5 on average, 0 without it, 6 without one of the others."""
    table = influence(prompts).set_index(["factor", "left_out"])
    assert table.loc[(NOTHING, NOTHING), "estimate"] == pytest.approx(5)
    services = table.loc["service"]
    assert services.loc["toy-blue/beta-service", "estimate"] == 0
    others = services.drop("toy-blue/beta-service")
    assert len(others) == 5
    assert others["estimate"].to_numpy() == pytest.approx(6)
    assert others["change"].to_numpy() == pytest.approx(1)
    projects = table.loc["project"]["estimate"]
    assert (projects["toy-blue"], projects["toy-green"]) == (0, pytest.approx(10))


def test_the_factor_that_is_compared_is_never_left_out(prompts: pd.DataFrame) -> None:
    factors = set(prompts["factor"])
    assert factors == {NOTHING, "project", "service", "agent", "scenario"}


def test_counts_add_up_and_the_whole_is_the_curve(planted: Dataset, prompts: pd.DataFrame) -> None:
    whole = prompts[prompts["left_out"] == NOTHING]
    alone = curves(one for one in analyses(planted) if one.headline.topic == "prompt")
    pd.testing.assert_frame_equal(whole[alone.columns].reset_index(drop=True), alone)
    row = verdicts(whole).iloc[0]
    assert row["higher"] + row["undecided"] + row["lower"] == row["analyses"]
    assert row["analyses"] + row["no_result"] == len(whole)
    choices = by_choice(whole)
    assert set(choices.groupby("dimension")["analyses"].sum()) == {row["analyses"]}


def test_processes_change_nothing(planted: Dataset) -> None:
    some = [one for one in analyses(planted) if one.headline.topic in ("prompt", "scenario")]
    pd.testing.assert_frame_equal(leave_one_out(some, jobs=2), leave_one_out(some, jobs=1))


def test_the_choice_that_decides_has_all_the_weight() -> None:
    """Estimates 1 and 3 hang on the measure alone: its share is 100 %, and only its pairs differ."""
    rows = [
        {"topic": "prompt", "headline": "b minus a", "measure": m, "runs": r, "unit": "u", "scale": "s",
         "test": "t", "estimate": value, "says": says, "kind": "measured"}
        for m, value, says in (("all", 1.0, "undecided"), ("executed", 3.0, "higher"))
        for r in ("all", "completed")
    ]  # fmt: skip
    table = weight_of_choices(pd.DataFrame(rows)).set_index("dimension")
    assert table.loc["measure", ["spread_percent", "turns_percent", "pairs"]].tolist() == [100, 100, 2]
    assert table.loc["runs", ["spread_percent", "turns_percent", "pairs"]].tolist() == [0, 0, 2]
    assert table.loc["unit", "pairs"] == 0
    assert np.isnan(table.loc["unit", "turns_percent"])


def test_sentences_say_what_the_table_says(prompts: pd.DataFrame) -> None:
    whole = prompts[prompts["left_out"] == NOTHING]
    (said,) = sentences(verdicts(whole))
    assert said.startswith("summary minus minimal: +5.0 points, [")
    assert f"Of {len(whole[whole['says'] != NO_RESULT])} analyses " in said
    (fragility,) = fragile(influence(prompts))
    assert "with one level left out +0.0 to +10.0 points" in fragility


def origins(data: Dataset) -> dict[str, str]:
    return dict(zip(sorted(set(data.runs["project"])), ["open_source", "private"] * 3, strict=False))


def test_two_projects_each_can_decide_nothing(tmp_path: Path) -> None:
    """Of the 6 ways to label 2 of 4 projects, the extreme one and its mirror: p = 1/3 at best."""
    names = ["toy-blue", "toy-green", "toy-grey", "toy-red"]
    data = make_dataset(tmp_path / "toy", projects=names, passed=4)
    labels = {
        "toy-blue": "open_source",
        "toy-green": "open_source",
        "toy-grey": "private",
        "toy-red": "private",
    }
    base = {"toy-blue": 90.0, "toy-green": 80.0, "toy-grey": 20.0, "toy-red": 10.0}
    runs = data.runs.assign(**dict.fromkeys(RATES, data.runs["project"].map(base)))
    table = curves(analyses(replace(data, runs=runs), labels)).query("topic == 'origin'")
    assert set(table["headline"]) == {"open_source minus private"}
    own = table[table["main"]].iloc[0]
    assert (own["estimate"], own["units"], own["n"]) == (70, 4, len(runs))
    assert own["p"] == pytest.approx(1 / 3)
    runs_as_units = table[(table["unit"] == "run") & (table["test"] == "Welch t")]
    assert (runs_as_units["p"] < 1e-6).all(), "the same data, taken as independent runs"


def test_groups_against_scipy() -> None:
    """Welch's interval and p, and the exact p over all labels counted one by one."""
    x, y = [62.0, 80.0, 71.0], [40.0, 55.0, 61.0, 44.0]
    rows = pd.DataFrame(
        {"cluster": [*"abcdefg"], "first": x + [None] * 4, "second": [None] * 3 + y}, dtype=object
    )
    rows = rows.astype({"first": float, "second": float}).assign(difference=np.nan)
    welch = estimate(rows, replace(MAIN_ORIGIN, test="Welch t"))
    wanted = stats.ttest_ind(x, y, equal_var=False)
    assert welch.p == pytest.approx(wanted.pvalue)
    assert (welch.low, welch.high) == pytest.approx(tuple(wanted.confidence_interval(0.95)))
    sums = [sum(picked) for picked in combinations(x + y, 3)]
    means = [total / 3 - (sum(x + y) - total) / 4 for total in sums]
    tail = np.mean(np.array(means) >= np.mean(x) - np.mean(y) - 1e-9)
    assert estimate(rows, MAIN_ORIGIN).p == pytest.approx(2 * tail), "the smaller tail, twice"


@pytest.mark.parametrize(
    ("x", "y", "note"),
    [
        ([50.0], [40.0, 30.0], "one unit in a group: no interval, no test"),
        ([50.0, 50.0], [40.0, 40.0], "no spread within the groups: no interval, no test"),
        ([50.0, 60.0], [], "one of the two groups is empty"),
    ],
)
def test_groups_that_are_too_small_say_so(x: list[float], y: list[float], note: str) -> None:
    rows = pd.DataFrame(
        {
            "cluster": [*"abcdefg"][: len(x + y)],
            "first": x + [np.nan] * len(y),
            "second": [np.nan] * len(x) + y,
        }
    ).assign(difference=np.nan)
    for test in ("labels exchanged", "Welch t"):
        result = estimate(rows, replace(MAIN_ORIGIN, test=test))
        assert result.note == note
        assert np.isnan(result.p)


def test_the_published_cells_give_the_printed_differences() -> None:
    """Means of Table III: 14.3 points between origins; 30.8 between scenarios (claim of 34 in the text)."""
    table = verdicts(curves(published_analyses(load_paper()))).set_index("headline")
    assert table.loc["clean_state minus incremental", "estimate"] == pytest.approx(30.8, abs=0.05)
    origin = table.loc["open_source minus private"]
    assert origin["estimate"] == pytest.approx(14.32, abs=0.01)
    assert origin["p"] == pytest.approx(1 / 3)
    assert set(table["kind"]) == {"published"}


def test_figures_draw_every_analysis(prompts: pd.DataFrame, tmp_path: Path) -> None:
    whole = prompts[prompts["left_out"] == NOTHING]
    known = int((whole["says"] != NO_RESULT).sum())
    figure = drawn.specification_curves(whole, "toy")
    assert f"{known} analyses" in figure.axes[0].get_title(loc="left")
    marks = sum(len(line.get_xdata()) for line in figure.axes[0].lines if line.get_linestyle() == "None")
    assert marks == known + 1, "and the ring of the main one"
    choices = drawn.specification_choices(whole, "summary minus minimal", "toy")
    strokes = sum(len(line.get_xdata()) for line in choices.axes[1].lines if line.get_marker() == "|")
    assert strokes == 5 * known, "one in each of the five dimensions"
    drawn.leave_one_out(influence(prompts), "toy")
    first, second = (style.save(drawn.specification_curves(whole, "toy"), "a", tmp_path / n) for n in "xy")
    assert [p.read_bytes() for p in first] == [p.read_bytes() for p in second]
