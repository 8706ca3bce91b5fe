"""Copies of pinned commits in the user's cache: where they are, and whether they are whole."""

from __future__ import annotations

import hashlib
from pathlib import Path

from study.cache import cache_folder
from study.files import iter_files, write_atomically
from study.schema import Model, StudyError, parse, read_yaml

RECORD = "complete.json"
"""Written last into the draft of a copy; a folder without it is no copy."""


class CopyRecord(Model):
    """What a copy holds, so that a later start can tell whether it still does."""

    repository: str
    commit: str
    fetched_from: str
    files: int
    stamp: str
    """Of paths, sizes and times of change: compared at every start."""
    digest: str
    """SHA-256 of paths and contents: compared where the stamp differs, for instance after a move."""


def copy_folder(repository: str, commit: str) -> Path:
    """Where the copy of a commit is or would be."""
    return cache_folder("projects", repository.replace("/", "+")) / commit


def copied_tree(repository: str, commit: str) -> Path | None:
    """The files of a commit, if they are in the cache; None if they are not.

    Raises
    ------
    StudyError
        If the copy is incomplete or was changed after it was fetched.
    """
    folder = copy_folder(repository, commit)
    if not folder.exists():
        return None
    if not (folder / RECORD).is_file():
        raise StudyError(
            f"{folder}: the copy of {repository} is incomplete; `study projects fetch` redoes it"
        )
    record = read_record(folder)
    tree = folder / "tree"
    stamp = stamp_of(tree)
    if stamp != record.stamp:
        if tree_digest(tree) != record.digest:
            raise StudyError(
                f"{tree}: files of {repository} were changed, added or deleted after they were fetched; "
                "`study projects fetch` puts the originals back"
            )
        write_atomically(folder / RECORD, record.model_copy(update={"stamp": stamp}).model_dump_json())
    return tree


def read_record(folder: Path) -> CopyRecord:
    """What a copy says of itself."""
    return parse(CopyRecord, read_yaml(folder / RECORD), str(folder / RECORD))


def stamp_of(tree: Path) -> str:
    """A fingerprint that is quick to take: paths, sizes and times of change."""
    digest = hashlib.sha256()
    for path in iter_files(tree):
        seen = path.lstat()
        digest.update(
            f"{path.relative_to(tree).as_posix()}\0{seen.st_size}\0{seen.st_mtime_ns}\n".encode(
                errors="surrogateescape"
            )
        )
    return digest.hexdigest()


def tree_digest(tree: Path) -> str:
    """SHA-256 over the paths and contents of a tree; a changed project makes its runs stale."""
    digest = hashlib.sha256()
    for path in iter_files(tree):
        digest.update(path.relative_to(tree).as_posix().encode(errors="surrogateescape") + b"\0")
        content = path.readlink().as_posix().encode() if path.is_symlink() else path.read_bytes()
        digest.update(hashlib.sha256(content).digest())
    return digest.hexdigest()
