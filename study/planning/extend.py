"""Extend a design: more replicates, services, projects, agents, scenarios or prompts, and nothing changed.

Runs have stable ids, so a design that holds all runs of another one, each with the same determinants, goes on
where that one ended: `study run` does the added runs only.
"""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from study.design import (
    AgentLevel,
    Design,
    ProjectLevel,
    Run,
    find_design,
    list_designs,
    load_design,
)
from study.extensions import is_extension
from study.files import write_atomically
from study.plan import Plan, validate
from study.schema import Model, StudyError, parse, read_yaml

if TYPE_CHECKING:
    from study.records.dataset import Dataset


class Additions(Model):
    """Levels to add; the fields are those of a design."""

    agents: list[AgentLevel] = []
    projects: list[ProjectLevel] = []
    """A new project; or a known one, with the services to add to it."""
    scenarios: list[str] = []
    prompts: list[str] = []


@dataclass(frozen=True)
class Extension:
    """A base design and what it becomes."""

    base: Design
    extended: Design
    text: str
    """Of the new file."""

    @property
    def added(self) -> list[Run]:
        """Runs of the extended design that the base does not have, without controls."""
        known = set(self.base.runs())
        return [run for run in self.extended.runs() if run not in known]

    @property
    def added_controls(self) -> list[Run]:
        known = set(self.base.control_runs())
        return [run for run in self.extended.control_runs() if run not in known]

    @property
    def by_agent(self) -> dict[str, int]:
        """Added runs of every agent."""
        counts = Counter(run.agent for run in self.added)
        return {agent.name: counts[agent.name] for agent in self.extended.agents}


def read_additions(path: Path) -> Additions:
    """Read levels to add from a YAML file.

    Raises
    ------
    StudyError
        Naming every wrong field. What would change existing runs (seed, limits, ...) is no field of it.
    """
    return parse(Additions, read_yaml(path) or {}, str(path))


def extend(
    base: str | Path, *, replicates: int | None = None, additions: Sequence[tuple[Additions, str]] = ()
) -> Extension:
    """Extend a design in memory.

    Parameters
    ----------
    base : str or Path
        Name of a design of the package, or path of a file.
    replicates : int, optional
        Of the new design; not below those of the base.
    additions : sequence of (Additions, str)
        Levels to add, each with the file that they come from.

    Raises
    ------
    StudyError
        If nothing is added, or something would change or take away an existing run.
    """
    path = find_design(base)
    design, raw = load_design(base), dict(read_yaml(path))
    told = []
    if replicates is not None and replicates != design.replicates:
        if replicates < design.replicates:
            raise StudyError(
                f"--replicates: {replicates}: {path.name} has {design.replicates}, so runs would be "
                f"taken away; give {design.replicates} or more"
            )
        raw["replicates"] = replicates
        told.append(f"replicates {design.replicates} -> {replicates}")
    for more, where in additions:
        told += _add(raw, more, where, path.parent)
    extended = parse(Design, raw, f"{path.name}, extended")
    found = Extension(design, extended, _text(raw, base, told))
    _check_runs(found, path)
    if not found.added:
        raise StudyError(
            f"{path.name}: nothing is added; give --replicates above {design.replicates}, or --add FILE "
            "with agents, projects, scenarios or prompts"
        )
    return found


def _add(raw: dict[str, Any], more: Additions, where: str, folder: Path) -> list[str]:
    """Add levels to the raw design in place; return what was added, in words."""
    told = []
    for field in ("agents", "scenarios", "prompts"):
        levels = getattr(more, field)
        known = [_name(level) for level in raw[field]]
        for level in levels:
            name = _name(level)
            if name in known:
                raise StudyError(
                    f"{where}: {field}: {name!r} is in the design already; to change it would change its runs"
                )
            told.append(f"{field[:-1]} {name}")
        plain = [
            level.model_dump(mode="json", exclude_unset=True) if isinstance(level, Model) else level
            for level in levels
        ]
        raw[field] = [*raw[field], *plain]
    projects = [dict(project) for project in raw["projects"]]
    for project in more.projects:
        told += _add_project(projects, project, where)
    raw["projects"] = projects
    return told


def _add_project(projects: list[dict[str, Any]], more: ProjectLevel, where: str) -> list[str]:
    for known in projects:
        if known["name"] != more.name:
            continue
        if more.manifest is not None and more.manifest != known.get("manifest"):
            raise StudyError(
                f"{where}: projects: {more.name}: manifest: another one would change its runs; leave it out"
            )
        twice = set(more.services) & set(known["services"])
        if twice:
            raise StudyError(f"{where}: projects: {more.name}: {min(twice)!r} is in the design already")
        known["services"] = [*known["services"], *more.services]
        break
    else:
        projects.append(more.model_dump(mode="json", exclude_unset=True))
    return [f"service {more.name}/{service}" for service in more.services]


def _name(level: Any) -> str:
    if isinstance(level, AgentLevel):
        return level.name
    return str(level["name"]) if isinstance(level, dict) else str(level)


