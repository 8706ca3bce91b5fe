"""Figures of what agents did: time line, tools by kind, tokens per answer of the model."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from study.figures import style
from study.statistics.summary import levels
from study.trajectories.report import answers

MOST_RUNS = 24
"""Rows of the time line; with more runs, the first of each agent in turn."""
_EVENTS = {
    "api_call": ("answer of the model", "#0072B2", "o"),
    "tool_call": ("tool call", "#E69F00", "s"),
    "failed": ("failed tool", "#D55E00", "X"),
    "failure": ("failure of the model's service", "#000000", "v"),
}
_LANE = 0.2
"""Between the kinds of a run's events, in rows, since they come at almost the same time."""
_SECONDS, _MINUTE = "seconds", 60.0


def trajectory_timeline(runs: pd.DataFrame, events: pd.DataFrame) -> Figure:
    """When each run's answers, tool calls and failures came; one row per run.

    Parameters
    ----------
    runs, events : pandas.DataFrame
        As `study.trajectories.tables.load_trajectories` gives them.
    """
    shown = _spread_over_agents(runs)
    own = events[events["run_id"].isin(shown["run_id"])].copy()
    # of most events it is not known whether they failed, since only results of tools can
    own["mark"] = own["event"].mask(own["failed"].fillna(False).astype(bool), "failed")
    timed = own.dropna(subset=[_SECONDS])
    silent = shown[~shown["run_id"].isin(timed["run_id"])]
    untimed = int(own.loc[own["mark"].isin(_EVENTS), _SECONDS].isna().sum())
    minutes = bool(len(timed)) and float(timed[_SECONDS].max()) > 5 * _MINUTE
    note = (
        f"{len(shown)} of {len(runs)} runs. Time since the first event that has one; {untimed} events have "
        "none and are not drawn."
    )
    legend = [
        Line2D([], [], marker=mark, color=colour, lw=0, ms=4.5, label=label)
        for label, colour, mark in _EVENTS.values()
    ]
    size = (style.DOUBLE, 0.22 * len(shown) + 0.5)
    with style.page("trajectory_timeline", "What the agents did, and when", _source(runs),
                    size=size, note=note, legend=legend) as figure:  # fmt: skip
        axes = figure.subplots()
        if timed.empty:
            style.not_enough(axes, "no log has times")
            return figure
        place = {run: number for number, run in enumerate(shown["run_id"])}
        for number, (kind, (_, colour, mark)) in enumerate(_EVENTS.items()):
            part = timed[timed["mark"] == kind]
            x, y = (
                part[_SECONDS] / (_MINUTE if minutes else 1),
                part["run_id"].map(place) + (number - 1.5) * _LANE,
            )
            axes.plot(x, y, mark, color=colour, ms=3.5, mew=0, label=kind)
        for run in silent["run_id"]:
            axes.text(0.01, place[run], "its log has no times", transform=axes.get_yaxis_transform(),
                      va="center", color=style.GREY, style="italic")  # fmt: skip
        axes.set_yticks(range(len(shown)), [f"{r.agent}: {r.service}" for r in shown.itertuples()])
        axes.set_ylim(len(shown) - 0.5, -0.5)
        axes.set_xlabel(f"Time since the first event ({'min' if minutes else 's'})")
    return figure


def _spread_over_agents(runs: pd.DataFrame) -> pd.DataFrame:
    turn = runs.groupby("agent", sort=False).cumcount()
    first = runs.assign(turn=turn).sort_values("turn", kind="stable").head(MOST_RUNS)
    return first.sort_values(["agent", "run_id"], kind="stable")


