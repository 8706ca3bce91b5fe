"""What each stage of a run leaves behind, and `run.json`, which holds all of it once the run is done."""

from __future__ import annotations

from typing import Literal

from study.agents.cost import Cost
from study.agents.logs.json_lines import JsonLog
from study.agents.protocol import Outcome, Usage
from study.agents.trajectory import End
from study.schema import Kind, Model

Status = Literal["passed", "failed", "error", "skipped", "missing"]
"""Of one test. `missing`: the reference has the test, this run's suite did not report it."""

SuiteOutcome = Literal[
    "ran",
    "not_compiled",
    "not_collected",
    "no_tests",
    "timeout",
    "crashed",
    "not_applicable",
    "not_evaluated",
]
"""Of one suite. `not_compiled`: the compiler refused the service or its tests, so none ran; `not_collected`:
an import or collection error left tests out; `no_tests`: it ended as if all were well and reported none;
`not_applicable`: no consumer of the target exists, so there is nothing to run; `not_evaluated`: the run ended
in an infrastructure error."""


Oracle = Literal["unit", "integration"]
"""The tests that score a run: the target service's own, or those of the services that consume it."""


class Manipulation(Model):
    """What preparing the workspace took away, and what the leak check then found: the manipulation check."""

    removed_files: list[str]
    edited_files: list[str]
    hidden_tests: list[str]
    allowed_traces: list[str]
    """`file:line` of mentions of the target that the manifest allows."""


class Attempt(Model):
    """A try of the same run that was made again; its time and money are spent all the same."""

    outcome: Outcome
    reason: str
    wall_seconds: float
    cost_usd: float | None


class Generation(Model):
    """The agent's part of a run."""

    outcome: Outcome
    reason: str
    usage: Usage
    model: str | None
    version: str | None
    session_id: str | None = None
    end: End | None = None
    tools: dict[str, int] = {}
    log: JsonLog | str = "none"
    """What reads the files in `agent/` again; `none`: nothing does."""
    cost: Cost | None = None
    problems: list[str] = []
    planted: list[str] = []
    timed: bool = True
    """False if the process did no work of an agent: its duration is nobody's time."""
    manipulation: Manipulation
    prompt_sha256: str
    confinement: str
    exit_code: int | None
    wall_seconds: float
    leftovers: int
    files_written: list[str]
    """Below the target's directory, tests aside."""
    files_elsewhere: list[str]
    """Changed or added outside the target's directory; put back before scoring."""
    test_edits: list[str]
    """Test files that the agent changed, added or deleted; put back before scoring."""
    refused_files: list[str] = []
    """`path: reason` of files left out of the result: symlinks out of the tree, too large, not regular."""
    earlier: list[Attempt] = []
    """Attempts before this one: infrastructure errors, and runs done again with --redo."""

    @property
    def cost_usd(self) -> float | None:
        """All input at the list price; where there is no price, the agent's own figure."""
        listed = self.cost.list_usd if self.cost else None
        return self.usage.cost_usd if listed is None else listed


class TestResult(Model):
    """One test of one run."""

    __test__ = False  # the name is the field's word; pytest must not collect it

    test_id: str
    status: Status
    cause: str = ""
    """Exception class of a failure, error or skip; empty for a pass."""
    message: str = ""
    """First line of the failure, for the reader; not compared between datasets."""


class Evaluation(Model):
    """The oracle's verdict, as raw counts of what ran; rates are made when tables are collected."""

    oracle: Oracle
    suite: SuiteOutcome
    reason: str = ""
    tests: list[TestResult] = []
    not_run: list[str] = []
    """`file: reason` of test files that need what this machine lacks; never counted."""
    exit_code: int | None = None
    wall_seconds: float = 0.0


class FunctionQuality(Model):
    """Complexity of one function or method."""

    file: str
    function: str
    """Qualified name, for instance `Desk.lend`."""
    line: int
    cyclomatic: int
    cognitive: int


class Quality(Model):
    """Size and complexity of the target's main code; sums over its files."""

    files: int
    functions: int
    sloc: int | None
    """Source lines by SonarQube's rule (NCLOC). None, like all counts, if no file could be counted."""
    cyclomatic: int | None
    cognitive: int | None
    radon_sloc: int | None
    """None where the tool could not read a file; same below."""
    radon_cyclomatic: int | None
    lizard_sloc: int | None
    lizard_cyclomatic: int | None
    lizard_cognitive: int | None
    unparsed: list[str] = []
    """`file: reason` of files that are no valid source text; their lines are not counted."""
    per_function: list[FunctionQuality] = []
    metrics: dict[str, float | None] = {}
    """Metrics of the user's own, by name."""


class RunRecord(Model):
    """`run.json`: present and valid means that the run is done."""

    format: Literal[1] = 1
    run_id: str
    kind: Kind
    agent: str
    project: str
    service: str
    scenario: str
    prompt: str
    replicate: int
    digest: str
    """Of all that determines the run; a design that changed it under the same id asks for `--redo`."""
    generation: Generation
    evaluation: Evaluation
    quality: Quality | None
    """None if nothing was generated."""
