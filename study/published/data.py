"""The published data as typed frames, checked against row models and, if committed, checksums."""

from __future__ import annotations

import hashlib
import inspect
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from study.published.tables import PAPER_TABLES, SUBJECT_TABLES
from study.records.dataset import CHECKSUMS, RAW_DATA, read_table, verify_checksums
from study.records.dictionary import type_name
from study.schema import Model

PAPER = RAW_DATA / "published" / "paper"
SUBJECTS = RAW_DATA / "published" / "subjects"


@dataclass(frozen=True)
class Paper:
    """The published tables by name, and the few facts on the subject systems that the audit needs.

    The same tables can be computed from runs (`study.published.runs`): then `printed` is the paper whose
    claims are judged by them.
    """

    folder: Path
    tables: dict[str, pd.DataFrame]
    changed: tuple[str, ...] = ()
    """Files that differ from their checksum: a copy in which someone changed a value."""
    name: str = "published/paper"
    kinds: tuple[str, ...] = ("published",)
    """Of the rows; the schema of the paper's tables admits no other than `published`."""
    printed: Paper | None = None
    notes: tuple[str, ...] = ()
    """Which levels of the runs are which of the paper, and what was left out."""

    @property
    def kind(self) -> str:
        """The kinds in one text."""
        return ", ".join(self.kinds)

    @property
    def from_runs(self) -> bool:
        """Whether the tables are computed from runs."""
        return self.printed is not None

    def replication(self, analysis: str) -> str:
        """Kind of replication: for published data the given one, else by where the runs come from."""
        if not self.from_runs or self.kinds == ("published",):
            return analysis
        return "simulated" if "simulated" in self.kinds else "replicated"

    def __getitem__(self, name: str) -> pd.DataFrame:
        """A table by name."""
        return self.tables[name]


def load_paper(folder: str | Path | None = None, subjects: str | Path | None = None) -> Paper:
    """Load and validate the published tables.

    Parameters
    ----------
    folder : path, optional
        A copy of raw_data/published/paper, for instance with a changed cell. The committed folder, if not
        given; only that one has to match its checksums.
    subjects : path, optional
        The same for raw_data/published/subjects.

    Raises
    ------
    StudyError
        If a file is missing, a cell breaks the schema, or a committed file was changed.
    """
    main, facts = (Path(given or default) for given, default in ((folder, PAPER), (subjects, SUBJECTS)))
    for path, given in ((main, folder), (facts, subjects)):
        if given is None:
            verify_checksums(path)
    tables = {name: read_table(main / f"{name}.csv", model) for name, model in PAPER_TABLES.items()}
    tables |= {name: read_table(facts / f"{name}.csv", model) for name, model in SUBJECT_TABLES.items()}
    return Paper(main, tables, (*_changed(main), *_changed(facts)))


def _changed(folder: Path) -> tuple[str, ...]:
    listing = folder / CHECKSUMS
    if not listing.is_file():
        return ()
    lines = [line.partition("  ") for line in listing.read_text(encoding="utf-8").splitlines()]
    return tuple(
        name
        for digest, _, name in lines
        if (folder / name).is_file() and hashlib.sha256((folder / name).read_bytes()).hexdigest() != digest
    )


def dictionary(title: str, tables: dict[str, type[Model]]) -> str:
    """Markdown: every table with its columns, types, units and meaning, from the row models."""
    parts = [
        f"# {title}: data dictionary\n",
        "Generated from the row models in `study/published/tables.py`. An empty cell means missing.\n",
    ]
    for name, model in tables.items():
        parts += [f"## {name}.csv\n", inspect.cleandoc(model.__doc__ or "") + "\n"]
        parts += ["| column | type | unit | meaning |", "|---|---|---|---|"]
        for column, field in model.model_fields.items():
            extra = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
            unit, meaning = extra.get("unit", ""), (field.description or "").replace("|", "\\|")
            parts.append(f"| {column} | {type_name(field.annotation)} | {unit} | {meaning} |")
        parts.append("")
    return "\n".join(parts)
