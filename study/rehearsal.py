"""Prepare every workspace once before the first run, so that a stale manifest is told at the start."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

from study.cache import cache_folder
from study.extensions import is_extension
from study.plan import Plan
from study.projects.loading import tree_digest
from study.scenarios import rehearse
from study.schema import StudyError

SCENARIO_CODE = Path(__file__).parent / "scenarios"


def rehearse_all(plan: Plan) -> None:
    """Rehearse each service in each scenario; what went well is remembered in the cache.

    Raises
    ------
    StudyError
        With one line for each service and scenario whose workspace cannot be prepared.
    """
    problems = []
    for project in plan.design.projects:
        loaded, tree = plan.projects[project.name], plan.trees[project.name]
        for name in project.services:
            for level, scenario in zip(plan.design.scenarios, plan.scenarios.values(), strict=True):
                mark = _mark(plan, project.name, name, level)
                if mark is not None and mark.exists():
                    continue
                try:
                    rehearse(loaded.project, loaded.service(name), scenario, tree)
                except StudyError as error:
                    problems.append(f"{loaded.manifest}: services.{name}, scenario {level!r}: {error}")
                except Exception as error:  # a scenario of the user's own may do anything
                    why = f"{type(error).__name__}: {error}"
                    problems.append(f"{loaded.manifest}: services.{name}, scenario {level!r}: {why}")
                else:
                    if mark is not None:
                        mark.touch()
    if problems:
        raise StudyError("\n".join(problems))


def _mark(plan: Plan, project: str, service: str, scenario: str) -> Path | None:
    """The file that remembers a rehearsal; None for a scenario of the user's own, whose code may change."""
    if is_extension(scenario):
        return None
    manifest = plan.projects[project].project.model_dump_json()
    parts = (_code(), plan.tree_digests[project], manifest, service, scenario)
    return cache_folder("rehearsals") / hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


@lru_cache(maxsize=1)
def _code() -> str:
    return tree_digest(SCENARIO_CODE)
