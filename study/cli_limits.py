"""The command `study limits`."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

COLUMNS = ("agent", "runs over", "%", "pass rate %", "if over: 0", "if unknown")


def limits(
    dataset: Annotated[str, typer.Argument(help="Dataset: a folder, or a name below raw_data/.")],
    minutes: Annotated[
        list[float] | None,
        typer.Option("--minutes", help="A time limit; repeatable. The paper's 15 and 20 by default."),
    ] = None,
    format: Annotated[str, typer.Option(help="`table` for people, `csv` for machines.")] = "table",
) -> None:
    """Replay a time limit on the runs of a dataset: whom it would have cut off, and what that costs."""
    from study.limits import LIMITS_MIN, replay
    from study.records.dataset import load_dataset
    from study.schema import StudyError

    if format not in {"table", "csv"}:
        raise StudyError(f"--format: {format!r} is not known; give table or csv")
    found = replay(load_dataset(dataset), minutes or LIMITS_MIN)
    if format == "csv":
        typer.echo(found.to_csv(index=False), nl=False)
        return
    for (limit, kind), rows in found.groupby(["limit_min", "kind"], sort=False):
        table = Table(*COLUMNS, title=f"Limit of {limit:g} min ({kind} runs)", title_justify="left")
        table.columns[0].no_wrap = True
        for row in rows.to_dict("records"):
            over = str(row["fewest"]) if row["fewest"] == row["most"] else f"{row['fewest']}-{row['most']}"
            table.add_row(
                str(row["agent"]),
                f"{over} of {row['runs']}",
                *(f"{row[name]:.1f}" for name in ("share_percent", "pass_rate_percent", "if_zero_percent")),
                f"{row['low_percent']:.1f}-{row['high_percent']:.1f}",
            )
        Console().print(table)
