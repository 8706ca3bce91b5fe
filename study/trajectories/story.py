"""One run put together again from its folder: the record, the prompt, and what the log of its agent tells."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from study.agents.logs import read_log
from study.agents.trajectory import AgentLog
from study.records.stages import RunRecord
from study.records.store import RUN, read_record
from study.schema import StudyError

RESULTS = Path("results")


@dataclass(frozen=True)
class Story:
    """A run that is done."""

    folder: Path
    """results/<experiment>/<run id>"""
    record: RunRecord
    prompt: str
    """Empty for a control and for services that were generated elsewhere."""
    log: AgentLog | None
    """None: the agent writes no log that the study can read, as simulated agents and controls do."""

    @property
    def experiment(self) -> str:
        """Name of the folder of the experiment."""
        return self.folder.resolve().parent.name


def read_story(folder: Path) -> Story:
    """Read the folder of one run.

    Raises
    ------
    StudyError
        If it holds no run that is done.
    """
    record = read_record(folder / RUN, RunRecord)
    if record is None:
        raise StudyError(
            f"{folder}: has no readable {RUN}, so no run is done there; `study run` does what is left"
        )
    try:
        prompt = (folder / "prompt.txt").read_text(encoding="utf-8", errors="replace")
    except OSError:
        prompt = ""
    reader = record.generation.log
    log = None if reader == "none" else read_log(reader, folder / "agent")
    return Story(folder, record, prompt, log)


def find_run(run: str, results: Path | None = None) -> Path:
    """The folder of a run, given by its path or by its id.

    Parameters
    ----------
    run : str
        Path of the run's folder, or its id.
    results : Path, optional
        Folder of the experiment in which to look for the id; all of `results/` if not given.

    Raises
    ------
    StudyError
        If there is no such run, or more than one experiment has it.
    """
    if (Path(run) / RUN).is_file():
        return Path(run)
    roots = [results] if results else _folders(RESULTS)
    found = [root / run for root in roots if run and (root / run / RUN).is_file()]
    if len(found) == 1:
        return found[0]
    if found:
        places = " or ".join(str(path.parent) for path in found)
        raise StudyError(f"more than one experiment has a run {run!r}; give --results {places}")
    ids = [folder.name for root in roots for folder in runs_of(root)]
    near = get_close_matches(run, ids, n=1)
    where = results or RESULTS
    hint = f"did you mean {near[0]}?" if near else f"there are {len(ids)} runs that are done"
    raise StudyError(f"no run {run!r} in {where}/ ({hint}), and no folder of that name with a {RUN}")


def find_stories(places: Iterable[Path]) -> list[Story]:
    """The runs in some folders, each of which is one run's or an experiment's.

    Raises
    ------
    StudyError
        If a folder holds no run that is done.
    """
    folders: list[Path] = []
    for place in places:
        here = [place] if (place / RUN).is_file() else runs_of(place)
        if not here:
            raise StudyError(f"{place}: holds no run that is done; give the folder of a run or an experiment")
        folders += here
    return [read_story(folder) for folder in dict.fromkeys(path.resolve() for path in folders)]


def runs_of(experiment: Path) -> list[Path]:
    """The folders of the runs that are done in the folder of an experiment, by name."""
    return [folder for folder in _folders(experiment) if (folder / RUN).is_file()]


def _folders(place: Path) -> list[Path]:
    try:
        return sorted(path for path in place.iterdir() if path.is_dir())
    except OSError:
        return []
