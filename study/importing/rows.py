"""Rows of a foreign table as rows of a dataset's tables, with the checks that need more than one cell."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from study.importing.mapping import IDENTITY, Mapping
from study.importing.source import Line, Source
from study.importing.values import Cells, Problems
from study.records.collect import Tables
from study.records.rows import condition
from study.records.stages import Oracle
from study.records.tables import QualityRow, ReferenceRow, RunRow

QUALITY = ("sloc", "cyclomatic", "cognitive")
_ORACLES: dict[str, Oracle] = {"incremental": "unit", "clean_state": "integration"}
_NOT_RECORDED = (
    "tests_failed", "tests_error", "tests_skipped", "tests_missing", "pass_rate_executed_percent",
    "pass_rate_adjusted_percent", "failure_cause", "test_edits", "files_written", "files_elsewhere",
    "input_fresh_tokens", "cache_write_tokens", "reasoning_tokens", "wall_seconds",
)  # fmt: skip
"""Columns of a run that no field of a foreign table fills: missing, never 0."""
_ORDER = ("incremental", "clean_state", "minimal", "summary")
"""Levels of the paper stand in its order, whatever the order of the rows."""


@dataclass
class Imported:
    """The tables, and remarks on what had to be decided."""

    tables: Tables = field(default_factory=Tables)
    remarks: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Key:
    agent: str
    project: str
    service: str
    scenario: str
    prompt: str
    replicate: int

    @property
    def run_id(self) -> str:
        parts = (self.agent, self.project, self.service, self.scenario, self.prompt)
        return ".".join([*map(slug, parts), f"r{self.replicate}"])

    @property
    def target(self) -> tuple[str, str, str]:
        return self.project, self.service, self.scenario


def slug(level: str) -> str:
    """A level as part of a run id: small letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9_]+", "-", level.lower()).strip("-") or "x"


def import_rows(source: Source, mapping: Mapping) -> Imported:
    """Convert and check every row.

    Raises
    ------
    StudyError
        With one line for each cell that is wrong, run that occurs twice, level that is spelled in two ways,
        and value of a target that differs from row to row.
    """
    problems = Problems(str(source.path))
    cells = Cells(source, mapping, problems)
    keyed = [(line, key) for line in source.lines if (key := _key(cells, line)) is not None]
    _refuse_twins(keyed, cells)
    _refuse_spellings(keyed, cells)
    result = Imported()
    kept = sorted(keyed, key=_in_order(key for _, key in keyed))
    for line, key in kept:
        row = _run(cells, line, key)
        if row is not None:
            result.tables.runs.append(row)
            result.tables.quality += _quality(cells, line, row)
    result.tables.references = _references(cells, kept)
    problems.raise_if_any()
    result.remarks = _remarks(result.tables, mapping)
    return result


def _key(cells: Cells, line: Line) -> _Key | None:
    before = len(cells.problems.found)
    names = [cells.level(line, name, required=True) for name in IDENTITY]
    if "condition" in cells.mapping.columns:
        names += cells.condition(line) or (None, None)
    else:
        names += [cells.level(line, name, required=True) for name in ("scenario", "prompt")]
    replicate = cells.count(line, "replicate") if "replicate" in cells.mapping.columns else 1
    if replicate is None or replicate < 1:
        cells.problems.add(line.number, cells.place("replicate"), str(replicate), "counts from 1")
    if len(cells.problems.found) > before:
        return None
    agent, project, service, scenario, prompt = (str(name) for name in names)
    return _Key(agent, project, service, scenario, prompt, replicate or 1)


def _refuse_twins(keyed: list[tuple[Line, _Key]], cells: Cells) -> None:
    first: dict[_Key, int] = {}
    for line, key in keyed:
        if key in first:
            said = ", ".join((key.agent, key.project, key.service, key.scenario, key.prompt))
            hint = "" if "replicate" in cells.mapping.columns else "; are they repeats? Then map `replicate`"
            cells.problems.found.append(
                f"{cells.source.path}: line {line.number}: the run {said}, replicate {key.replicate}, is "
                f"already in line {first[key]}{hint}"
            )
        first.setdefault(key, line.number)


