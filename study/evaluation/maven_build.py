"""One Maven build in the sandbox: its modules, its command line, what it may read and write."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from xml.sax.saxutils import escape

from study.agents.protocol import Launch
from study.evaluation.jdk import ChosenJdk, choose_jdk
from study.projects.loading import LoadedProject
from study.projects.manifest import MavenEnvironment
from study.schema import StudyError

REACTOR = "study-reactor.xml"
"""A pom.xml of ours beside the project's own, with the modules that one build needs and no others: the
project's own lists the target too, and Maven refuses to start where that was not generated."""
_QUICK = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"
"""For Maven's own process, which is short; the tests' process keeps the defaults of its JDK."""


@dataclass(frozen=True)
class MavenTools:
    """What a project is built with on this machine."""

    program: Path
    chosen: ChosenJdk

    def readable(self) -> list[Path]:
        """Folders that a sandbox must show, beyond those of the system."""
        return [self.program.resolve().parent.parent, self.chosen.jdk.home]


def maven_tools(loaded: LoadedProject) -> MavenTools:
    """Maven and the JDK for a project.

    Raises
    ------
    StudyError
        If one of them is missing.
    """
    name = loaded.project.name
    program = shutil.which("mvn")
    if program is None:
        raise StudyError(
            f"project {name!r} is built with Maven, and there is no `mvn` on the PATH; install it"
        )
    try:
        return MavenTools(Path(program).absolute(), choose_jdk(environment_of(loaded)))
    except StudyError as error:
        raise StudyError(f"project {name!r}: {error}") from None


def environment_of(loaded: LoadedProject) -> MavenEnvironment:
    """The manifest's Maven environment; the caller has made sure that there is one."""
    environment = loaded.project.environment
    if not isinstance(environment, MavenEnvironment):
        raise StudyError(f"{loaded.manifest}: environment: is none of `tool: maven`")
    return environment


def module_of(tree: Path, file: str) -> str:
    """The folder of the module that a file belongs to: that of the nearest pom.xml above it.

    Raises
    ------
    StudyError
        If there is none.
    """
    for folder in PurePosixPath(file).parents:
        if (tree / folder / "pom.xml").is_file():
            return folder.as_posix()
    raise StudyError(f"{file}: there is no pom.xml in a folder above it, so Maven cannot run it")


def class_of(tree: Path, file: str) -> str:
    """Full name of the test class that a Java file holds, from its package statement and its name."""
    text = (tree / file).read_text(encoding="utf-8", errors="replace")
    package = re.search(r"^\s*package\s+([\w.]+)", text, re.MULTILINE)
    return ".".join([*([package[1]] if package else []), PurePosixPath(file).stem])


def write_reactor(system: Path, modules: list[str]) -> None:
    """Write the pom.xml that builds some modules of a system and nothing else."""
    listed = "".join(f"<module>{escape(module)}</module>" for module in modules)
    (system / REACTOR).write_text(
        '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
        "<groupId>study</groupId><artifactId>study-reactor</artifactId><version>1</version>"
        f"<packaging>pom</packaging><modules>{listed}</modules></project>\n",
        encoding="utf-8",
    )


def launch(
    tools: MavenTools,
    arguments: list[str],
    *,
    repository: Path,
    home: Path,
    network: bool = False,
    settings: Path | None = None,
    pom: str = REACTOR,
    environment: dict[str, str] | None = None,
) -> Launch:
    """The command of one build of the reactor.

    Parameters
    ----------
    tools : MavenTools
        Which Maven and JDK.
    arguments : list of str
        Goals and properties of this build.
    repository : Path
        The local repository; Maven writes nothing to it while it is offline and installs nothing.
    home : Path
        HOME of the build; Java asks the system and not HOME for it, so it is said twice.
    network : bool
        False builds offline.
    settings : Path, optional
        The user's settings.xml, for mirrors and proxies; none by default.
    pom : str
        What is built, relative to the workspace.
    environment : dict, optional
        More variables.
    """
    override = tools.chosen.override
    properties = dict(override.properties) if override else {}
    if override and override.test_arguments:
        properties["argLine"] = override.test_arguments
    return Launch(
        command=[
            str(tools.program),
            *("--batch-mode", "--no-transfer-progress", "--file", pom),
            *([] if network else ["--offline"]),
            *(["--settings", str(settings)] if settings else []),
            f"-Dmaven.repo.local={repository}",
            # handed on to the tests' process
            f"-Duser.home={home}",
            *(f"-D{name}={value}" for name, value in properties.items()),
            *arguments,
        ],
        environment={
            "JAVA_HOME": str(tools.chosen.jdk.home),
            "MAVEN_OPTS": f"{_QUICK} -Duser.home={home}",
            "MAVEN_SKIP_RC": "1",  # ~/.mavenrc and /etc/mavenrc may change anything
            **(environment or {}),
        },
        readable=[
            *tools.readable(),
            *([] if repository.is_relative_to(home) else [repository]),
            *([settings] if settings else []),
        ],
        network=network,
    )


def test_arguments(classes: list[str], single_test_seconds: float) -> list[str]:
    """What runs just these test classes, whatever fails, and says so in reports only.

    A limit for one test can be had for JUnit 5 alone; a JUnit 4 test that hangs meets the suite's limit.
    """
    return [
        "test",
        f"-Dtest={','.join(classes)}",
        # the same in the words of surefire 2 and 3: a module of the reactor may have none of the classes
        "-DfailIfNoTests=false",
        "-Dsurefire.failIfNoSpecifiedTests=false",
        "-Dmaven.test.failure.ignore=true",
        # so that the log has Maven's words only, and a test cannot put words into its mouth
        "-Dmaven.test.redirectTestOutputToFile=true",
        f"-Djunit.jupiter.execution.timeout.default={max(1, round(single_test_seconds))}s",
        # one broken module must not hide the tests of the others
        "--fail-at-end",
    ]
