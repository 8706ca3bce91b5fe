"""What is seen, in words: every number in these sentences is computed from the dataset at hand."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any

import pandas as pd
from IPython.display import HTML

from study.display import html
from study.statistics.estimates import ratio
from study.statistics.summary import (
    QUALITY,
    efficiency,
    levels,
    measured_pairs,
    outcome_counts,
    pass_rates,
    service_rates,
)

if TYPE_CHECKING:
    from study.records.dataset import Dataset

_BETWEEN = ("agent", "scenario", "prompt", "condition")


def outcomes(data: Dataset) -> list[str]:
    """How the runs ended; the counts add up to the runs."""
    counted = outcome_counts(data).drop(columns="total").sum()
    parts = ", ".join(f"{count} {str(outcome).replace('_', ' ')}" for outcome, count in counted.items())
    return [f"Of {len(data.runs)} runs: {parts}."]


def correctness(data: Dataset) -> list[str]:
    """Range of the mean pass rates, and how much of them the oracles could really see."""
    table = pass_rates(data, by=_BETWEEN).dropna(subset=["pass_rate_percent"])
    rates = service_rates(data)
    scored = rates["pass_rate_percent"].notna()
    sentences = []
    if len(table):
        cells = table.sort_values("pass_rate_percent", kind="stable").to_dict("records")
        highest, lowest = (_tied(cells, cells[end]["pass_rate_percent"]) for end in (-1, 0))
        sentences.append(
            f"The mean pass rate over services is highest with {highest} and lowest with {lowest}."
        )
    sentences.append(
        f"{int(scored.sum())} of {len(rates)} agent x service x condition cells have a pass rate; "
        f"{int((rates['blind'] & scored).sum())} of those come from an oracle that is blind to the target, "
        "so their rate says nothing about the generated service."
    )
    return sentences


def comparisons(table: pd.DataFrame, unit: str) -> list[str]:
    """One sentence for each row of `study.statistics.compare.factors`."""
    sentences = []
    for row in table.to_dict("records"):
        if not row.get("n") or pd.isna(row.get("estimate")):
            sentences.append(f"{row['comparison']}: not enough data.")
            continue
        interval = "no interval below 5 services"
        if pd.notna(row["low"]):
            interval = f"95 % interval {_signed(row['low'])} to {_signed(row['high'])}"
        test = row["method"] if pd.isna(row["p"]) else f"adjusted p {_p(row['p_holm'])}"
        sentences.append(
            f"{row['comparison']}: {_signed(row['estimate'])} {unit} on average ({interval}; {test}; "
            f"{row['n']} pairs in {row['n_clusters']} services)."
        )
    return sentences


def quality(data: Dataset) -> list[str]:
    """Geometric mean ratio to the reference, per agent and metric."""
    pairs = measured_pairs(data)
    left_out = int(pairs["sloc"].isna().sum())
    sentences = [f"{len(pairs) - left_out} runs left code to measure, {left_out} did not and enter no mean."]
    for agent in levels(pairs["agent"]):
        part = pairs[pairs["agent"] == agent]
        words = []
        for metric in QUALITY:
            row = ratio(part, metric, f"{metric}_reference", ["agent"]).iloc[0]
            words.append(f"{metric} {_ratio(row)}")
        sentences.append(f"{agent}, generated over reference: {'; '.join(words)}.")
    return sentences


def effort(data: Dataset) -> list[str]:
    """Mean time, cost and tokens per agent, and the largest run beside the median."""
    table = {(row["agent"], row["metric"]): row for row in efficiency(data).to_dict("records")}
    units = {"time_min": "min", "cost_usd": "USD", "input_tokens": "input tokens"}
    sentences = []
    for agent in levels(data.runs["agent"]):
        words = []
        for metric, unit in units.items():
            cell = table[(agent, metric)]
            if cell["n"]:
                words.append(f"{float(cell['mean']):,.{0 if 'tokens' in metric else 2}f} {unit}")
        sentences.append(f"{agent}, mean per run: {', '.join(words) or 'nothing reported'}.")
    times = data.runs["time_min"].dropna()
    if len(times):
        sentences.append(
            f"The longest run took {times.max():.1f} min, {times.max() / times.median():.1f} times the "
            "median."
        )
    return sentences


def say(sentences: list[str]) -> HTML:
    """Show the sentences as a list."""
    return html("<ul>" + "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences) + "</ul>")


def _tied(cells: list[dict[Any, Any]], rate: float) -> str:
    """All cells with this rate: to name one of several would be arbitrary."""
    return " and ".join(_cell(cell) for cell in cells if abs(cell["pass_rate_percent"] - rate) < 1e-9)


def _cell(row: Mapping[Any, Any]) -> str:
    blind = f", {row['blind']} of them with a blind oracle" if row["blind"] else ""
    rate = f"{row['pass_rate_percent']:.1f} %, {row['services']} services{blind}"
    return f"{row['agent']}, {row['condition']} ({rate})"


def _signed(value: float) -> str:
    return f"{value:+.1f}"


def _p(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"= {value:.3f}"


def _ratio(row: pd.Series) -> str:
    if pd.isna(row["estimate"]):
        return "not enough data"
    interval = "" if pd.isna(row["low"]) else f" (95 % interval {row['low']:.2f} to {row['high']:.2f})"
    return f"{row['estimate']:.2f}{interval}"
