"""Checks of Fig. 3 and of the box plots: labels against heights, means against the drawn runs."""

from __future__ import annotations

import pandas as pd

from study.published.boxes import Box, drawn_mean, hidden_run, mean_fits
from study.published.checks import WholeSum, mean, whole_sum
from study.published.claims import BOX_TABLES, QUALITY_DECIMALS, Claim
from study.published.data import Paper
from study.published.reader import Reader
from study.published.verdicts import Finding, Part, close

HEIGHT_ERROR = 5e-5
RUNS = 12
STEPS = {"time": 0.1, "cost": 1e-4, "input_tokens": 1e-6, "output_tokens": 1e-3}
"""Step of the source data, in the unit of the box plot."""
DIGITS = {"min": 2, "USD": 2, "M tokens": 3, "K tokens": 2}


def quality_bar(reader: Reader, claim: Claim) -> Finding:
    """A bar of Fig. 3: its label against its height; the grand means by agent and by configuration."""
    level, metric, bar = (str(claim.args[key]) for key in ("level", "metric", "bar"))
    keys = {"level": level, "metric": metric}
    label, height = (reader.value("code_quality", name, **keys) for name in (bar, f"{bar}_bar_height"))
    decimals = QUALITY_DECIMALS[metric]
    tolerance = 0.5 * 10**-decimals
    parts = [Part("label = height", close(label, height, tolerance + HEIGHT_ERROR))]
    if bar == "original":
        heights = reader.values("code_quality", "original_bar_height", metric=metric)
        same = max(heights) - min(heights) <= 2 * HEIGHT_ERROR
        parts.append(Part("the original has the same height in every panel", same))
        whole = whole_sum(height, 1, RUNS)
        other = f"The original has {'the same height' if same else 'different heights'} in every panel"
    else:
        by_agent, by_configuration = (
            mean(reader.values("code_quality", "generated_bar_height", metric=metric, grouping=name))
            for name in ("agent", "configuration")
        )
        same = close(by_agent, by_configuration, 2 * HEIGHT_ERROR)
        parts.append(Part("mean over agents = mean over configurations", same))
        whole = bar_runs(reader, level, metric)
        other = f"Means over agents ({by_agent:.2f}) and configurations ({by_configuration:.2f})"
        other += " agree" if same else " differ"
    why = f"The bar labelled {label:.{decimals}f} is {height:.4f} high. {other}. {_say(whole)}"
    return Finding(f"{height:.4f}", tuple(parts), why, tolerance)


def bar_runs(reader: Reader, level: str, metric: str) -> WholeSum:
    """Whether a bar of generated code is a mean over all of its runs; see `checks.whole_sum`."""
    (grouping,) = reader.levels("code_quality", "grouping", level=level)
    other = "configuration" if grouping == "agent" else "agent"
    groups = len(reader.levels("code_quality", "level", grouping=other))
    height = reader.value("code_quality", "generated_bar_height", level=level, metric=metric)
    return whole_sum(height, groups, RUNS)


def _say(whole: WholeSum) -> str:
    times = f"Height x runs is {whole.times_runs:.2f}"
    if whole.left_out is None:
        return f"{times}, which is no whole sum, not even with one run left out of a mean."
    if whole.left_out:
        return f"{times}, no whole sum; it becomes one if one of its means leaves a run out."
    return f"{times}, a whole sum: all runs can be in it."


def box_of(reader: Reader, table: str, **keys: str) -> Box:
    """A box plot with all of its outliers that can be seen in the drawing, inside its axes or above."""
    metric = keys.get("metric") or table.removeprefix("boxplots_")
    names = ("n_runs", "whisker_low", "q1", "median", "q3", "whisker_high", "mean")
    n, low, q1, median, q3, high, average = (reader.value(table, name, **keys) for name in names)
    figure = reader.levels(table, "figure", **keys)[0]
    found = {
        "figure": figure,
        "metric": metric,
        "agent": keys["agent"],
        "configuration": keys.get("configuration", "all"),
    }
    values = reader.values("boxplot_outliers", "value", **found)
    visible = reader.texts("boxplot_outliers", "visibility", **found)
    outliers = tuple(value for value, seen in zip(values, visible, strict=True) if seen != "printed_label")
    return Box(round(n), low, q1, median, q3, high, average, outliers, STEPS[metric])


