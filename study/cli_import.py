"""The commands `study import ...`: bring data from elsewhere into the form of this package."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from study.schema import StudyError

import_app = typer.Typer(
    no_args_is_help=True, help="Bring data from elsewhere into the form of this package."
)
KINDS = ("published", "measured", "simulated")


@import_app.command("runs")
def runs(
    table: Annotated[Path, typer.Argument(help="One row per run: .csv, .tsv or .jsonl, any headings.")],
    mapping: Annotated[
        Path | None, typer.Option("--mapping", help="YAML file that says which column is what.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Folder of the dataset.")] = None,
    kind: Annotated[
        str | None,
        typer.Option(
            "--kind", help="Without a mapping: published (the authors' runs), measured or simulated."
        ),
    ] = None,
    show_columns: Annotated[
        bool,
        typer.Option("--show-columns", help="Only show the columns, and a mapping to start from."),
    ] = False,
) -> None:
    """Import a table of runs as a dataset, for the notebooks, `study report` and `study audit --data`."""
    from study.importing.runs import import_runs
    from study.importing.runs import show_columns as describe

    if show_columns:
        typer.echo(describe(table), nl=False)
        return
    if out is None:
        raise StudyError("--out: give the folder of the dataset, for instance results/theirs/dataset")
    if kind is not None and kind not in KINDS:
        raise StudyError(f"--kind: {kind!r} is none of {', '.join(KINDS)}")
    report = import_runs(table, out, mapping, kind)  # type: ignore[arg-type]
    for line in report.guessed:
        typer.echo(f"guessed   {line}")
    for line in report.remarks:
        typer.echo(f"note      {line}")
    typer.echo(f"{report.runs} runs imported to {out}")


@import_app.command("services")
def services(
    listing: Annotated[
        str,
        typer.Argument(help="YAML list of generated services, or the name of one of the package: authors."),
    ],
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder of the experiment; results/NAME by default.")
    ] = None,
    mirror: Annotated[
        Path | None, typer.Option("--mirror", help="Folder of clones that stands in for the network.")
    ] = None,
    jobs: Annotated[int | None, typer.Option("--jobs", min=1, help="Services at the same time.")] = None,
) -> None:
    """Score and measure services that were generated elsewhere, and write their tables.

    The original tests score them, as in `study run`. What nobody recorded, such as time and tokens, is
    missing.
    """
    from study.cli_show import out as console
    from study.experiment import run_experiment
    from study.importing.services import find_list, list_name, prepare_import
    from study.plan import resolve
    from study.progress import RunProgress, describe_tally
    from study.reproduce import collect_dataset

    path = find_list(listing)
    folder = out or Path("results") / list_name(path)
    prepared = prepare_import(path, folder, mirror)
    plan = resolve(prepared.design)
    with RunProgress(plan.design.name) as bar:
        tally = run_experiment(plan, folder, jobs=jobs, on_start=bar.start, on_done=bar.advance)
    console.print(describe_tally(tally, folder), soft_wrap=True, markup=False, highlight=False)
    if tally.exit_code:
        raise typer.Exit(tally.exit_code)
    collect_dataset(str(prepared.design), folder, folder / "dataset")
    console.print(f"{prepared.services} services; tables written to {folder / 'dataset'}", soft_wrap=True)
