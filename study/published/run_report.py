"""How to read an audit whose values come from runs."""

from __future__ import annotations

import pandas as pd

from study.published.data import Paper
from study.published.reader import Cell
from study.published.run_design import PLACE
from study.published.runs import FROM_RUNS

BY_HAND = "study audit --data DATASET --claim ID lists the cells and runs that were read."
_MEANING = {
    "published": (
        "The runs are the authors' own: a disagreement means that a printed number does not follow from them "
        "as the mapping reads them."
    ),
    "measured": (
        "The runs are new ones: that a number differs does not speak against the paper, since agents and "
        "models change and single runs vary."
    ),
    "simulated": (
        "The runs are simulated: made by programs, so that no verdict says anything about the paper or any "
        "agent. They show what the audit does with runs."
    ),
}
_KEYS = ("agent", "level", "project", "scenario", "condition", "configuration", "metric", "factor")


def of_runs(table: pd.DataFrame) -> bool:
    """Whether verdicts of an audit rest on runs."""
    return bool((table["basis"] == "runs").any())


def kinds_of(table: pd.DataFrame) -> str:
    """The kinds of an audit's numbers, each once."""
    return ", ".join(sorted({kind for text in set(table["kind"]) for kind in text.split(", ")}))


def place_of(paper: Paper, cell: Cell) -> str:
    """Where a cell stands: the line of its file, or, computed from runs, the run or the levels of its row."""
    row = paper[cell.table].iloc[cell.row]
    if cell.table == "runs":
        return f"run {row['run_id']}"
    computed = cell.table in FROM_RUNS or (cell.table == "design" and row["place"] == PLACE)
    if not paper.from_runs or not computed:
        return f"{cell.table}.csv line {cell.row + 2}"
    return f"{cell.table} of the runs: {', '.join(str(row[key]) for key in _KEYS if key in row.index)}"


def how_to_read_runs(table: pd.DataFrame) -> str:
    """A paragraph on what the verdicts of an audit of runs mean; its counts are computed."""
    own = table[table["basis"] == "runs"]
    counts = own["verdict"].value_counts()
    agrees, partly, disagrees, untested = (
        int(counts.get(name, 0)) for name in ("agrees", "partly", "disagrees", "not testable")
    )
    kinds = {kind for text in set(own["kind"]) for kind in text.split(", ")}
    meaning = " ".join(text for kind, text in _MEANING.items() if kind in kinds)
    rest = len(table) - len(own)
    return (
        f"What is printed is the paper's; our values come from runs (kind: {kinds_of(own)}). Of {len(own)} "
        f"claims on runs {agrees} agree within the rounding of what is printed, {partly} in part, "
        f"{disagrees} do not, and {untested} cannot be tested, mostly because the dataset has no such runs "
        "or columns. "
        f"{rest} claims concern no runs but the paper's selection and settings; they rest on published "
        f"numbers. {meaning} A table or figure named in a reason is that of the runs, in the paper's form. "
        "No verdict is typed: each is computed by the named function, and changes with the runs."
    )
