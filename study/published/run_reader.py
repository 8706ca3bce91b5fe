"""Reading tables that were computed from runs: what the runs do not have is an error with a reason."""

from __future__ import annotations

import pandas as pd

from study.published.data import Paper
from study.published.reader import Reader
from study.published.run_design import PLACE
from study.published.runs import FROM_RUNS
from study.schema import StudyError

_MAY_LACK = frozenset({"runs", "boxplot_outliers"})
"""A run without code has no size; a box plot need not have outliers."""


def reader_for(paper: Paper) -> Reader:
    """The reader that fits the tables."""
    return RunsReader(paper) if paper.from_runs else Reader(paper)


class RunsReader(Reader):
    """As `Reader`; a value that the runs do not give raises StudyError, so that its claim is not tested."""

    asked_runs = False
    """Whether a value of the runs was asked for, given or not."""

    def texts(self, table: str, column: str, **keys: str) -> list[str | None]:
        """Values as text; see `Reader.texts`."""
        self._ask(table)
        found = super().texts(table, column, **keys)
        if table in FROM_RUNS and table != "boxplot_outliers" and not found:
            raise StudyError(f"The dataset has no run of {', '.join(keys.values()) or 'this'} ({column}).")
        if table in FROM_RUNS - _MAY_LACK and None in found:
            raise StudyError(
                f"{column} is missing for {', '.join(keys.values())}: not all of its runs report it."
            )
        return found

    def levels(self, table: str, key: str, **keys: str) -> list[str]:
        """Levels of a key column; see `Reader.levels`."""
        self._ask(table)
        found = super().levels(table, key, **keys)
        if table in FROM_RUNS and not found:
            raise StudyError(f"The dataset has no values for {table.replace('_', ' ')}.")
        return found

    def frame(self, table: str) -> pd.DataFrame:
        """A whole table; see `Reader.frame`."""
        self._ask(table)
        return super().frame(table)

    def _ask(self, table: str) -> None:
        self.asked_runs = self.asked_runs or table in FROM_RUNS

    @property
    def uses_runs(self) -> bool:
        """Whether what was read so far, or was asked for in vain, comes from the runs."""
        rows = self._rows["design"]
        design = (rows[cell.row]["place"] for cell in self.reads if cell.table == "design")
        return self.asked_runs or PLACE in design
