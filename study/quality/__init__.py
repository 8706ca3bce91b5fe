"""Size and complexity of a service's main code.

A language is added with a `Counter` of its own and one entry in `COUNTERS`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from study.files import iter_files, matches, printable
from study.quality.counter import Counter, FileCounts, FunctionCounts, NotSourceError, PeerCounts
from study.quality.java import JavaCounter
from study.quality.python import PythonCounter
from study.quality.reading import MAX_FILE_BYTES, read_source
from study.records.stages import FunctionQuality, Quality
from study.schema import StudyError

__all__ = [
    "COUNTERS",
    "MAX_FILE_BYTES",
    "Counter",
    "FileCounts",
    "FunctionCounts",
    "NotSourceError",
    "PeerCounts",
    "counter_of",
    "measure",
]

COUNTERS: dict[str, Counter] = {"python": PythonCounter(), "java": JavaCounter()}
"""The languages that can be measured, by the name that manifests use."""


def measure(root: Path, main: list[str], exclude: list[str], language: str) -> Quality:
    """Measure the files below `root` that the manifest calls main code.

    Parameters
    ----------
    root : Path
        Directory of the service.
    main, exclude : list of str
        Globs on paths relative to `root`, as `study.files.matches` reads them: `*` and `?` stay within one
        part of a path, `**` stands for any number of parts, none included, so `**/*.py` chooses files at any
        depth, in `root` too. Of the files of the language, those are measured that match one of `main` and
        none of `exclude`. Caches (`study.files.SKIPPED_FOLDERS`) are never measured, symlinks not followed.
    language : str
        One of `COUNTERS`.

    Returns
    -------
    Quality
        Sums over the files that could be read. The others, chosen but not regular, too large, not UTF-8 or
        not valid source text, are named in `unparsed` and are in no sum, nor in `files`. The complexities
        are the sums over `per_function` plus the code outside functions. A number of radon or lizard is None
        as soon as the tool has none for one of the files.

    Raises
    ------
    StudyError
        If the language is not supported or `root` is no directory: no count is better than 0.
    """
    counter = counter_of(language)
    if not root.is_dir():
        raise StudyError(
            f"{root}: is no directory, so there is nothing to measure; generate the service first"
        )
    counts: list[tuple[str, FileCounts]] = []
    peers: list[PeerCounts] = []
    unparsed: list[str] = []
    for file, path in _files(root, main, exclude, counter.endings):
        try:
            source = read_source(path)
            counts.append((file, counter.count(source)))
        except NotSourceError as error:
            unparsed.append(f"{file}: {error}")
        else:
            peers.append(counter.peers(file, source))
    functions = [_function(file, function) for file, count in counts for function in count.functions]
    return Quality(
        files=len(counts),
        functions=len(functions),
        sloc=_sum([count.sloc for _, count in counts]),
        cyclomatic=_sum([count.cyclomatic for _, count in counts]),
        cognitive=_sum([count.cognitive for _, count in counts]),
        radon_sloc=_sum([peer.radon_sloc for peer in peers]),
        radon_cyclomatic=_sum([peer.radon_cyclomatic for peer in peers]),
        lizard_sloc=_sum([peer.lizard_sloc for peer in peers]),
        lizard_cyclomatic=_sum([peer.lizard_cyclomatic for peer in peers]),
        lizard_cognitive=_sum([peer.lizard_cognitive for peer in peers]),
        unparsed=unparsed,
        per_function=functions,
    )


def counter_of(language: str) -> Counter:
    """How to count in a language; an unknown one is an error, never 0."""
    if language not in COUNTERS:
        raise StudyError(
            f"language {language!r} cannot be measured yet; supported: {', '.join(sorted(COUNTERS))}. "
            "Add a counter of your own to study.quality.COUNTERS, or leave the project out of the design"
        )
    return COUNTERS[language]


def _files(
    root: Path, main: list[str], exclude: list[str], endings: tuple[str, ...]
) -> Iterator[tuple[str, Path]]:
    """Names for the records, and paths, of the chosen files, in a stable order."""
    for path in iter_files(root):
        relative = path.relative_to(root).as_posix()
        if relative.endswith(endings) and matches(relative, main) and not matches(relative, exclude):
            # a name may hold bytes that are no UTF-8, which no record could
            yield printable(relative), path


def _function(file: str, function: FunctionCounts) -> FunctionQuality:
    return FunctionQuality(
        file=file,
        function=function.name,
        line=function.line,
        cyclomatic=function.cyclomatic,
        cognitive=function.cognitive,
    )


def _sum(values: Sequence[int | None]) -> int | None:
    """None as soon as one value is missing, for half a sum would look like a whole one; None of nothing."""
    known = [value for value in values if value is not None]
    return sum(known) if known and len(known) == len(values) else None