def implied_runs(paper: Paper) -> pd.DataFrame:
    """Runs that are neither drawn nor printed, but without which a dashed mean of Figs. 4 to 6 is impossible.

    Returns
    -------
    DataFrame
        kind, figure, metric, agent, configuration, unit, value_low, value_high, basis.
    """
    reader = Reader(paper)
    rows: list[dict[str, object]] = []
    for table in () if paper.from_runs else BOX_TABLES:  # of runs, none is hidden
        for row in paper[table].to_dict("records"):
            keys = {"agent": row["agent"], "configuration": row["configuration"]}
            hidden = hidden_run(box_of(reader, table, **keys))
            if hidden is not None:
                metric = table.removeprefix("boxplots_")
                basis = f"closes the sum of {row['n_runs']} runs with a mean of {row['mean']:.6g}"
                place = {"kind": paper.kind, "figure": row["figure"], "metric": metric, **keys}
                value = {"unit": row["unit"], "value_low": hidden.low, "value_high": hidden.high}
                rows.append({**place, **value, "basis": basis})
    return pd.DataFrame(rows)


def box_mean(reader: Reader, claim: Claim) -> Finding:
    """A dashed mean of Figs. 4 to 6: can the drawn box, whiskers and outliers have it?"""
    table, agent, configuration = (str(claim.args[key]) for key in ("table", "agent", "configuration"))
    box = box_of(reader, table, agent=agent, configuration=configuration)
    fits = mean_fits(box)
    ours, why = _range_of_means(box, claim.unit, fits)
    return Finding(ours, (Part("the drawn runs can have the drawn mean", fits),), why)


def agent_box_mean(reader: Reader, claim: Claim) -> Finding:
    """A dashed mean of Fig. 7: the same, and it is the mean of the four cells of Fig. 4 or 5."""
    metric, agent = str(claim.args["metric"]), str(claim.args["agent"])
    box = box_of(reader, "boxplots_agent", metric=metric, agent=agent)
    cells = mean(reader.values(f"boxplots_{metric}", "mean", agent=agent))
    fits, same = mean_fits(box), close(cells, box.mean, 2e-6)
    ours, why = _range_of_means(box, claim.unit, fits)
    labels = reader.values(
        "boxplot_outliers", "value", figure="7", metric=metric, agent=agent, visibility="printed_label"
    )
    hidden = hidden_run(box)
    if hidden is not None and labels and hidden.low > labels[0] + 0.5:
        why += f" That is more than the printed maximum of {labels[0]:.0f}: two or more runs are not drawn."
    parts = (
        Part("the drawn runs can have the drawn mean", fits),
        Part(f"mean of the four cells {cells:.4f}", same),
    )
    return Finding(f"{ours}; four cells {cells:.4f}", parts, why)


def _range_of_means(box: Box, unit: str, fits: bool) -> tuple[str, str]:
    digits = DIGITS[unit]
    bounds = drawn_mean(box)
    if bounds is None:
        return "no runs fit the box", "No runs in steps of the source data fit the drawn box and whiskers."
    ours = f"{bounds.low:.{digits}f} to {bounds.high:.{digits}f}"
    why = (
        f"Runs that fit the drawn quartiles, whiskers and outliers have a mean of {ours} {unit}; the dashed "
        f"line is at {box.mean:.{digits}f}."
    )
    if fits:
        return ours, why
    hidden = hidden_run(box)
    if hidden is not None:
        why += (
            f" One run of {hidden.low:.1f} to {hidden.high:.1f} {unit} that is not drawn would close the sum."
        )
    return ours, why
