"""Write an extended design, after comparing every existing run with what it would become."""

from __future__ import annotations

import os
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from study.design import Design, Run, find_design, list_designs, load_design
from study.extensions import is_extension
from study.files import write_atomically
from study.plan import Plan, validate
from study.planning.extend import Extension
from study.schema import StudyError

if TYPE_CHECKING:
    from study.records.dataset import Dataset


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
    relative = relative_paths(found.base)
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
