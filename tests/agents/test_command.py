from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from study.agents.command import Command
from study.agents.protocol import ProcessResult, Usage
from study.design import AgentLevel
from study.schema import StudyError

FAKE = """
import json, os, pathlib, sys
prompt = sys.stdin.read()
pathlib.Path("service.py").write_text("x = 1")
print("not JSON: a warning")
for turn in (1, 2):
    print(json.dumps({"type": "turn", "usage": {"in": 100 * turn, "out": 7}}))
print(json.dumps({"type": "result", "model": sys.argv[1], "ms": 90000, "prompt": prompt,
                  "key": os.environ.get("FAKE_KEY"), "usage": {"in": 5000, "out": 700}, "failed": ""}))
"""


@pytest.fixture
def level(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., AgentLevel]:
    monkeypatch.chdir(tmp_path)
    Path("fake.py").write_text(FAKE)

    def make(model: str | None = "fake-1", **settings: Any) -> AgentLevel:
        given = {"command": ["{python}", "fake.py", "{model}"], "readable": ["fake.py"], **settings}
        return AgentLevel(name="fake", adapter="command", model=model, settings=given)

    return make


def check(level: AgentLevel) -> None:
    Command().check(level)
    Command().ready(level)


def test_a_ten_line_agent_from_prompt_to_usage(level, make_task, run_plainly, monkeypatch) -> None:
    monkeypatch.setenv("FAKE_KEY", "secret")
    mine = level(
        keys=["FAKE_KEY"],
        log={
            "where": {"type": "result"},
            "usage": {
                "input_fresh_tokens": "usage.in",
                "output_tokens": "usage.out",
                "agent_minutes": "ms",
            },
            "minutes_per_unit": 1 / 60_000,
            "model": "model",
        },
    )
    check(mine)
    task = make_task(mine)
    launch = Command().launch(task)
    ended = run_plainly(task, launch)
    report = Command().report(task, ended)
    assert report.outcome == "completed"
    assert report.usage == Usage(input_fresh_tokens=5000, output_tokens=700, agent_minutes=1.5)
    assert report.model == "fake-1"
    assert (task.workspace / "service.py").read_text() == "x = 1"
    last = json.loads(ended.stdout.read_text().splitlines()[-1])
    assert (last["prompt"], last["key"]) == ("Write the service.\n", "secret")
    assert launch.readable == [Path("fake.py").resolve()]


@pytest.mark.parametrize(
    ("log", "usage"),
    [
        ("none", Usage()),
        ({"usage": {"input_fresh_tokens": "usage.in"}}, Usage(input_fresh_tokens=5000)),
        (
            {"where": {"type": "turn"}, "take": "sum", "usage": {"input_fresh_tokens": "usage.in"}},
            Usage(input_fresh_tokens=300, turns=2, complete=True),
        ),
        ({"where": {"type": "turn"}, "usage": {"output_tokens": "usage.none"}}, Usage()),
    ],
)
def test_usage_is_read_off_the_lines_asked_for(level, make_task, run_plainly, log, usage) -> None:
    mine = level(log=log)
    task = make_task(mine)
    assert Command().report(task, run_plainly(task, Command().launch(task))).usage == usage


def test_numbers_and_names_that_no_record_can_hold_are_left_out(level, make_task, tmp_path: Path) -> None:
    mine = level(log={"usage": {"output_tokens": "n"}, "model": "m"})
    log = tmp_path / "stdout.log"
    lines = ['{"n": 7, "m": "a\\ud800"}', '{"n": Infinity}', '{"n": 1e300}', '{"n": -1}', "[" * 100_000]
    log.write_text("\n".join(lines))
    report = Command().report(make_task(mine), ProcessResult("exited", 0, 1.0, "plain", log, log, 0))
    assert report.usage == Usage(output_tokens=7)
    assert report.model == "a\\ud800"
    assert report.model_dump_json()


def test_an_error_in_the_log_is_an_agent_error(level, make_task, tmp_path: Path) -> None:
    mine = level(log={"error": "failed"})
    log = tmp_path / "stdout.log"
    log.write_text('{"failed": "quota exceeded"}\n{"failed": ""}\n')
    ended = ProcessResult("exited", 0, 1.0, "plain", log, log, 0)
    report = Command().report(make_task(mine), ended)
    assert (report.outcome, report.reason) == (
        "agent_error",
        "the log reports an error: quota exceeded",
    )


def test_the_three_ways_to_pass_the_prompt(level, make_task) -> None:
    argument = make_task(level(command=["{python}", "-p", "{prompt}"], prompt="argument"), seed=1)
    file = make_task(level(command=["{python}", "{prompt_file}"], prompt="file"), seed=2)
    launched = Command().launch(argument)
    assert (launched.command[1:], launched.stdin) == (["-p", "Write the service.\n"], "")
    launched = Command().launch(file)
    assert launched.command[1] == str(file.home / "prompt.txt")
    assert launched.files == {"prompt.txt": "Write the service.\n"}


def test_a_placeholder_in_the_prompt_stays_as_it_is(level, make_task) -> None:
    mine = make_task(level(command=["{python}", "{prompt}"], prompt="argument"))
    object.__setattr__(mine, "prompt", "{model}")
    assert Command().launch(mine).command[1] == "{model}"


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"comand": []}, "settings: comand: unknown key; known here: base_url, command, environment, files"),
        ({"command": []}, "settings: command: "),
        ({"command": ["a", "{workdir}"]}, "unknown placeholder {workdir}; there are {workspace}"),
        ({"prompt": "argument"}, "'argument' needs the placeholder {prompt} in `command`"),
        ({"prompt": "email"}, "settings: prompt: "),
        ({"files": {"../x": ""}}, "'../x' must be a path below HOME"),
        ({"log": {"usage": {"tokens": "a"}}}, "no usage field 'tokens'; there are input_fresh_tokens"),
        ({"keys": ["NO_SUCH_KEY_HERE"]}, "the environment variable NO_SUCH_KEY_HERE is not set"),
        ({"readable": ["nowhere"]}, "settings.readable: no such file or folder: nowhere"),
        ({"command": ["no-such-agent"]}, "no program 'no-such-agent' on PATH; install it, or give its path"),
    ],
)
def test_a_wrong_setting_is_named_with_the_way_out(level, settings: dict[str, Any], said: str) -> None:
    with pytest.raises(StudyError) as error:
        check(level(**settings))
    assert said in str(error.value)
    assert str(error.value).startswith("agents[fake].settings")


def test_a_model_that_the_command_needs_must_be_named(level) -> None:
    with pytest.raises(StudyError, match=r"agents\[fake\].model: is missing"):
        check(level(model=None))
