from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from study.evaluation.junit import SuiteResult, read_suite


def run_suite(tmp_path: Path, **files: str) -> SuiteResult:
    """Let a real pytest write the report."""
    for name, text in files.items():
        (tmp_path / f"{name}.py").write_text(text)
    report = tmp_path / "junit.xml"
    options = ["-q", "--continue-on-collection-errors", f"--junitxml={report}", "-p", "no:cacheprovider"]
    place = ["-c", "/dev/null", "--rootdir", str(tmp_path), str(tmp_path)]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *place], cwd=tmp_path, capture_output=True, check=False
    )
    return read_suite(report, done.returncode)


def test_every_status_and_cause(tmp_path: Path) -> None:
    result = run_suite(
        tmp_path,
        test_a="""
import pytest
class Custom(Exception): pass
@pytest.fixture
def broken(): raise Custom("no service")
def test_passes(): pass
def test_asserts(): assert 1 == 2
def test_raises(): {}["x"]
def test_custom(): raise Custom
def test_errs(broken): pass
@pytest.mark.skip(reason="why")
def test_skips(): pass
@pytest.mark.xfail
def test_expected(): assert False
""",
    )
    assert result.suite == "ran"
    assert {test.test_id: (test.status, test.cause) for test in result.tests} == {
        "test_a::test_passes": ("passed", ""),
        "test_a::test_asserts": ("failed", "AssertionError"),
        "test_a::test_raises": ("failed", "KeyError"),
        "test_a::test_custom": ("failed", "Custom"),
        "test_a::test_errs": ("error", "Custom"),
        "test_a::test_skips": ("skipped", "skipped"),
        "test_a::test_expected": ("skipped", "skipped"),
    }


def test_a_file_that_does_not_import_hides_no_other(tmp_path: Path) -> None:
    result = run_suite(tmp_path, test_a="import nowhere\ndef test_x(): pass", test_b="def test_y(): pass")
    assert result.suite == "not_collected"
    assert "nowhere" in result.reason
    assert [(test.test_id, test.status) for test in result.tests] == [("test_b::test_y", "passed")]


def test_no_tests(tmp_path: Path) -> None:
    assert run_suite(tmp_path, test_a="x = 1").suite == "no_tests"


def test_leaving_with_0_at_import_is_not_a_pass(tmp_path: Path) -> None:
    result = run_suite(tmp_path, test_a="import os\nos._exit(0)\ndef test_x(): pass")
    assert result.suite == "no_tests"
    assert "exit code 0" in result.reason


def test_leaving_with_0_after_a_failure_is_not_believed(tmp_path: Path) -> None:
    result = run_suite(
        tmp_path,
        test_a="def test_x(): assert False",
        conftest="import pytest\n@pytest.hookimpl(trylast=True)\n"
        "def pytest_sessionfinish(session):\n    session.exitstatus = 0\n",
    )
    assert (result.suite, result.tests) == ("crashed", [])


@pytest.mark.parametrize("text", ["", "<testsuites><testsuite>", "not xml"])
def test_a_damaged_report(tmp_path: Path, text: str) -> None:
    (tmp_path / "junit.xml").write_text(text)
    assert read_suite(tmp_path / "junit.xml", 0).suite == "crashed"


def test_a_crash_before_any_report(tmp_path: Path) -> None:
    result = read_suite(tmp_path / "none.xml", -11)
    assert result.suite == "crashed"
    assert "-11" in result.reason
