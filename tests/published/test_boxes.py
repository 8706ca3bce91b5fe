"""Bounds from box plots hold for runs that were drawn as one, and are those found by hand for the paper."""

from __future__ import annotations

import numpy as np
import pytest

from study.published.boxes import Box, drawn_mean, hidden_run, mean_fits, runs_beyond, without
from study.published.data import load_paper
from study.published.drawings import box_of, implied_runs
from study.published.economy import runs_cut
from study.published.reader import Reader


def draw(runs: list[float], *, hide: int = 0) -> Box:
    """The box plot of some runs; the last `hide` ones are above the drawing."""
    values = np.sort(runs)
    q1, median, q3 = np.percentile(values, [25, 50, 75])
    inside = values[(values >= q1 - 1.5 * (q3 - q1)) & (values <= q3 + 1.5 * (q3 - q1))]
    outliers = [v for v in values[: len(values) - hide] if v < inside[0] or v > inside[-1]]
    shape = (float(inside[0]), float(q1), float(median), float(q3), float(inside[-1]))
    return Box(len(values), *shape, float(values.mean()), tuple(map(float, outliers)), 0.1)


@pytest.mark.parametrize("seed", range(8))
def test_bounds_hold_for_the_runs_behind_a_drawing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    runs = np.round(rng.gamma(4, 2, size=12) + 1, 1).tolist()
    box = draw(runs)
    bounds = drawn_mean(box)
    assert bounds is not None
    assert bounds.low - 1e-6 <= np.mean(runs) <= bounds.high + 1e-6
    assert mean_fits(box)
    for limit in (5.0, 8.0, 12.0):
        fewest, most = runs_beyond(box, limit)
        assert fewest <= sum(run > limit for run in runs) <= most


@pytest.mark.parametrize("seed", range(4))
def test_a_run_above_the_drawing_is_found(seed: int) -> None:
    rng = np.random.default_rng(seed)
    runs = [*np.round(rng.uniform(9, 14, size=11), 1).tolist(), 86.0]
    box = draw(runs, hide=1)
    found = hidden_run(box)
    assert found is not None
    assert found.low <= 86.0 <= found.high
    assert found.high - found.low < 12


def test_the_second_extreme_codex_run() -> None:
    found = implied_runs(load_paper())
    assert found[["agent", "configuration", "metric"]].to_numpy().tolist() == [["Codex", "Inc-P1", "time"]]
    assert found.loc[0, "value_low"] == 84.5
    assert found.loc[0, "value_high"] == 87.6


def test_without_both_extreme_runs_the_codex_mean_is_13() -> None:
    reader = Reader(load_paper())
    whole = box_of(reader, "boxplots_agent", metric="time", agent="Codex")
    assert without(whole, [104.4, 86.0]) == pytest.approx(13.1, abs=0.05)
    first = box_of(reader, "boxplots_time", agent="Codex", configuration="Inc-P1")
    assert round(without(first, [87.6]), 1) == 11.1
    assert round(without(first, [84.5]), 1) == 11.4
    second = box_of(reader, "boxplots_time", agent="Codex", configuration="Inc-P2")
    assert round(without(second, [104.4]), 1) == 12.8


def test_what_a_time_limit_would_cut() -> None:
    table = runs_cut(load_paper()).set_index(["limit_min", "agent"])
    # upper quartile 15.125 min: at least a quarter of 48 runs are longer than 15 min
    assert table.loc[(15.0, "Codex"), "fewest"] == 12
    assert table.loc[(15.0, "Codex"), "most"] < 24
    # drawn beyond 20 min: 24.2, 28.1, a whisker at 20.7, 104.4, and the implied run
    assert table.loc[(20.0, "Codex"), "fewest"] == 5
    assert table.loc[(15.0, "Claude Code"), ["fewest", "most"]].tolist() == [3, 3]
    assert (table.loc[20.0, "most"].drop("Codex") == 0).all()
