"""The command `study measure`: of files and folders, or again of the runs of a design."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from study.cli_show import out
from study.schema import StudyError

if TYPE_CHECKING:
    from study.quality.survey import Survey, Totals

FORMATS = ("table", "json", "csv")
NUMBERS = ("sloc", "cyclomatic", "cognitive")

PathsArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="PATH... or DESIGN",
        help="Folders and source files; or one design, by name or as a .yaml. What exists as a folder, or as "
        "a file that is no .yaml, is measured itself.",
        show_default=False,
    ),
]
FormatOption = Annotated[
    str | None, typer.Option("--format", help="Of paths: table (the default), json or csv.")
]
ExcludeOption = Annotated[
    list[str] | None,
    typer.Option(
        "--exclude",
        help="Of paths: glob, relative to the folder given, of what is left out, for instance "
        "'**/src/test/**'; repeatable.",
    ),
]
PeersOption = Annotated[
    bool,
    typer.Option("--peers", help="Of paths: also what radon, lizard and complexipy count; much slower."),
]
AllOption = Annotated[
    bool,
    typer.Option(
        "--all-folders",
        help="Of paths: enter node_modules, .git, venv, __pycache__ and the like too, and target, build, "
        "dist and out outside of src.",
    ),
]


def paths_of(arguments: list[str]) -> list[Path] | None:
    """The arguments as files and folders to measure; None if they are one design."""
    if len(arguments) == 1:
        path = Path(arguments[0])
        is_source = path.exists() and path.suffix not in {".yaml", ".yml"}
        if not (is_source or path.is_dir()):
            return None
    return [Path(argument) for argument in arguments]


def measure_paths(
    paths: list[Path], format: str | None, exclude: list[str] | None, *, peers: bool, all_folders: bool
) -> None:
    """Print the counts of all source files."""
    from study.quality.survey import survey

    if format not in (None, *FORMATS):
        raise StudyError(f"--format: {format!r} is not known; give {', '.join(FORMATS)}")
    found = survey(paths, exclude or [], peers=peers, default_excludes=not all_folders)
    if format == "json":
        json.dump(as_json(found), sys.stdout, indent=1)
        print()
        return
    if format == "csv":
        _print_csv(found, peers)
    else:
        _print_table(found)
    _tell_missing(found)


def as_json(found: Survey) -> dict[str, Any]:
    """All that was found, with counts that are missing as null."""
    from study.quality.survey import as_rows

    return {
        "files": as_rows(found.files),
        "totals": _totals(found.totals) | {"not_counted": len(found.not_counted)},
        "languages": {name: _totals(totals) for name, totals in found.by_language().items()},
        "not_counted": [{"path": path, "reason": reason} for path, reason in found.not_counted],
        "left_out": found.left_out,
    }


def _totals(totals: Totals) -> dict[str, int | None]:
    return dict(vars(totals))


def _print_csv(found: Survey, peers: bool) -> None:
    from study.quality.counter import PeerCounts
    from study.quality.survey import as_rows

    columns = ["path", "language", "counter", *NUMBERS, *(vars(PeerCounts()) if peers else ())]
    writer = csv.DictWriter(sys.stdout, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(as_rows(found.files))


def _print_table(found: Survey) -> None:
    from study.quality.survey import as_rows

    rows = as_rows(found.files)
    others = [
        name for name in (rows[0] if rows else {}) if name not in {"path", "language", "counter", *NUMBERS}
    ]
    table = Table(show_footer=False)
    table.add_column("file", overflow="fold", min_width=20)
    for name in ("language", "counter"):
        table.add_column(name)
    for name in (*NUMBERS, *others):
        table.add_column(name.replace("_", "\n"), justify="right")
    for row in rows:
        cells = [_cell(row.get(name)) for name in (*NUMBERS, *others)]
        table.add_row(str(row["path"]), str(row["language"]), str(row["counter"]), *cells)
    table.add_section()
    for name, totals in found.by_language().items():
        table.add_row(f"{totals.files} files", name, "", *(_cell(getattr(totals, n)) for n in NUMBERS))
    # nothing folds in a file
    (out if out.is_terminal else Console(width=1_000)).print(table)


def _cell(value: object) -> str:
    return "-" if value is None else str(value)


def _tell_missing(found: Survey) -> None:
    """On standard error, so that what is piped stays a table."""
    print(f"{len(found.files)} files counted, {len(found.not_counted)} not counted", file=sys.stderr)
    for path, reason in found.not_counted:
        print(f"not counted: {path}: {reason}", file=sys.stderr)
    if found.left_out:
        print(f"{len(found.left_out)} folders left out (--all-folders enters them)", file=sys.stderr)
