"""Small helpers on trees of files: list, copy, compare, write atomically."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import stat
import subprocess
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

SKIPPED_FOLDERS = {".git", "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", "node_modules"}
"""Never copied, compared or measured: version control and caches are no part of a generated service."""


def iter_files(root: Path) -> Iterator[Path]:
    """All files below `root` in a stable order, symlinks and special files included, caches left out.

    Folders that cannot be read are left out, as are those so deep that the system refuses their path.
    """
    # no recursion: a generated tree may be deeper than Python's stack
    stack = [root]
    while stack:
        folders: list[Path] = []
        for entry in _entries(stack.pop()):
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in SKIPPED_FOLDERS:
                    folders.append(Path(entry.path))
            elif not entry.name.endswith(".pyc"):
                yield Path(entry.path)
        stack += reversed(folders)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return []


def remove_tree(folder: Path) -> None:
    """Remove a tree however deep it is, and even if its owner took away the right to do so."""
    path = {"PATH": f"{os.environ.get('PATH', '')}:{os.defpath}"}
    for command in (["rm", "-rf"], ["chmod", "-R", "u+rwx"], ["rm", "-rf"]):
        if folder.exists():
            subprocess.run([*command, "--", str(folder)], env=path, stderr=subprocess.DEVNULL, check=False)


def printable(text: str) -> str:
    """Text that any record can hold: file names and logs may have bytes that are no UTF-8."""
    return text.encode("utf-8", "backslashreplace").decode()


def is_regular(path: Path) -> bool:
    """True for a plain file, seen without following a link."""
    return stat.S_ISREG(path.lstat().st_mode)


def copy_tree(source: Path, destination: Path, leave_out: Iterable[str] = ()) -> None:
    """Copy the regular files of a tree, without those whose relative path matches a glob of `leave_out`."""
    globs = list(leave_out)
    for path in iter_files(source):
        relative = path.relative_to(source)
        if is_regular(path) and not matches(relative.as_posix(), globs):
            target = destination / relative
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, target)


def snapshot(root: Path) -> dict[str, str]:
    """Relative path to a fingerprint of every file: content for regular files, kind and target for others."""
    prints = {}
    for path in iter_files(root):
        if path.is_symlink():
            value = f"link:{path.readlink()}"
        elif is_regular(path):
            value = _fingerprint(path)
        else:
            value = "special"
        prints[path.relative_to(root).as_posix()] = value
    return prints


def _fingerprint(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except PermissionError:
        return "unreadable"


def matches(relative: str, globs: Iterable[str]) -> bool:
    """True if a relative path with `/` matches one of the globs.

    `*` and `?` stay within one path part; `**` stands for any number of parts, none included, so
    `**/test_*.py` matches `test_a.py` and `a/b/test_a.py`.
    """
    return any(_compiled(glob).fullmatch(relative) for glob in globs)


@lru_cache(maxsize=4096)
def _compiled(glob: str) -> re.Pattern[str]:
    pattern = ""
    for piece in re.split(r"(\*\*/|/\*\*$|\*\*|\*|\?)", glob):
        pattern += {
            "**/": "(?:[^/]+/)*",
            "/**": "/.+",
            "**": ".*",
            "*": "[^/]*",
            "?": "[^/]",
        }.get(piece, re.escape(piece))
    return re.compile(pattern, re.DOTALL)


def write_atomically(path: Path, text: str) -> None:
    """Write so that a reader sees the whole file or none of it, whatever happens in between."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}.draft")
    with draft.open("w", encoding="utf-8", newline="\n") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    draft.replace(path)
