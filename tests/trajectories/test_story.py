from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from study.cli import app
from study.schema import StudyError
from study.trajectories.story import find_run, find_stories, read_story
from study.trajectories.text import step_lines

MakeRun = Callable[..., Path]
READERS = ["claude_code", "codex", "qwen_code", "mini_swe_agent"]


@pytest.mark.parametrize("reader", READERS)
def test_the_story_of_every_agent_has_the_same_form(make_run: MakeRun, reader: str) -> None:
    story = read_story(make_run(f"{reader}/success", reader))
    assert story.log is not None
    # the script of the samples, see their README
    assert story.log.all_tokens.input == 2500
    assert story.log.all_tokens.output == 50
    lines = list(step_lines(story.log))
    assert sum(" answer " in line for line in lines) == 2
    calls = [line for line in lines if " call " in line]
    assert calls and all("[write]" in line or "[shell]" in line for line in calls)
    assert lines[-1] == "end: completed"


def test_a_described_log_is_read_again(make_run: MakeRun) -> None:
    how = {"where": {"type": "result"}, "usage": {"output_tokens": "usage.output_tokens"}}
    story = read_story(make_run("claude_code/success", how))
    assert story.log is not None
    assert story.log.all_tokens.output == 50


def test_an_agent_without_a_log_has_a_story_too(make_run: MakeRun) -> None:
    assert read_story(make_run("codex/success", "none")).log is None


def test_show_tells_all_parts(make_run: MakeRun) -> None:
    folder = make_run("claude_code/success", "claude_code")
    done = CliRunner().invoke(app, ["show", str(folder), "--full"])
    assert done.exit_code == 0, done.output
    for part in (
        "SIMULATED",
        "outcome: completed (ended by itself)",
        "written: new.py",
        "Write the [bold]service[/bold].",  # the prompt is text, not markup
        "end: completed",
        "1 failed, 1 passed, 1 skipped",
        "failed  t::bad  AssertionError 1 != 2",
        "+ANSWER = 42",
        "output 50",
        "fresh input not said",
    ):
        assert part in done.output, part
    assert "t::good" not in done.output


def test_show_cuts_what_is_long_and_says_so(make_run: MakeRun) -> None:
    folder = make_run("claude_code/success", "claude_code")
    short = CliRunner().invoke(app, ["show", str(folder)]).output
    whole = CliRunner().invoke(app, ["show", str(folder), "--full"]).output
    assert "--full shows them" in short
    assert "--full shows them" not in whole
    assert len(whole) > len(short)


def test_a_run_is_found_by_its_id(make_run: MakeRun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make_run("codex/success", "codex")
    monkeypatch.chdir(tmp_path)
    assert find_run(folder.name).resolve() == folder
    assert find_run(folder.name, folder.parent) == folder
    with pytest.raises(StudyError, match=f"did you mean {folder.name}"):
        find_run(folder.name.replace("someone", "somebody"))


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": 1}'])
def test_a_folder_without_a_record_is_a_message(make_run: MakeRun, text: str) -> None:
    folder = make_run("codex/success", "codex")
    (folder / "run.json").write_text(text)
    with pytest.raises(StudyError, match="no readable run.json"):
        read_story(folder)


def test_a_place_without_runs_is_a_message(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(StudyError, match="holds no run that is done"):
            find_stories([place])


def test_terminal_codes_of_an_agent_do_not_reach_the_terminal(make_run: MakeRun) -> None:
    folder = make_run("codex/success", "codex", reason="\x1b[2Jgone\x07")
    (folder / "generated" / "new.py").write_text("# \x1b]0;title\x07\n")
    output = CliRunner().invoke(app, ["show", str(folder), "--full"]).output
    assert "\x1b" not in output and "\x07" not in output
    assert r"\x1b[2Jgone\x07" in output


def test_a_log_that_is_gone_is_a_problem_of_the_log_only(make_run: MakeRun) -> None:
    folder = make_run("codex/success", "codex")
    for path in sorted((folder / "agent").rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()
    story = read_story(folder)
    assert story.log is not None
    assert story.log.end == "unsaid"
