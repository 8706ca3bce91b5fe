"""One original service of each real Java system under its own tests; skipped where it is not fetched."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest

from study.design import Limits
from study.evaluation.needs import find_program
from study.evaluation.oracle import check_ready, evaluate
from study.evaluation.suites import Place
from study.projects import check_tree, load_project
from study.schema import StudyError


@pytest.mark.parametrize(
    ("project", "service", "passed", "failed", "not_run"),
    [
        ("teamsync", "courseservice", 1, 0, 0),
        # 9 of its 14 tests, in 4 classes, need a MongoDB server
        ("piggymetrics", "account-service", 5, 0, 4),
        ("train-ticket", "ts-payment-service", 9, 2, 0),
    ],
)
def test_the_original_scores_what_was_measured(
    project: str, service: str, passed: int, failed: int, not_run: int, tmp_path: Path
) -> None:
    loaded = load_project(project)
    target = loaded.service(service)
    try:
        tree = check_tree(loaded)
        check_ready(loaded, tree)
    except StudyError as error:
        pytest.skip(str(error))
    if target.unit.needs and find_program("mongod"):
        pytest.skip("counted for a machine without mongod")
    ignored = shutil.ignore_patterns("test", "target")
    shutil.copytree(tree / target.directory, tmp_path / "generated", ignore=ignored)
    done = evaluate(loaded, target, "unit", tree, tmp_path / "generated", Limits(), Place(tmp_path / "logs"))
    counts = Counter(test.status for test in done.tests)
    assert (done.suite, done.reason) == ("ran", "")
    assert (counts["passed"], counts["failed"] + counts["error"]) == (passed, failed)
    assert len(done.not_run) == not_run
