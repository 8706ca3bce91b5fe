from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from study.design import Limits, Run, load_design
from study.plan import validate
from study.schema import StudyError

VALID = """
name: mine
title: Mine
agents: [{name: a, adapter: absent}, {name: b, adapter: absent}]
projects: [{name: library-desk, services: [loan-service]}]
prompts: [minimal]
scenarios: [incremental]
"""


BOMB = "x0: &x0 [x, x]\n" + "\n".join(f"x{n}: &x{n} [*x{n - 1}, *x{n - 1}]" for n in range(1, 60))
"""Sixty lines that stand for 2^60 values."""


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "mine.yaml"
    path.write_text(text)
    return path


@pytest.mark.parametrize("name", ["paper", "demo"])
def test_full_factorial_of_144(name: str) -> None:
    runs = load_design(name).runs()
    assert len(runs) == 144
    assert len({run.run_id for run in runs}) == 144
    for factor, levels in (("agent", 3), ("project", 4), ("scenario", 2), ("prompt", 2)):
        counts = Counter(getattr(run, factor) for run in runs)
        assert len(counts) == levels
        assert len(set(counts.values())) == 1, "every level occurs equally often"
    assert len({(run.project, run.service) for run in runs}) == 12


def test_paper_names_the_models_of_table_ii() -> None:
    models = [agent.model for agent in load_design("paper").agents]
    assert models == ["claude-sonnet-4-20250514", "gpt-5", "qwen3-coder-480b-a35b"]


def test_paper_validates_without_the_systems() -> None:
    plan = validate("paper")
    services = {project.name: set(project.services) for project in plan.design.projects}
    assert services["train-ticket"] == {"ts-order-service", "ts-payment-service", "ts-preserve-service"}
    assert len(plan.design.runs()) == 144


def test_a_design_can_be_a_part_of_the_factorial(tmp_path: Path) -> None:
    every = load_design(write(tmp_path, VALID)).runs()
    one = every[0].run_id
    part = load_design(write(tmp_path, VALID + f"only: ['{one}']\n"))
    assert [run.run_id for run in part.runs()] == [one]
    kept = {(run.project, run.service, run.scenario) for run in part.control_runs()}
    assert kept == {(every[0].project, every[0].service, every[0].scenario)}
    with pytest.raises(StudyError, match="'nothing' matches no run"):
        load_design(write(tmp_path, VALID + "only: [nothing]\n"))


def test_controls_run_on_every_service_and_scenario() -> None:
    design = load_design("demo")
    counts = Counter(run.agent for run in design.control_runs())
    assert counts == {"absent": 12 * 2 * 1, "reference": 12 * 2 * 3}


def test_run_id_is_readable() -> None:
    run = Run("claude-code", "train-ticket", "ts-cancel-service", "incremental", "minimal", 1)
    assert run.run_id == "claude-code.train-ticket.ts-cancel-service.incremental.minimal.r1"


def test_new_levels_change_no_run_and_no_seed(tmp_path: Path) -> None:
    before = load_design(write(tmp_path, VALID))
    longer = VALID.replace("[minimal]", "[summary, minimal]").replace(
        "[{name: a,", "[{name: z, adapter: absent}, {name: a,"
    )
    after = load_design(write(tmp_path, longer + "replicates: 2\n"))
    old = {run.run_id: run.seed(before.seed) for run in before.runs()}
    new = {run.run_id: run.seed(after.seed) for run in after.runs()}
    assert old.items() <= new.items()
    assert len(new) == 3 * 2 * 2
    assert len(set(new.values())) == len(new), "every run has a seed of its own"


