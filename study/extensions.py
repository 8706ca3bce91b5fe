"""Find objects of the user by `module:NAME`: an adapter, a scenario, a metric of your own."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from study.schema import StudyError


def is_extension(level: str) -> bool:
    """Whether a level of a design names an object of the user rather than one of the package."""
    return ":" in level


def extension_level(level: str) -> str:
    """Level name in run ids: `blind:NO_TESTS` is the level `no_tests`."""
    return level.rpartition(":")[2].lower()


@contextmanager
def modules_beside(folder: Path) -> Iterator[None]:
    """Let the modules in the folder of a design file be imported, wherever the study was started."""
    entry = str(folder.resolve())
    sys.path.insert(0, entry)
    try:
        yield
    finally:
        sys.path.remove(entry)


def load_extension(target: str, where: str) -> Any:
    """Import `module:NAME`.

    Parameters
    ----------
    target : str
        For instance `my_agents:Mine`.
    where : str
        File and field, for the error message.

    Raises
    ------
    StudyError
        If there is no such module or name.
    """
    module_name, _, name = target.partition(":")
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        raise StudyError(
            f"{where}: module {module_name!r} cannot be imported ({error}); put it beside the design file, "
            "or install it"
        ) from None
    except (Exception, SystemExit) as error:  # it is the user's, and may do anything
        raise StudyError(
            f"{where}: module {module_name!r} cannot be imported ({type(error).__name__}: {error})"
        ) from None
    if not hasattr(module, name):
        raise StudyError(f"{where}: module {module_name!r} has no {name!r}")
    return getattr(module, name)