def _refuse_spellings(keyed: list[tuple[Line, _Key]], cells: Cells) -> None:
    """`Codex` and `codex` would be two agents with the same run ids."""
    for name in (*IDENTITY, "scenario", "prompt"):
        seen: dict[str, str] = {}
        for level in dict.fromkeys(getattr(key, name) for _, key in keyed):
            other = seen.setdefault(slug(level), level)
            if other != level:
                cells.problems.found.append(
                    f"{cells.source.path}: {name}: {other!r} and {level!r} are too alike to be told apart in "
                    f"run ids; translate one of them under `values: {{{name}: ...}}`"
                )


def _in_order(keys: Iterable[_Key]) -> Callable[[tuple[Line, _Key]], tuple[int, ...]]:
    """Sort key: agents, projects and services as they first appear; scenarios and prompts as in the paper."""
    names = ("agent", "project", "service", "scenario", "prompt")
    known = list(keys)
    places = {}
    for name in names:
        levels = list(dict.fromkeys(getattr(key, name) for key in known))
        levels.sort(key=lambda level: _ORDER.index(level) if level in _ORDER else len(_ORDER))
        places[name] = {level: place for place, level in enumerate(levels)}

    def place(item: tuple[Line, _Key]) -> tuple[int, ...]:
        key = item[1]
        return (*(places[name][getattr(key, name)] for name in names), key.replicate)

    return place


def _run(cells: Cells, line: Line, key: _Key) -> RunRow | None:
    problems = cells.problems
    before = len(problems.found)
    rate, passed, total = _rates(cells, line)
    size = cells.number(line, "sloc")
    outcome = cells.level(line, "outcome")
    how = "" if outcome else "; how it ended is not in the table"
    oracle = cells.level(line, "oracle") or _ORACLES.get(key.scenario)
    if oracle is None:
        message = f"the scenario {key.scenario!r} is not the paper's: map `oracle`, the tests that score it"
        problems.found.append(f"{cells.source.path}: line {line.number}: {message}")
    values = {
        "model": cells.level(line, "model"),
        "time_min": cells.number(line, "time"),
        "input_tokens": cells.count(line, "input_tokens"),
        "cache_read_tokens": cells.count(line, "cache_read_tokens"),
        "output_tokens": cells.count(line, "output_tokens"),
        "cost_usd": cells.number(line, "cost"),
        "floor_percent": cells.number(line, "floor"),
        "ceiling_percent": cells.number(line, "baseline"),
    }
    if len(problems.found) > before:
        return None
    return RunRow.model_validate(
        {
            **vars(key),
            "run_id": key.run_id,
            "kind": cells.mapping.kind,
            "condition": condition(key.scenario, key.prompt),
            "outcome": outcome or ("no_output" if size == 0 else "completed"),
            "reason": f"imported from line {line.number} of {cells.source.path.name}{how}",
            "oracle": oracle,
            "suite": "ran" if rate is not None else "not_evaluated",
            "tests_reference": total,
            "tests_passed": passed,
            "pass_rate_percent": rate,
            "confinement": "not recorded",
            **values,
            **dict.fromkeys(_NOT_RECORDED),
        }
    )


def _rates(cells: Cells, line: Line) -> tuple[float | None, int | None, int | None]:
    """Rate, passed and all tests of a run; a rate and counts that contradict each other are a problem."""
    rate = cells.number(line, "pass_rate")
    passed, total = (cells.count(line, name) for name in ("tests_passed", "tests_total"))
    if passed is None or total is None:
        return rate, passed, total
    if passed > total:
        cells.problems.add(
            line.number, cells.place("tests_passed"), str(passed), f"is more than {total} tests"
        )
        return rate, passed, total
    counted = 100 * passed / total if total else None
    if rate is None or counted is None:
        return rate if rate is not None else counted, passed, total
    if abs(rate - counted) > 0.5 + 1e-9:
        text = cells.text(line, "pass_rate") or ""
        message = f"is not {passed} of {total} tests; if it counts others, map only one of the two"
        cells.problems.add(line.number, cells.place("pass_rate"), text, message)
    return counted, passed, total


