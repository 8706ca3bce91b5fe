"""The user's cache: what is fetched once and used by many experiments, and can be deleted at any time."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_cache_path

VARIABLE = "STUDY_CACHE"


def cache_folder(*parts: str) -> Path:
    """A folder of the cache, made if it is not there.

    Parameters
    ----------
    *parts : str
        Names below the cache, for instance `"projects", "train-ticket"`.

    Returns
    -------
    Path
        Absolute; below `STUDY_CACHE` if the environment has it, else below the platform's cache folder for
        this user. Never in the repository, so that a fresh clone of it uses what another has fetched.
    """
    chosen = os.environ.get(VARIABLE)
    root = Path(chosen).expanduser().absolute() if chosen else user_cache_path("study-package")
    folder = root.joinpath(*parts)
    folder.mkdir(parents=True, exist_ok=True)
    return folder
