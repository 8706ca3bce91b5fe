"""Every drawn element of the redrawn figures against the published tables, read here without the package."""

from __future__ import annotations

import csv
import hashlib
import shutil
from itertools import combinations
from pathlib import Path

import pandas as pd
import pytest
from matplotlib.patches import PathPatch, Rectangle
from synthetic import make_dataset

from study.figures import boxes, efficiency, intervals, quality, save, style
from study.published import figures, frames
from study.published.data import PAPER, Paper, load_paper

AGENTS = ["Claude Code", "Codex", "Code Qwen"]
CONDITIONS = ["Inc-P1", "Inc-P2", "CS-P1", "CS-P2"]
BOX_FIGURES = {
    "boxplots_time": figures.fig4_time,
    "boxplots_cost": figures.fig5_cost,
    "boxplots_input_tokens": figures.fig6a_input_tokens,
    "boxplots_output_tokens": figures.fig6b_output_tokens,
}


@pytest.fixture(scope="module")
def paper() -> Paper:
    return load_paper()


def _rows(name: str) -> list[dict[str, str]]:
    with (PAPER / f"{name}.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def _texts(figure) -> str:
    return "\n".join(text.get_text() for text in figure.findobj(match=lambda a: hasattr(a, "get_text")))


def _drawn_boxes(axes) -> list[dict[str, float]]:
    """Edges of the boxes, whiskers, medians and means of one panel, from its artists."""
    found = []
    patches = [patch for patch in axes.patches if isinstance(patch, PathPatch)]
    lines = [line for line in axes.lines if len(line.get_xdata()) == 2 and line.get_linestyle() != "None"]
    for place, patch in enumerate(patches, start=1):
        edges = patch.get_path().vertices[:, 1]
        own = [line for line in lines if abs(sum(line.get_xdata()) / 2 - place) < 1e-9]
        flat = [line for line in own if line.get_ydata()[0] == line.get_ydata()[1]]
        upright = [y for line in own if line not in flat for y in line.get_ydata()]
        median = next(line for line in flat if line.get_linewidth() == 1.3)
        mean = next(line for line in flat if line.get_linestyle() == "--")
        found.append(
            {
                "q1": edges.min(),
                "q3": edges.max(),
                "whisker_low": min(upright),
                "whisker_high": max(upright),
                "median": median.get_ydata()[0],
                "mean": mean.get_ydata()[0],
            }
        )
    return found


def _fliers(axes) -> list[tuple[int, float]]:
    return sorted(
        (round(x), y)
        for line in axes.lines
        if line.get_marker() == "o"
        for x, y in zip(line.get_xdata(), line.get_ydata(), strict=True)
    )


@pytest.mark.parametrize("table", BOX_FIGURES)
def test_boxes_by_agent_and_configuration_are_the_published_ones(table: str, paper: Paper) -> None:
    figure = BOX_FIGURES[table](paper)
    rows = _rows(table)
    assert [axes.get_title() for axes in figure.axes] == AGENTS
    for axes, agent in zip(figure.axes, AGENTS, strict=True):
        own = [row for row in rows if row["agent"] == agent]
        labels = [label.get_text() for label in axes.get_xticklabels()]
        assert labels == [f"{row['configuration']}\nn = {row['n_runs']}" for row in own]
        for drawn, row in zip(_drawn_boxes(axes), own, strict=True):
            assert drawn == pytest.approx({name: float(row[name]) for name in drawn}, abs=1e-9)
    assert {axes.get_ylim() for axes in figure.axes} == {figure.axes[0].get_ylim()}


@pytest.mark.parametrize("table", BOX_FIGURES)
def test_outliers_are_the_published_ones_and_only_these(table: str, paper: Paper) -> None:
    figure, metric = BOX_FIGURES[table](paper), table.removeprefix("boxplots_")
    rows = [row for row in _rows("boxplot_outliers") if row["metric"] == metric and row["figure"] != "7"]
    for axes, agent in zip(figure.axes, AGENTS, strict=True):
        own = [row for row in rows if row["agent"] == agent]
        expected = sorted((CONDITIONS.index(row["configuration"]) + 1, float(row["value"])) for row in own)
        assert _fliers(axes) == expected
        shown = [float(row["value"]) for row in own if row["visibility"] == "drawn"]
        assert all(value < axes.get_ylim()[1] for value in shown)


def _triangles(axes) -> list[tuple[float, str]]:
    lines = [line for line in axes.lines if line.get_marker() == "^"]
    return sorted((float(line.get_xdata()[0]), line.get_markerfacecolor()) for line in lines)


def test_the_two_hidden_runs_of_codex_are_marked_apart(paper: Paper) -> None:
    figure = figures.fig4_time(paper)
    claude, codex, qwen = figure.axes
    assert _triangles(codex) == [(1, "white"), (2, "black")]
    assert _triangles(claude) == _triangles(qwen) == []
    text = _texts(figure).replace("\n", " ")
    assert "implied 84.5–87.6" in text
    assert "max. 104 min (2 above)" in text
    assert "Codex Inc-P2: 104.4 min is in the drawing, above its axis" in text
    assert "a run of 84.5 to 87.6 min that is not drawn" in text
    assert not any("implied" in _texts(BOX_FIGURES[name](paper)) for name in list(BOX_FIGURES)[1:])


def test_boxes_per_agent_with_the_label_of_the_maximum(paper: Paper) -> None:
    figure = figures.fig7_time_and_cost(paper)
    rows = _rows("boxplots_agent")
    for axes, metric in zip(figure.axes, ("time", "cost"), strict=True):
        own = [row for row in rows if row["metric"] == metric]
        assert [row["agent"] for row in own] == AGENTS
        for drawn, row in zip(_drawn_boxes(axes), own, strict=True):
            assert drawn == pytest.approx({name: float(row[name]) for name in drawn}, abs=1e-9)
    assert "max. 104 min\n(2 above)" in _texts(figure)
    assert sorted(face for _, face in _triangles(figure.axes[0])) == ["black", "white"]
    assert _triangles(figure.axes[1]) == []


def test_no_run_is_implied_where_the_mean_fits(tmp_path: Path) -> None:
    """With a mean that the drawn runs can have, the open triangle goes away: it is computed."""
    copy = tmp_path / "paper"
    shutil.copytree(PAPER, copy)
    path = copy / "boxplots_time.csv"
    path.write_text(path.read_text().replace("14.7,17.491667,1", "14.7,11.500000,1"))
    changed = load_paper(copy)
    assert _triangles(figures.fig4_time(changed).axes[1]) == [(2, "black")]
    assert "implied" not in _texts(figures.fig4_time(changed))


def test_bars_have_the_heights_of_the_drawing_and_the_printed_labels(paper: Paper) -> None:
    figure = figures.fig3_complexity(paper)
    rows = _rows("code_quality")
    panels = [(grouping, metric) for grouping in ("agent", "configuration") for metric in quality.METRICS]
    for axes, (grouping, metric) in zip(figure.axes, panels, strict=True):
        own = [row for row in rows if row["grouping"] == grouping and row["metric"] == metric]
        heights = [bar.get_height() for bar in axes.patches if isinstance(bar, Rectangle)]
        bars = [float(row[f"{bar}_bar_height"]) for bar in ("original", "generated") for row in own]
        assert heights == pytest.approx(bars)
        labels = [text.get_text() for text in axes.texts]
        assert labels == [row[bar] for bar in ("original", "generated") for row in own]
    assert [axes.get_title() for axes in figure.axes[:3]] == [name for name, _ in quality.METRICS.values()]


def test_ratios_are_those_of_the_bars(paper: Paper) -> None:
    found = frames.bar_ratios(paper).set_index(["level", "metric"])["estimate"]
    assert found["Codex", "cyclomatic"] == pytest.approx(139.1458 / 146.3333)
    assert found["CS-P1", "cognitive"] == pytest.approx(61.3737 / 99.3333)
    axes = figures.fig3_ratio(paper).axes[1]
    assert [text.get_text() for text in axes.texts][:3] == ["0.80", "0.95", "0.69"]


def test_dots_and_slopes_are_the_cells_of_table_3(paper: Paper) -> None:
    cells = {
        (row["agent"], row["project"], row["scenario"], row["condition"]): float(row["pass_rate_percent"])
        for row in _rows("pass_rates")
    }
    figure = figures.table3_dots(paper)
    marks = [
        line.get_xdata()[0]
        for line in figure.axes[1].lines  # Train-Ticket
        if line.get_marker() in style.MARKERS and line.get_markersize() == 5
    ]
    expected = [
        cells[agent, "Train-Ticket", scenario, prompt]
        for scenario in ("incremental", "clean_state")
        for prompt in ("P1", "P2")
        for agent in AGENTS
    ]
    assert marks == expected
    means = [
        line.get_ydata().tolist() for axes in figures.table3_slopes(paper).axes for line in axes.lines[-1:]
    ]
    averages = {
        (row["scenario"], row["agent"], row["condition"]): float(row["average_pass_rate_percent"])
        for row in _rows("pass_rates_agent_average")
    }
    printed = [
        [averages[s, a, p] for p in ("P1", "P2")] for s in ("incremental", "clean_state") for a in AGENTS
    ]
    for drawn, row in zip(means, printed, strict=True):
        assert drawn == pytest.approx(row, abs=0.0501)


def test_cost_against_pass_rate_joins_figure_5_and_table_3(paper: Paper) -> None:
    cells = frames.cost_cells(paper).set_index(["agent", "condition"])
    assert len(cells) == 12
    assert tuple(cells.loc[("Codex", "CS-P2"), ["cost_usd", "pass_rate_percent"]]) == pytest.approx(
        (
            next(
                float(r["mean"])
                for r in _rows("boxplots_cost")
                if r["agent"] == "Codex" and r["configuration"] == "CS-P2"
            ),
            81.4,
        )
    )


@pytest.mark.parametrize("draw", figures.FIGURES, ids=lambda draw: draw.__name__)
def test_every_figure_states_its_kinds_and_nothing_overlaps(draw, paper: Paper, tmp_path: Path) -> None:
    figure = draw(paper)
    text = _texts(figure).replace("\n", " ")
    assert "Kind: published, reproduced." in text or "Kind: published, re-analysed." in text
    assert "SIMULATED" not in text
    assert str(figure.get_label()).startswith("paper_")
    assert figure.get_size_inches()[0] in (style.SINGLE, style.DOUBLE)
    renderer = figure.canvas.get_renderer()
    for axes in figure.axes:
        shown = [text for text in (*axes.texts, axes.title) if text.get_text()]
        extents = [text.get_window_extent(renderer).shrunk(0.9, 0.9) for text in shown]
        assert not any(a.overlaps(b) for a, b in combinations(extents, 2)), axes.get_title()
    first, second = (
        [hashlib.sha256(path.read_bytes()).digest() for path in save(drawn, "same", tmp_path / name)]
        for name, drawn in (("a", figure), ("b", draw(paper)))
    )
    assert first == second


def test_runs_and_summaries_are_drawn_alike(tmp_path: Path) -> None:
    """Boxes computed from runs, and the same boxes given as summaries, are the same figure."""
    data = make_dataset(tmp_path / "toy", agents=["a", "b"])
    keys = pd.DataFrame(
        [(a, c) for a in ("a", "b") for c in dict.fromkeys(data.runs["condition"])],
        columns=["agent", "condition"],
    )
    table = boxes.box_table(data.runs, "time_min", 1.0, keys)
    first = table.table.iloc[0]
    own = data.runs.query("agent == @first.agent and condition == @first.condition")["time_min"].astype(float)
    assert (first["q1"], first["median"], first["mean"]) == pytest.approx(
        (own.quantile(0.25), own.median(), own.mean())
    )
    source = style.Source.of(data)
    from_runs = efficiency.time_boxes(data)
    known = int(data.runs["time_min"].notna().sum())
    counted = f"n = {known} of {len(data.runs)} runs report it."
    given = efficiency.draw_conditions(table, efficiency.TIME, source, "fig4_time", counted)
    files = [save(figure, "x", tmp_path / name) for name, figure in (("a", from_runs), ("b", given))]
    assert files[0][0].read_bytes() == files[1][0].read_bytes()
    assert "SIMULATED" in _texts(intervals.efficiency_intervals(data))
    ratios = quality.level_ratios(data)
    note = "n: runs with code."
    assert quality.draw_level_ratios(ratios, source, "levels", note).axes
    assert (ratios["low"] <= ratios["estimate"]).all()
