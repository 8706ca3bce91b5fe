"""The list of claims: sentences and statistics from the data, and one claim per printed cell, bar and box."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import pandas as pd

from study.published.data import Paper
from study.schema import StudyError, read_yaml

RECIPES = Path(__file__).with_name("claims.yaml")
EFFICIENCY_COLUMNS = {
    "avg_time_min": ("average time", "min", 1),
    "total_time_h": ("total time", "h", 2),
    "input_tokens_k": ("average input", "thousand tokens", 0),
    "output_tokens_k": ("average output", "thousand tokens", 1),
    "avg_cost_usd": ("average cost", "USD", 2),
    "total_cost_usd": ("total cost", "USD", 2),
    "runs": ("number of runs", "runs", 0),
}
"""Printed columns of Table IV: meaning, unit, and printed decimals."""
QUALITY_DECIMALS = {"sloc": 0, "cyclomatic": 1, "cognitive": 1}
BOX_TABLES = ("boxplots_time", "boxplots_cost", "boxplots_input_tokens", "boxplots_output_tokens")


@dataclass(frozen=True)
class Claim:
    """One checkable statement and the recipe of its check.

    Attributes
    ----------
    printed : str
        The printed number or numbers; empty for a sentence on a direction.
    check : str
        Name of the function in `study.published.registry` that recomputes it.
    args : dict
        What the function needs to know to find the data.
    """

    claim_id: str
    source: str
    section: str
    page: int | None
    says: str
    printed: str
    unit: str
    check: str
    args: dict[str, Any] = field(default_factory=dict)


def list_claims(paper: Paper) -> list[Claim]:
    """All claims: sentences (C), statistics (S), cells of Tables III (T3) and IV (T4), bars and boxes (F)."""
    return [
        *_sentences(paper),
        *_statistics(paper),
        *_cells(paper),
        *_averages(paper),
        *_efficiency(paper),
        *_bars(paper),
        *_boxes(paper),
    ]


@lru_cache(maxsize=1)
def _recipes() -> Any:
    return read_yaml(RECIPES)


def _sentences(paper: Paper) -> Iterator[Claim]:
    recipes = _recipes()
    rows = paper["claims"].to_dict("records")
    ids = {str(row["claim_id"]) for row in rows}
    if ids != set(recipes):
        raise StudyError(
            f"{RECIPES}: recipes without a sentence: {sorted(set(recipes) - ids)}; sentences without a "
            f"recipe: {sorted(ids - set(recipes))}"
        )
    for row in rows:
        recipe = dict(recipes[row["claim_id"]])
        yield Claim(
            claim_id=row["claim_id"],
            source=row["source"],
            section=row["section"],
            page=None if pd.isna(row["page"]) else int(row["page"]),
            says=row["says"],
            printed=_numbers(row["low"], row["high"], row["unit"]),
            unit=row["unit"],
            check=str(recipe.pop("check")),
            args=recipe,
        )


def _numbers(low: Any, high: Any, unit: str) -> str:
    """One number, a range, or a part of a total, as printed."""
    known = dict.fromkeys(str(text) for text in (low, high) if pd.notna(text))
    return (" of " if "total" in unit else " to ").join(known)


def _statistics(paper: Paper) -> Iterator[Claim]:
    for row in paper["statistics"].to_dict("records"):
        value = f"{row['statistic_value']:.3f}".removesuffix(".000")
        p_value = f", p {row['p_printed']}" if pd.notna(row["p_printed"]) else ""
        yield Claim(
            claim_id=row["id"],
            source="paper",
            section=row["section"],
            page=int(row["page"]),
            says=f"{row['test']}, {row['comparison']}: {row['statistic_name']}",
            printed=f"{value}{p_value}",
            unit="percentage points" if "points" in row["statistic_name"] else row["statistic_name"],
            check="statistic",
            args={"id": row["id"]},
        )


def _cells(paper: Paper) -> Iterator[Claim]:
    for row in paper["pass_rates"].to_dict("records"):
        args = {key: row[key] for key in ("agent", "project", "scenario", "condition")}
        levels = list(args.values())
        says = f"pass rate, {', '.join(levels)}"
        value = f"{row['pass_rate_percent']:.1f}"
        yield _printed("T3", levels, ("Table III", 6), says, (value, "percent"), "rate_cell", args)


def _averages(paper: Paper) -> Iterator[Claim]:
    for row in paper["pass_rates_agent_average"].to_dict("records"):
        args = {key: row[key] for key in ("agent", "scenario", "condition")}
        levels = list(args.values())
        says = f"average pass rate, {', '.join(levels)}"
        value = f"{row['average_pass_rate_percent']:.1f}"
        yield _printed("T3A", levels, ("Table III", 6), says, (value, "percent"), "average_cell", args)


def _efficiency(paper: Paper) -> Iterator[Claim]:
    for row in paper["efficiency"].to_dict("records"):
        for column, (meaning, unit, decimals) in EFFICIENCY_COLUMNS.items():
            args = {"agent": row["agent"], "column": column}
            value = f"{row[column]:.{decimals}f}"
            says = f"{meaning}, {row['agent']}"
            levels = [row["agent"], column]
            yield _printed("T4", levels, ("Table IV", 7), says, (value, unit), "efficiency_cell", args)


def _bars(paper: Paper) -> Iterator[Claim]:
    for row in paper["code_quality"].to_dict("records"):
        for bar in ("original", "generated"):
            args = {"level": row["level"], "metric": row["metric"], "bar": bar}
            levels = list(args.values())
            value = f"{row[bar]:.{QUALITY_DECIMALS[row['metric']]}f}"
            unit = "lines" if row["metric"] == "sloc" else "points"
            says = f"label of a bar: {row['metric']}, {bar}, {row['level']}"
            yield _printed("F3", levels, ("Fig. 3", 7), says, (value, unit), "quality_bar", args)


def _boxes(paper: Paper) -> Iterator[Claim]:
    for table in BOX_TABLES:
        for row in paper[table].to_dict("records"):
            args = {"table": table, "agent": row["agent"], "configuration": row["configuration"]}
            place, levels = f"Fig. {row['figure']}", [row["agent"], row["configuration"]]
            says = f"dashed mean, {', '.join(levels)}"
            number = (f"{row['mean']:.6g}", row["unit"])
            yield _printed(f"F{row['figure']}", levels, (place, 8), says, number, "box_mean", args)
    for row in paper["boxplots_agent"].to_dict("records"):
        args = {"metric": row["metric"], "agent": row["agent"]}
        says = f"dashed mean of {row['metric']}, {row['agent']}"
        number, levels = (f"{row['mean']:.6g}", row["unit"]), [row["agent"], row["metric"]]
        yield _printed("F7", levels, ("Fig. 7", 8), says, number, "agent_box_mean", args)


def _printed(
    prefix: str,
    levels: list[str],
    place: tuple[str, int],
    says: str,
    number: tuple[str, str],
    check: str,
    args: dict[str, str],
) -> Claim:
    """A claim that is one printed or drawn number; its id is made of its levels."""
    identity = ".".join([prefix, *(level.replace(" ", "-") for level in levels)])
    return Claim(identity, "paper", *place, says, *number, check, dict(args))
