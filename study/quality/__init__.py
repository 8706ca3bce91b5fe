"""Size and complexity of a service's main code."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import astuple
from pathlib import Path

from study.files import is_regular, iter_files, matches
from study.quality.peers import PeerCount, count_peers
from study.quality.python import FileCount, count_python
from study.records.stages import FunctionQuality, Quality
from study.schema import StudyError

MAX_FILE_BYTES = 1_000_000
"""No hand-written source file of a microservice is this long; a longer one is reported, not counted."""

COUNTERS: dict[str, Callable[[bytes], FileCount]] = {"python": count_python}
"""Language to counter. A counter takes the bytes of a file and raises SyntaxError if it cannot read them."""

ENDINGS = {"python": ".py"}


def measure(root: Path, main: list[str], exclude: list[str], language: str) -> Quality:
    """Measure the files below `root` that the manifest calls main code.

    Parameters
    ----------
    root : Path
        Directory of the service.
    main, exclude : list of str
        Globs relative to `root` (semantics: `study.files.matches`); a file counts if it matches one of
        `main` and none of `exclude`. Symlinks are not followed.
    language : str
        One of `COUNTERS`.

    Returns
    -------
    Quality
        Sums over the files that could be read; the others are named in `unparsed` and count nothing.
        The sums include code outside functions, so they may exceed the sums of `per_function`.

    Raises
    ------
    StudyError
        If the language is not supported: no count at all is better than 0.
    """
    if language not in COUNTERS:
        raise StudyError(
            f"language {language!r} cannot be measured yet; supported: {', '.join(sorted(COUNTERS))}. "
            "Add a counter to study.quality.COUNTERS"
        )
    counts: list[tuple[str, FileCount, PeerCount]] = []
    unparsed: list[str] = []
    for relative, path in _files(root, main, exclude, ENDINGS[language]):
        try:
            counts.append((relative, *_count(path, language)))
        except (SyntaxError, UnicodeDecodeError, OSError) as error:
            unparsed.append(f"{relative}: {_reason(error)}")
    functions = [
        FunctionQuality(
            file=relative, function=f.name, line=f.line, cyclomatic=f.cyclomatic, cognitive=f.cognitive
        )
        for relative, count, _ in counts
        for f in count.functions
    ]
    peers = _sum_peers([peer for _, _, peer in counts])
    return Quality(
        files=len(counts),
        functions=len(functions),
        sloc=sum(count.sloc for _, count, _ in counts),
        cyclomatic=sum(count.cyclomatic for _, count, _ in counts),
        cognitive=sum(count.cognitive for _, count, _ in counts),
        radon_sloc=peers.radon_sloc,
        radon_cyclomatic=peers.radon_cyclomatic,
        lizard_sloc=peers.lizard_sloc,
        lizard_cyclomatic=peers.lizard_cyclomatic,
        lizard_cognitive=peers.lizard_cognitive,
        unparsed=unparsed,
        per_function=functions,
    )


def _files(root: Path, main: list[str], exclude: list[str], ending: str) -> Iterator[tuple[str, Path]]:
    for path in iter_files(root):
        relative = path.relative_to(root).as_posix()
        chosen = path.suffix == ending and matches(relative, main) and not matches(relative, exclude)
        if chosen and is_regular(path):
            yield relative, path


def _count(path: Path, language: str) -> tuple[FileCount, PeerCount]:
    size = path.stat().st_size
    if size > MAX_FILE_BYTES:
        raise OSError(f"{size / 1e6:.1f} MB, more than the {MAX_FILE_BYTES / 1e6:.0f} MB of a source file")
    source = path.read_bytes()
    text = source.decode("utf-8-sig")
    return COUNTERS[language](source), count_peers(text)


def _reason(error: Exception) -> str:
    return "not UTF-8 text" if isinstance(error, UnicodeDecodeError) else str(error)


def _sum_peers(peers: list[PeerCount]) -> PeerCount:
    """Sums by tool and metric; None as soon as the tool could not read one of the files."""
    columns = zip(*(astuple(peer) for peer in peers), strict=True)
    sums = [None if None in column else sum(column) for column in columns]
    return PeerCount(*sums) if sums else PeerCount(0, 0, 0, 0, 0)
