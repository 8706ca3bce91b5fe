"""The command `study plan`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from study.schema import StudyError

if TYPE_CHECKING:
    import pandas as pd

    from study.design import Limits
    from study.planning.extend import Extension
    from study.planning.planned import Planned
    from study.planning.population import Population
    from study.records.dataset import Dataset

FORMATS = ("table", "csv", "json")


def plan(
    dataset: Annotated[
        str | None, typer.Argument(help="Dataset to plan from: a folder, or a name below raw_data/.")
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option("--model", help="YAML with assumptions; a dataset then gives the costs only."),
    ] = None,
    factor: Annotated[str, typer.Option(help="What is compared: scenario, prompt or agent.")] = "scenario",
    effect: Annotated[
        float, typer.Option(help="Difference to find, in points of the pass rate: second level minus first.")
    ] = 10.0,
    power: Annotated[float, typer.Option(help="Power asked for.")] = 0.8,
    spread: Annotated[
        float | None,
        typer.Option(help="Take the effect to differ between services by so many points (sd)."),
    ] = None,
    services: Annotated[
        str | None, typer.Option(help="Numbers of services; by default those of the dataset, twice, 4 times.")
    ] = None,
    replicates: Annotated[str | None, typer.Option(help="Numbers of replicates.")] = None,
    agents: Annotated[str | None, typer.Option(help="Numbers of agents.")] = None,
    studies: Annotated[int, typer.Option(help="Simulated studies of each design.")] = 2000,
    seed: Annotated[int, typer.Option(min=0, help="All results follow from it.")] = 20260309,
    jobs: Annotated[int, typer.Option(help="Runs at the same time, for the hours on the clock.")] = 1,
    design: Annotated[
        str | None, typer.Option("--design", help="Design of the dataset's runs; the package's of its name.")
    ] = None,
    add: Annotated[
        list[Path] | None,
        typer.Option("--add", help="YAML with agents, projects, scenarios, prompts to add; repeatable."),
    ] = None,
    out_file: Annotated[
        Path | None, typer.Option("--out", help="Write the extended design here: a new .yaml.")
    ] = None,
    format: Annotated[
        str, typer.Option("--format", help="`table` for people; `csv` (designs) or `json` (all) for files.")
    ] = "table",
) -> None:
    """Plan the next study: power, width of the interval, cost, and the design that extends the last one.

    `study plan demo --replicates 2 --out my.yaml` writes a design with all runs of the demo and a second
    replicate of each; with `--add more.yaml` further services, projects, agents. No existing run changes.
    """
    from study.cli_plan_show import as_json, show
    from study.planning import plan as compute
    from study.planning.question import Question
    from study.records.dataset import load_dataset

    if format not in FORMATS:
        raise StudyError(f"--format: {format!r} is not known; give {', '.join(FORMATS)}")
    if studies < 100 or studies > 100_000:
        raise StudyError(f"--studies: {studies}: give a number from 100 to 100000")
    if dataset is None and model is None:
        raise StudyError("give a dataset to plan from, or --model FILE with a variance assumption")
    question = Question(factor, effect, power)  # type: ignore[arg-type]
    given = {"--services": services, "--replicates": replicates, "--agents": agents}
    lists = [_numbers(option, text) for option, text in given.items()]
    data = load_dataset(dataset) if dataset is not None else None
    extension = _extension(data, design, lists[1], add, out_file)
    if extension is not None:
        lists = [numbers or own for numbers, own in zip(lists, _both(extension), strict=True)]
        lists[1] = _both(extension)[1]
    population = _population(data, model, factor, spread)
    with _progress() as bar:
        # once as fitted, and for the first number of agents once more with a wider spread
        total = studies * (len(lists[2] or [1]) + (spread is None and model is None))
        task = bar.add_task("simulating studies", total=total)
        planned = compute(
            population, question, *lists, studies=studies, seed=seed, on_done=lambda n: bar.advance(task, n)
        )
    cost = _cost(data, planned, extension, design, jobs)
    if out_file is not None:
        assert extension is not None and data is not None
        from study.planning.unchanged import base_of, write_extension

        write_extension(extension, base_of(data, design), out_file)
    if format == "csv":
        typer.echo(planned.grid.to_csv(index=False), nl=False)
    elif format == "json":
        typer.echo(as_json(planned, cost))
    else:
        show(planned, cost, extension, out_file)


def _numbers(option: str, text: str | None) -> list[int] | None:
    """Numbers separated by commas."""
    if text is None:
        return None
    try:
        return sorted({int(part) for part in text.split(",")})
    except ValueError:
        raise StudyError(f"{option}: {text!r}: give whole numbers separated by commas, as 12,24") from None


def _population(data: Dataset | None, model: Path | None, factor: str, spread: float | None) -> Population:
    """From the file of assumptions, else from the dataset; with the spread, if one is given."""
    from study.planning import from_dataset, from_file
    from study.planning.advice import with_spread

    if model is not None:
        population = from_file(model)
    else:
        assert data is not None
        population = from_dataset(data)
    return population if spread is None else with_spread(population, factor, spread)


def _progress() -> Any:
    from rich.progress import Progress

    return Progress(transient=True, console=Console(stderr=True))


def _extension(
    data: Dataset | None,
    design: str | None,
    replicates: list[int] | None,
    add: list[Path] | None,
    out_file: Path | None,
) -> Extension | None:
    """The extended design, if one is asked for by --out or --add."""
    from study.planning.extend import extend, read_additions
    from study.planning.unchanged import base_of

    wanted = out_file is not None or bool(add)
    if data is None:
        if wanted or design is not None:
            raise StudyError(
                "--out, --add and --design are about the design of a dataset: give the dataset too"
            )
        return None
    if not wanted:
        if design is not None:
            base_of(data, design)
        return None
    base = base_of(data, design)
    if replicates is not None and len(replicates) > 1:
        raise StudyError(
            f"--replicates: {','.join(map(str, replicates))}: a design has one number of replicates; give one"
        )
    more = [(read_additions(path), str(path)) for path in add or ()]
    return extend(base, replicates=replicates[0] if replicates else None, additions=more)


def _both(extension: Extension) -> list[list[int]]:
    """Services, replicates and agents before and after."""
    designs = (extension.base, extension.extended)
    return [
        sorted({sum(len(project.services) for project in design.projects) for design in designs}),
        sorted({design.replicates for design in designs}),
        sorted({len(design.agents) for design in designs}),
    ]


def _cost(
    data: Dataset | None, planned: Planned, extension: Extension | None, design: str | None, jobs: int
) -> pd.DataFrame | None:
    """Cost of the added runs, or without an extension of the cheapest design that is enough."""
    if jobs < 1:
        raise StudyError(f"--jobs: {jobs}: give 1 or more")
    if data is None:
        return None
    from study.planning import cost_of_needed, costs

    if extension is None:
        return cost_of_needed(data, planned, limits=_limits(data, design), jobs=jobs)
    return costs(data.runs, extension.by_agent, limits=extension.extended.limits, jobs=jobs)


def _limits(data: Dataset, design: str | None) -> Limits | None:
    """Limits of the dataset's design, if it is known."""
    from study.design import load_design
    from study.planning.unchanged import base_of

    try:
        return load_design(base_of(data, design)).limits
    except StudyError:
        return None
