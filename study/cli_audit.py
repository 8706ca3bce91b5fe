"""The command `study audit`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from study.schema import StudyError

if TYPE_CHECKING:
    from pandas import DataFrame

WIDE = 120
"""Columns of a terminal from which the claims are shown as a table."""
STYLES = {"agrees": "green", "partly": "yellow", "disagrees": "red", "not testable": "dim"}


def audit(
    claim: Annotated[str | None, typer.Option("--claim", help="Explain one claim, for instance C17.")] = None,
    format: Annotated[
        str, typer.Option("--format", help="`table` for people; `csv`, `html` or `latex` for files.")
    ] = "table",
    data: Annotated[
        Path | None,
        typer.Option(
            "--data",
            help="A dataset of runs (a folder or a name), or a copy of raw_data/published/paper.",
        ),
    ] = None,
) -> None:
    """Recompute every claim of the paper from its published data, or from runs, and judge it."""
    from study.published.audit import audit_paper
    from study.published.report import explain, how_to_read, render, summary
    from study.published.sources import open_paper

    paper = open_paper(data, for_claims=True)
    form = format.lower()
    out = Console()
    if claim is not None:
        if form != "table":
            raise StudyError(f"--format {format}: --claim explains one claim as text; leave --format out")
        typer.echo(explain(paper, claim))
        return
    table = audit_paper(paper)
    if form != "table":
        typer.echo(render(table, form), nl=False)
        return
    title = "Claims (kind: published)"
    if paper.from_runs:
        mark = "SIMULATED, " if "simulated" in paper.kinds else ""
        title = f"Claims against the runs of {paper.name} ({mark}kind: {paper.kind})"
    (_print_table if out.width >= WIDE else _print_list)(out, table, title)
    counts = summary(table)
    totals = Table(title="Verdicts")
    for heading in ("claims", *counts.columns):
        totals.add_column(heading, overflow="fold")
    for name, numbers in counts.iterrows():
        totals.add_row(str(name), *(str(number) for number in numbers))
    out.print(totals)
    out.print(how_to_read(table), highlight=False, markup=False)
    for note in paper.notes:
        out.print(note, highlight=False, markup=False)
    if paper.changed:
        out.print(f"Changed since their checksums were taken: {', '.join(paper.changed)}", style="bold")
    again = f" --data {data}" if data else ""
    out.print(f"One claim in full: study audit{again} --claim C67", highlight=False, markup=False)


def _print_table(out: Console, table: DataFrame, title: str) -> None:
    shown = Table(title=title)
    for heading in ("claim", "where", "says", "printed", "ours", "verdict"):
        shown.add_column(heading, overflow="fold")
    for row in table.to_dict("records"):
        cells = [str(row[column]) for column in ("claim_id", "section", "says", "printed", "ours")]
        shown.add_row(*map(escape, cells), _verdict(row["verdict"]))
    out.print(shown)


def _print_list(out: Console, table: DataFrame, title: str) -> None:
    """The same for a narrow terminal or a pipe: a claim a paragraph."""
    out.print(title, highlight=False, markup=False)
    for row in table.to_dict("records"):
        said = f"printed {row['printed']}; " if row["printed"] else ""
        text = f"{row['says']} ({row['section']}): {said}ours {row['ours']}"
        out.print(
            f"[bold]{escape(row['claim_id'])}[/] {_verdict(row['verdict'])}: {escape(text)}", highlight=False
        )


def _verdict(verdict: str) -> str:
    return f"[{STYLES[verdict]}]{verdict}[/]"
