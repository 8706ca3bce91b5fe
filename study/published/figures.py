"""Figures 3 to 7 of the paper, redrawn from its published data, each beside a clearer form."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from study.figures import correctness, efficiency, intervals, quality, style
from study.published import frames
from study.published.data import Paper

METRICS = {
    "time": efficiency.TIME,
    "cost": efficiency.COST,
    "input_tokens": efficiency.INPUT,
    "output_tokens": efficiency.OUTPUT,
}


def _by_design(paper: Paper) -> str:
    return "n: runs with a value." if paper.from_runs else "n: runs of the design; the paper prints none."


def _source(paper: Paper, place: str, analysis: str = "reproduced") -> style.Source:
    place = f"form of {place}" if paper.from_runs else place
    return style.Source(f"{paper.name} ({place})", (*paper.kinds, paper.replication(analysis)))


def _hidden(paper: Paper, metric: str) -> str:
    """Which runs the paper's drawing does not show, from the data."""
    outliers = frames.boxes(paper, metric).outliers
    unit = METRICS[metric].unit
    above, implied = (outliers[outliers["visibility"] == seen] for seen in ("outside_axes", "implied"))
    parts = [
        f"{run['agent']} {run['condition']}: {run['low']:.1f} {unit} is in the drawing, above its axis."
        for _, run in above.iterrows()
    ]
    parts += [
        f"Open triangle, {run['agent']} {run['condition']}: a run of {run['low']:.1f} to {run['high']:.1f} "
        f"{unit} that is not drawn; it follows from the drawn mean, which the other runs cannot have."
        for _, run in implied.iterrows()
    ]
    return " ".join(parts)


def fig3_complexity(paper: Paper) -> Figure:
    """Fig. 3: mean size and complexity of original and generated services."""
    how = "Bars have the height of the drawing, labels are those printed."
    if paper.from_runs:
        how = "Bars: means of the means by agent and configuration, of the runs that left code."
    note = f"{how} {_by_design(paper)}"
    short = frames.bars_with_runs_left_out(paper)
    if short:
        bars = "; ".join(f"{level}: {', '.join(metrics)}" for level, metrics in short.items())
        note += f" Generated bars that are whole sums only if a mean leaves a run out: {bars}."
    return quality.draw_bars(frames.bars(paper), _source(paper, "Fig. 3"), "paper_fig3_complexity", note)


def fig3_ratio(paper: Paper) -> Figure:
    """Fig. 3 as ratios to the original, on a log scale."""
    note = (
        "Ratio of the two means of a pair of bars; dashed: as the original. No interval: means without the "
        "services behind them have none, and a ratio of means is ruled by the largest services."
    )
    source = _source(paper, "Fig. 3", "re-analysed")
    return quality.draw_level_ratios(frames.bar_ratios(paper), source, "paper_fig3_ratio", note)


def _box_figure(paper: Paper, metric: str) -> Figure:
    number = frames.FIGURES[metric]
    note = f"{_by_design(paper)} {_hidden(paper, metric)}".strip()
    return efficiency.draw_conditions(
        frames.boxes(paper, metric), METRICS[metric], _source(paper, f"Fig. {number}"),
        f"paper_fig{number}_{metric}", note,
    )  # fmt: skip


def fig4_time(paper: Paper) -> Figure:
    """Fig. 4: time per run by agent and configuration."""
    return _box_figure(paper, "time")


def fig5_cost(paper: Paper) -> Figure:
    """Fig. 5: cost per run by agent and configuration."""
    return _box_figure(paper, "cost")


def fig6a_input_tokens(paper: Paper) -> Figure:
    """Fig. 6a: input tokens per run by agent and configuration."""
    return _box_figure(paper, "input_tokens")


def fig6b_output_tokens(paper: Paper) -> Figure:
    """Fig. 6b: output tokens per run by agent and configuration."""
    return _box_figure(paper, "output_tokens")


