"""Tables of others: CSV, TSV and JSON lines as rows of texts, each with the line it stands in."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from dataclasses import dataclass
from pathlib import Path

from study.schema import StudyError

JSON_LINES = (".jsonl", ".ndjson")
DELIMITERS = {".csv": ",;\t", ".txt": ",;\t", ".tsv": "\t"}


@dataclass(frozen=True)
class Line:
    """One row: the line of the file, and the cells by heading; an empty cell is an empty text."""

    number: int
    cells: dict[str, str]


@dataclass(frozen=True)
class Source:
    """A table as it was given."""

    path: Path
    sha256: str
    columns: list[str]
    lines: list[Line]


def read_source(path: Path) -> Source:
    """Read a table of runs.

    Raises
    ------
    StudyError
        If the file cannot be read, is of another format, has two columns of one name, rows of another
        length than the heading, or no row.
    """
    suffix = path.suffix.lower()
    if suffix not in DELIMITERS and suffix not in JSON_LINES:
        raise StudyError(
            f"{path}: {suffix or 'no suffix'} is no known format; save the table as .csv, .tsv or .jsonl "
            "(spreadsheet programs can save one sheet as CSV in UTF-8)"
        )
    try:
        data = path.read_bytes()
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise StudyError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise StudyError(f"{path}: is not UTF-8 text; save it as UTF-8") from None
    read = _json_lines if suffix in JSON_LINES else _delimited
    columns, lines = read(path, text)
    if not lines:
        raise StudyError(f"{path}: holds no row")
    return Source(path, hashlib.sha256(data).hexdigest(), columns, lines)


def _delimited(path: Path, text: str) -> tuple[list[str], list[Line]]:
    heading = text.partition("\n")[0]
    # of the separators that the format allows, the one that the heading has most of
    delimiter = max(DELIMITERS[path.suffix.lower()], key=heading.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        columns = [name.strip() for name in next(reader, [])]
        _refuse_twins(path, columns)
        lines = []
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) != len(columns):
                raise StudyError(
                    f"{path}: line {reader.line_num}: {len(cells)} cells, but the heading has {len(columns)}"
                )
            named = zip(columns, cells, strict=True)
            lines.append(Line(reader.line_num, {name: cell.strip() for name, cell in named}))
    except csv.Error as error:
        raise StudyError(f"{path}: line {reader.line_num}: is no table: {error}") from None
    return columns, lines


def _refuse_twins(path: Path, columns: list[str]) -> None:
    for name in columns:
        if columns.count(name) > 1:
            raise StudyError(f"{path}: two columns are called {name!r}; give them different headings")


def _json_lines(path: Path, text: str) -> tuple[list[str], list[Line]]:
    columns: dict[str, None] = {}
    lines = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise StudyError(f"{path}: line {number}: is no JSON: {error}") from None
        if not isinstance(row, dict):
            raise StudyError(f"{path}: line {number}: is no JSON object; every line has to be one run")
        cells = {name: _text(path, number, name, value) for name, value in row.items()}
        columns |= dict.fromkeys(cells)
        lines.append(Line(number, cells))
    names = list(columns)
    return names, [Line(line.number, dict.fromkeys(names, "") | line.cells) for line in lines]


def _text(path: Path, number: int, name: str, value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, (dict, list, bool)):
        raise StudyError(f"{path}: line {number}: {name}: holds {value!r:.60}, and not one text or number")
    return str(value).strip()
