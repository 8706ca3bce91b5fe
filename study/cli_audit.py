"""The command `study audit`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

STYLES = {"agrees": "green", "partly": "yellow", "disagrees": "red", "not testable": "dim"}


def audit(
    claim: Annotated[str | None, typer.Option("--claim", help="Explain one claim, for instance C17.")] = None,
    format: Annotated[
        str, typer.Option("--format", help="`table` for people; `csv`, `html` or `latex` for files.")
    ] = "table",
    data: Annotated[
        Path | None,
        typer.Option("--data", help="A copy of raw_data/published/paper, for instance with a changed value."),
    ] = None,
) -> None:
    """Recompute every claim of the paper from its published data, and judge it."""
    from study.published.audit import audit_paper
    from study.published.data import load_paper
    from study.published.report import explain, how_to_read, render, summary

    paper = load_paper(data)
    out = Console()
    if claim is not None:
        typer.echo(explain(paper, claim))
        return
    table = audit_paper(paper)
    if format != "table":
        typer.echo(render(table, format), nl=False)
        return
    shown = Table(title="Claims (kind: published)")
    for heading in ("claim", "where", "says", "printed", "ours", "verdict"):
        shown.add_column(heading, overflow="fold")
    for row in table.to_dict("records"):
        style = STYLES[row["verdict"]]
        cells = [str(row[column]) for column in ("claim_id", "section", "says", "printed", "ours")]
        shown.add_row(*map(escape, cells), f"[{style}]{row['verdict']}[/]")
    out.print(shown)
    counts = summary(table)
    totals = Table("claims", *counts.columns, title="Verdicts")
    for name, numbers in counts.iterrows():
        totals.add_row(str(name), *(str(number) for number in numbers))
    out.print(totals)
    out.print(how_to_read(table), highlight=False, markup=False)
    if paper.changed:
        out.print(f"Changed since their checksums were taken: {', '.join(paper.changed)}", style="bold")
    out.print("One claim in full: study audit --claim C67", highlight=False)
