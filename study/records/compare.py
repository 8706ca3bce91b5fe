"""Compare two datasets of the same design, run by run and cell by cell."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from study.records.dataset import Dataset
from study.records.dictionary import compared_columns
from study.records.tables import TABLES

_KEYS = {
    "runs": ["run_id"],
    "controls": ["run_id"],
    "tests": ["run_id", "test_id"],
    "quality": ["run_id"],
    "functions": ["run_id", "file", "function", "line"],
    "references": ["project", "service", "scenario"],
    "planted": ["run_id", "defect", "place"],
    "metrics": ["run_id", "metric"],
    "usage": ["run_id"],
    "tools": ["run_id", "tool"],
}

_FLAKY_DEPENDENT = [
    "tests_passed",
    "tests_failed",
    "tests_error",
    "tests_skipped",
    "tests_missing",
    "pass_rate_percent",
    "pass_rate_executed_percent",
    "floor_percent",
    "ceiling_percent",
]
"""Columns that a flaky test moves; `pass_rate_adjusted_percent` leaves such tests out and stays."""


@dataclass(frozen=True)
class Comparison:
    """What differs between a new dataset and an old one."""

    differences: pd.DataFrame
    """Columns table, key, column, old, new; one row for each differing cell, added or missing row."""
    rows_compared: int
    flaky_left_out: list[str]
    """Names of flaky tests, whose results were not compared."""

    @property
    def equal(self) -> bool:
        return self.differences.empty

    @property
    def runs_affected(self) -> list[str]:
        """Ids of the runs in which at least one compared cell differs."""
        keys = self.differences.loc[self.differences["table"] != "references", "key"]
        return sorted({key.split(" ")[0] for key in keys})


def compare(new: Dataset, old: Dataset) -> Comparison:
    """Compare all columns but wall-clock ones; flaky tests, and what depends on them, are left out."""
    flaky = {
        key
        for dataset in (new, old)
        for key in _oracles(dataset.references[dataset.references["flaky_tests"].notna()])
    }
    parts: list[pd.DataFrame] = []
    rows = 0
    for name in TABLES:
        frames = [_prepared(name, getattr(dataset, name), flaky) for dataset in (old, new)]
        rows += len(frames[1])
        parts.append(_differences(name, *frames))
    names = {
        test
        for dataset in (new, old)
        for listing in dataset.references["flaky_tests"].dropna()
        for test in str(listing).split("; ")
    }
    return Comparison(pd.concat(parts, ignore_index=True), rows, sorted(names))


def _prepared(name: str, frame: pd.DataFrame, flaky: set[tuple[str, str, str]]) -> pd.DataFrame:
    """The compared columns as text, indexed by the table's key."""
    frame = frame[compared_columns(TABLES[name])]
    if name == "tests":
        frame = frame[~frame["flaky"].astype(bool)]
    text = frame.astype("str").where(frame.notna(), "")
    if {"project", "service", "scenario"} <= set(frame.columns):
        depends = [key in flaky for key in _oracles(frame)]
        columns = [column for column in _FLAKY_DEPENDENT if column in frame.columns]
        text.loc[depends, columns] = "(depends on a flaky test)"
    # Some keys may stand twice (the same defect planted twice in one place): number them.
    text["occurrence"] = text.groupby(_KEYS[name]).cumcount().astype("str")
    return text.set_index([*_KEYS[name], "occurrence"])


def _oracles(frame: pd.DataFrame) -> list[tuple[str, str, str]]:
    columns = (frame[column].astype("str") for column in ("project", "service", "scenario"))
    return list(zip(*columns, strict=True))


def _differences(name: str, old: pd.DataFrame, new: pd.DataFrame) -> pd.DataFrame:
    found: list[dict[str, str]] = []
    for frame, other, sides in ((old, new, ("present", "absent")), (new, old, ("absent", "present"))):
        for key in frame.index.difference(other.index):
            found.append(
                {"table": name, "key": _key(key), "column": "(row)", "old": sides[0], "new": sides[1]}
            )
    common = old.index.intersection(new.index)
    left, right = old.loc[common], new.loc[common]
    unequal = left != right
    for column in left.columns:
        for key in common[unequal[column].to_numpy()]:
            found.append(
                {
                    "table": name,
                    "key": _key(key),
                    "column": column,
                    "old": str(left.at[key, column]),
                    "new": str(right.at[key, column]),
                }
            )
    return pd.DataFrame(found, columns=["table", "key", "column", "old", "new"])


def _key(key: object) -> str:
    """Readable key of a row, without the running number of its occurrence."""
    return " ".join(str(part) for part in key[:-1]) if isinstance(key, tuple) else str(key)