def test_prompt_file_becomes_a_level_by_its_name(tmp_path: Path) -> None:
    design = load_design(write(tmp_path, VALID.replace("[minimal]", "[prompts/terse.md]")))
    assert design.runs()[0].prompt == "terse"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (("title: Mine", "titel: Mine"), "titel: unknown key; known here: agents, controls"),
        (("name: b,", "name: a,"), "duplicate level 'a'"),
        (("[loan-service]", "[loan-service, loan-service]"), "duplicate level 'loan-service'"),
        (("[minimal]", "[minimal, minimal]"), "duplicate level 'minimal'"),
        (("[minimal]", "[none]"), "'none' marks the controls"),
        (("name: b,", "name: reference,"), "'reference' is the name of a control"),
        (("name: b,", "name: B b,"), "agents.1.name"),
        (("title: Mine", "title: Mine\nlimits: {agent_seconds: -1}"), "limits.agent_seconds"),
        (("title: Mine", "title: Mine\ntitle: Again"), "duplicate key 'title'"),
        (("name: mine", "name: [mine"), "is not valid YAML"),
        (("title: Mine", "title: 2026-99-99"), "is not valid YAML: month must be in 1..12"),
        (("title: Mine", "title: " + "[" * 5000), "is not valid YAML"),
        (("title: Mine", f"{BOMB}\ntitle: Mine"), "more than 100000 values"),
        (("title: Mine", "title: Mine\nreplicates: 100000000"), "replicates: Input should be less than"),
        (("title: Mine", "title: Mine\nlimits: {test_seconds: .inf}"), "limits.test_seconds"),
        (("name: b,", f"name: {'b' * 250},"), "an id may have 200 characters"),
        (("[minimal]", "['my prompt.md']"), "names of levels may hold letters"),
    ],
)
def test_mistakes_in_the_file_are_named(tmp_path: Path, change: tuple[str, str], expected: str) -> None:
    assert change[0] in VALID
    with pytest.raises(StudyError) as caught:
        load_design(write(tmp_path, VALID.replace(*change)))
    assert expected in str(caught.value)
    assert "mine.yaml" in str(caught.value)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (
            ("adapter: absent}, {name: b, adapter: absent", "adapter: absent}, {name: b, adapter: nobody"),
            "'nobody'",
        ),
        (("library-desk", "library-disk"), "no manifest for project 'library-disk'"),
        (("loan-service", "loans-service"), "no target service 'loans-service'"),
        (("loan-service", "gateway"), "no target service 'gateway'"),
        (("minimal", "minimum"), "no prompt template 'minimum'"),
        (
            ("[incremental]", "[incremantal]"),
            "unknown scenario 'incremantal'; there are incremental, clean_state",
        ),
        (("[incremental]", "['nowhere:X']"), "module 'nowhere' cannot be imported"),
        (("[incremental]", "['json:dumps']"), "'json:dumps' is no study.scenarios.Scenario"),
        (("title: Mine", "title: Mine\nmetrics: [sloc]"), "'sloc' is not of the form `module:function`"),
        (("title: Mine", "title: Mine\nmetrics: ['json:nothing']"), "module 'json' has no 'nothing'"),
    ],
)
def test_unknown_levels_are_named(tmp_path: Path, change: tuple[str, str], expected: str) -> None:
    assert change[0] in VALID
    with pytest.raises(StudyError) as caught:
        validate(write(tmp_path, VALID.replace(*change)))
    assert expected in str(caught.value)


def test_all_unknown_levels_are_named_at_once(tmp_path: Path) -> None:
    text = VALID.replace("library-desk", "nowhere").replace("minimal", "nothing")
    with pytest.raises(StudyError) as caught:
        validate(write(tmp_path, text))
    assert "nowhere" in str(caught.value)
    assert "nothing" in str(caught.value)


def test_unknown_design_lists_the_known_ones() -> None:
    with pytest.raises(StudyError, match="there are demo, opencode, paper"):
        load_design("dmeo")


def test_two_runs_cannot_share_an_id(tmp_path: Path) -> None:
    text = VALID.replace("name: b,", "name: a.library-desk,").replace(
        "projects: [", "projects: [{name: library-desk.library-desk, services: [loan-service]}, "
    )
    assert "a.library-desk," in text
    assert "library-desk.library-desk" in text
    with pytest.raises(StudyError, match="two runs have the id 'a.library-desk.library-desk.loan-service"):
        load_design(write(tmp_path, text))


def test_yaml_may_still_share_settings(tmp_path: Path) -> None:
    text = VALID + "limits: &some {test_seconds: 5}\ncontrols: {<<: {absent: 2}, reference: 1}\n"
    design = load_design(write(tmp_path, text))
    assert (design.controls.absent, design.controls.reference) == (2, 1)


@pytest.mark.parametrize("code", ["1 / 0", "def (", "import sys; sys.exit(0)", "import os; os.nothing"])
def test_a_module_that_fails_is_named(tmp_path: Path, code: str) -> None:
    name = f"broken{abs(hash(code))}"
    (tmp_path / f"{name}.py").write_text(code)
    with pytest.raises(StudyError, match=f"module '{name}' cannot be imported"):
        validate(write(tmp_path, VALID + f"metrics: ['{name}:x']\n"))


def test_a_prompt_that_is_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "latin.md").write_bytes(b"\xe9")
    with pytest.raises(StudyError, match=r"latin\.md: is not UTF-8 text"):
        validate(write(tmp_path, VALID.replace("[minimal]", "[latin.md]")))


def test_new_limits_leave_old_fingerprints_alone() -> None:
    old = {
        "agent_seconds": 10.0,
        "test_seconds": 600.0,
        "single_test_seconds": 60.0,
        "output_megabytes": 50.0,
        "disk_megabytes": 1000.0,
    }
    assert Limits(agent_seconds=10).of_one_run() == old
    assert Limits(agent_seconds=10, experiment_usd=5, experiment_hours=1).of_one_run() == old
    assert Limits(agent_seconds=10, agent_usd=2, agent_turns=50).of_one_run() == {
        **old,
        "agent_usd": 2.0,
        "agent_turns": 50,
    }
