"""What `study plan` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

    from study.planning.extend import Extension
    from study.planning.planned import Planned

WIDTH = 120
"""Columns that the tables need, also where no terminal tells its own."""
TITLE = "(SIMULATED planning numbers)"
_WORDS = {"quantity", "unit", "agent"}


def as_json(planned: Planned, cost: pd.DataFrame | None) -> str:
    """All of a plan, for programs."""
    import json
    from dataclasses import asdict

    def rows(frame: pd.DataFrame | None) -> Any:
        return [] if frame is None else json.loads(frame.to_json(orient="records", double_precision=10))

    assert planned.population is not None
    return json.dumps(
        {
            "kind": "simulated",
            "dataset": planned.name,
            "kinds_of_runs": planned.kinds,
            "question": asdict(planned.question),
            "model": asdict(planned.population.model),
            "assumed": rows(planned.assumed),
            "notes": planned.notes,
            "designs": rows(planned.grid),
            "needed": rows(planned.needed),
            "costs": rows(cost),
            "advice": planned.sentences,
        },
        indent=1,
        ensure_ascii=False,
    )


def show(
    planned: Planned, cost: pd.DataFrame | None, extension: Extension | None, out_file: Path | None
) -> None:
    """All of a plan, for people."""
    from study.planning import tables

    out = Console(width=max(Console().width, WIDTH))

    def say(text: str, **look: Any) -> None:
        out.print(text, highlight=False, markup=False, soft_wrap=True, **look)

    question = planned.question
    if len(planned.assumed):
        _print(out, tables.assumed(planned), f"What the plan rests on: runs of {planned.name} and the model")
    for note in planned.notes:
        say(f"- {note}")
    aim = f"{question.effect:+g} points of the {question.factor}"
    _print(out, tables.designs(planned), f"Designs, to find {aim} {TITLE}")
    _print(
        out, tables.needed(planned), f"Services that find {aim} with a power of {question.power:g} {TITLE}"
    )
    if cost is not None and len(cost):
        what = "the added runs" if extension else "the cheapest of these designs, all its runs"
        kinds = ", ".join(sorted(set(cost["kind"]) - {"unknown"})).upper()
        _print(out, tables.cost(cost), f"Cost of {what} (from {kinds} runs)")
        say("- time is that of the agents, on the clock divided by --jobs; tests and controls come on top")
        for note in tables.cost_notes(cost):
            say(f"- {note}")
    if extension is not None:
        runs, controls = len(extension.added), len(extension.added_controls)
        total = len(extension.extended.runs())
        say(
            f"The extended design has {total} runs: {runs} more, and {controls} more "
            f"control runs; the {len(extension.base.runs())} runs of {extension.base.name} stay as they are."
        )
    for sentence in planned.sentences:
        say(sentence, style="bold")
    if out_file is not None:
        say(f"{out_file}: written; study run {out_file}")


def _print(out: Console, frame: pd.DataFrame, title: str) -> None:
    table = Table(title=escape(title), title_justify="left")
    for name in frame.columns:
        table.add_column(escape(str(name)), justify="left" if name in _WORDS else "right")
    for row in frame.astype(str).to_numpy():
        table.add_row(*map(escape, row))
    out.print(table)
