"""What the package must know of a project: one YAML file each, checked against these models."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from study.schema import NAME, Model


def _inside(path: str) -> str:
    """Refuse what leads out of the project: files that a manifest names are deleted from workspaces."""
    parts = PurePosixPath(path).parts
    if not parts or path[0] in "/~" or "\\" in path or ".." in parts:
        raise ValueError(f"{path!r} must be a path below the project's folder, with `/` and without `..`")
    return path


ProjectPath = Annotated[str, AfterValidator(_inside)]
"""Of a file or folder of the project, relative to it."""


class Source(Model):
    """Where the files of a project come from: this package, or a pinned commit of a repository."""

    embedded: str | None = None
    """Folder below study/projects/demo."""
    path: str | None = None
    """Folder of your own, relative to the manifest file."""
    repository: str | None = None
    """`owner/name` of a public repository on GitHub, or the https address of one elsewhere."""
    commit: str | None = Field(None, pattern=r"^[0-9a-f]{40}$")
    """Of the repository: the full id, which no later push can change."""
    branch: str | None = None
    """Where the commit is found, for the reader; the commit alone decides."""
    subdirectory: ProjectPath | Literal["."] = "."
    """Folder of the repository that is the project."""

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if sum(source is not None for source in (self.embedded, self.path, self.repository)) != 1:
            raise ValueError("give exactly one of embedded (a demo folder), path (your own) or repository")
        return self


class Edit(Model):
    """One structured edit that takes a trace of the target out of a file for `clean_state`.

    `file` is relative to the project. Exactly one of the other fields says what to do. An edit that
    finds nothing to remove is an error, so a manifest cannot go stale without a word.
    """

    file: ProjectPath
    delete: bool = False
    """Remove the whole file."""
    remove_key: str | None = None
    """Dotted path of a key in a YAML or JSON file, with the value below it: `services.loan-service`.
    A list item is named by a value it holds: `routes[service=loan-service]`, or `depends_on[loan-service]`.
    """
    remove_definitions: list[str] = []
    """Python: functions, classes, `Class.method`, module-level names and imported names to remove."""
    remove_lines: str | None = None
    """Regular expression; every line in which it is found is removed. Names contain each other: write
    `ts-order-service(?![a-z-])` and not `ts-order`, which is found in `ts-order-other-service` too."""
    remove_documents: str | None = None
    """YAML with several documents: those whose `metadata.name` is this are removed."""
    empty_methods: list[str] = []
    """Java: methods whose body is replaced by one that throws, so that callers still compile."""
    replace: str | None = None
    """Exact text that occurs once in the file ..."""
    by: str = ""
    """... and the text put in its place (nothing, if not given)."""

    @model_validator(mode="after")
    def _one_action(self) -> Self:
        actions = [
            self.delete,
            self.remove_key is not None,
            bool(self.remove_definitions),
            self.remove_documents is not None,
            bool(self.empty_methods),
            self.remove_lines is not None,
            self.replace is not None,
        ]
        if sum(actions) != 1:
            raise ValueError(
                "give exactly one of delete, remove_key, remove_definitions, remove_lines, remove_documents, "
                "empty_methods, replace"
            )
        if self.remove_lines is not None:
            try:
                re.compile(self.remove_lines)
            except re.error as error:
                raise ValueError(
                    f"remove_lines: {self.remove_lines!r} is no regular expression: {error}"
                ) from None
        return self


class PythonEnvironment(Model):
    """A virtual environment of the project's own, made from a lock file of ours."""

    tool: Literal["python"]
    python: str = ">=3.11"
    """Releases of Python for which the lock file holds, for instance `>=3.11,<3.13`: old pins often have no
    built package for a newer one. The one that runs this package is taken if it is among them."""
    lock: str
    """Requirements with versions and hashes and without index addresses, relative to the manifest file; it
    has the project's undeclared dependencies too, and pytest with pytest-timeout."""
    notes: str = ""
    """Which dependencies the project does not declare, and which of its pins were changed, and why."""


class JdkOverride(Model):
    """What makes a build for one release of the JDK work on another, said openly since it is a change."""

    from_release: int
    """Applies to this release of the JDK ..."""
    to_release: int | None = None
    """... and to newer ones up to this; to all newer ones, if not given."""
    properties: dict[str, str] = {}
    """Maven properties given with -D, for instance {lombok.version: 1.18.30}."""
    test_arguments: str = ""
    """JVM arguments of the forked tests, for instance --add-opens=java.base/java.lang=ALL-UNNAMED."""
    why: str
    """What fails without it; for the reader of a record."""


