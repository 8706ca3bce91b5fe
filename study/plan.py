"""A plan is a design with everything it names found and checked: projects, prompts, adapters."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from study.agents import adapter
from study.design import Design, ProjectLevel, Run, find_design, load_design, prompt_level
from study.projects import check_tree, load_project
from study.projects.loading import LoadedProject, tree_digest
from study.projects.manifest import Service
from study.prompts import check_prompt, load_template, render
from study.schema import StudyError


@dataclass(frozen=True)
class Plan:
    """A validated design; `trees` and `tree_digests` are filled by `resolve` only."""

    design: Design
    projects: dict[str, LoadedProject]
    templates: dict[str, str]
    """Template text by prompt level."""
    trees: dict[str, Path]
    tree_digests: dict[str, str]

    def service(self, run: Run) -> Service:
        return self.projects[run.project].service(run.service)

    def prompt(self, run: Run) -> str:
        """The prompt of a run; empty for a control."""
        if run.is_control:
            return ""
        loaded = self.projects[run.project]
        return render(self.templates[run.prompt], loaded, loaded.service(run.service))

    def digest(self, run: Run) -> str:
        """Fingerprint of all that determines a run, so that a changed design or project is noticed."""
        determinants = {
            "agent": self.design.agent(run.agent).model_dump(mode="json"),
            "limits": self.design.limits.model_dump(mode="json"),
            "service": self.service(run).model_dump(mode="json"),
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
    for level in design.projects:
        try:
            projects[level.name] = _load_level(level, path.parent)
        except StudyError as error:
            problems.append(f"{path}: projects: {error}")
    for prompt in design.prompts:
        try:
            templates[prompt_level(prompt)] = load_template(prompt, path.parent)
        except StudyError as error:
            problems.append(f"{path}: prompts: {error}")
    for agent in design.agents:
        try:
            adapter(agent).check(agent)
        except StudyError as error:
            problems.append(f"{path}: agents: {error}")
    if problems:
        raise StudyError("\n".join(problems))
    return Plan(design, projects, templates, {}, {})


def _load_level(level: ProjectLevel, base: Path) -> LoadedProject:
    loaded = load_project(level.name, base / level.manifest if level.manifest else None)
    for service in level.services:
        loaded.service(service)
    return loaded


def resolve(name_or_path: str | Path) -> Plan:
    """Validate a design and find the files of its projects, so that it can be run.

    Raises
    ------
    StudyError
        As `validate`; also if files of a project, a summary that a prompt needs, or something that an
        agent needs on this machine are missing.
    """
    plan = validate(name_or_path)
    trees = {name: check_tree(loaded) for name, loaded in plan.projects.items()}
    for project in plan.design.projects:
        loaded = plan.projects[project.name]
        for service in project.services:
            for template in plan.templates.values():
                check_prompt(template, loaded, loaded.service(service))
    for agent in plan.design.agents:
        adapter(agent).ready(agent)
    digests = {name: tree_digest(tree) for name, tree in trees.items()}
    return Plan(plan.design, plan.projects, plan.templates, trees, digests)
