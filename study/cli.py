"""The command `study`: one verb per stage of the data flow."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from study.cli_agents import agents_app
from study.cli_audit import audit
from study.cli_calibrate import calibrate
from study.cli_import import import_app
from study.cli_limits import limits
from study.cli_measure import (
    AllOption,
    ExcludeOption,
    FormatOption,
    PathsArgument,
    PeersOption,
    measure_paths,
    paths_of,
)
from study.cli_plan import plan
from study.cli_projects import projects_app
from study.cli_show import DesignArgument, design_app, out, prompt_app, run_of
from study.cli_statistics import statistics_app
from study.cli_trajectories import export_app, show
from study.design import load_design
from study.schema import StudyError

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    help="""Run, measure and compare microservices that coding agents generate.

The stages, in the order of the data flow (each reads what the one before wrote):

`design` -> `prepare` -> `run` (generate, evaluate, measure) -> `collect` -> `report`

Start with `study reproduce`, or look around first: `study design list`, `study design show demo`.
""",
)
app.add_typer(design_app, name="design")
app.add_typer(prompt_app, name="prompt")
app.add_typer(projects_app, name="projects")
app.add_typer(agents_app, name="agents")
app.add_typer(import_app, name="import")
app.add_typer(statistics_app, name="statistics")
app.add_typer(export_app, name="export")
app.command()(show)
app.command()(audit)
app.command()(limits)
app.command()(calibrate)
app.command()(plan)

err = Console(stderr=True)

ResultsOption = Annotated[
    Path | None,
    typer.Option("--results", help="Folder of the experiment's runs; results/NAME by default."),
]
OnlyOption = Annotated[
    list[str] | None,
    typer.Option(
        "--only", help="Pattern of run ids, for instance '*.loan-service.incremental.*'; repeatable."
    ),
]
JobsOption = Annotated[
    int | None, typer.Option("--jobs", min=1, help="Runs at the same time; one per processor by default.")
]


def main() -> None:
    """Entry point: a mistake of the user is one message and exit code 2, not a traceback."""
    try:
        app(standalone_mode=True)
    except StudyError as error:
        err.print("[bold red]error:[/]", escape(str(error)), highlight=False, soft_wrap=True)
        sys.exit(2)


def results_folder(design_name: str, results: Path | None) -> Path:
    """Where the runs of a design go."""
    return results or Path("results") / design_name


@app.command()
def prepare(
    design: DesignArgument,
    run_id: Annotated[str, typer.Argument(help="Id of a run of the design.")],
    destination: Annotated[Path, typer.Argument(help="A directory that does not exist yet.")],
) -> None:
    """Make the workspace of one run, to see what its agent sees."""
    from study.experiment import all_runs
    from study.plan import resolve
    from study.scenarios import prepare as prepare_workspace

    plan = resolve(design, agents=False)
    run = run_of(all_runs(plan), run_id)
    done = prepare_workspace(
        plan.projects[run.project].project,
        plan.service(run),
        plan.scenarios[run.scenario],
        plan.trees[run.project],
        destination,
    )
    out.print(
        f"{destination}: {len(done.removed_files)} files of the target removed, "
        f"{len(done.hidden_tests)} test files hidden, {len(done.edited_files)} files edited; "
        "no trace of the target is left but "
        f"{len(done.allowed_traces)} allowed mentions",
        soft_wrap=True,
    )


@app.command()
def run(
    design: DesignArgument,
    results: ResultsOption = None,
    only: OnlyOption = None,
    redo: Annotated[bool, typer.Option("--redo", help="Do the selected runs again even if done.")] = False,
    jobs: JobsOption = None,
) -> None:
    """Do all runs that are not done yet: generate, evaluate, measure. Stop and start as you like."""
    from study.experiment import run_experiment
    from study.plan import resolve
    from study.progress import RunProgress, describe_tally

    plan = resolve(design)
    folder = results_folder(plan.design.name, results)
    with RunProgress(plan.design.name) as bar:
        tally = run_experiment(
            plan, folder, only=only, redo=redo, jobs=jobs, on_start=bar.start, on_done=bar.advance
        )
    out.print(describe_tally(tally, folder), soft_wrap=True, markup=False, highlight=False)
    raise typer.Exit(tally.exit_code)


def _again(design: str, results: Path | None, only: list[str] | None, jobs: int | None, stage: str) -> None:
    from study.experiment import again
    from study.plan import resolve
    from study.progress import RunProgress, describe_tally

    plan = resolve(design, agents=False)
    folder = results_folder(plan.design.name, results)
    with RunProgress(stage) as bar:
        tally = again(plan, folder, stage, only=only, jobs=jobs, on_start=bar.start, on_done=bar.advance)
    out.print(describe_tally(tally, folder), soft_wrap=True, markup=False, highlight=False)


@app.command()
def evaluate(
    design: DesignArgument, results: ResultsOption = None, only: OnlyOption = None, jobs: JobsOption = None
) -> None:
    """Score generated services again, without generating them again."""
    _again(design, results, only, jobs, "evaluate")


@app.command()
def measure(
    what: PathsArgument,
    format: FormatOption = None,
    exclude: ExcludeOption = None,
    peers: PeersOption = False,
    all_folders: AllOption = False,
    results: ResultsOption = None,
    only: OnlyOption = None,
    jobs: JobsOption = None,
) -> None:
    """Measure size and complexity: of folders and source files, or again of the runs of a design.

    Python and Java are counted as SonarQube counts them (SLOC, cyclomatic, cognitive), other languages as
    lizard does (no cognitive complexity). Of a design, the runs that are done are measured again, without
    testing or generating again; --results, --only and --jobs are for designs.
    """
    paths = paths_of(what)
    if paths is None:
        if format is not None or exclude or peers or all_folders:
            raise StudyError(
                f"{what[0]}: is no folder or source file, so it is taken as a design, and --format, "
                "--exclude, --peers and --all-folders are for folders and files"
            )
        _again(what[0], results, only, jobs, "measure")
    elif results is not None or only or jobs is not None:
        raise StudyError(f"{what[0]}: is a folder or file; --results, --only and --jobs are for designs")
    else:
        measure_paths(paths, format, exclude, peers=peers, all_folders=all_folders)


@app.command()
def collect(
    design: DesignArgument,
    results: ResultsOption = None,
    out_dir: Annotated[
        Path | None, typer.Option("--out", help="Folder of the tables; RESULTS/dataset by default.")
    ] = None,
) -> None:
    """Turn the run folders into tidy tables, checked against their schemas."""
    from study.reproduce import collect_dataset

    folder = results_folder(load_design(design).name, results)
    target = out_dir or folder / "dataset"
    collect_dataset(design, folder, target)
    out.print(f"tables written to {target}", soft_wrap=True)


@app.command()
def compare(
    new: Annotated[str, typer.Argument(help="Dataset: a folder, or a name below raw_data/.")],
    old: Annotated[str, typer.Argument(help="Dataset to compare with.")],
) -> None:
    """Compare two datasets of the same design, cell by cell; exit code 1 if they differ."""
    from study.records.compare import compare as compare_datasets
    from study.records.dataset import load_dataset
    from study.reproduce import describe_comparison

    comparison = compare_datasets(load_dataset(new), load_dataset(old))
    out.print(describe_comparison(comparison), soft_wrap=True, markup=False, highlight=False)
    raise typer.Exit(0 if comparison.equal else 1)


@app.command()
def report(
    dataset: Annotated[str, typer.Argument(help="Dataset: a folder, or a name below raw_data/.")],
    out_dir: Annotated[
        Path | None, typer.Option("--out", help="Folder of the report; results/NAME/report by default.")
    ] = None,
) -> None:
    """Execute the notebooks on a dataset and write an HTML report."""
    from study.records.dataset import load_dataset
    from study.reproduce import write_outputs

    data = load_dataset(dataset)  # a mistake is told before any notebook starts
    folder = (
        out_dir
        or (data.path.parent if data.path.name == "dataset" else Path("results") / data.name) / "report"
    )
    written = write_outputs(dataset, folder, figures=folder / "figures")
    out.print(f"report: {written}", soft_wrap=True)


@app.command()
def reproduce(
    design: Annotated[str, typer.Argument(help="A design that can be run on this machine.")] = "demo",
    results: ResultsOption = None,
    jobs: JobsOption = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Do all runs again instead of going on where a stop left off.")
    ] = False,
) -> None:
    """Run an experiment and everything after it: tables, comparison, notebooks, figures, report."""
    from study.reproduce import reproduce as reproduce_design

    raise typer.Exit(reproduce_design(design, results, jobs=jobs, fresh=fresh, console=out))