def _quality(cells: Cells, line: Line, run: RunRow) -> list[QualityRow]:
    """Size and complexity; none if the run left no code (no value, or 0 lines)."""
    sizes = {name: cells.count(line, name) for name in QUALITY}
    if all(value is None for value in sizes.values()) or sizes["sloc"] == 0:
        return []
    unknown = ("files", "functions", "radon_sloc", "radon_cyclomatic", "lizard_sloc", "lizard_cyclomatic",
               "lizard_cognitive", "unparsed_files")  # fmt: skip
    return [QualityRow(run_id=run.run_id, kind=run.kind, **sizes, **dict.fromkeys(unknown))]


def _references(cells: Cells, keyed: list[tuple[Line, _Key]]) -> list[ReferenceRow]:
    groups: dict[tuple[str, str, str], list[Line]] = {}
    for line, key in keyed:
        groups.setdefault(key.target, []).append(line)
    rows = []
    for (project, service, scenario), lines in groups.items():
        floor, ceiling = (_shared(cells, lines, name) for name in ("floor", "baseline"))
        totals = {cells.count(line, "tests_total") for line in lines} - {None}
        sizes = {name: _shared(cells, lines, f"reference_{name}") for name in QUALITY}
        language = cells.level(lines[0], "language")
        rows.append(
            ReferenceRow(
                project=project, service=service, scenario=scenario,
                oracle=cells.level(lines[0], "oracle") or _ORACLES.get(scenario) or "unit",
                kind=cells.mapping.kind, language=language, reference=cells.mapping.reference_kind,
                tests_reference=totals.pop() if len(totals) == 1 else None,
                tests_adjusted=None, failing_tests=None, flaky_tests=None, repeats=None,
                floor_percent=floor, ceiling_percent=ceiling,
                sees_target=None if floor is None or ceiling is None else floor < ceiling,
                **{name: None if value is None else round(value) for name, value in sizes.items()},
            )
        )  # fmt: skip
    return rows


def _shared(cells: Cells, lines: list[Line], name: str) -> float | None:
    """The one value that all rows of a target have, where they have any."""
    found: dict[float, int] = {}
    for line in lines:
        value = cells.number(line, name)
        if value is not None:
            found.setdefault(value, line.number)
    if len(found) > 1:
        (first, at), (other, there) = list(found.items())[:2]
        cells.problems.add(
            there, cells.place(name), f"{other:g}", f"differs from {first:g} in line {at}, of the same target"
        )
    return next(iter(found), None)


def _remarks(tables: Tables, mapping: Mapping) -> list[str]:
    said = []
    runs, mapped = tables.runs, mapping.columns
    if "outcome" not in mapped:
        said.append(
            "How the runs ended is not in the table: they count as completed, without code as no_output."
        )
    if mapped.keys() & set(QUALITY):
        without = len(runs) - len(tables.quality)
        said.append(f"{without} runs have no size or 0 lines: they left no code, and enter no mean of sizes.")
    unscored = sum(run.pass_rate_percent is None for run in runs)
    if unscored:
        said.append(f"{unscored} of {len(runs)} runs have no pass rate and enter no mean of it.")
    totals: dict[tuple[str, str, str], set[int]] = {}
    for run in runs:
        if run.tests_reference is not None:
            totals.setdefault((run.project, run.service, run.scenario), set()).add(run.tests_reference)
    varying = sum(len(found) > 1 for found in totals.values())
    if varying:
        said.append(
            f"The number of tests differs between the runs of {varying} targets: rates are of each run's."
        )
    if "floor" not in mapped:
        said.append("No floor: whether the tests can see their target is not known.")
    return said