def trajectory_tools(runs: pd.DataFrame, events: pd.DataFrame) -> Figure:
    """Mean number of tool calls per run by kind of tool and agent."""
    calls = events[events["event"] == "tool_call"].merge(runs[["run_id", "agent"]], on="run_id")
    agents, kinds = levels(runs["agent"]), levels(calls["tool_kind"])
    sizes = [int((runs["agent"] == agent).sum()) for agent in agents]
    colours = style.palette(kinds)
    hatches = dict(zip(kinds, style.hatches(len(kinds)), strict=True))
    legend = [Patch(facecolor=colours[k], hatch=hatches[k], edgecolor="white", lw=0, label=k) for k in kinds]
    note = f"Mean over runs; n = {len(runs)} runs, {len(calls)} calls. Calls of subagents are in it."
    with style.page("trajectory_tools", "Tool calls per run", _source(runs), size=(style.SINGLE, 2.2),
                    note=note, legend=legend) as figure:  # fmt: skip
        axes = figure.subplots()
        if calls.empty:
            style.not_enough(axes, "no tool was called")
            return figure
        bottom = [0.0] * len(agents)
        for kind in kinds:
            part = calls[calls["tool_kind"] == kind]
            means = [
                float((part["agent"] == agent).sum()) / n for agent, n in zip(agents, sizes, strict=True)
            ]
            axes.bar(range(len(agents)), means, 0.6, bottom, color=colours[kind], hatch=hatches[kind],
                     edgecolor="white", lw=0)  # fmt: skip
            bottom = [b + m for b, m in zip(bottom, means, strict=True)]
        axes.set_xticks(range(len(agents)))
        style.name_ticks(axes, agents, sizes, style.SINGLE - 0.5)
        axes.set_ylabel("Tool calls per run (calls)")
        axes.set_xlim(-0.5, len(agents) - 0.5)
    return figure


def trajectory_tokens(runs: pd.DataFrame, events: pd.DataFrame) -> Figure:
    """Context of each answer, how much of it came from a cache, and the sum of all input so far."""
    calls = answers(runs, events)
    agents = levels(runs["agent"])
    colours, marks = style.palette(agents), style.markers(agents)
    legend = [Line2D([], [], color=colours[a], marker=marks[a], ms=4, label=a) for a in agents]
    note = (
        f"Each line: one run; n = {calls['run_id'].nunique()} of {len(runs)} runs whose log tells the tokens "
        f"of each answer, {len(calls)} answers. Lines of agents with equal numbers hide each other."
    )
    panels = {
        "context": ("Context of an answer", "Input (thousand tokens)", 1e3),
        "cached": ("Of it from a cache", "Input read from a cache (%)", 1.0),
        "sum": ("Input so far", "Sum of input (thousand tokens)", 1e3),
    }
    with style.page("trajectory_tokens", "Input tokens from answer to answer", _source(runs),
                    size=(style.DOUBLE, 2.2), note=note, legend=legend) as figure:  # fmt: skip
        for axes, (column, (title, label, unit)) in zip(
            figure.subplots(1, len(panels)), panels.items(), strict=True
        ):
            axes.set_title(title)
            axes.set_ylabel(label)
            axes.set_xlabel("Answer of the run (number)")
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))
            if calls[column].notna().any():
                _lines(axes, calls, column, unit, colours, marks)
                axes.set_ylim(bottom=0)
            else:
                style.not_enough(axes)
    return figure


def _lines(
    axes: Axes,
    calls: pd.DataFrame,
    column: str,
    unit: float,
    colours: dict[str, str],
    marks: dict[str, str],
) -> None:
    widths = {agent: 4.0 - 1.1 * i for i, agent in enumerate(colours)}  # so that equal lines all show
    for _, run in calls.dropna(subset=[column]).groupby("run_id", sort=False):
        agent = str(run["agent"].iloc[0])
        axes.plot(
            run["answer"], run[column] / unit, marks[agent], ls="-", color=colours[agent], ms=3.5,
            lw=max(0.6, widths[agent]),
        )  # fmt: skip


def _source(runs: pd.DataFrame) -> style.Source:
    return style.Source("trajectories", tuple(sorted(set(runs["kind"]))))
