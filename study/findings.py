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
    numeric,
    outcome_counts,
    pass_rates,
    service_rates,
)

if TYPE_CHECKING:
    from study.records.dataset import Dataset

ALPHA = 0.05
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


def answer(table: pd.DataFrame) -> list[str]:
    """One plain sentence for each measure of a table of `study.statistics.questions`.

    What is decided is named with effect, interval, adjusted p and n; the rest is counted, and never called
    equal: a wide interval decides nothing.
    """
    sentences = []
    for measure, part in table.groupby("measure", sort=False):
        known = part.dropna(subset=["p_holm"])
        decided = known[known["p_holm"] < ALPHA]
        if known.empty:
            sentences.append(f"{measure}: no comparison can be tested.")
            continue
        words = [_decided(row) for row in decided.to_dict("records")]
        rest = len(known) - len(decided)
        undecided = f"{rest} of {len(known)} comparisons are not decided by these data" if rest else ""
        sentences.append(f"{measure}: {'; '.join([*words, *filter(None, [undecided])])}.")
    return sentences or ["There is nothing to compare: every factor has one level, or nothing was measured."]


def _decided(row: Mapping[Any, Any]) -> str:
    ratio = row["unit"] == "ratio"
    effect, low, high = (f"{row[k]:.2f}" if ratio else _signed(row[k]) for k in ("estimate", "low", "high"))
    return (
        f"{row['comparison']} {effect} {'times' if ratio else 'points'} (95 % interval {low} to {high}, "
        f"adjusted p {_p(row['p_holm'])}, {row['n']} pairs in {row['services']} services)"
    )


def oracle_note(data: Dataset) -> list[str]:
    """What the oracles behind the pass rates can see: blind ones, and the room between floor and ceiling."""
    table = numeric(data.references, ["floor_percent", "ceiling_percent"])
    room = (table["ceiling_percent"] - table["floor_percent"]).rename("room")
    seen = table["sees_target"].astype("boolean")
    sentences = []
    for scenario, part in table.assign(room=room, seen=seen).groupby("scenario", sort=False):
        known = part.dropna(subset=["room"])
        if known.empty:
            sentences.append(f"{scenario}: no oracle with a floor and a ceiling.")
            continue
        blind = int((~known["seen"].fillna(True)).sum())
        floor, ceiling, space = (known[name].mean() for name in ("floor_percent", "ceiling_percent", "room"))
        sentences.append(
            f"{scenario}: {blind} of {len(known)} oracles are blind to their service; on average they score "
            f"{floor:.1f} % without it and {ceiling:.1f} % with the original, so rates have {space:.1f} "
            "points to differ in."
        )
    return sentences + _floors_apart(table)


def _floors_apart(references: pd.DataFrame) -> list[str]:
    """What the comparison of scenarios gives where nothing was written: the oracles alone."""
    floors = references.pivot_table(index=["project", "service"], columns="scenario", values="floor_percent")
    both = floors.dropna()
    if both.shape[1] != 2 or both.empty:
        return []
    first, second = levels(references["scenario"].dropna())[:2]
    gap = float((both[second] - both[first]).mean())
    return [
        f"Without any service the same comparison, {second} minus {first}, gives {_signed(gap)} points over "
        f"{len(both)} services: so far apart the floors of the two oracles are."
    ]


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
