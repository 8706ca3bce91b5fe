"""Tell from what Maven prints why a build did not come to its tests."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

Trouble = Literal["main_code", "test_code", "pom", "artefact", "fork", "other"]
"""Compiling the main code; compiling the tests, mostly against a service that lacks what they call; reading
the pom.xml; finding a dependency or plugin; the Java process of the tests; anything else, which means
something only if Maven ended with an error, since failed tests are told in the same way."""

_MESSAGE = 400
_COORDINATE = r"[\w.-]+(?::[\w.\[\]()${}-]+){2,4}"
_COMPILER = re.compile(r"^\[ERROR\] (?P<file>/.*?):\[(?P<line>\d+),\d+\] (?P<message>.*)")
_FAILED_GOAL = re.compile(
    r"Failed to execute goal \S*:maven-compiler-plugin:\S*:(?P<goal>compile|testCompile) \([^)]*\) "
    r"on project (?P<module>[\w.-]+): (?P<message>.*)"
)
_POM = ("Some problems were encountered while processing the POMs", "The build could not read")
_UNRESOLVED = (
    "Could not resolve dependencies",
    "could not be resolved",
    "Could not find artifact",
    "Non-resolvable",
    "Failed to collect dependencies",
    "Failed to read artifact descriptor",
    "in offline mode and the artifact",
)
_ARTEFACT = re.compile(
    rf"the artifact (?P<offline>{_COORDINATE}) has not been downloaded"
    rf"|(?:find|transfer) artifact (?P<sought>{_COORDINATE})"
    rf"|artifacts could not be resolved: (?P<several>{_COORDINATE})"
    rf"|(?P<before>{_COORDINATE}) was not found in"
    rf"|Plugin (?P<plugin>{_COORDINATE}|[\w.-]+:[\w.-]+) or one of its"
)
_NETWORK = (
    "Could not transfer",
    "Unknown host",
    "Temporary failure in name resolution",
    "Connection refused",
    "Network is unreachable",
    "timed out",
    "PKIX path",
)
_FORK = (
    "The forked VM terminated",
    "There was a timeout or other error in the fork",
    "Error occurred in starting fork",
)


@dataclass(frozen=True)
class BuildLog:
    """What went wrong, by kind; each with a reason that names file and line, artefact or module."""

    troubles: dict[Trouble, str] = field(default_factory=dict)
    unreachable: bool = False
    """A repository could not be reached, so that nothing is known of what it has."""

    def reason(self, *kinds: Trouble) -> str:
        """The first reason of one of these kinds, or nothing."""
        return next((self.troubles[kind] for kind in kinds if kind in self.troubles), "")


def read_log(log: Path, system: Path) -> BuildLog:
    """Classify the errors that Maven printed.

    Parameters
    ----------
    log : Path
        Maven's standard output, with the tests' own output redirected to files.
    system : Path
        The tree that was built; paths below it are told relative to it.
    """
    lines = [line for line in log.read_text("utf-8", "replace").splitlines() if "[ERROR]" in line[:9]]
    troubles: dict[Trouble, str] = {}
    for index in range(len(lines)):
        for kind, reason in _classify(lines, index):
            reason = reason.replace(f"{system.resolve()}/", "").replace(f"{system}/", "")
            troubles.setdefault(kind, reason[:_MESSAGE])
    unreachable = "artefact" in troubles and any(sign in line for line in lines for sign in _NETWORK)
    texts = [text for line in lines if (text := line.removeprefix("[ERROR]").strip())]
    if texts and not troubles:
        troubles["other"] = texts[0][:_MESSAGE]
    return BuildLog(troubles, unreachable)


def _classify(lines: list[str], index: int) -> list[tuple[Trouble, str]]:
    line = lines[index]
    text = line.removeprefix("[ERROR]").strip()
    if failed := _FAILED_GOAL.search(line):
        kind: Trouble = "main_code" if failed["goal"] == "compile" else "test_code"
        return [(kind, _compiler_error(lines, index, failed["module"]) or failed["message"])]
    if any(sign in line for sign in _UNRESOLVED):
        return [("artefact", _artefact(line))]
    if any(sign in line for sign in _POM):
        following = [entry.removeprefix("[ERROR]").strip() for entry in lines[index + 1 : index + 6]]
        if any(sign in entry for entry in following for sign in _UNRESOLVED):
            return []  # a parent or imported pom that cannot be found: the following lines say so
        return [("pom", next((entry for entry in following if entry), text))]
    return [("fork", text)] if any(sign in line for sign in _FORK) else []


def _compiler_error(lines: list[str], index: int, module: str) -> str:
    """The first error of the compiler that follows the line of the failed goal: `file:line: message`."""
    for line in lines[index + 1 :]:
        if error := _COMPILER.match(line):
            return f"{error['file']}:{error['line']}: {error['message']}"
        if "Failed to execute goal" in line:
            break
    return ""


def _artefact(line: str) -> str:
    """Coordinates of the first artefact that was not found, or the whole line if it names none."""
    match = _ARTEFACT.search(line)
    if match is None:
        return line.removeprefix("[ERROR]").strip()
    return next(group for group in match.groups() if group)
