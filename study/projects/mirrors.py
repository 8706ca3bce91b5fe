"""Where a repository is fetched from: the network, or a mirror folder that stands in for it."""

from __future__ import annotations

import os
from pathlib import Path

from study.schema import StudyError

VARIABLE = "STUDY_MIRROR"
HOST = "https://github.com"


def origin_of(repository: str, mirror: Path | None = None) -> str:
    """Address or path that git can fetch a repository from.

    Parameters
    ----------
    repository : str
        `owner/name`, or an address of any host.
    mirror : Path, optional
        A folder of clones, bare or not; by default that of the environment variable `STUDY_MIRROR`.
        Without either, the network.

    Raises
    ------
    StudyError
        If there is a mirror folder, but no clone of this repository in it.
    """
    if mirror is None and (chosen := os.environ.get(VARIABLE)):
        mirror = Path(chosen)
    if mirror is None:
        return repository if "://" in repository else f"{HOST}/{repository}"
    mirror = mirror.expanduser().absolute()
    places = _places(mirror, repository)
    for place in places:
        if is_clone(place):
            return str(place)
    looked = ", ".join(str(place.relative_to(mirror)) for place in places)
    raise StudyError(
        f"mirror {mirror}: no clone of {repository} there, nor is it a clone itself; looked for {looked}. "
        f"Give another --mirror, or leave it and {VARIABLE} out to use the network"
    )


def _places(mirror: Path, repository: str) -> list[Path]:
    owner, name = repository.removesuffix(".git").rstrip("/").split("/")[-2:]
    relative = (f"{owner}/{name}", f"{owner}/{name}.git", f"{owner}+{name}", f"{owner}+{name}.git")
    named = [mirror / place for place in (*relative, f"{owner}+{name}/repo")]
    return [*named, mirror]


def is_clone(folder: Path) -> bool:
    """Whether git would take a folder for a repository, looked at from outside."""
    return (
        any(
            (place / "HEAD").is_file() and (place / "objects").is_dir() for place in (folder, folder / ".git")
        )
        or (folder / ".git").is_file()
    )
