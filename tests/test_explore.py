"""What a reader finds out about single runs, in the tables and in the folders of the runs."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pandas as pd
import pytest
from synthetic import make_dataset

from study import explore
from study.explorer import ALL, Explorer, select
from study.projects.loading import load_project, source_tree
from study.schema import StudyError

RUN = "toy-agent-one.toy-green.alpha-service.incremental.minimal.r1"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory):
    return make_dataset(tmp_path_factory.mktemp("synthetic") / "toy", passed=7)


def test_run_page_shows_outcome_failing_tests_functions_and_kind(data) -> None:
    text = explore.run_page_text(data, RUN)
    assert "SIMULATED" in text
    assert text.count(">tests.test_toy.test_") == 3
    assert ">Desk.open<" in text
    assert "broken_branch" in text


def test_unknown_run_is_an_error_that_names_it(data) -> None:
    with pytest.raises(StudyError, match="has no run 'nobody'"):
        explore.run_page(data, "nobody")


def test_text_of_an_agent_is_escaped(data) -> None:
    runs = data.runs.copy()
    runs["reason"] = "<script>alert(1)</script>"
    text = explore.run_page_text(dataclasses.replace(data, runs=runs), RUN)
    assert "<script>" not in text


def test_table_of_runs_is_searchable_and_fetches_nothing(data) -> None:
    table = explore.run_table(data).data
    assert "144 runs" in table
    assert "unpkg" not in table
    assert "unpkg" not in explore.table_library().data[:2000]
    assert len(table) < 200_000


def test_without_the_run_folder_it_says_how_to_get_it(data, tmp_path: Path) -> None:
    assert "study reproduce" in explore.stored_files(data, RUN, tmp_path)


def test_prompt_and_diff_come_from_the_run_folder(data, tmp_path: Path) -> None:
    project = load_project("library-desk")
    service = project.project.targets[0]
    run_id = data.runs["run_id"].iloc[0]
    runs = data.runs.head(1).assign(project="library-desk", service=service.name)
    folder = tmp_path / data.name / run_id
    (folder / "generated").mkdir(parents=True)
    (folder / "prompt.txt").write_text("Write <the> service")
    (folder / "run.json").write_text(json.dumps({}))
    original = source_tree(project) / service.directory
    kept, changed, *_ = sorted(path.name for path in original.glob("*.py") if path.stat().st_size)
    for name, extra in ((kept, ""), (changed, "ADDED = 1\n")):
        (folder / "generated" / name).write_text((original / name).read_text() + extra)
    text = explore.stored_files(dataclasses.replace(data, runs=runs), run_id, tmp_path)
    assert "Write &lt;the&gt; service" in text
    assert "+ADDED = 1" in text
    assert f"generated/{kept}" not in text


def test_a_project_that_is_not_there_has_no_diff_but_a_reason(data, tmp_path: Path) -> None:
    folder = tmp_path / data.name / RUN
    folder.mkdir(parents=True)
    (folder / "prompt.txt").write_text("p")
    (folder / "run.json").write_text("{}")
    assert "No diff: no manifest for project" in explore.stored_files(data, RUN, tmp_path)


def test_selection_keeps_the_runs_of_the_chosen_levels(data) -> None:
    chosen = select(data, agent="toy-agent-two", project=ALL, condition="CS-P1")
    assert set(chosen.runs["agent"]) == {"toy-agent-two"}
    assert len(chosen.runs) == 12
    assert len(data.runs) == 144


def test_widgets_follow_each_other(data, tmp_path: Path) -> None:
    explorer = Explorer(data, tmp_path)
    before = explorer._figure.value
    assert before.startswith("<img")
    explorer._factors["project"].value = "toy-red"
    assert explorer._figure.value != before
    assert all(".toy-red." in run for run in explorer._run.options)
    explorer._run.value = explorer._run.options[3]
    assert explorer._run.options[3] in explorer._page.value


def test_metrics_of_the_design_can_be_chosen(data) -> None:
    own = pd.DataFrame({"run_id": [RUN], "kind": "simulated", "metric": "todo_comments", "value": [3.0]})
    data = dataclasses.replace(data, metrics=own)
    assert explore.metric_names(data)["todo_comments"] == "todo_comments"
    assert explore.with_quality(data)["todo_comments"].sum() == 3
    with pytest.raises(StudyError, match="no metric 'nonsense'"):
        explore.metric_figure(data, "nonsense")
