"""The adapter of the simulated agents: makes the order, and reads the log."""

from __future__ import annotations

import hashlib
import json
import sys
from functools import lru_cache
from pathlib import Path

from study.agents.controls import code_files
from study.agents.jsonl import read_events
from study.agents.outcomes import outcome_of
from study.agents.protocol import Launch, ProcessResult, Report, Task, Usage
from study.agents.simulated.calibrate import load_sensitivity, solve
from study.agents.simulated.profile import (
    HERE,
    Assumptions,
    Condition,
    Metric,
    Profile,
    condition_of,
    load_assumptions,
    load_profile,
)
from study.agents.simulated.program.mentions import spared
from study.agents.simulated.program.order import TASK_FILE, Goal, Order, RunClass
from study.design import AgentLevel
from study.files import iter_files
from study.projects.loading import tree_digest
from study.schema import Model, StudyError, parse

PROGRAM = HERE / "program"


@lru_cache(maxsize=1)
def _own_files() -> str:
    return tree_digest(HERE)


class SimulatedSettings(Model):
    """Settings of the adapter `simulated`."""

    profile: str
    """Name of a file in study/agents/simulated/profiles, or the path of one of your own."""
    only: RunClass | None = None
    """Make every run one of this class, for instance `too_long`: to try out a harness."""


class Simulated:
    """Stands in for a real agent; what it writes comes from the reference, with defects planted."""

    def check(self, level: AgentLevel) -> None:
        settings = _settings(level)
        if level.kind != "simulated":
            raise StudyError(
                f"agents[{level.name}].kind: is {level.kind!r}; this adapter measures no agent, "
                "so every row it gives must be marked: write `kind: simulated`"
            )
        load_profile(settings.profile)
        load_assumptions()
        load_sensitivity()

    def ready(self, level: AgentLevel) -> None:
        """Simulated agents need nothing but Python."""

    def fingerprint(self, level: AgentLevel) -> str:
        """The program, the profiles and what calibrates them decide what is written."""
        profile = load_profile(_settings(level).profile).model_dump_json()
        return hashlib.sha256(f"{_own_files()} {profile}".encode()).hexdigest()

    def launch(self, task: Task) -> Launch:
        order = make_order(task)
        return Launch(
            command=[sys.executable, "-I", "-S", str(PROGRAM)],
            stdin=task.prompt,
            files={TASK_FILE: json.dumps(order, indent=1, sort_keys=True)},
            readable=[PROGRAM, task.reference],
            network=False,
        )

    def report(self, task: Task, result: ProcessResult) -> Report:
        outcome, reason = outcome_of(result)
        planted, last = [], None
        for event in read_events(result.stdout):
            if event.get("type") == "planted":
                planted.append(f"{event['defect']}: {event['place']}")
            elif event.get("type") == "result":
                last = event
        if last is None and outcome == "completed":
            outcome, reason = "agent_error", "the log ends without a result"
        if last is not None and last["is_error"]:
            outcome, reason = "agent_error", str(last["message"])
        usage = Usage(**last["usage"]) if last is not None else Usage()
        return Report(outcome=outcome, reason=reason, usage=usage, model=task.level.model, planted=planted)


def make_order(task: Task) -> Order:
    """All that the program has to know of one run."""
    settings = _settings(task.level)
    profile, assumptions = load_profile(settings.profile), load_assumptions()
    scenario = task.run.scenario
    condition = condition_of(scenario, task.run.prompt)
    published = profile.conditions[condition]
    sensitivity = load_sensitivity()
    oracle = sensitivity.integration if scenario == "clean_state" else sensitivity.unit
    classes = {settings.only: 1.0} if settings.only else solve(published, condition, assumptions, oracle)
    files = code_files(task.service, task.reference)
    return Order(
        seed=task.seed,
        agent=task.level.name,
        model=task.level.model or profile.model,
        scenario=scenario,
        source=str(task.reference / task.service.directory),
        destination=task.service.directory,
        package=task.service.directory.replace("/", "."),
        files=files,
        test_files=task.service.unit.files,
        spared=list(_spared(task.reference, task.service.directory, tuple(files), tuple(_askers(task)))),
        classes=classes,
        defects=assumptions.defects,
        defect_counts={str(count): share for count, share in assumptions.defect_counts.items()},
        goal=size_goal(profile, assumptions, condition),
        habits=assumptions.habits.model_dump(),  # type: ignore[typeddict-item]
        consumption={
            "time_min": published.time_min.knots(profile.runs, 1),
            "input_tokens": published.input_tokens_m.knots(profile.runs, 1e6),
            "output_tokens": published.output_tokens_k.knots(profile.runs, 1e3),
            "prices": {"input": profile.prices.input, "output": profile.prices.output},
            "correlation": assumptions.correlation,
        },
    )


def size_goal(profile: Profile, assumptions: Assumptions, condition: Condition) -> Goal:
    """Size relative to the reference: ratio(agent) x ratio(condition) / ratio(all), see assumptions.yaml."""

    def ratio(metric: Metric) -> float:
        ratios = {name: bars.ratio(metric) for name, bars in assumptions.size_by_condition.items()}
        return profile.size.ratio(metric) * ratios[condition] / (sum(ratios.values()) / len(ratios))

    return Goal(
        sloc=ratio("sloc"),
        cyclomatic=ratio("cyclomatic"),
        cognitive=ratio("cognitive"),
        spread=assumptions.size_spread,
    )


def _settings(level: AgentLevel) -> SimulatedSettings:
    return parse(SimulatedSettings, level.settings, f"agents[{level.name}].settings")


def _askers(task: Task) -> list[str]:
    """Files that tell what is asked of the target, relative to the reference tree.

    In `clean_state` the code of the other services and their tests of it, else its unit tests.
    """
    service = task.service
    if task.run.scenario != "clean_state":
        return service.unit.files
    folders = [task.reference / other.directory for other in task.project.services if other != service]
    code = [path for folder in folders for path in iter_files(folder) if path.suffix == ".py"]
    return [path.relative_to(task.reference).as_posix() for path in code] + service.integration.files


@lru_cache(maxsize=256)
def _spared(
    reference: Path, directory: str, files: tuple[str, ...], askers: tuple[str, ...]
) -> tuple[str, ...]:
    sources = [name for name in files if name.endswith(".py")]
    texts = {name: (reference / directory / name).read_text(encoding="utf-8") for name in sources}
    return tuple(sorted(spared(texts, [(reference / name).read_text(encoding="utf-8") for name in askers])))
