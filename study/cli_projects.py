"""The commands `study projects ...`: get the subject systems, look at them, check and verify them."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from study.schema import StudyError

if TYPE_CHECKING:
    from study.evaluation.verification_table import VerificationRow
    from study.projects.loading import LoadedProject
    from study.schema import Model

projects_app = typer.Typer(no_args_is_help=True, help="Get, list, check and verify the subject systems.")
out = Console()

ProjectArgument = Annotated[
    str, typer.Argument(help="Name of a project (`study projects list`), or path of a manifest (.yaml).")
]
MirrorOption = Annotated[
    Path | None,
    typer.Option(
        "--mirror",
        help="Folder of clones that stands in for the network: FOLDER/owner/name, FOLDER/owner+name, or a "
        "clone itself. By default STUDY_MIRROR of the environment.",
    ),
]


def say(line: str) -> None:
    """Print a line as it is."""
    out.print(line, soft_wrap=True, markup=False, highlight=False)


@projects_app.command("list")
def projects_list() -> None:
    """List the projects of the package, and whether they can be run on this machine."""
    from study.projects import list_projects, load_project
    from study.projects.readiness import lacking

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)  # fits 80 columns
    for column in ("project", "language", "services", "targets", "ready"):
        table.add_column(column, no_wrap=True)
    sources, missing = [], []
    for name in list_projects():
        loaded = load_project(name)
        project = loaded.project
        source = project.source
        if reason := lacking(loaded):
            missing.append(f"{name}: {reason}")
        if source.repository:
            sources.append(f"{name}: {source.repository}, branch {source.branch}; licence: {project.licence}")
        table.add_row(
            name,
            project.language,
            str(len(project.services)),
            "\n".join(service.name for service in project.targets),
            "no" if reason else "yes",
        )
    out.print(table)
    say("Public systems, cloned when fetched; all others are part of this package:")
    for line in sources:
        say(f"  {line}")
    if missing:
        say("Not ready on this machine:")
    for line in missing:
        say(f"  {line}")


@projects_app.command("fetch")
def projects_fetch(
    names: Annotated[
        list[str] | None, typer.Argument(help="Projects or manifests; all of the package by default.")
    ] = None,
    mirror: MirrorOption = None,
) -> None:
    """Get the files of projects at their pinned commits, and make what their tests run in."""
    from study.cache import cache_folder
    from study.projects import list_projects, load_project
    from study.projects.loading import find_project
    from study.projects.readiness import fetch_project

    if names:
        chosen = [find_project(name) for name in names]
    else:
        everything = [load_project(name) for name in list_projects()]
        chosen = [loaded for loaded in everything if loaded.project.source.repository]
    failed = []
    for loaded in chosen:
        try:
            fetch_project(loaded, mirror, say)
        except StudyError as error:
            failed.append(f"{loaded.project.name}: {error}")
    if failed:
        raise StudyError("\n".join(failed))
    say(f"{len(chosen)} projects are ready; the cache is {cache_folder()}")


@projects_app.command("check")
def projects_check(project: ProjectArgument) -> None:
    """Tell everything that is wrong with a manifest; needs the project's files for most of it."""
    from study.projects.checking import check_manifest
    from study.projects.loading import find_project

    loaded = find_project(project)
    findings = check_manifest(loaded)
    for note in findings.notes:
        say(f"note: {note}")
    if findings.problems:
        raise StudyError("\n".join(f"{loaded.manifest}: {problem}" for problem in findings.problems))
    done = f"{len(loaded.project.targets)} targets, {findings.rehearsed} preparations rehearsed"
    say(f"{loaded.project.name}: no problem found ({done})")


@projects_app.command("explain")
def projects_explain(
    part: Annotated[str | None, typer.Argument(help="Part of a manifest, for instance Service.")] = None,
) -> None:
    """Print what can stand in a manifest, field by field."""
    from study.projects.explain import explain

    typer.echo(explain(part), nl=False)


