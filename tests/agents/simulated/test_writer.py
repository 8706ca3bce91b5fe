"""Every transformation at every place of all demo services, and whole runs of every class."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random

import pytest

from study.agents.controls import code_files
from study.agents.protocol import Task
from study.agents.simulated.adapter import make_order
from study.agents.simulated.profile import list_profiles
from study.agents.simulated.program.defects import DEFECTS
from study.agents.simulated.program.measure import measure
from study.agents.simulated.program.order import Order
from study.agents.simulated.program.reshape import FORMS, apply_all
from study.agents.simulated.program.text import Change, Texts, apply
from study.agents.simulated.program.writer import Writer, no_start
from study.design import AgentLevel, Run
from study.projects.loading import list_projects, load_project, source_tree

SERVICES = [
    (name, service.name)
    for name in list_projects()
    if load_project(name).project.source.embedded
    for service in load_project(name).project.targets
]
LAYOUT = {"join_lines", "split_call", "inline_body"}
IN_ONE_FUNCTION = {"omit_validation", "negate_condition", "shift_boundary", "off_by_one", *FORMS} - LAYOUT


@lru_cache
def texts_of(project: str, service: str) -> Texts:
    loaded = load_project(project)
    target, tree = loaded.service(service), source_tree(loaded)
    names = [name for name in code_files(target, tree) if name.endswith(".py")]
    return {name: (tree / target.directory / name).read_text() for name in names}


@lru_cache
def order_of(project: str, service: str, profile: str, scenario: str, prompt: str = "minimal") -> Order:
    loaded = load_project(project)
    level = AgentLevel(name=profile, adapter="simulated", kind="simulated", settings={"profile": profile})
    run = Run(profile, project, service, scenario, prompt, 1)
    target, tree = loaded.service(service), source_tree(loaded)
    return make_order(Task(run, level, loaded.project, target, "", Path(), Path(), tree, 0))


def changes_of(texts: Texts) -> Iterator[Change]:
    for way in [*DEFECTS.values(), *FORMS.values(), no_start]:
        yield from way(texts)


@dataclass(frozen=True)
class Part:
    """A function, or what is left of a module without its functions."""

    text: str
    nodes: tuple[ast.stmt, ...]

    @property
    def meaning(self) -> list[str]:
        return [ast.dump(node) for node in self.nodes]


@lru_cache
def parts(text: str) -> dict[str, Part]:
    """Qualified name of every function to its text and tree, and the rest of the module under ``."""
    lines = text.splitlines()
    found: dict[str, Part] = {}
    rest: list[ast.stmt] = []
    rest_text: list[str] = []

    def source(node: ast.stmt) -> str:
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
        return "\n".join(lines[first - 1 : node.end_lineno])

    def visit(body: list[ast.stmt], prefix: str) -> None:
        for node in body:
            name = f"{prefix}{getattr(node, 'name', '')}"
            if isinstance(node, ast.ClassDef):
                rest_text.append(f"class {name}")
                visit(node.body, f"{name}.")
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                found[name] = Part(source(node), (node,))
            else:
                rest.append(node)
                rest_text.append(source(node))

    visit(ast.parse(text).body, "")
    return found | {"": Part("\n".join(rest_text), tuple(rest))}


def differing(before: str, after: str) -> set[str]:
    """Names of the parts of a module that do not mean the same in two texts."""
    old, new = parts(before), parts(after)
    return {
        name
        for name in old | new
        if name not in old
        or name not in new
        or (old[name].text != new[name].text and old[name].meaning != new[name].meaning)
    }


def test_there_are_twelve_demo_services() -> None:
    assert len(SERVICES) == 12


@pytest.mark.parametrize(("project", "service"), SERVICES)
def test_every_change_is_valid_and_changes_what_it_says_and_nothing_else(project: str, service: str) -> None:
    texts = texts_of(project, service)
    counted = 0
    for change in changes_of(texts):
        if change.kind in LAYOUT:
            continue
        changed = apply(texts, change)
        assert changed is not None, change
        counted += 1
        file, _, place = change.place.partition(":")
        altered = {
            (name, function)
            for name, text in changed.items()
            if text != texts[name]
            for function in differing(texts[name], text)
        }
        if change.kind in IN_ONE_FUNCTION:
            assert altered == {(file, place.split(".<")[0])}, change
        else:
            assert altered, change
            assert file in {name for name, _ in altered}, change
    assert counted > 40


@pytest.mark.parametrize(("project", "service"), SERVICES)
def test_layout_changes_no_meaning(project: str, service: str) -> None:
    texts = texts_of(project, service)
    for kind in sorted(LAYOUT):
        found = list(FORMS[kind](texts))
        changed, done = apply_all(texts, found)
        assert len(done) == len(found)
        assert (changed != texts) == bool(found)
        for name, text in texts.items():
            assert ast.dump(ast.parse(changed[name])) == ast.dump(ast.parse(text))


@pytest.mark.parametrize(("project", "service"), SERVICES)
def test_every_service_has_places_for_the_main_defects(project: str, service: str) -> None:
    texts = texts_of(project, service)
    for kind in ("omit_endpoint", "omit_validation", "negate_condition", "shift_boundary", "other_status"):
        assert list(DEFECTS[kind](texts)), kind


@pytest.mark.parametrize(("project", "service"), SERVICES)
@pytest.mark.parametrize("scenario", ["incremental", "clean_state"])
def test_whole_runs_are_valid(project: str, service: str, scenario: str) -> None:
    texts = texts_of(project, service)
    for number, run_class in enumerate(("incompatible", "flawed", "flawed", "faithful")):
        profile = list_profiles()[number % 3]
        writer = Writer(
            order_of(project, service, profile, scenario), dict(texts), Random(f"{service} {number}")
        )
        writer.write(run_class)  # type: ignore[arg-type]
        for name, text in writer.texts.items():
            compile(text, name, "exec")
        kinds = {kind for kind, _ in writer.planted}
        defects = kinds & set(DEFECTS)
        if run_class == "flawed":
            assert defects
        elif run_class == "incompatible":
            known = {"rename_module", "rename_name"} if scenario == "incremental" else set()
            assert kinds & (known or {"no_start", "wrong_entry_point"})
            assert not defects
        else:
            assert not defects
        if scenario == "incremental" and run_class != "incompatible":
            assert sorted(writer.texts) == sorted(texts)
            assert not kinds & {"rename_module", "rename_name"}
        if "wrong_entry_point" not in kinds:
            assert "main.py" in writer.texts


def test_sizes_come_in_the_published_order() -> None:
    """Figure 3: Code Qwen writes less than Claude Code, and that less than Codex."""
    total = dict.fromkeys(list_profiles(), 0)
    for project, service in SERVICES:
        for profile in total:
            order = order_of(project, service, profile, "clean_state")
            writer = Writer(order, dict(texts_of(project, service)), Random(f"{service} {profile}"))
            writer.write("faithful")
            total[profile] += measure(writer.texts).cyclomatic
    assert total["code-qwen"] < total["claude-code"] < total["codex"]
