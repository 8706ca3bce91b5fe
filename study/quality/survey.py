"""Size and complexity of all source files of any folder: what `study measure PATH` prints.

Python and Java are counted as SonarQube counts them. Other languages that lizard reads get lizard's source
lines and cyclomatic complexity, which follow other rules, and no cognitive complexity.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import lizard

from study.files import SKIPPED_FOLDERS, matches, printable
from study.quality import COUNTERS
from study.quality.counter import Counter, NotSourceError, PeerCounts
from study.quality.peers import lizard_counts
from study.quality.reading import read_source
from study.schema import StudyError

OTHERS_CODE = SKIPPED_FOLDERS | {".hg", ".svn", ".tox", ".nox", ".venv", "venv", "site-packages"}
"""Folders with these names are left out: caches, and what package managers put there."""
BUILD_OUTPUT = {"target", "build", "dist", "out"}
"""So are these, but not below a folder `src`, where they are packages like others."""


@dataclass(frozen=True)
class MeasuredFile:
    """The counts of one file."""

    path: str
    """As it can be opened from the working directory."""
    language: str
    counter: str
    """`study`: by SonarQube's rules; `lizard`: by lizard's."""
    sloc: int
    cyclomatic: int
    cognitive: int | None
    """None where lizard counts."""
    peers: PeerCounts | None = None
    """Only if asked for."""


@dataclass(frozen=True)
class Totals:
    """Sums over files; a number is None if there is none, or if one file has none."""

    files: int
    sloc: int | None
    cyclomatic: int | None
    cognitive: int | None


@dataclass
class Survey:
    """What was found below some paths."""

    files: list[MeasuredFile] = field(default_factory=list)
    not_counted: list[tuple[str, str]] = field(default_factory=list)
    """Path and reason of what could not be read, or is no valid source text; in no sum."""
    left_out: list[str] = field(default_factory=list)
    """Folders with other people's code, caches and build output, which were not entered."""

    @property
    def totals(self) -> Totals:
        """Over all files."""
        return total(self.files)

    def by_language(self) -> dict[str, Totals]:
        """Totals of each language, by name."""
        languages = sorted({file.language for file in self.files})
        return {name: total([file for file in self.files if file.language == name]) for name in languages}


def total(files: Sequence[MeasuredFile]) -> Totals:
    """Sums over files; half a sum would look like a whole one, so it is None."""
    cognitive = [file.cognitive for file in files if file.cognitive is not None]
    return Totals(
        files=len(files),
        sloc=sum(file.sloc for file in files) if files else None,
        cyclomatic=sum(file.cyclomatic for file in files) if files else None,
        cognitive=sum(cognitive) if files and len(cognitive) == len(files) else None,
    )


def survey(
    paths: Sequence[Path],
    exclude: Sequence[str] = (),
    *,
    peers: bool = False,
    default_excludes: bool = True,
    languages: Sequence[str] | None = None,
) -> Survey:
    """Measure files, and all source files below folders.

    Parameters
    ----------
    paths : sequence of Path
        Files and folders; a file that is named twice is measured once.
    exclude : sequence of str
        Globs on paths relative to the folder given, as `study.files.matches` reads them.
    peers : bool
        Also what other tools count; much slower.
    default_excludes : bool
        Leave out folders named in `OTHERS_CODE` and `BUILD_OUTPUT`.
    languages : sequence of str, optional
        Measure files in these languages only.

    Returns
    -------
    Survey
        Files of languages that nobody here can count are in no list, unless they were named in `paths`.

    Raises
    ------
    StudyError
        If a path does not exist.
    """
    for path in paths:
        if not _exists(path):
            raise StudyError(f"{path}: no such file or folder; give an existing one to measure")
    result = Survey()
    for file, name, named in _chosen(paths, exclude, default_excludes, result):
        language, counter = _language(name)
        if languages is not None and language not in languages:
            continue
        try:
            if language:
                result.files.append(_measured(file, name, language, counter, peers=peers))
            elif named:
                raise NotSourceError("no language that can be counted, by the ending of its name")
        except NotSourceError as error:
            result.not_counted.append((name, str(error)))
    return result


def _chosen(
    paths: Sequence[Path], exclude: Sequence[str], default_excludes: bool, result: Survey
) -> Iterator[tuple[Path, str, bool]]:
    """Each file once, with its name for the result, and whether the user named it."""
    seen: set[Path] = set()
    for path in paths:
        folder = path.is_dir()
        # a link that the user names is followed, one that is found is not
        for file in _walk(path, exclude, default_excludes, result) if folder else [path.resolve()]:
            real = file.parent.resolve() / file.name
            if real not in seen:
                seen.add(real)
                yield file, printable(str(file if folder else path)), not folder


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # for instance a folder above that may not be entered
        return False


def _walk(root: Path, exclude: Sequence[str], default_excludes: bool, result: Survey) -> Iterator[Path]:
    """Files below a folder in a stable order; folders that cannot be listed are named in the result."""
    stack = [root]
    while stack:
        folder = stack.pop()
        try:
            with os.scandir(folder) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError as error:
            result.not_counted.append((printable(str(folder)), f"cannot be listed: {error.strerror}"))
            continue
        folders: list[Path] = []
        for entry in entries:
            path = Path(entry.path)
            relative = path.relative_to(root)
            if matches(relative.as_posix(), exclude):
                continue
            if not entry.is_dir(follow_symlinks=False):
                yield path
            elif default_excludes and _is_left_out(relative):
                result.left_out.append(printable(str(path)))
            elif not matches(f"{relative.as_posix()}/x", [glob for glob in exclude if glob.endswith("/**")]):
                folders.append(path)
        stack += reversed(folders)


def _is_left_out(folder: Path) -> bool:
    return folder.name in OTHERS_CODE or (folder.name in BUILD_OUTPUT and "src" not in folder.parts)


def _measured(file: Path, name: str, language: str, counter: Counter | None, *, peers: bool) -> MeasuredFile:
    source = read_source(file)
    if counter is not None:
        counts = counter.count(source)
        others = counter.peers(name, source) if peers else None
        numbers = (counts.sloc, counts.cyclomatic, counts.cognitive)
        return MeasuredFile(name, language, "study", *numbers, peers=others)
    sloc, cyclomatic, _ = lizard_counts(name, source.decode("utf-8-sig"))
    if sloc is None or cyclomatic is None:
        raise NotSourceError("lizard cannot read it")
    return MeasuredFile(name, language, "lizard", sloc, cyclomatic, None)


def _language(name: str) -> tuple[str, Counter | None]:
    """Name of the language of a file, and our counter of it; an empty name if nobody can count it."""
    for language, counter in COUNTERS.items():
        if name.endswith(counter.endings):
            return language, counter
    reader = lizard.get_reader_for(name)
    return (reader.language_names[0] if reader else ""), None


def as_rows(files: Iterable[MeasuredFile]) -> list[dict[str, str | int | None]]:
    """One flat row per file, with the columns of `peers` where they were asked for."""
    rows = []
    for file in files:
        row = {name: value for name, value in vars(file).items() if name != "peers"}
        rows.append(row | (vars(file.peers) if file.peers else {}))
    return rows
