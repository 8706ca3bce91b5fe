"""Ranges of every reading of the printed statistics, and joint solutions, kept in a small file.

The file holds summaries only (ranges, shares, distances), never values per run; see `reconstruction`.
It is used for the inputs it was made from, and only for these. To renew it after a change of the code:
``store(cells, sizes, printed)``.
"""

from __future__ import annotations

import hashlib
import io
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from study.published.counts import Sizes, alternatives
from study.published.ranges import given_table, joint_table, unreachable_table, variant_table
from study.published.readings import Printed
from study.published.reconstruction import Space, sample
from study.published.variants import Cells

STORE = Path(__file__).with_name("evidence.json")
SEED, ALTERNATIVES = 20260208, 40
FAMILIES = {
    "documented": "counts of the repository, with 4, 9 and 13 assumed for Project-Management",
    "all or nothing": "the same counts, services passing all or nothing where a cell allows it",
    "other counts": "other counts for Project-Management and for Train-Ticket in the clean state",
}
"""What is assumed of the values per run, from narrow to wide."""


@dataclass(frozen=True)
class Effort:
    """How much is drawn and searched."""

    draws: int = 12_000
    """Per family of counts."""
    steps: int = 1_500
    searched: int = 6
    """Other counts that are searched, one after the other, for a reading that was not reached before."""


FULL, QUICK = Effort(), Effort(draws=1_000, steps=60, searched=0)
"""Up to a minute, and about two seconds: enough for ranges, too little to say that nothing is reached."""


@dataclass(frozen=True)
class Evidence:
    """Summaries of draws and searches.

    Attributes
    ----------
    variants : DataFrame
        One row per variant and basis: comparison, test, zeros, ties_corrected, continuity, label, n, basis
        (`printed cells`, `unrounded cells`, or one of `FAMILIES`), printed, low, median, high (2.5, 50 and
        97.5 % of the draws), smallest, largest (of the draws), gap (nearest draw or search to the printed).
    joint : DataFrame
        One row per reading of all statistics at once and space that was searched: reading, basis, searches,
        gap (largest distance of its statistics from the printed ones), reached (within 0.01), solutions,
        mean_ranks_low, mean_ranks_high (difference of mean ranks over these solutions).
    given : DataFrame
        Per basis and test: draws, near (draws whose scenario Z is within 0.01 of the printed one),
        share_mean_ranks (of these, the difference of mean ranks rounds to the printed number), ties_low,
        ties_high (ties factor of all draws), share_equal (all draws: Z equals the rank-sum Z to 3 decimals).
    unreachable : DataFrame
        Cells that the documented and assumed counts cannot give: agent, project, scenario, condition,
        printed, gap. The nearest counts stand in for them.
    """

    variants: pd.DataFrame
    joint: pd.DataFrame
    given: pd.DataFrame
    unreachable: pd.DataFrame


_NAMES = ("variants", "joint", "given", "unreachable")


def evidence(cells: Cells, sizes: Sizes, printed: Printed, effort: Effort = FULL) -> Evidence:
    """The evidence for these inputs: stored if it was made from exactly these, else computed.

    Parameters
    ----------
    cells : Cells
        The printed cells of Table III.
    sizes : mapping
        Test counts per project and scenario; see `study.published.counts`.
    printed : Printed
        The printed statistics.
    effort : Effort
        For inputs that are not stored.
    """
    stored = json.loads(STORE.read_text(encoding="utf-8")) if STORE.is_file() else {}
    if stored.get("inputs") != fingerprint(cells, sizes, printed):
        return gather(cells, sizes, printed, effort)
    text = {name: io.StringIO(json.dumps(stored[name])) for name in _NAMES}
    return Evidence(**{name: pd.read_json(stream, orient="split") for name, stream in text.items()})


def store(cells: Cells, sizes: Sizes, printed: Printed, path: Path = STORE) -> None:
    """Compute the evidence and write it to the file that `evidence` reads."""
    found = gather(cells, sizes, printed)
    note = "Summaries of draws and searches, written by study.published.evidence.store; no data."
    content: dict[str, Any] = {"note": note, "inputs": fingerprint(cells, sizes, printed)}
    for name in _NAMES:
        table: pd.DataFrame = getattr(found, name)
        content[name] = json.loads(table.to_json(orient="split", index=False, double_precision=5))
    path.write_text(json.dumps(content, separators=(",", ":")) + "\n", encoding="utf-8")


def fingerprint(cells: Cells, sizes: Sizes, printed: Printed) -> str:
    """Of all that stored evidence depends on, except the code."""
    data = (cells.agents, cells.projects, cells.values.tolist(), sorted(sizes.items()), asdict(printed))
    return hashlib.sha256(repr((data, asdict(FULL), SEED, ALTERNATIVES)).encode()).hexdigest()


def gather(cells: Cells, sizes: Sizes, printed: Printed, effort: Effort = FULL) -> Evidence:
    """Draw and search; see `Evidence`."""
    documented = Space.of(cells, sizes)
    others = [Space.of(cells, other) for other in alternatives(cells, sizes, ALTERNATIVES, SEED)]
    families = zip(FAMILIES, ([documented], [documented.all_or_nothing()], others), strict=True)
    drawn = {name: sample(spaces, effort.draws, SEED) for name, spaces in families}
    searched = [("documented", documented)] * 2
    searched += [("other counts", space) for space in others[: effort.searched]]
    return Evidence(
        variants=variant_table(cells, printed, documented, drawn, SEED, effort.steps),
        joint=joint_table(printed, searched, SEED, effort.steps),
        given=given_table(printed, drawn),
        unreachable=unreachable_table(cells, documented),
    )
