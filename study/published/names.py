"""Levels of a dataset as the paper calls them: `simulated-claude-code` is its Claude Code."""

from __future__ import annotations

from collections.abc import Iterable

from study.schema import StudyError

ALIASES = {"claude": "claudecode", "qwen": "codeqwen", "qwencode": "codeqwen", "qwencoder": "codeqwen"}
"""Other spellings of the paper's agents, as in its Fig. 3."""
PROMPTS = {"minimal": "P1", "summary": "P2"}
SIMULATED = "simulated"


def plain(level: str) -> str:
    """Letters and digits in small letters, without the word for a simulated agent."""
    text = "".join(letter for letter in level.lower() if letter.isalnum())
    text = text.removeprefix(SIMULATED)
    return ALIASES.get(text, text)


def paper_names(levels: Iterable[str], known: Iterable[str]) -> dict[str, str]:
    """The paper's name of each level that it has.

    Raises
    ------
    StudyError
        If two levels of the dataset are the same to the paper.
    """
    names = {plain(name): name for name in known}
    found: dict[str, str] = {}
    for level in dict.fromkeys(levels):
        name = names.get(plain(level))
        if name is None:
            continue
        if name in found.values():
            other = next(key for key, value in found.items() if value == name)
            raise StudyError(
                f"{other!r} and {level!r} are both {name!r} of the paper; leave one of them out of the "
                "dataset, or give it another name"
            )
        found[level] = name
    return found
