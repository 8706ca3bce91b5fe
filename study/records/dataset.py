"""Datasets on disk: write, load, validate; every table is checked against its schema both ways."""

from __future__ import annotations

import csv
import hashlib
import io
import shutil
import types
import typing
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
from pydantic import ValidationError

from study.records.collect import Tables
from study.records.dictionary import data_dictionary
from study.records.tables import OPTIONAL, TABLES
from study.schema import Model, StudyError, describe, read_text

RAW_DATA = Path(__file__).parents[2] / "raw_data"
CHECKSUMS = "SHA256SUMS"
PROVENANCE = "PROVENANCE.md"
KEYS = {
    "runs": ["run_id"],
    "controls": ["run_id"],
    "tests": ["run_id", "test_id"],
    "quality": ["run_id"],
    "references": ["project", "service", "scenario"],
    "metrics": ["run_id", "metric"],
    "usage": ["run_id"],
    "tools": ["run_id", "tool"],
}
"""Columns whose values together name one row."""


@dataclass(frozen=True)
class Dataset:
    """The tidy tables of one experiment as data frames; columns as in `study.records.tables`."""

    name: str
    path: Path
    runs: pd.DataFrame
    controls: pd.DataFrame
    tests: pd.DataFrame
    quality: pd.DataFrame
    functions: pd.DataFrame
    references: pd.DataFrame
    planted: pd.DataFrame
    metrics: pd.DataFrame
    usage: pd.DataFrame
    tools: pd.DataFrame

    @property
    def kind(self) -> set[str]:
        """The kinds that occur among the runs: published, measured, simulated."""
        return set(self.runs["kind"])


