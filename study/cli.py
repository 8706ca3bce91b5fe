"""The command `study`: one verb per stage of the data flow."""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from study.design import Run, list_designs, load_design, prompt_level
from study.schema import StudyError

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    help="""Run, measure and compare microservices that coding agents generate.

The stages, in the order of the data flow (each reads what the one before wrote):

`design` -> `prepare` -> `run` (generate, evaluate, measure) -> `collect` -> `report`

Start with `study reproduce`, or look around first: `study design list`, `study design show demo`.
""",
)
design_app = typer.Typer(no_args_is_help=True, help="List, show and check designs.")
prompt_app = typer.Typer(no_args_is_help=True, help="Show the prompts that agents get.")
app.add_typer(design_app, name="design")
app.add_typer(prompt_app, name="prompt")

out = Console()
err = Console(stderr=True)

DesignArgument = Annotated[
    str,
    typer.Argument(help="Name of a design of the package (`study design list`), or path of a .yaml file."),
]
ResultsOption = Annotated[
    Path | None,
    typer.Option("--results", help="Folder of the experiment's runs; results/<design> by default."),
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


@design_app.command("list")
def design_list() -> None:
    """List the designs of the package."""
    table = Table("design", "runs", "controls", "title")
    for name in list_designs():
        design = load_design(name)
        table.add_row(name, str(len(design.runs())), str(len(design.control_runs())), design.title)
    out.print(table)


@design_app.command("show")
def design_show(
    design: DesignArgument,
    format: Annotated[str, typer.Option(help="`table` for people, `csv` for machines.")] = "table",
    controls: Annotated[bool, typer.Option("--controls", help="List the control runs too.")] = False,
) -> None:
    """List and count the runs of a design."""
    loaded = load_design(design)
    runs = [*loaded.runs(), *(loaded.control_runs() if controls else [])]
    if format == "csv":
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(["run_id", "agent", "project", "service", "scenario", "prompt", "replicate"])
        for run in runs:
            writer.writerow([run.run_id, *_levels(run)])
        return
    if format != "table":
        raise StudyError(f"--format: {format!r} is not known; give table or csv")
    out.print(f"[bold]{loaded.name}[/]: {loaded.title}\n")
    factors = Table("factor", "levels", "n", title="Factors")
    levels_of: dict[str, list[str]] = {
        "agent": [f"{a.name} ({a.model or a.adapter})" for a in loaded.agents],
        "project: services": [f"{p.name}: {', '.join(p.services)}" for p in loaded.projects],
        "scenario": list(loaded.scenarios),
        "prompt": [prompt_level(prompt) for prompt in loaded.prompts],
        "replicate": [str(r) for r in range(1, loaded.replicates + 1)],
    }
    for factor, levels in levels_of.items():
        factors.add_row(factor, "\n".join(levels), str(len(levels)))
    out.print(factors)
    for run in runs:
        out.print(run.run_id, highlight=False, soft_wrap=True)
    out.print(
        f"\n{len(loaded.runs())} runs and {len(loaded.control_runs())} control runs "
        f"({loaded.controls.absent} x absent, {loaded.controls.reference} x reference per service, scenario)"
    )


def _levels(run: Run) -> list[str]:
    return [run.agent, run.project, run.service, run.scenario, run.prompt, str(run.replicate)]


@design_app.command("check")
def design_check(design: DesignArgument) -> None:
    """Check a design: agents, projects, services and prompts must exist. Needs no project files."""
    from study.plan import validate

    plan = validate(design)
    out.print(f"{plan.design.name}: valid, {len(plan.design.runs())} runs")


@prompt_app.command("show")
def prompt_show(
    design: DesignArgument, run_id: Annotated[str, typer.Argument(help="Id of a run of the design.")]
) -> None:
    """Print the prompt of one run exactly as the agent gets it."""
    from study.plan import resolve

    plan = resolve(design)
    typer.echo(plan.prompt(_run_of(plan.design.runs(), run_id)), nl=False)


@prompt_app.command("summary-request")
def prompt_summary_request(
    project: Annotated[str, typer.Argument(help="Project of the package.")],
    service: Annotated[str, typer.Argument(help="One of its target services.")],
    manifest: Annotated[Path | None, typer.Option(help="Manifest of a project of your own.")] = None,
) -> None:
    """Print the prompt that asks a model for the implementation summary of a service."""
    from study.projects import load_project
    from study.prompts import render_summary_request

    loaded = load_project(project, manifest)
    typer.echo(render_summary_request(loaded, loaded.service(service)), nl=False)


def _run_of(runs: list[Run], run_id: str) -> Run:
    for run in runs:
        if run.run_id == run_id:
            return run
    raise StudyError(f"no run {run_id!r} in this design; an id looks like {runs[0].run_id}")


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

    plan = resolve(design)
    run = _run_of(all_runs(plan), run_id)
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
    raise typer.Exit(130 if tally.not_started else 1 if tally.broken else 0)


def _again(design: str, results: Path | None, only: list[str] | None, jobs: int | None, stage: str) -> None:
    from study.experiment import again
    from study.plan import resolve
    from study.progress import RunProgress, describe_tally

    plan = resolve(design)
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
    design: DesignArgument, results: ResultsOption = None, only: OnlyOption = None, jobs: JobsOption = None
) -> None:
    """Measure size and complexity again, without testing or generating again."""
    _again(design, results, only, jobs, "measure")


@app.command()
def collect(
    design: DesignArgument,
    results: ResultsOption = None,
    out_dir: Annotated[
        Path | None, typer.Option("--out", help="Folder of the tables; <results>/dataset by default.")
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
    out_dir: Annotated[Path, typer.Option("--out", help="Folder of the report.")] = Path("results/report"),
) -> None:
    """Execute the notebooks on a dataset and write an HTML report."""
    from study.reproduce import write_outputs

    written = write_outputs(dataset, out_dir, figures=out_dir / "figures")
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
