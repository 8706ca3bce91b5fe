"""Import a table of runs: read, map, check, and write a dataset that says where its rows come from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from study.importing.fields import FIELDS
from study.importing.guess import Guess, guess_columns
from study.importing.mapping import Mapping, load_mapping, mapping_yaml
from study.importing.rows import Imported, import_rows
from study.importing.source import Source, read_source
from study.records.dataset import write_dataset
from study.schema import Kind, StudyError, parse


@dataclass(frozen=True)
class Report:
    """What was imported, in words and numbers."""

    runs: int
    guessed: list[str]
    remarks: list[str]


def import_runs(table: Path, out: Path, mapping: Path | None = None, kind: Kind | None = None) -> Report:
    """Import a table of runs as a dataset.

    Parameters
    ----------
    table : Path
        CSV, TSV or JSON lines, one row per run, with any headings.
    out : Path
        Folder of the dataset; replaced only if it holds a dataset.
    mapping : Path, optional
        Which column is what (`study.importing.mapping.Mapping`); guessed from the headings if not given.
    kind : str, optional
        Where the numbers come from, if there is no mapping: published, measured or simulated.

    Raises
    ------
    StudyError
        With every row that is wrong; then nothing is written.
    """
    source = read_source(table)
    if mapping is not None and kind is not None:
        raise StudyError(f"--kind: the mapping {mapping} says the kind; give only one of the two")
    guess = None if mapping is not None else guess_columns(source)
    read = load_mapping(mapping, source.columns) if mapping is not None else _guessed(source, guess, kind)
    found = import_rows(source, read)
    name = mapping.name if mapping is not None else None
    text = provenance(source, read, found, name)
    write_dataset(found.tables, out, f"Runs imported from {table.name}", text)
    guessed = [] if guess is None else describe_guess(guess)
    return Report(len(found.tables.runs), guessed, found.remarks)


def _guessed(source: Source, guess: Guess | None, kind: Kind | None) -> Mapping:
    if guess is None or kind is None:
        raise StudyError(
            f"{source.path}: say where the numbers come from: --kind published (the authors' own runs), "
            "measured (real agents ran) or simulated; or give a --mapping that says it"
        )
    said = "".join(f"\n  {line}" for line in describe_guess(guess))
    given = {"kind": kind, "columns": {name: dict(given) for name, given in guess.columns.items()}}
    hint = "the headings do not tell enough; write a mapping, starting from --show-columns. Guessed:"
    return parse(Mapping, given, f"{source.path}: {hint}{said}\n{source.path}")


def describe_guess(guess: Guess) -> list[str]:
    """One line for each guessed column, with its unit, and for each that is not clear."""
    lines = []
    for name, given in guess.columns.items():
        unit = f", in {given.unit}" if given.unit else ""
        lines.append(f"{name}: column {given.column!r}{unit}")
    return [*lines, *(f"not guessed: {remark}" for remark in guess.remarks)]


def show_columns(table: Path) -> str:
    """The columns of a table with their first values, and a mapping to start from."""
    source = read_source(table)
    guess = guess_columns(source)
    by_column = {given.column: name for name, given in guess.columns.items()}
    lines = [f"# {table.name}: {len(source.lines)} rows. Columns, first values, and what they are taken for:"]
    for column in source.columns:
        values = list(dict.fromkeys(line.cells[column] for line in source.lines))[:4]
        lines.append(f"#   {column!r}: {', '.join(map(repr, values))} -> {by_column.get(column, 'not used')}")
    lines += [f"# not clear: {remark}" for remark in guess.remarks]
    lines.append("# Fields: " + ", ".join(FIELDS))
    lines.append("# A mapping to save and correct (kind: published, measured or simulated):")
    return "\n".join(lines) + "\n" + mapping_yaml("simulated", guess.columns)


def provenance(source: Source, mapping: Mapping, found: Imported, name: str | None) -> str:
    """PROVENANCE.md of a dataset of imported runs."""
    used = {given.column for given in mapping.columns.values()}
    lines = [
        "# Where these runs come from\n",
        f"Imported from a table of runs; kind of every row: `{mapping.kind}`.\n",
        f"* file: `{source.path.name}`, {len(source.lines)} rows",
        f"* sha256: `{source.sha256}`",
        f"* mapping: {f'`{name}`' if name else 'guessed from the headings'}",
        f"* the original is a `{mapping.reference_kind}`",
        *(f"* {remark}" for remark in found.remarks),
        "\n| field | column or value | unit |\n|---|---|---|",
    ]
    for field, given in mapping.columns.items():
        place = given.column if given.column is not None else f"the value {given.value}"
        lines.append(f"| {field} | {place} | {given.unit or FIELDS[field].default_unit or ''} |")
    unused = [column for column in source.columns if column not in used]
    lines.append(f"\nColumns not used: {', '.join(unused) or 'none'}.")
    for field, translations in mapping.values.items():
        said = ", ".join(f"{theirs} -> {ours}" for theirs, ours in translations.items())
        lines.append(f"\nTranslated, {field}: {said}.")
    return "\n".join(lines) + "\n"
