"""Find the JDKs of this machine, and choose the one that a project is built and tested with."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from study.projects.manifest import JdkOverride, MavenEnvironment
from study.schema import StudyError

VARIABLE = "STUDY_JDK_"
"""With a release behind it, the environment variable that names a JDK's folder: STUDY_JDK_8=/opt/jdk8."""
INSTALLED = (
    "/usr/lib/jvm/*",
    "/usr/java/*",
    "/opt/java/*",
    "/Library/Java/JavaVirtualMachines/*/Contents/Home",
    "~/.sdkman/candidates/java/*",
    "~/.jdks/*",
)
"""Where systems and the usual installers put JDKs."""


@dataclass(frozen=True)
class Jdk:
    """A JDK of this machine: with a compiler, not only a runtime."""

    home: Path
    release: int


@dataclass(frozen=True)
class ChosenJdk:
    """A JDK, and what has to be changed in the build for it to do."""

    jdk: Jdk
    override: JdkOverride | None = None
    """None: it is the release that the project asks for."""


def choose_jdk(environment: MavenEnvironment) -> ChosenJdk:
    """The JDK of the release that the project asks for, or else the oldest that an override covers.

    Raises
    ------
    StudyError
        Naming what this machine has and how to make another JDK known.
    """
    found = find_jdks()
    for jdk in found:
        if jdk.release == environment.jdk:
            return ChosenJdk(jdk)
    for jdk in found:
        for override in environment.overrides:
            if override.from_release <= jdk.release <= (override.to_release or jdk.release):
                return ChosenJdk(jdk, override)
    here = ", ".join(f"{jdk.release} ({jdk.home})" for jdk in found) or "none"
    covered = "".join(f", or {_span(override)} with an override" for override in environment.overrides)
    raise StudyError(
        f"no JDK that does: the project asks for JDK {environment.jdk}{covered}; found here: {here}. Install "
        f"it, or set {VARIABLE}{environment.jdk} to the folder of one"
    )


def _span(override: JdkOverride) -> str:
    return (
        f"{override.from_release} to {override.to_release}"
        if override.to_release
        else (f"{override.from_release} and newer")
    )


def find_jdks() -> list[Jdk]:
    """All JDKs that can be found, the oldest release first; of two of one release what was named first.

    Those that the variables STUDY_JDK_<release> name come first, then JAVA_HOME, then the `javac` on the
    PATH, then the usual places.

    Raises
    ------
    StudyError
        If a variable of ours names something else than a JDK of that release.
    """
    jdks = _named()
    homes = [Path(os.environ["JAVA_HOME"])] if os.environ.get("JAVA_HOME") else []
    if compiler := shutil.which("javac"):
        homes.append(Path(compiler).resolve().parent.parent)
    for place in INSTALLED:
        pattern = Path(place).expanduser()
        homes += sorted(Path(pattern.anchor).glob(str(pattern.relative_to(pattern.anchor))))
    for home in homes:
        release = release_of(home)
        if release is not None:
            jdks.append(Jdk(home.resolve(), release))
    return sorted(dict.fromkeys(jdks), key=lambda jdk: jdk.release)


def _named() -> list[Jdk]:
    jdks = []
    for name, value in sorted(os.environ.items()):
        if value and re.fullmatch(rf"{VARIABLE}\d+", name):
            home, wanted = Path(value).expanduser().absolute(), int(name.removeprefix(VARIABLE))
            release = release_of(home)
            if release != wanted:
                found = "no JDK: it has no bin/javac that works" if release is None else f"JDK {release}"
                raise StudyError(f"{name}={value}: is {found}; give the folder of a JDK {wanted}")
            jdks.append(Jdk(home, wanted))
    return jdks


@lru_cache
def release_of(home: Path) -> int | None:
    """The release of a JDK: 8, 11, 17, ...; None if the folder is no JDK, for instance only a runtime."""
    compiler = home / "bin" / "javac"
    if not compiler.is_file():
        return None
    try:
        said = subprocess.run(
            [str(compiler), "-version"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    # `javac 1.8.0_504` of old, `javac 17.0.15` since release 9; release 8 says it on stderr
    version = re.search(r"javac (?:1\.)?(\d+)", said.stdout + said.stderr)
    return int(version[1]) if version and said.returncode == 0 else None
