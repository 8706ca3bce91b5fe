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


@pytest.mark.parametrize(
    ("log", "said"),
    [
        (
            {"where": {"type": "calls"}, "usage": {"output_tokens": "usage.out"}},
            "log.where: none of 3 JSON lines",
        ),
        (
            {"where": {"type": "result"}, "usage": {"output_tokens": "usage.outt"}},
            "log.usage.output_tokens: no number at usage.outt in 1 lines",
        ),
        ({"usage": {"output_tokens": "usage.out"}, "command": ["true"]}, "log: no JSON lines on stdout"),
    ],
)
def test_a_description_that_fits_nothing_is_told(level, make_task, run_plainly, log, said) -> None:
    """A typo in it would cost a whole experiment its tokens in silence."""
    command = log.pop("command", None)
    task = make_task(level(log=log, **({"command": command} if command else {})))
    report = Command().report(task, run_plainly(task, Command().launch(task)))
    assert any(problem.startswith(said) for problem in report.problems)
    assert report.outcome == "completed"
    assert report.usage.output_tokens is None


def test_what_no_line_says_is_not_said(level, make_task, run_plainly) -> None:
    """The end, which such logs do not tell; the version is the design's."""
    mine = level(log={"take": "sum", "where": {"type": "turn"}, "usage": {"input_tokens": "usage.in"}})
    task = make_task(mine.model_copy(update={"version": "1.0"}))
    report = Command().report(task, run_plainly(task, Command().launch(task)))
    assert (report.outcome, report.end, report.version) == ("completed", "unsaid", "1.0")
    assert (report.usage.turns, report.usage.complete) == (2, True)


def test_a_log_without_its_lines_is_not_complete(level, make_task, run_plainly) -> None:
    task = make_task(
        level(log={"take": "sum", "where": {"type": "no"}, "usage": {"input_tokens": "usage.in"}})
    )
    assert Command().report(task, run_plainly(task, Command().launch(task))).usage.complete is False


def test_an_address_is_checked_before_a_run(level) -> None:
    with pytest.raises(StudyError, match="settings: base_url: 'nonsense' is no address"):
        check(level(base_url="nonsense"))
    with pytest.raises(StudyError, match="nothing answers at http://127.0.0.1:9/v1"):
        check(level(base_url="http://127.0.0.1:9/v1", command=["{python}", "fake.py", "{base_url}"]))


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
