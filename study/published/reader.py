"""Reading cells of the published tables, with a record of which ones were read.

A claim's dependence on the data is thereby computed: changing a cell can only change the verdicts whose
record holds it. Only the printed statistics, which are judged on whole tables at once, name what they read
(`study.published.reported.Needs`); a test changes cells to see that they name all of it and no more.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pandas as pd

from study.published.data import Paper
from study.published.evidence import QUICK, Effort
from study.schema import StudyError


class Cell(NamedTuple):
    """One cell of a published table: row counts from 0, without the heading."""

    table: str
    row: int
    column: str


class Reader:
    """Access to a paper's tables for one claim.

    Attributes
    ----------
    reads : set of Cell
        The cells whose values were given out so far.
    effort : Effort
        How much may be searched for data that have no stored evidence.
    """

    def __init__(
        self, paper: Paper, rows: dict[str, list[dict[str, Any]]] | None = None, effort: Effort = QUICK
    ) -> None:
        self.effort = effort
        self._rows = rows if rows is not None else table_rows(paper)
        self.reads: set[Cell] = set()

    def texts(self, table: str, column: str, **keys: str) -> list[str | None]:
        """Values of a column as text, in the rows in which all keys match."""
        found = []
        for number, row in self._match(table, keys):
            self.reads.add(Cell(table, number, column))
            value = row[column]
            found.append(None if pd.isna(value) else str(value))
        return found

    def values(self, table: str, column: str, **keys: str) -> list[float]:
        """Values of a column as numbers, in the rows in which all keys match; missing ones are left out."""
        return [float(text) for text in self.texts(table, column, **keys) if text is not None]

    def value(self, table: str, column: str, **keys: str) -> float:
        """The one value of a column in the row in which all keys match."""
        found = self.values(table, column, **keys)
        if len(found) != 1:
            raise StudyError(f"{table}.csv: {column}: {len(found)} rows match {keys}, expected one")
        return found[0]

    def text(self, table: str, column: str, **keys: str) -> str | None:
        """The one text of a column in the row in which all keys match."""
        found = self.texts(table, column, **keys)
        if len(found) != 1:
            raise StudyError(f"{table}.csv: {column}: {len(found)} rows match {keys}, expected one")
        return found[0]

    def frame(self, table: str) -> pd.DataFrame:
        """A whole table, of which nothing counts as read: the caller names what is, with `mark`."""
        return pd.DataFrame(self._rows[table])

    def mark(self, table: str, column: str, **keys: str) -> None:
        """Count a column as read in the rows in which all keys match."""
        self.reads |= {Cell(table, number, column) for number, _ in self._match(table, keys)}

    def levels(self, table: str, key: str, **keys: str) -> list[str]:
        """Levels of a key column in the order of the table; labels of rows are no readings."""
        return list(dict.fromkeys(str(row[key]) for _, row in self._match(table, keys)))

    def _match(self, table: str, keys: dict[str, str]) -> list[tuple[int, dict[str, Any]]]:
        return [
            (number, row)
            for number, row in enumerate(self._rows[table])
            if all(row[key] == wanted for key, wanted in keys.items())
        ]


def table_rows(paper: Paper) -> dict[str, list[dict[str, Any]]]:
    """All tables as lists of rows."""
    return {
        name: [{str(key): value for key, value in row.items()} for row in frame.to_dict("records")]
        for name, frame in paper.tables.items()
    }
