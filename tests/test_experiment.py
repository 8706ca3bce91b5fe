"""Whole runs of the toy project: outcomes, resume, bad agents, bad suites, bad folders."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import study
from study.agents.protocol import ProcessResult
from study.experiment import again, all_runs, run_experiment
from study.plan import resolve
from study.records.collect import collect
from study.records.compare import compare
from study.records.dataset import load_dataset, write_dataset
from study.records.stages import RunRecord
from study.schema import StudyError

Design = Callable[..., Path]

INCREMENTAL = "scripted.toy.greeter.incremental.minimal.r1"


def records(design: Path, folder: Path) -> dict[str, RunRecord]:
    """Run a design and return its records by id."""
    tally = run_experiment(resolve(design), folder, jobs=2)
    assert tally.not_started == 0
    return {record.run_id: record for record in tally.done}


def only_agent(design: Path, folder: Path) -> RunRecord:
    tally = run_experiment(resolve(design), folder, only=[INCREMENTAL], jobs=1)
    return tally.done[0]


def statuses(record: RunRecord) -> Counter[str]:
    return Counter(test.status for test in record.evaluation.tests)


def test_from_design_to_tables(toy_design: Design, tmp_path: Path) -> None:
    design = toy_design()
    done = records(design, tmp_path / "results")
    assert len(done) == 2 + 2 * (1 + 2)
    plan = resolve(design)
    write_dataset(collect(plan.design, plan.projects, tmp_path / "results"), tmp_path / "data", "Toy")
    data = load_dataset(tmp_path / "data")
    rates = data.runs.set_index("scenario")["pass_rate_percent"]
    # the script greets everybody with good morning and checks no length: 2 of 4 unit tests pass; the
    # consumer's tests see neither
    assert rates.to_dict() == {"incremental": 50.0, "clean_state": 100.0}
    references = data.references.set_index("scenario")
    assert references["floor_percent"].to_dict() == {"incremental": 0.0, "clean_state": 50.0}
    assert references["ceiling_percent"].to_dict() == {"incremental": 100.0, "clean_state": 100.0}
    assert references["tests_reference"].to_dict() == {"incremental": 4, "clean_state": 2}
    assert references["sees_target"].all()
    assert set(data.runs["kind"]) == {"simulated"}
    assert set(data.controls["kind"]) == {"measured"}
    # rules.py as scripted: def, if, raise, return = 4 lines, one function with one branch
    quality = data.quality.set_index("run_id").loc[INCREMENTAL]
    assert (quality["sloc"], quality["cyclomatic"], quality["cognitive"]) == (4, 2, 1)
    assert data.runs["cost_usd"].isna().all(), "the agent does not say: missing, not 0"


AGENTS = {
    "writes nothing": ("pass", "no_output", "not_collected"),
    "fails": ("import sys; sys.exit(3)", "agent_error", "not_collected"),
    "runs too long": ("import time; time.sleep(60)", "timeout", "not_collected"),
    "prints without end": ("while True: print('x' * 100000)", "agent_error", "not_collected"),
}


@pytest.mark.parametrize("name", AGENTS)
def test_every_run_has_one_outcome(name: str, toy_design: Design, tmp_path: Path) -> None:
    script, outcome, suite = AGENTS[name]
    record = only_agent(toy_design(script, seconds=3), tmp_path / "results")
    assert (record.generation.outcome, record.evaluation.suite) == (outcome, suite)
    assert record.generation.reason
    assert not (tmp_path / "results" / INCREMENTAL / "agent" / "stdout.log").stat().st_size > 1_100_000


GENERATED = {
    # file text in place of the target's rules.py: (suite outcome, passed tests)
    "syntax error": ("def greet(:", "not_collected", 0),
    "hangs at import": ("import time\ntime.sleep(60)", "timeout", 0),
    "leaves with 0": ("import os\nos._exit(0)", "no_tests", 0),
    "leaves with 0 in a test": ("import os\ndef greet(name, hour): os._exit(0)", "no_tests", 0),
    "endless loop": (
        "def greet(name, hour):\n    if not name: raise ValueError\n    while True: pass",
        "ran",
        1,
    ),
    "prints without end": ("while True: print('x' * 100000, flush=True)", "crashed", 0),
    "forks": (
        "import os, time\nfor _ in range(20):\n    if os.fork() == 0:\n        time.sleep(600)\n"
        "def greet(name, hour): raise ValueError",
        "ran",
        2,
    ),
}


@pytest.mark.parametrize("name", GENERATED)
def test_bad_generated_code_is_scored_and_costs_nothing_else(
    name: str, toy_design: Design, tmp_path: Path
) -> None:
    text, suite, passed = GENERATED[name]
    script = (
        "import pathlib\nd = pathlib.Path('services/greeter')\nd.mkdir(parents=True, exist_ok=True)\n"
        f"(d / '__init__.py').write_text('')\n(d / 'rules.py').write_text({text!r})\n"
    )
    design = toy_design(script)
    design.write_text(
        design.read_text()
        .replace("test_seconds: 20", "test_seconds: 8")
        .replace("single_test_seconds: 2", "single_test_seconds: 1")
        .replace("_megabytes: 1,", "_megabytes: 5,")
    )
    record = only_agent(design, tmp_path / "results")
    assert record.generation.outcome == "completed"
    assert record.evaluation.suite == suite, record.evaluation.reason
    assert statuses(record)["passed"] == passed
    assert record.quality is not None
    assert record.quality.files == (1 if name == "syntax error" else 2)


def test_odd_files_are_refused_or_named(toy_design: Design, tmp_path: Path) -> None:
    script = (
        "import os, pathlib\nd = pathlib.Path('services/greeter')\n"
        "(d / 'rules.py').write_bytes(b'x = \"\\xe9\"')\nos.symlink('/etc/passwd', d / 'users.py')\n"
        "open(d / 'big.bin', 'wb').truncate(50_000_000)\n"
        "(d / 'tests/test_rules.py').write_text('def test_ok(): pass')\n"
        "pathlib.Path('services/porch/bell.py').write_text('ring = None')\n"
    )
    record = only_agent(toy_design(script), tmp_path / "results")
    assert record.generation.outcome == "completed"
    assert [refused.split(": ")[0] for refused in record.generation.refused_files] == [
        "services/greeter/big.bin",
        "services/greeter/users.py",
    ]
    assert record.generation.test_edits == ["services/greeter/tests/test_rules.py"]
    assert record.generation.files_elsewhere == ["services/porch/bell.py"]
    assert record.quality is not None
    assert record.quality.unparsed == ["rules.py: not UTF-8 text"]
    assert record.evaluation.suite == "not_collected", "the original tests were put back"
    assert not list((tmp_path / "results" / INCREMENTAL / "generated").glob("users.py"))
    assert "+ring = None" in (tmp_path / "results" / INCREMENTAL / "elsewhere.diff").read_text()


GREETER = "d=services/greeter; mkdir -p $d; touch $d/__init__.py\n"
CHEATS = {
    "configuration": "printf '[pytest]\\npythonpath = ../..\\naddopts = -p services.greeter.cheat\\n' "
    "> $d/pytest.ini\n"
    "echo 'def greet(name, hour): return 1' > $d/rules.py\n"
    "echo 'def pytest_pyfunc_call(pyfuncitem): return True' > $d/cheat.py\n",
    "link in place of the report": 'printf \'import os\\nos.symlink("/etc/passwd", os.environ["HOME"] + '
    '"/junit.xml")\\nos._exit(0)\\n\' > $d/rules.py\n',
}


@pytest.mark.parametrize("name", CHEATS)
def test_generated_files_do_not_judge_themselves(name: str, toy_design: Design, tmp_path: Path) -> None:
    script = f"import subprocess\nsubprocess.run(['bash', '-c', {GREETER + CHEATS[name]!r}])\n"
    record = only_agent(toy_design(script), tmp_path / "results")
    assert record.generation.outcome == "completed"
    assert statuses(record)["passed"] == 0
    assert not (tmp_path / "results" / INCREMENTAL / "oracle" / "junit.xml").is_symlink()
    assert "root:" not in "".join(
        path.read_text() for path in (tmp_path / "results" / INCREMENTAL / "oracle").glob("junit.xml")
    )


def test_odd_names_are_recorded(toy_design: Design, tmp_path: Path) -> None:
    script = (
        "import os\nfor name in (b'\\xff.py', b'a\\nb.py'):\n"
        "    open(b'services/greeter/' + name, 'w').write('x = 1')\nopen(b'\\xfe', 'w').close()\n"
    )
    record = only_agent(toy_design(script), tmp_path / "results")
    assert record.generation.files_written == ["services/greeter/a\nb.py", "services/greeter/\\udcff.py"]
    assert record.generation.files_elsewhere == ["\\udcfe"]
    assert record.quality is not None
    assert record.quality.files == 2


def test_a_link_in_place_of_the_workspace_is_not_followed(
    toy_design: Design, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STUDY_SANDBOX", "plain")
    secret = tmp_path / "secret/services/greeter"
    secret.mkdir(parents=True)
    (secret / "rules.py").write_text("original = True")
    script = (
        "import os\nplace = os.getcwd()\nos.rename(place, place + '2')\n"
        f"os.symlink({str(tmp_path / 'secret')!r}, place)\n"
    )
    record = only_agent(toy_design(script), tmp_path / "results")
    assert record.generation.outcome == "no_output"
    assert (secret / "rules.py").is_file()


def test_a_failing_metric_costs_no_generation(toy_design: Design, tmp_path: Path) -> None:
    (tmp_path / "mine_fails.py").write_text(
        f"def rate(folder): return open({str(tmp_path / 'rate')!r}).read()"
    )
    design = toy_design(extra="metrics: ['mine_fails:rate']\n")
    tally = run_experiment(resolve(design), tmp_path / "results", only=["*.incremental.*"], jobs=1)
    assert len(tally.done) == 4, "one failing run does not stop the others"
    assert {record.run_id for record in tally.broken} == {
        record.run_id for record in tally.done if "absent" not in record.run_id
    }
    assert "metrics: 'rate' fails on" in tally.broken[0].generation.reason
    made = tmp_path / "results" / INCREMENTAL / "generation.json"
    before = made.stat().st_mtime_ns
    design.write_text(design.read_text().replace("metrics: ['mine_fails:rate']", ""))
    assert not run_experiment(resolve(design), tmp_path / "results", only=["*.incremental.*"]).broken
    assert made.stat().st_mtime_ns == before, "the agent was not asked again"


def test_100_mb_meet_the_disk_limit(toy_design: Design, tmp_path: Path) -> None:
    script = "f = open('services/greeter/rules.py', 'wb')\nfor _ in range(1000): f.write(b'x' * 1_000_000)\n"
    record = only_agent(toy_design(script), tmp_path / "results")
    assert record.generation.outcome == "agent_error"
    assert record.generation.files_written == []


def test_done_runs_are_not_done_again(toy_design: Design, tmp_path: Path) -> None:
    design = toy_design()
    records(design, tmp_path / "results")
    before = {p: p.stat().st_mtime_ns for p in (tmp_path / "results").rglob("run.json")}
    tally = run_experiment(resolve(design), tmp_path / "results")
    assert (tally.already_done, len(tally.done)) == (8, 0)
    assert before == {p: p.stat().st_mtime_ns for p in (tmp_path / "results").rglob("run.json")}


def test_a_truncated_record_means_not_done(toy_design: Design, tmp_path: Path) -> None:
    design = toy_design()
    records(design, tmp_path / "results")
    path = tmp_path / "results" / INCREMENTAL / "run.json"
    whole = path.read_text()
    path.write_text(whole[: len(whole) // 2])
    draft = path.with_name(".run.json.1.draft")  # of a process that was killed while it wrote
    draft.write_text("{")
    plan = resolve(design)
    with pytest.raises(StudyError, match="1 of 8 runs are not done"):
        collect(plan.design, plan.projects, tmp_path / "results")
    tally = run_experiment(plan, tmp_path / "results")
    assert [record.run_id for record in tally.done] == [INCREMENTAL]
    assert path.read_text() == whole, "the stages that were done are not repeated"
    assert not draft.exists()


def test_redo_and_stages_again(toy_design: Design, tmp_path: Path) -> None:
    design = toy_design()
    first = records(design, tmp_path / "results")
    plan = resolve(design)
    tally = run_experiment(plan, tmp_path / "results", only=[INCREMENTAL], redo=True)
    assert [record.run_id for record in tally.done] == [INCREMENTAL]
    (tmp_path / "results" / INCREMENTAL / "generated" / "rules.py").write_text(
        "def greet(n, h): return 1 if n else 2\n"
    )
    measured = again(plan, tmp_path / "results", "measure", only=[INCREMENTAL]).done[0]
    assert measured.quality is not None
    assert measured.quality.cyclomatic == 2
    assert measured.evaluation == tally.done[0].evaluation
    scored = again(plan, tmp_path / "results", "evaluate", only=[INCREMENTAL]).done[0]
    assert statuses(scored)["passed"] == 0
    assert scored.generation == tally.done[0].generation
    assert statuses(first[INCREMENTAL])["passed"] == 2


def test_an_unknown_pattern_is_an_error(toy_design: Design, tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="matches no run"):
        run_experiment(resolve(toy_design()), tmp_path / "results", only=["*.gretter.*"])


def test_one_broken_run_does_not_stop_the_others(
    toy_design: Design, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import study.run

    prepare = study.run.prepare
    calls: list[str] = []

    def sometimes(project, service, scenario, tree, workspace):  # type: ignore[no-untyped-def]
        calls.append(scenario.oracle)
        if scenario.oracle == "integration":
            raise OSError("disk is full")
        return prepare(project, service, scenario, tree, workspace)

    monkeypatch.setattr(study.run, "prepare", sometimes)
    plan = resolve(toy_design())
    tally = run_experiment(plan, tmp_path / "results", jobs=2)
    outcomes = Counter(record.generation.outcome for record in tally.done)
    assert sum(outcomes.values()) == len(all_runs(plan)) == 8
    assert outcomes["infrastructure_error"] == 4
    assert calls.count("integration") == 4 * 3, "tried three times"
    assert all(record.evaluation.suite == "not_evaluated" for record in tally.broken)
    assert "disk is full" in tally.broken[0].generation.reason
    monkeypatch.undo()
    again_tally = run_experiment(plan, tmp_path / "results", jobs=2)
    assert {record.scenario for record in again_tally.done} == {"clean_state"}
    assert not again_tally.broken


def test_a_folder_of_another_design_is_refused(toy_design: Design, tmp_path: Path) -> None:
    design = toy_design()
    only_agent(design, tmp_path / "results")
    design.write_text(design.read_text().replace("name: toy-design", "name: other"))
    with pytest.raises(StudyError, match="belongs to design 'toy-design', not to 'other'"):
        only_agent(design, tmp_path / "results")


def test_a_changed_design_under_the_same_ids_is_noticed(toy_design: Design, tmp_path: Path) -> None:
    design = toy_design()
    only_agent(design, tmp_path / "results")
    design.write_text(design.read_text().replace("seed: 1", "seed: 2"))
    with pytest.raises(StudyError, match="--redo"):
        only_agent(design, tmp_path / "results")


def test_stages_of_a_changed_design_are_not_gone_on_with(toy_design: Design, tmp_path: Path) -> None:
    design = toy_design()
    old = only_agent(design, tmp_path / "results")
    (tmp_path / "results" / INCREMENTAL / "run.json").unlink()  # as if killed while it was measured
    design.write_text(design.read_text().replace("seed: 1", "seed: 2"))
    made = tmp_path / "results" / INCREMENTAL / "generation.json"
    before = made.stat().st_mtime_ns
    new = only_agent(design, tmp_path / "results")
    assert new.digest != old.digest
    assert made.stat().st_mtime_ns > before


def test_a_new_level_keeps_the_old_runs(toy_design: Design, tmp_path: Path) -> None:
    design = toy_design()
    records(design, tmp_path / "results")
    (tmp_path / "terse.md").write_text("Write {{ service }} in {{ directory }}.")
    design = toy_design(prompts="[terse.md, minimal]")
    done = records(design, tmp_path / "results")
    assert sorted(done) == [
        "scripted.toy.greeter.clean_state.terse.r1",
        "scripted.toy.greeter.incremental.terse.r1",
    ]
    prompt = (tmp_path / "results" / "scripted.toy.greeter.incremental.terse.r1" / "prompt.txt").read_text()
    assert prompt == "Write greeter in services/greeter."


def test_two_processes_do_not_share_a_folder(toy_design: Design, tmp_path: Path) -> None:
    from study.experiment import locked

    (tmp_path / "results").mkdir()
    with locked(tmp_path / "results"), pytest.raises(StudyError, match="another `study` process"):
        records(toy_design(), tmp_path / "results")


def test_a_folder_that_cannot_be_written(toy_design: Design) -> None:
    # not even root can make a folder there
    with pytest.raises(StudyError, match="cannot be written"):
        records(toy_design(), Path("/proc/study-results"))


def test_a_results_path_that_is_a_file(toy_design: Design, tmp_path: Path) -> None:
    (tmp_path / "results").write_text("")
    with pytest.raises(StudyError, match="cannot be written"):
        records(toy_design(), tmp_path / "results")


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_killed_anywhere_and_started_again_gives_the_same_tables(
    how: signal.Signals, toy_design: Design, tmp_path: Path
) -> None:
    design = toy_design()
    plan = resolve(design)
    records(design, tmp_path / "whole")
    write_dataset(collect(plan.design, plan.projects, tmp_path / "whole"), tmp_path / "a", "Toy")
    folder = tmp_path / "pieces"
    command = [sys.executable, "-m", "study", "run", str(design), "--results", str(folder), "--jobs", "2"]
    chance = random.Random(how)
    for _ in range(4):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        time.sleep(chance.uniform(0.4, 1.6))
        process.send_signal(how)
        process.communicate(timeout=30)
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stdout + finished.stderr
    write_dataset(collect(plan.design, plan.projects, folder), tmp_path / "b", "Toy")
    comparison = compare(load_dataset(tmp_path / "b"), load_dataset(tmp_path / "a"))
    assert comparison.equal, comparison.differences.to_string()
    assert not list(folder.rglob("*.draft"))


def test_ctrl_c_says_how_to_go_on(toy_design: Design, tmp_path: Path) -> None:
    design = toy_design("import time\ntime.sleep(30)", seconds=60)
    command = [
        sys.executable,
        "-m",
        "study",
        "run",
        str(design),
        "--results",
        str(tmp_path / "r"),
        "--only",
        "scripted*",
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    ends = time.monotonic() + 20
    while not any((tmp_path / "r").rglob("*.*")) and time.monotonic() < ends:
        time.sleep(0.05)  # until the first run is at work, however busy the machine
    time.sleep(1)
    started = time.monotonic()
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=30)
    assert process.returncode == 130
    assert time.monotonic() - started < 10
    assert "stopped: 2 runs are left; the same command goes on with them" in said
    assert "Traceback" not in said


def test_the_record_says_what_the_preparation_did(toy_design: Design, tmp_path: Path) -> None:
    records(toy_design(), tmp_path / "results")
    folder = tmp_path / "results" / "scripted.toy.greeter.clean_state.minimal.r1"
    record = json.loads((folder / "run.json").read_text())
    manipulation = record["generation"]["manipulation"]
    assert manipulation["removed_files"] == ["services/greeter/__init__.py", "services/greeter/rules.py"]
    assert manipulation["edited_files"] == ["config/routes.yaml", "services/porch/bell.py"]
    assert manipulation["allowed_traces"] == ["README.md:3", "README.md:4"]


def test_a_changed_agent_program_is_noticed(toy_design: Design, tmp_path: Path) -> None:
    design = toy_design()
    only_agent(design, tmp_path / "results")
    (tmp_path / "agent.py").write_text("pass")
    with pytest.raises(StudyError, match="--redo"):
        only_agent(design, tmp_path / "results")


def test_measuring_again_does_not_make_an_old_run_look_current(toy_design: Design, tmp_path: Path) -> None:
    design = toy_design()
    only_agent(design, tmp_path / "results")
    design.write_text(design.read_text().replace("seed: 1", "seed: 2"))
    again(resolve(design), tmp_path / "results", "measure", only=[INCREMENTAL])
    with pytest.raises(StudyError, match="--redo"):
        only_agent(design, tmp_path / "results")


def test_records_of_another_run_are_not_taken_over(toy_design: Design, tmp_path: Path) -> None:
    design = toy_design(extra="replicates: 2\n")
    results = tmp_path / "results"
    other = INCREMENTAL.replace(".r1", ".r2")
    run_experiment(resolve(design), results, only=[INCREMENTAL, other], jobs=1)
    right = {
        name: (results / INCREMENTAL / name).read_text() for name in ("generation.json", "evaluation.json")
    }
    (results / INCREMENTAL / "run.json").unlink()
    for name, text in right.items():
        forged = (
            text.replace(INCREMENTAL, other).replace('"passed"', '"failed"').replace('"agent ended', '"x')
        )
        (results / INCREMENTAL / name).write_text(forged)
    tally = run_experiment(resolve(design), results, only=[INCREMENTAL], jobs=1)
    assert statuses(tally.done[0])["passed"] == 2
    assert json.loads((results / INCREMENTAL / "evaluation.json").read_text())["of"]["run_id"] == INCREMENTAL
    # the same for the last record of all
    (results / INCREMENTAL / "run.json").write_text((results / other / "run.json").read_text())
    with pytest.raises(StudyError, match=r"r1/run.json: is the record of the run .*\.r2; put the right one"):
        run_experiment(resolve(design), results, only=[INCREMENTAL])


@pytest.mark.parametrize("place", ["results", "project", "above", "package"])
def test_settings_that_show_the_answer_are_refused(place: str, toy_design: Design, tmp_path: Path) -> None:
    readable = {
        "results": str(tmp_path / "results"),
        "project": str(Path(__file__).parent / "toy" / "services"),
        "above": str(tmp_path),
        "package": str(Path(study.__file__).parent),
    }[place]
    design = toy_design()
    (tmp_path / "results").mkdir()
    text = design.read_text().replace("kind: simulated", "kind: measured")
    program = str(tmp_path / "agent.py")
    design.write_text(text.replace(f'["{program}"]', f'["{program}", "{readable}"]'))
    with pytest.raises(StudyError, match=r"^agents\[scripted\].settings.readable: '.*' shows the agent"):
        run_experiment(resolve(design), tmp_path / "results")
    assert not list((tmp_path / "results").iterdir())


def test_an_adapter_that_shows_the_answer_starts_nothing(toy_design: Design, tmp_path: Path) -> None:
    (tmp_path / "mine_shows.py").write_text(
        "from dataclasses import replace\nfrom study.agents.command import Command\n"
        "class Shows(Command):\n"
        "    def launch(self, task):\n"
        "        return replace(super().launch(task), readable=[task.reference / 'services'])\n"
    )
    design = toy_design("open('services/greeter/ran.py', 'w')")
    text = design.read_text().replace("kind: simulated", "kind: measured")
    design.write_text(text.replace("adapter: command", "adapter: 'mine_shows:Shows'"))
    record = only_agent(design, tmp_path / "results")
    assert record.generation.outcome == "infrastructure_error"
    assert "agents[scripted]: Launch.readable: " in record.generation.reason


def test_tests_that_the_machine_cannot_run_are_not_scored(
    toy_design: Design, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import study.evaluation.pytest_suite as suite

    real = suite.run_confined

    def broken(*arguments: Any, **options: Any) -> ProcessResult:
        options["logs"].mkdir(parents=True, exist_ok=True)
        if not (options["logs"] / "stdout.log").exists():
            (options["logs"] / "stdout.log").symlink_to("/dev/full")
        return real(*arguments, **options)

    monkeypatch.setattr(suite, "run_confined", broken)
    record = only_agent(toy_design(), tmp_path / "results")
    assert (record.generation.outcome, record.evaluation.suite) == ("infrastructure_error", "not_evaluated")
    assert "the tests could not be run: the log cannot be written: No space left" in record.generation.reason
    monkeypatch.undo()
    (tmp_path / "results" / INCREMENTAL / "oracle" / "stdout.log").unlink()
    assert only_agent(toy_design(), tmp_path / "results").generation.outcome == "completed"


def test_a_stale_manifest_is_told_before_any_run(toy_design: Design, tmp_path: Path) -> None:
    manifest = tmp_path / "toy.yaml"
    text = (Path(__file__).parent / "toy.yaml").read_text()
    text = text.replace("{path: toy}", f"{{path: {Path(__file__).parent / 'toy'}}}")
    manifest.write_text(text.replace("routes[service=greeter]", "routes[service=gone]"))
    design = toy_design()
    design.write_text(design.read_text().replace(str(Path(__file__).parent / "toy.yaml"), str(manifest)))
    for _ in range(2):  # what failed is not remembered as well
        with pytest.raises(
            StudyError, match="toy.yaml: services.greeter, scenario 'clean_state': .*remove_key"
        ):
            run_experiment(resolve(design), tmp_path / "results")
    assert not (tmp_path / "results").exists()