def write_dataset(tables: Tables, folder: Path, title: str, provenance: str | None = None) -> None:
    """Write all tables, the data dictionary and checksums; the folder changes as a whole or not at all.

    `provenance`, if given, is the text of a file that says where imported rows come from.
    """
    folder = folder.absolute()
    refuse_to_replace(folder, TABLES, PROVENANCE)
    draft = folder.with_name(f".{folder.name}.draft")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    written = {name: rows for name, rows in tables.items() if rows or name not in OPTIONAL}
    for name, rows in written.items():
        (draft / f"{name}.csv").write_text(to_csv(TABLES[name], rows), encoding="utf-8", newline="")
    (draft / "DICTIONARY.md").write_text(data_dictionary(title, written), encoding="utf-8")
    if provenance is not None:
        (draft / PROVENANCE).write_text(provenance, encoding="utf-8")
    (draft / CHECKSUMS).write_text(checksums(draft), encoding="utf-8")
    old = folder.with_name(f".{folder.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    if folder.exists():
        folder.rename(old)
    draft.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


def refuse_to_replace(folder: Path, tables: Collection[str], *others: str) -> None:
    """Only tables are replaced by tables, since with the old ones all else in their folder may be lost.

    Parameters
    ----------
    folder : Path
        Where they are to go; it need not exist.
    tables : collection of str
        Names of the tables that there can be.
    *others : str
        More files that belong to them, beside the dictionary and the checksums.

    Raises
    ------
    StudyError
        If it is a file, or holds anything else.
    """
    if not folder.exists():
        return
    if not folder.is_dir():
        raise StudyError(f"{folder}: is a file; give a folder for the tables")
    own = {CHECKSUMS, "DICTIONARY.md", *others, *(f"{name}.csv" for name in tables)}
    foreign = sorted(path.name for path in folder.iterdir() if path.name not in own)
    if foreign:
        raise StudyError(
            f"{folder}: holds {foreign[0]!r}, which is no part of a dataset and would be lost; "
            "give a new folder for the tables"
        )


def to_csv(model: type[Model], rows: list[Model]) -> str:
    """The text of a table; a missing value is an empty cell."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(model.model_fields), lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({key: _cell(value) for key, value in row.model_dump().items()})
    return text.getvalue()


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def checksums(folder: Path) -> str:
    """SHA-256 of every file of a folder, in the form of sha256sum."""
    lines = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n"
        for path in sorted(folder.iterdir())
        if path.name != CHECKSUMS
    ]
    return "".join(lines)


def find_dataset(name_or_path: str | Path) -> Path:
    """The folder of a dataset: a path, or the name of a folder below raw_data/."""
    for candidate in (Path(name_or_path), RAW_DATA / name_or_path):
        if (candidate / "runs.csv").is_file():
            return candidate
    known = sorted(path.parent.name for path in RAW_DATA.glob("*/runs.csv"))
    raise StudyError(
        f"no dataset {str(name_or_path)!r}: neither a folder with a runs.csv nor one of {', '.join(known)}"
    )


def load_dataset(name_or_path: str | Path) -> Dataset:
    """Load and validate a dataset.

    Raises
    ------
    StudyError
        If a file is missing, was changed since its checksum was taken, or a cell breaks the schema; the
        message names the file, the line, the column and the value.
    """
    folder = find_dataset(name_or_path)
    verify_checksums(folder)
    frames = {
        name: read_table(folder / f"{name}.csv", model, optional=name in OPTIONAL)
        for name, model in TABLES.items()
    }
    _check_keys(folder, frames)
    # `study reproduce` writes results/<experiment>/dataset: the experiment is what it is called by
    name = folder.resolve().parent.name if folder.name == "dataset" else folder.name
    return Dataset(name=name, path=folder, **frames)


def _check_keys(folder: Path, frames: dict[str, pd.DataFrame]) -> None:
    """No row twice, and no row of a run that is not there: means over such tables would be wrong."""
    if frames["runs"].empty:
        raise StudyError(f"{folder / 'runs.csv'}: holds no run, so there is nothing to show or compare")
    for name, key in KEYS.items():
        twice = frames[name].duplicated(key)
        if twice.any():
            row = " ".join(frames[name].loc[twice, key].astype("str").iloc[0])
            raise StudyError(f"{folder / name}.csv: two rows for {row}")
    known = {*frames["runs"]["run_id"], *frames["controls"]["run_id"]}
    for name in ("tests", "quality", "functions", "planted", "metrics", "usage", "tools"):
        if unknown := set(frames[name]["run_id"]) - known:
            raise StudyError(f"{folder / name}.csv: {min(unknown)} is neither in runs.csv nor controls.csv")


def verify_checksums(folder: Path) -> None:
    """Raise StudyError if a file of a dataset differs from its checksum; a dataset without any passes."""
    listing = folder / CHECKSUMS
    if not listing.is_file():
        return
    for line in read_text(listing).splitlines():
        expected, _, name = line.partition("  ")
        path = folder / name
        if not path.is_file():
            raise StudyError(f"{path}: is missing, but {CHECKSUMS} lists it")
        if hashlib.sha256(path.read_bytes()).hexdigest() != expected:
            raise StudyError(
                f"{path}: was changed since its checksum was taken; restore it from version control, or "
                f"delete {listing} if the change is yours and meant"
            )


def read_table(path: Path, model: type[Model], *, optional: bool = False) -> pd.DataFrame:
    """Read one CSV file and check every cell against its row model; no file is no row if it is optional.

    Returns
    -------
    pandas.DataFrame
        One column for each field: str, Int64, float64 or boolean; missing cells are NA.
    """
    if optional and not path.exists():
        return pd.DataFrame({name: pd.Series([], dtype=dtype) for name, dtype in _dtypes(model).items()})
    try:
        # -sig: spreadsheet programs put a mark before the first column
        with path.open(encoding="utf-8-sig", newline="") as stream:
            reader = csv.DictReader(stream, restkey="(too many cells)")
            columns = list(reader.fieldnames or [])
            rows = list(reader)
    except OSError as error:
        raise StudyError(f"{path}: cannot be read: {error.strerror}") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise StudyError(f"{path}: is no CSV file in UTF-8: {error}") from None
    if columns != list(model.model_fields):
        missing = [name for name in model.model_fields if name not in columns]
        unknown = [name for name in columns if name not in model.model_fields]
        raise StudyError(
            f"{path}: columns differ from the schema in name, number or order: missing {missing}, "
            f"unknown {unknown}"
        )
    checked: list[Model] = []
    for number, row in enumerate(rows, start=2):
        try:
            checked.append(model.model_validate({key: value or None for key, value in row.items()}))
        except ValidationError as error:
            raise StudyError(describe(error, f"{path}: line {number}", model)) from None
    # what was checked is what is loaded: `True`, `1.0` or ` 1` in a cell mean to pandas something else
    values = {name: [getattr(row, name) for row in checked] for name in columns}
    try:
        return pd.DataFrame(
            {name: pd.Series(values[name], dtype=dtype) for name, dtype in _dtypes(model).items()}
        )
    except OverflowError as error:
        raise StudyError(f"{path}: a number is too large for a table: {error}") from None


def _dtypes(model: type[Model]) -> dict[str, str]:
    """Pandas dtype of each column; integers and booleans are the nullable kinds, so NA is never 0."""
    return {name: _dtype(field.annotation) for name, field in model.model_fields.items()}


def _dtype(annotation: Any) -> str:
    inner = typing.get_args(annotation) if _is_union(annotation) else (annotation,)
    inner = tuple(typing.get_args(t)[0] if typing.get_origin(t) is typing.Annotated else t for t in inner)
    for python_type, dtype in ((bool, "boolean"), (int, "Int64"), (float, "float64")):
        if python_type in inner:
            return dtype
    return "str"


def _is_union(annotation: Any) -> bool:
    return typing.get_origin(annotation) in {typing.Union, types.UnionType}
