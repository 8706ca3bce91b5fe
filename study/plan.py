"""A plan is a design with everything it names found and checked: projects, prompts, adapters."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from study.agents import adapter
from study.design import Design, ProjectLevel, Run, find_design, load_design, prompt_level
from study.evaluation.oracle import check_ready
from study.extensions import extension_level, is_extension, load_extension, modules_beside
from study.projects import check_tree, load_project
from study.projects.loading import LoadedProject, tree_digest
from study.projects.manifest import Service
from study.prompts import check_deadline, check_prompt, load_template, render
from study.quality import counter_of
from study.scenarios import SCENARIOS, Scenario
from study.schema import StudyError

RECORDED = "recorded"
"""The adapter that puts back what was generated elsewhere."""
Metric = Callable[[Path], float | None]


@dataclass(frozen=True)
class Plan:
    """A validated design; `trees` and `tree_digests` are filled by `resolve` only."""

    design: Design
    projects: dict[str, LoadedProject]
    templates: dict[str, str]
    """Template text by prompt level."""
    scenarios: dict[str, Scenario]
    """By level."""
    metrics: dict[str, Metric]
    """Metrics of the user's own, by name."""
    trees: dict[str, Path]
    tree_digests: dict[str, str]

    def service(self, run: Run) -> Service:
        return self.projects[run.project].service(run.service)

    def prompt(self, run: Run) -> str:
        """The prompt of a run; empty for a control and where nobody is asked."""
        if run.is_control or self.design.agent(run.agent).adapter == RECORDED:
            return ""
        loaded = self.projects[run.project]
        deadline = self.design.limits.agent_seconds if self.design.tell_deadline else None
        return render(self.templates[run.prompt], loaded, loaded.service(run.service), deadline)

    def digest(self, run: Run) -> str:
        """Fingerprint of all that determines a run, so that a changed design or project is noticed."""
        level = self.design.agent(run.agent)
        determinants = {
            # without defaults, so that a field that is added to a model does not change what was done before
            "agent": level.model_dump(mode="json", exclude_defaults=True),
            "adapter": adapter(level).fingerprint(level),
            "limits": self.design.limits.of_one_run(),
            "scenario": self.design.scenarios[self.design.scenario_levels.index(run.scenario)],
            "service": self.service(run).model_dump(mode="json", exclude_defaults=True),
            "tree": self.tree_digests[run.project],
            "prompt": self.prompt(run),
            "seed": run.seed(self.design.seed),
        }
        return hashlib.sha256(json.dumps(determinants, sort_keys=True).encode()).hexdigest()[:16]


def validate(name_or_path: str | Path) -> Plan:
    """Load a design and check all that can be checked without the projects' files.

    Raises
    ------
    StudyError
        Naming every unknown agent, project, service and prompt at once.
    """
    path = find_design(name_or_path)
    design = load_design(path)
    problems: list[str] = []
    projects: dict[str, LoadedProject] = {}
    templates: dict[str, str] = {}
    scenarios: dict[str, Scenario] = {}
    metrics: dict[str, Metric] = {}
    for level in design.projects:
        try:
            projects[level.name] = _load_level(level, path.parent)
        except StudyError as error:
            problems.append(f"{path}: projects: {error}")
    for prompt in design.prompts:
        try:
            templates[prompt_level(prompt)] = template = load_template(prompt, path.parent)
            check_deadline(template, prompt, told=design.tell_deadline)
        except StudyError as error:
            problems.append(f"{path}: prompts: {error}")
    with modules_beside(path.parent):
        for agent in design.agents:
            try:
                adapter(agent).check(agent)
            except StudyError as error:
                problems.append(f"{path}: agents: {error}")
        for scenario in design.scenarios:
            try:
                scenarios[extension_level(scenario)] = _load_scenario(scenario)
            except StudyError as error:
                problems.append(f"{path}: {error}")
        for metric in design.metrics:
            try:
                metrics[extension_level(metric)] = _load_metric(metric)
            except StudyError as error:
                problems.append(f"{path}: {error}")
    if problems:
        raise StudyError("\n".join(problems))
    return Plan(design, projects, templates, scenarios, metrics, {}, {})


def _load_scenario(level: str) -> Scenario:
    if not is_extension(level):
        if level not in SCENARIOS:
            raise StudyError(
                f"scenarios: unknown scenario {level!r}; there are {', '.join(SCENARIOS)}, or write "
                "`module:NAME` for a study.scenarios.Scenario of your own"
            )
        return SCENARIOS[level]
    found = load_extension(level, "scenarios")
    if not isinstance(found, Scenario):
        raise StudyError(f"scenarios: {level!r} is no study.scenarios.Scenario")
    return found


def _load_metric(level: str) -> Metric:
    if not is_extension(level):
        raise StudyError(f"metrics: {level!r} is not of the form `module:function`")
    found = load_extension(level, "metrics")
    if not callable(found):
        raise StudyError(f"metrics: {level!r} is no function")
    return cast(Metric, found)


def _load_level(level: ProjectLevel, base: Path) -> LoadedProject:
    loaded = load_project(level.name, base / level.manifest if level.manifest else None)
    for service in level.services:
        loaded.service(service)
    return loaded


def _anybody_asked(design: Design) -> bool:
    """Whether an agent gets a prompt; services that are only recorded need no summary for one."""
    return any(agent.adapter != RECORDED for agent in design.agents)


def resolve(name_or_path: str | Path, *, agents: bool = True) -> Plan:
    """Validate a design and find the files of its projects, so that it can be run.

    Without `agents`, what its agents and tests need on this machine may be missing: keys, programs. Only to
    generate asks for them beforehand.

    Raises
    ------
    StudyError
        As `validate`; also if files of a project, a summary that a prompt needs, or something that an
        agent or the tests of a project need on this machine are missing.
    """
    plan = validate(name_or_path)
    trees = {name: check_tree(loaded) for name, loaded in plan.projects.items()}
    for project in plan.design.projects:
        loaded = plan.projects[project.name]
        counter_of(loaded.project.language)
        for service in project.services:
            for template in plan.templates.values() if _anybody_asked(plan.design) else ():
                check_prompt(template, loaded, loaded.service(service))
    for agent in plan.design.agents if agents else ():
        adapter(agent).ready(agent)
    for name, loaded in plan.projects.items() if agents else ():
        check_ready(loaded, trees[name])
    digests = {name: tree_digest(tree) for name, tree in trees.items()}
    return replace(plan, trees=trees, tree_digests=digests)