def _text(raw: dict[str, Any], base: str | Path, told: Sequence[str]) -> str:
    name = Path(base).name
    head = [
        f"# {name}, extended by `study plan`: {', '.join(told)}.",
        "# All runs of that design are runs of this one, with the same ids and determinants, so `study run`",
        "# with this file does the added ones only. The name, and so the folder of the results, is the same.",
    ]
    body = yaml.safe_dump(raw, sort_keys=False, allow_unicode=True, width=110, default_flow_style=None)
    return "\n".join(head) + "\n" + body


def _check_runs(found: Extension, path: Path) -> None:
    for name in ("name", "seed", "limits", "tell_deadline", "controls"):
        if getattr(found.base, name) != getattr(found.extended, name):
            raise StudyError(f"{path.name}: {name} would change, and with it existing runs")
    have = {*found.extended.runs(), *found.extended.control_runs()}
    lost = [run for run in (*found.base.runs(), *found.base.control_runs()) if run not in have]
    if lost:
        raise StudyError(f"{path.name}: {lost[0].run_id} would be lost; an extension keeps every run")


def write_extension(found: Extension, base: str | Path, target: Path) -> None:
    """Write the new design, after checking that it changes no existing run.

    Raises
    ------
    StudyError
        If the file exists, is no .yaml, stands where paths in the design lead elsewhere, cannot be written,
        or the digest of an existing run would differ.
    """
    source = find_design(base)
    if target.suffix not in {".yaml", ".yml"}:
        raise StudyError(f"--out: {target}: a design is a .yaml file")
    if target.exists():
        raise StudyError(f"--out: {target} exists already; give another name")
    relative = relative_paths(found.extended)
    if relative and target.resolve().parent != source.resolve().parent:
        raise StudyError(
            f"--out: {target}: the design names {relative[0]} relative to its own folder; write the extended "
            f"design there: {source.parent / target.name}"
        )
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(".yaml", ".draft-", target.parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as stream:
                stream.write(found.text)
            check_unchanged(source, Path(draft))
        finally:
            Path(draft).unlink()
        write_atomically(target, found.text)
    except OSError as error:
        raise StudyError(f"--out: {target}: cannot be written: {error.strerror}") from None


def relative_paths(design: Design) -> list[str]:
    """Files and modules that a design names relative to its own folder."""
    named = [project.manifest for project in design.projects if project.manifest]
    named += [prompt for prompt in design.prompts if prompt.endswith(".md")]
    named += [level for level in (*design.scenarios, *design.metrics) if is_extension(level)]
    named += [agent.adapter for agent in design.agents if is_extension(agent.adapter)]
    return [name for name in named if not Path(name).is_absolute()]


def check_unchanged(base: str | Path, extended: str | Path) -> int:
    """Compare the determinants of every run of a design with those in another; return how many were compared.

    Raises
    ------
    StudyError
        Naming the first run that is lost or changed.
    """
    old, new = _without_trees(validate(base)), _without_trees(validate(extended))
    runs = [*old.design.runs(), *old.design.control_runs()]
    have = {*new.design.runs(), *new.design.control_runs()}
    if old.design.name != new.design.name:
        raise StudyError(
            f"{extended}: name: {new.design.name!r} is not {old.design.name!r}, so its runs stand elsewhere"
        )
    for run in runs:
        if run not in have:
            raise StudyError(f"{extended}: {run.run_id} of {base} is missing; an extension keeps every run")
        if _determinants(old, run) != _determinants(new, run):
            raise StudyError(
                f"{extended}: {run.run_id} would not be the run that it is in {base}: its determinants differ"
            )
    return len(runs)


def _without_trees(plan: Plan) -> Plan:
    """Both designs take the files of a project from the same manifest, so these need not be at hand."""
    return replace(plan, tree_digests=dict.fromkeys(plan.projects, ""))


def _determinants(plan: Plan, run: Run) -> tuple[str, str]:
    """The digest of a run; where its prompt needs a summary that nobody wrote yet, that of all the rest."""
    try:
        return plan.digest(run), ""
    except StudyError:
        bare = replace(plan, templates=dict.fromkeys(plan.templates, ""))
        return bare.digest(run), plan.templates[run.prompt]


def base_of(data: Dataset, design: str | None) -> str:
    """The design that is extended: the one given, or the package's of the dataset's name.

    Raises
    ------
    StudyError
        If there is none, or it is not the design of the dataset: a run of the dataset is not among its runs.
    """
    base = design or data.name
    if design is None and base not in list_designs():
        raise StudyError(
            f"dataset {data.name!r}: no design of that name in the package (there are "
            f"{', '.join(list_designs())}); say with --design which design its runs are from"
        )
    runs = {run.run_id for run in load_design(base).runs()}
    foreign = [run for run in data.runs["run_id"] if run not in runs]
    if foreign:
        raise StudyError(
            f"--design: {base}: is not the design of dataset {data.name!r}: {len(foreign)} of its "
            f"{len(data.runs)} runs are not in it, the first is {foreign[0]}"
        )
    return base
