"""Ranges of every reading of the printed statistics, and joint solutions, kept in a small file.

The file holds summaries only (ranges, shares, distances), never values per run; see `reconstruction`.
It is used for the data and the code it was made from, and only for these (`fingerprint`); anything else is
computed. To renew it after a change of either: ``python -m study.published.evidence``.
"""

from __future__ import annotations

import hashlib
import io
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from study.published.counts import Sizes, alternatives, plausible_sizes
from study.published.ranges import given_table, joint_table, unreachable_table, variant_table
from study.published.readings import Printed
from study.published.reconstruction import Space, sample
from study.published.variants import Cells

STORE = Path(__file__).with_name("evidence.json")
SEED = 20260208
FAMILIES = {
    "documented": "counts of the repository, or assumed where it has none that give the cells",
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
    others: int = 40
    """Sets of other counts that are drawn from."""
    stored: bool = True
    """Whether stored evidence is used where it fits."""


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
    effort : Effort
        How much was drawn and searched.
    """

    variants: pd.DataFrame
    joint: pd.DataFrame
    given: pd.DataFrame
    unreachable: pd.DataFrame
    effort: Effort = FULL


_NAMES = ("variants", "joint", "given", "unreachable")
_CODE = ("counts", "evidence", "ranges", "readings", "reconstruction", "statistics", "variants")
"""Modules whose code decides on the evidence."""


def evidence(cells: Cells, sizes: Sizes, printed: Printed, effort: Effort = FULL) -> Evidence:
    """The evidence for these inputs: stored if it was made from exactly these by this code, else computed.

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
    if not effort.stored or stored.get("inputs") != fingerprint(cells, sizes, printed):
        return gather(cells, sizes, printed, effort)
    variants, joint, given, unreachable = (
        pd.read_json(io.StringIO(json.dumps(stored[name])), orient="split") for name in _NAMES
    )
    return Evidence(variants, joint, given, unreachable)


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
    """Digest of all that stored evidence depends on: the data, and the text of the modules in `_CODE`."""
    data = (cells.agents, cells.projects, cells.values.tolist(), sorted(sizes.items()), asdict(printed))
    digest = hashlib.sha256(repr(data).encode())
    for name in _CODE:
        digest.update(STORE.with_name(f"{name}.py").read_text(encoding="utf-8").encode())
    return digest.hexdigest()


def gather(cells: Cells, sizes: Sizes, printed: Printed, effort: Effort = FULL) -> Evidence:
    """Draw and search; see `Evidence`."""
    documented = Space.of(cells, sizes)
    others = [Space.of(cells, other) for other in alternatives(cells, sizes, effort.others, SEED)]
    families = zip(FAMILIES, ([documented], [documented.all_or_nothing()], others), strict=True)
    drawn = {name: sample(spaces, effort.draws, SEED) for name, spaces in families}
    searched = [("documented", documented)] * 2
    searched += [("other counts", space) for space in others[: effort.searched]]
    return Evidence(
        variants=variant_table(cells, printed, documented, drawn, SEED, effort.steps),
        joint=joint_table(printed, searched, SEED, effort.steps),
        given=given_table(printed, drawn),
        unreachable=unreachable_table(cells, documented),
        effort=effort,
    )


def _renew() -> None:
    from study.published.data import load_paper

    paper = load_paper()
    cells, printed = Cells.of(paper["pass_rates"]), Printed.of(paper["statistics"])
    store(cells, plausible_sizes(cells, paper["suites"])[0], printed)


if __name__ == "__main__":
    _renew()
