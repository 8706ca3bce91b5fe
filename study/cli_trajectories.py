"""The commands that read what agents did: `study show RUN` and `study export ...`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.text import Text

from study.schema import StudyError

if TYPE_CHECKING:
    from study.projects.loading import LoadedProject
    from study.trajectories.story import Story

out = Console()
export_app = typer.Typer(no_args_is_help=True, help="Write what agents did for other tools.")

_COLOURS = {"+": "green", "-": "red", "@": "cyan"}

PlacesArgument = Annotated[
    list[Path], typer.Argument(help="Folders of runs or of experiments, for instance results/demo.")
]


def show(
    run: Annotated[str, typer.Argument(metavar="RUN", help="Id of a run that is done, or its folder.")],
    results: Annotated[
        Path | None, typer.Option("--results", help="Folder of the experiment; all of results/ by default.")
    ] = None,
    design: Annotated[
        str | None,
        typer.Option("--design", help="The design, where a project of it has a manifest of its own."),
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Whole texts and the whole diff.")] = False,
) -> None:
    """Tell the story of one run: prompt, what the agent did, failing tests, diff against the reference."""
    from study.trajectories import text
    from study.trajectories.story import find_run, read_story

    story = read_story(find_run(run, results))
    _say(*text.head_lines(story))
    _title("prompt")
    prompt = story.prompt.strip().splitlines() or ["(none: nobody was asked)"]
    _say(*(prompt if full else prompt[:12]), *_more(prompt, 12, full))
    _title("what the agent did")
    if story.log is None:
        _say("(the agent left no log that the study can read)")
    else:
        _say(*text.step_lines(story.log, full))
    _title("tests")
    _say(*text.oracle_lines(story.record.evaluation))
    _title("diff against the reference")
    _say_diff(story, design, None if full else text.LONGEST_DIFF)
    _say("", f"logs and files: {story.folder}")


def _say_diff(story: Story, design: str | None, longest: int | None) -> None:
    from study.differences import service_diff

    try:
        loaded = _project(story, design)
        lines = service_diff(loaded, story.record.service, story.folder / "generated")
    except StudyError as error:
        _say(f"(no diff: {error})")
        return
    for line in lines[:longest]:
        out.print(Text(_harmless(line), style=_COLOURS.get(line[:1], "")), soft_wrap=True)
    _say(*([] if lines else ["(no difference)"]), *_more(lines, longest or len(lines), longest is None))


def _project(story: Story, design: str | None) -> LoadedProject:
    from study.plan import validate
    from study.projects.loading import load_project

    name = story.record.project
    if design is None:
        return load_project(name)
    projects = validate(design).projects
    if name not in projects:
        raise StudyError(f"--design: {design} has no project {name!r}")
    return projects[name]


def _more(lines: list[str], shown: int, full: bool) -> list[str]:
    left = len(lines) - shown
    return [] if full or left <= 0 else [f"... {left} more lines; --full shows them"]


def _title(text: str) -> None:
    out.print(Text(f"\n{text}", style="bold"))


def _say(*lines: str) -> None:
    for line in lines:
        out.print(_harmless(line), soft_wrap=True, markup=False, highlight=False)


def _harmless(text: str) -> str:
    """Text of an agent may hold codes that a terminal obeys; they are shown, not sent."""
    return "".join(c if c.isprintable() or c in "\t\n" else ascii(c)[1:-1] for c in text)


@export_app.command("events")
def export_events(
    runs: PlacesArgument,
    out_dir: Annotated[Path, typer.Option("--out", help="Folder of the tables.")],
    title: Annotated[str, typer.Option(help="Title of the data dictionary.")] = "Trajectories",
) -> None:
    """Write the events of runs as tables, trajectories.csv and events.csv: for notebook 7 or your tools."""
    from study.trajectories.story import find_stories
    from study.trajectories.tables import write_trajectories

    stories = find_stories(runs)
    count = write_trajectories(stories, out_dir, title)
    _say(f"{count} of {len(stories)} runs have a log of their agent; tables written to {out_dir}")


@export_app.command("inspect")
def export_inspect(
    runs: PlacesArgument,
    out_dir: Annotated[Path, typer.Option("--out", help="Folder of the logs.")],
) -> None:
    """Write runs as Inspect AI logs, one for each experiment and agent: `inspect view` opens them."""
    from study.trajectories.inspect_log import write_inspect_logs
    from study.trajectories.story import find_stories

    stories = find_stories(runs)
    written = write_inspect_logs(stories, out_dir)
    for path in written:
        _say(str(path))
    _say(f"{len(stories)} runs in {len(written)} logs; to read them: inspect view --log-dir {out_dir}")
