"""Extend a design: more replicates, services, projects, agents, scenarios or prompts, and nothing changed.

Runs have stable ids, so a design that holds all runs of another one, each with the same determinants, goes on
where that one ended: `study run` does the added runs only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from study.design import (
    AgentLevel,
    Design,
    ProjectLevel,
    Run,
    find_design,
    load_design,
)
from study.schema import Model, StudyError, parse, read_yaml

if TYPE_CHECKING:
    pass


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
        told += _add(raw, more, where)
    extended = parse(Design, raw, f"{path.name}, extended")
    found = Extension(design, extended, _text(raw, base, told))
    _check_runs(found, path)
    if not found.added:
        raise StudyError(
            f"{path.name}: nothing is added; give --replicates above {design.replicates}, or --add FILE "
            "with agents, projects, scenarios or prompts"
        )
    return found


def _add(raw: dict[str, Any], more: Additions, where: str) -> list[str]:
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
