"""Every quantity of a reference file, ours beside it: read, compute, compare."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd

from study.schema import StudyError
from study.statistics.reference import labelled, long, short
from study.statistics.reference.tolerances import Tolerance, tolerance_of, within

Form = Literal["short", "long", "labelled"]
FORMS: dict[Form, tuple[str, ...]] = {
    "long": ("id", "comparison", "data_subset", "statistic_name", "value", "p_value"),
    "short": ("id", "comparison", "statistic", "value", "p_value"),
    "labelled": ("id", "dataset", "test", "options", "statistic_name", "statistic", "p", "software", "note"),
}
"""Columns by which a values file is recognised."""
LONG_DATA = ("agent", "project", "service", "prompt", "scenario", "replicate", "tests_passed", "tests_total")
DATA: dict[Form, tuple[str, ...]] = {
    "long": (*LONG_DATA, "pass_rate", "time_min"),
    "short": (*LONG_DATA, "pass_rate", "time_min"),
    "labelled": ("project", "service", "agent", "scenario", "prompt", "n_tests", "n_passed", "pass_rate"),
}
TOY = ("set", "pair", "x", "y")
UNKNOWN = "this quantity is not known to the package"


@dataclass(frozen=True)
class Line:
    """One number of a reference file."""

    key: str
    label: str
    item: str
    reference: float


def check_files(data: Path, values: Path) -> pd.DataFrame:
    """Compute every quantity of a reference file from its data.

    Parameters
    ----------
    data : Path
        CSV of runs. Small vectors of the labelled form (columns set, pair, x, y) are looked for beside
        it.
    values : Path
        CSV of reference values, in one of the forms `FORMS`.

    Returns
    -------
    DataFrame
        One row per number (value, p, and in the labelled form se and df): id, item, reference, ours,
        deviation, tolerance, scale (how the deviation is measured), ok, reason.

    Raises
    ------
    StudyError
        If a file cannot be read or has the wrong columns.
    """
    table = read_csv(values, text=True)
    form = form_of(table, values)
    if table.empty:
        raise StudyError(f"{values}: has no rows")
    runs = read_csv(data)
    absent = [name for name in DATA[form] if name not in runs.columns]
    if absent:
        raise StudyError(f"{data}: no column {absent[0]!r}, which the values of {values.name} need")
    if form == "labelled":
        answers = labelled.compute(runs, table, find_toy(data))
    else:
        compute = long.compute if form == "long" else short.compute
        found = compute(runs, table)
        answers = [None if pair is None else dict(zip(("value", "p"), pair, strict=True)) for pair in found]
    rows = []
    for record, answer in zip(table.to_dict("records"), answers, strict=True):
        row = {str(key): str(cell) for key, cell in record.items()}
        rows += [_compare(line, answer) for line in lines_of(row, form, values)]
    return pd.DataFrame(rows)


def form_of(table: pd.DataFrame, path: Path) -> Form:
    """The form of a values file by its columns."""
    for form, columns in FORMS.items():
        if set(columns) <= set(table.columns):
            return form
    raise StudyError(
        f"{path}: is no file of reference values: columns {', '.join(table.columns)}; known forms: "
        + "; ".join(", ".join(columns) for columns in FORMS.values())
    )


def read_csv(path: Path, *, text: bool = False) -> pd.DataFrame:
    """Read a CSV file; with `text` nothing is converted and nothing is missing."""
    try:
        if text:
            return pd.read_csv(path, dtype=str, keep_default_na=False)
        return pd.read_csv(path)
    except OSError as error:
        raise StudyError(f"{path}: cannot be read: {error.strerror}") from None
    except (pd.errors.ParserError, pd.errors.EmptyDataError, UnicodeDecodeError) as error:
        raise StudyError(f"{path}: is not a table in CSV: {error}") from None


def find_toy(data: Path) -> pd.DataFrame | None:
    """The small vectors beside a data file, if there are any."""
    for path in sorted(data.parent.glob("*.csv"), key=lambda p: "toy" not in p.name):
        try:
            with path.open(encoding="utf-8") as file:
                header = file.readline().strip().replace('"', "").split(",")
        except (OSError, UnicodeDecodeError):
            continue
        if header == list(TOY):
            return read_csv(path)
    return None


def lines_of(row: dict[str, str], form: Form, path: Path) -> list[Line]:
    """The numbers of one row: its value, its p, and what its note says of se and df."""
    if form == "labelled":
        cells = {"value": row["statistic"], "p": row["p"]}
        for item in ("se", "df"):
            found = re.search(rf"(?:^|; ){item}=([-+.\de]+)", row["note"])
            cells[item] = found[1] if found else ""
        label = " | ".join(
            part for part in (row["id"], row["test"], row["options"], row["statistic_name"]) if part
        )
        key = f"{row['id']} {row['software']}"
    else:
        cells, label, key = {"value": row["value"], "p": row["p_value"]}, row["id"], row["id"]
    lines = [Line(key, label, item, _number(cell, row["id"], path)) for item, cell in cells.items() if cell]
    if not lines:
        raise StudyError(f"{path}: {row['id']}: has neither a value nor a p")
    return lines


def _number(cell: str, key: str, path: Path) -> float:
    try:
        return float(cell)
    except ValueError:
        raise StudyError(f"{path}: {key}: {cell!r} is not a number") from None


def _compare(line: Line, answer: dict[str, float] | None) -> dict[str, object]:
    tolerance: Tolerance = tolerance_of(f"{line.key} {line.item}")
    ours = float(answer.get(line.item, np.nan)) if answer is not None else float(np.nan)
    known = not np.isnan(ours)
    is_p = line.item == "p"
    deviation = tolerance.deviation(ours, line.reference, is_p=is_p) if known else float(np.nan)
    return {
        "id": line.label,
        "item": line.item,
        "reference": line.reference,
        "ours": ours,
        "deviation": deviation,
        "tolerance": tolerance.limit,
        "scale": tolerance.scale,
        "ok": within(deviation, tolerance),
        "reason": tolerance.reason if known else UNKNOWN,
    }


def summary(table: pd.DataFrame) -> list[str]:
    """Lines that say how many numbers are met, how nearly, and which are not known."""
    lines = [f"{int(table['ok'].sum())} of {len(table)} numbers within tolerance"]
    for (limit, scale, reason), part in table.groupby(["tolerance", "scale", "reason"], sort=True):
        nearest = f"largest deviation {part['deviation'].max():.1e}" if reason != UNKNOWN else "not computed"
        why = f"; {reason}" if reason else ""
        lines.append(f"  {len(part)} to {limit:g} ({scale}): {nearest}{why}")
    return lines