class MavenEnvironment(Model):
    """A Maven build that works offline from a private local repository."""

    tool: Literal["maven"]
    jdk: int
    """Release of the JDK that the project asks for: 8, 17, ..."""
    overrides: list[JdkOverride] = []
    install: list[ProjectPath] = []
    """pom.xml files of parents and shared modules that tested modules depend on. Their originals are
    installed into the project's Maven repository once, so that a test run need not build them again."""


Environment = Annotated[PythonEnvironment | MavenEnvironment, Field(discriminator="tool")]


class Process(Model):
    """How a service is started for tests that talk to it over HTTP."""

    command: list[str] = Field(min_length=1)
    """`python` is the interpreter of the project's environment."""
    directory: ProjectPath | Literal["."] = "."
    """Where it is started, relative to the project."""
    port: int = Field(ge=1, le=65535)
    health: str = "/health"
    """Path that answers with a status below 500 as soon as the service is up."""
    start_seconds: float = 30.0
    """How long it may take until then; after that the tests run without it, as they would for a person."""
    environment: dict[str, str] = {}


class Suite(Model):
    """The test files of one oracle; empty means that the oracle does not apply to this service."""

    files: list[ProjectPath] = []
    """pytest (or unittest) files or JUnit test classes, relative to the project. A JUnit class is run by
    Maven in the module whose pom.xml is nearest above it."""
    consumers: list[str] = []
    """Integration: the services whose tests these are."""
    live: list[str] = []
    """Services that are started, as their `process` says, before the tests run, in this order."""
    needs: dict[str, list[ProjectPath]] = {}
    """Programs without which some of `files` cannot run, for instance {mongod: [...]}: where one is missing,
    its files are left out of the suite and named in the record, and their tests are never counted."""


class Service(Model):
    """One service of a project; a target has everything, a bystander only name and directory."""

    name: str = Field(pattern=NAME)
    directory: ProjectPath
    target: bool = False
    aliases: list[str] = []
    """Every spelling under which other files name the service, beyond the automatic ones: the name in
    kebab-case, snake_case, camelCase, PascalCase and CONSTANT_CASE."""
    main: list[str] = ["**/*.py"]
    """Globs below `directory` of the code that is measured; tests are left out by `exclude`."""
    exclude: list[str] = ["**/tests/**", "**/test_*.py", "**/conftest.py"]
    process: Process | None = None
    """How it is started, if tests need it running."""
    untested: str = ""
    """Why it has no tests of its own, where it has none; it can be generated and measured, but not scored."""
    unit: Suite = Suite()
    integration: Suite = Suite()
    clean_state: list[Edit] = []
    allowed_traces: list[str] = []
    """Files that may go on naming the target in `clean_state`, beyond the requirements document."""
    summary: str | None = None
    """Implementation summary for the prompt `summary`, relative to the manifest file; without it,
    study/prompts/summaries/<project>/<service>.md."""
    notes: str = ""
    """What a reader of the results should know, for instance a known failing test."""


class Project(Model):
    """A microservice system; see the fields."""

    name: str = Field(pattern=NAME)
    title: str
    language: Literal["python", "java"]
    framework: str
    licence: str
    reference: Literal["human_baseline", "reference_implementation"]
    """`human_baseline` only where people wrote the original."""
    source: Source
    requirements: ProjectPath
    """The requirements document that the prompts point to."""
    hidden: list[str] = []
    """Globs of files that no agent may see in any scenario (summaries, build outputs)."""
    environment: Environment | None = None
    """What its tests run in; without it, the Python environment of this package."""
    reset: list[str] = []
    """Globs of files that earlier executions left in the tree (databases, logs) and every scoring removes."""
    whole: Suite = Suite()
    """The suite that the published baseline was taken from, if that is not the sum of the others; it scores
    no run, `study projects verify` reports it."""
    services: list[Service]

    @model_validator(mode="after")
    def _unique_services(self) -> Self:
        names = [service.name for service in self.services]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"services: duplicate service {name!r}")
        return self

    @property
    def targets(self) -> list[Service]:
        return [service for service in self.services if service.target]