def fig7_time_and_cost(paper: Paper) -> Figure:
    """Fig. 7: time and cost per agent, all configurations, with the label of the maximum."""
    tables = {METRICS[metric]: frames.agent_boxes(paper, metric) for metric in ("time", "cost")}
    note = f"{_by_design(paper)} {_hidden(paper, 'time')}"
    return efficiency.draw_agents(tables, _source(paper, "Fig. 7"), "paper_fig7_time_and_cost", note)


def fig4_to_6_intervals(paper: Paper) -> Figure:
    """Figs. 4 to 6 on log scales: medians with quartiles, all agents and configurations on one scale."""
    tables = {drawn: frames.boxes(paper, metric) for metric, drawn in METRICS.items()}
    note = f"{intervals.HOW_DRAWN} {_by_design(paper)}"
    if not paper.from_runs:
        note = f"{intervals.HOW_DRAWN} n: runs of the design. Triangles: runs that the paper's axes do not "
        note += f"show. {_hidden(paper, 'time')}"
    source = _source(paper, "Figs. 4 to 6", "re-analysed")
    return intervals.draw_intervals(tables, source, "paper_fig4_to_6_intervals", note)


def table3_dots(paper: Paper) -> Figure:
    """Table III on one scale: every cell, and the mean over projects with their range."""
    note = (
        "Project panels: cells of Table III, each of 3 services by design. All projects: unweighted mean "
        "(large) over the four cells (small); line: their smallest to largest, as four projects carry no "
        "interval. Upright grey line: pass rate of the original (baseline). No floor was published. n: runs "
        "of the design."
    )
    if paper.from_runs:
        note = (
            "Project panels: means over the services of a project. All projects: unweighted mean (large) "
            "over these cells (small); line: their smallest to largest. Upright grey line: pass rate of the "
            f"original (baseline), where it is known. {_by_design(paper)}"
        )
    ceiling = Line2D([], [], color=style.GREY, lw=0.7, label="baseline")
    return correctness.draw_rates(
        frames.rates(paper), _source(paper, "Table III", "re-analysed"), "paper_table3_dots", note, ceiling,
        _range,
    )  # fmt: skip


def _range(cell: pd.DataFrame) -> tuple[float, float, float]:
    values = cell["pass_rate_percent"]
    return float(values.mean()), float(values.min()), float(values.max())


def table3_slopes(paper: Paper) -> Figure:
    """Table III from P1 to P2: one line per project, one panel per scenario and agent."""
    note = (
        "One line per project (a cell of Table III; lines that coincide are drawn side by side), black: mean "
        "over the projects drawn, n of them. P1: minimal prompt, P2: with an implementation summary."
    )
    source = _source(paper, "Table III", "re-analysed")
    return correctness.draw_slopes(frames.rates(paper), source, "paper_table3_slopes", note, "project")


def cost_against_pass_rate(paper: Paper) -> Figure:
    """Table III against Fig. 5: what a run costs on average, and what it scores."""
    cells = frames.cost_cells(paper)
    n = " or ".join(str(n) for n in sorted(set(paper["boxplots_cost"]["n_runs"])))
    counted = "with a cost" if paper.from_runs else "each by design"
    note = (
        f"Mean cost (Fig. 5) and average pass rate (Table III) per agent (colour) and configuration (shape); "
        f"{len(cells)} cells, n = {n or 0} runs {counted}. The scenarios are scored by different tests."
    )
    source = _source(paper, "Table III, Fig. 5", "re-analysed")
    return efficiency.draw_cost(cells, source, "paper_cost_against_pass_rate", note)


FIGURES: tuple[Callable[[Paper], Figure], ...] = (
    table3_dots,
    table3_slopes,
    fig3_complexity,
    fig3_ratio,
    fig4_time,
    fig5_cost,
    fig6a_input_tokens,
    fig6b_output_tokens,
    fig7_time_and_cost,
    fig4_to_6_intervals,
    cost_against_pass_rate,
)
"""All figures in the order of the paper."""
