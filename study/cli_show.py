"""The read-only commands: `study design ...` and `study prompt ...`."""

from __future__ import annotations

import csv
import sys
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from study.design import Run, list_designs, load_design, prompt_level
from study.schema import StudyError

design_app = typer.Typer(no_args_is_help=True, help="List, show and check designs.")
prompt_app = typer.Typer(no_args_is_help=True, help="Show the prompts that agents get.")

out = Console()

DesignArgument = Annotated[
    str, typer.Argument(help="Name of a design of the package (`study design list`), or path of a .yaml.")
]


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


@prompt_app.command("list")
def prompt_list() -> None:
    """List the prompt templates of the package."""
    from study.prompts.rendering import fields_of, list_templates, load_template

    table = Table("prompt", "fields that it fills in")
    for name in list_templates():
        table.add_row(name, ", ".join(sorted(fields_of(load_template(name)))))
    out.print(table)


@prompt_app.command("show")
def prompt_show(
    design: DesignArgument, run_id: Annotated[str, typer.Argument(help="Id of a run of the design.")]
) -> None:
    """Print the prompt of one run exactly as the agent gets it."""
    from study.plan import resolve

    plan = resolve(design, agents=False)
    typer.echo(plan.prompt(run_of(plan.design.runs(), run_id)), nl=False)


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


def run_of(runs: list[Run], run_id: str) -> Run:
    """The run of this id, or an error that shows what an id looks like."""
    for run in runs:
        if run.run_id == run_id:
            return run
    near = get_close_matches(run_id, [run.run_id for run in runs], n=1)
    hint = f"did you mean {near[0]}?" if near else f"an id looks like {runs[0].run_id}"
    raise StudyError(f"no run {run_id!r} in this design; {hint}")