@projects_app.command("verify")
def projects_verify(
    project: ProjectArgument,
    repeats: Annotated[int, typer.Option(min=1, help="Executions of each suite on the reference.")] = 3,
    services: Annotated[
        list[str] | None, typer.Option("--service", help="Only this target; repeatable.")
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Suites at the same time.")] = 1,
    seconds: Annotated[float, typer.Option(min=1, help="Limit for one execution of a suite.")] = 1800,
    out_file: Annotated[
        Path | None,
        typer.Option("--out", help="CSV file for the table; beside it goes NAME_tests.csv, test by test."),
    ] = None,
    logs: Annotated[
        Path | None, typer.Option(help="Folder of the logs; results/verify/PROJECT by default.")
    ] = None,
) -> None:
    """Run every oracle on the reference, without the target, and on an empty stub: what can it see?"""
    from study.design import Limits
    from study.evaluation.suites import SuiteResult
    from study.evaluation.verification import Case, cases, verify
    from study.evaluation.verification_table import blind_oracles, test_rows, verification_rows
    from study.files import remove_tree
    from study.projects import check_tree
    from study.projects.loading import find_project
    from study.projects.readiness import lacking
    from study.steps import Steps

    loaded = find_project(project)
    tree = check_tree(loaded)
    if missing := lacking(loaded):
        raise StudyError(missing)
    for name in services or []:
        loaded.service(name)
    todo = [
        case
        for case in cases(loaded, repeats)
        if not services or case.service.name in services or case.target == "all"
    ]
    folder = logs or Path("results/verify") / loaded.project.name
    remove_tree(folder)
    limits = Limits(test_seconds=seconds, single_test_seconds=min(300, seconds))
    with Steps(f"verify {loaded.project.name}", len(todo)) as bar:

        def done(case: Case, result: SuiteResult) -> None:
            bar.advance(f"{case.label}: {result.suite}")

        seen = list(verify(loaded, tree, todo, folder.absolute(), limits, jobs, done))
    rows = [
        row for row in verification_rows(loaded, seen) if not services or row.service in {*services, "all"}
    ]
    _print_verification(loaded, rows)
    for service, oracle in blind_oracles(seen):
        say(
            f"{service}, {oracle}: BLIND. All that passes on the reference passes without the target too: "
            "this oracle cannot see the service"
        )
    if out_file is not None:
        _write_csv(out_file, rows)
        tests_file = out_file.with_name(f"{out_file.stem}_tests.csv")
        _write_csv(tests_file, test_rows(loaded, seen))
        say(f"table: {out_file}; test by test: {tests_file}")
    say(f"logs: {folder}")
    raise typer.Exit(1 if any(row.suite == "not_evaluated" for row in rows) else 0)


def _print_verification(loaded: LoadedProject, rows: list[VerificationRow]) -> None:
    """One line for each target and oracle; floor, stub and ceiling in percent of the reference's tests."""
    table = Table(
        title=f"{loaded.project.title} (measured here)",
        caption="pass, fail, err, skip, flaky: tests of the reference; exec %: passed of those executed; "
        "floor (without the target), stub and ceiling (reference): % of all tests; s: seconds",
        box=None,
        padding=(0, 1, 0, 0),
        pad_edge=False,  # fits 80 columns
    )
    table.add_column("oracle", no_wrap=True)
    for column in ("tests", "pass", "fail", "err", "skip", "flaky"):
        table.add_column(column, justify="right", no_wrap=True)
    for column in ("exec %", "floor", "stub", "ceiling", "s"):
        table.add_column(column, justify="right", no_wrap=True)
    at = {(row.service, row.oracle, row.control): row for row in rows}
    lines, named = [], ""
    for service, oracle in dict.fromkeys((row.service, row.oracle) for row in rows):
        reference = at.get(("all" if oracle == "whole" else service, oracle, "reference"))
        absent, stub = at.get((service, oracle, "absent")), at.get((service, oracle, "stub"))
        if reference is None:
            continue
        counts = [
            getattr(reference, name) for name in ("tests", "passed", "failed", "errors", "skipped", "flaky")
        ]
        shares = [
            reference.executed_percent,
            absent and absent.reference_percent,
            stub and stub.reference_percent,
            reference.reference_percent,
            reference.seconds,
        ]
        if service != named:
            table.add_row(f"[bold]{service}[/bold]")
            named = service
        table.add_row(
            f"  {oracle}",
            *("-" if value is None else f"{value}" for value in counts),
            *("-" if value is None else f"{value:.1f}" for value in shares),
        )
        for row in (reference, absent, stub):
            if row is not None and (row.reason or row.not_run or row.suite != "ran"):
                lines.append(
                    f"{service}, {oracle}, {row.control}: {row.suite}. {row.reason} {row.not_run}".strip()
                )
    out.print(table)
    for line in dict.fromkeys(lines):
        say(line)


def _write_csv(path: Path, rows: Sequence[Model]) -> None:
    from io import StringIO

    from study.files import write_atomically

    text = StringIO()
    if rows:
        writer = csv.DictWriter(text, list(type(rows[0]).model_fields), lineterminator="\n")
        writer.writeheader()
        writer.writerows(row.model_dump() for row in rows)
    write_atomically(path, text.getvalue())
