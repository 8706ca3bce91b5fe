"""The command `study statistics check`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from study.schema import StudyError

statistics_app = typer.Typer(no_args_is_help=True, help="Check the statistics against reference values.")

FORMATS = ("table", "csv", "json")
WIDTH = 140
"""Columns that the table needs, also where no terminal tells its own."""


@statistics_app.command("check")
def check(
    data: Annotated[Path, typer.Argument(help="CSV of the runs that the reference values belong to.")],
    values: Annotated[Path, typer.Argument(help="CSV of reference values, in one of the known forms.")],
    format: Annotated[
        str, typer.Option("--format", help="`table` for people; `csv` or `json` for files.")
    ] = "table",
) -> None:
    """Compute every quantity of a file of reference values from its data; exit code 1 beyond tolerance.

    Ours, the deviation and the tolerance stand beside each number. A quantity that the package does not know
    counts as beyond tolerance.
    """
    if format not in FORMATS:
        raise StudyError(f"--format: {format!r} is not known; give {', '.join(FORMATS)}")
    from study.statistics.reference.check import check_files, summary

    table = check_files(data, values)
    if format == "csv":
        typer.echo(table.to_csv(index=False), nl=False)
    elif format == "json":
        typer.echo(table.to_json(orient="records", indent=1, double_precision=15))
    else:
        out = Console(width=max(Console().width, WIDTH))
        shown = Table("id", "item", "reference", "ours", "deviation", "tolerance", "ok")
        for row in table.to_dict("records"):
            numbers = [f"{row[name]:.10g}" for name in ("reference", "ours")]
            distance = [f"{row['deviation']:.1e}", f"{row['tolerance']:g} {row['scale']}"]
            verdict = "[green]yes[/]" if row["ok"] else "[bold red]NO[/]"
            shown.add_row(escape(row["id"]), row["item"], *numbers, *distance, verdict)
        out.print(shown)
        for line in summary(table):
            out.print(line, highlight=False, markup=False, soft_wrap=True)
    raise typer.Exit(0 if bool(table["ok"].all()) else 1)
