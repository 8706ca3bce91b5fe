from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from study.figures import trajectories
from study.records.dataset import RAW_DATA
from study.schema import StudyError
from study.trajectories import report
from study.trajectories.story import find_stories
from study.trajectories.tables import load_trajectories, write_trajectories

MakeRun = Callable[..., Path]
READERS = ["claude_code", "codex", "qwen_code", "mini_swe_agent"]


@pytest.fixture
def tables(make_run: MakeRun, tmp_path: Path) -> tuple[pd.DataFrame, pd.DataFrame]:
    for reader in READERS:
        make_run(f"{reader}/success", reader, agent=reader)
    make_run("codex/success", "none", agent="silent")
    stories = find_stories([tmp_path / "results" / "toy-study"])
    assert write_trajectories(stories, tmp_path / "out", "Test") == 4
    return load_trajectories(tmp_path / "out")


def test_tables_hold_what_the_logs_tell(tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    runs, events = tables
    assert list(runs["agent"]) == sorted(READERS)  # the silent one is left out
    assert (runs["tokens_input"] == 2500).all()
    calls = events[events["event"] == "api_call"]
    assert calls.groupby("run_id").size().tolist() == [2] * 4
    assert calls["cache_read"].tolist() == [200, 900] * 4
    # mini-SWE-agent and Qwen Code do not tell what was written to a cache
    told = calls.groupby("run_id")["cache_write"].count()
    assert dict(zip(sorted(READERS), told, strict=True)) == {
        "claude_code": 2, "codex": 2, "mini_swe_agent": 0, "qwen_code": 0,
    }  # fmt: skip
    assert set(events["kind"]) == {"simulated"}


def test_answers_add_up(tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    found = report.answers(*tables)
    assert found["answer"].tolist() == [1, 2] * 4
    assert found["context"].tolist() == [1000, 1500] * 4
    assert found["sum"].tolist() == [1000, 2500] * 4
    assert found["cached"].tolist() == pytest.approx([20, 60] * 4)


def test_what_an_agent_never_tells_is_missing(tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    runs, events = tables
    failures = dict(zip(runs["agent"], runs["service_failures"], strict=True))
    assert failures["claude_code"] == 0
    assert failures["mini_swe_agent"] is pd.NA
    assert "failures of the model's service told: none ever" in report.sentences(runs, events)[2]


def test_the_command_that_says_done_has_not_failed(tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    events = tables[1]
    own = events[events["run_id"].str.startswith("mini_swe_agent") & (events["event"] == "tool_result")]
    assert own["failed"].tolist() == [False, pd.NA]
    assert own["text"].iloc[-1] == "action was not executed"


def test_an_unknown_context_is_no_zero(tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    runs, events = tables
    first = events.index[events["event"] == "api_call"][0]
    events.loc[first, "input_fresh"] = pd.NA
    found = report.answers(runs, events)
    own = found[found["run_id"] == events.loc[first, "run_id"]]
    assert own["answer"].tolist() == [2]
    assert own["sum"].isna().all()


def test_the_time_line_draws_each_event_in_its_lane(tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    runs, events = tables
    axes = trajectories.trajectory_timeline(runs, events).axes[0]
    drawn = {line.get_label(): len(line.get_xdata()) for line in axes.lines}
    timed = events.dropna(subset=["seconds"])
    for kind in ("api_call", "tool_call", "failure"):
        assert drawn[kind] == (timed["event"] == kind).sum()
    assert drawn["failed"] == timed["failed"].fillna(False).sum()
    assert drawn["api_call"] > 0


def test_tool_bars_are_means_per_run(tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    runs, events = tables
    axes = trajectories.trajectory_tools(runs, events).axes[0]
    height = sum(bar.get_height() for bar in axes.patches)
    assert height == (events["event"] == "tool_call").sum()  # one run per agent


def test_figures_say_that_the_data_are_simulated(tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    for draw in (
        trajectories.trajectory_timeline, trajectories.trajectory_tools, trajectories.trajectory_tokens,
    ):  # fmt: skip
        assert "SIMULATED" in [text.get_text() for text in draw(*tables).texts]


def test_figures_of_nothing(tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    runs, events = tables
    for draw in (
        trajectories.trajectory_timeline, trajectories.trajectory_tools, trajectories.trajectory_tokens,
    ):  # fmt: skip
        draw(runs, events[events["event"] == "message"])


def test_steps_of_an_unknown_run(tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    runs, events = tables
    assert len(report.steps(events, report.example(runs))) > 3
    with pytest.raises(StudyError, match="no events of a run 'x'"):
        report.steps(events, "x")


def test_two_experiments_with_one_id_are_refused(make_run: MakeRun, tmp_path: Path) -> None:
    stories = find_stories([make_run("codex/success", "codex")])
    with pytest.raises(StudyError, match="two runs are called"):
        write_trajectories([*stories, *stories], tmp_path / "out", "Test")


def test_runs_without_logs_are_refused(make_run: MakeRun, tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="none of these runs has a log"):
        write_trajectories(find_stories([make_run("codex/success", "none")]), tmp_path / "out", "Test")


def test_a_folder_with_other_files_is_not_written_to(make_run: MakeRun, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.txt").write_text("mine")
    with pytest.raises(StudyError, match=r"holds 'thesis.txt'"):
        write_trajectories(find_stories([make_run("codex/success", "codex")]), tmp_path / "out", "Test")


def test_the_committed_tables_are_whole() -> None:
    runs, events = load_trajectories()
    assert set(runs["kind"]) == set(events["kind"]) == {"simulated"}
    assert (RAW_DATA / "trajectories" / "README.md").is_file()
    calls = events[events["event"] == "api_call"]
    assert (calls.groupby("run_id")["output"].sum() == runs.set_index("run_id")["tokens_output"]).all()
