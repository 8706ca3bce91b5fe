"""Read pytest's JUnit XML, and hold it against the exit code."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

from study.evaluation.suites import SuiteResult
from study.records.stages import Status, TestResult

_MAX_BYTES = 50_000_000
_MESSAGE = 300


def read_suite(report: Path, exit_code: int | None) -> SuiteResult:
    """Turn a JUnit file and an exit code into results that can be trusted.

    The two must tell the same story: a suite that ends with 0 and reports nothing, or ends with 0 and
    reports failures, has not been run by pytest as it should, and none of its tests counts as passed.

    Parameters
    ----------
    report : Path
        The JUnit XML file; may be missing.
    exit_code : int or None
        Of the pytest process: 0 all passed, 1 some failed, 2 interrupted, 3 internal, 4 usage, 5 no tests.
    """
    if not report.is_file() or report.stat().st_size > _MAX_BYTES:
        if exit_code == 0:
            return SuiteResult("no_tests", [], "ended with exit code 0 and reported no test")
        return SuiteResult("crashed", [], f"ended with exit code {exit_code} and left no report")
    try:
        root = ElementTree.parse(report).getroot()
    except ElementTree.ParseError as error:
        return SuiteResult("crashed", [], f"its report is not valid XML: {error}")
    collected, collection_errors = _read_cases(root)
    if collection_errors:
        return SuiteResult("not_collected", collected, "; ".join(collection_errors))
    if not collected:
        return SuiteResult("no_tests", [], f"ended with exit code {exit_code} and reported no test")
    bad = sum(test.status in {"failed", "error"} for test in collected)
    if exit_code not in {0, 1} or (exit_code == 0) != (bad == 0):
        return SuiteResult(
            "crashed", [], f"ended with exit code {exit_code}, but its report has {bad} failures and errors"
        )
    return SuiteResult("ran", collected)


def _read_cases(root: ElementTree.Element) -> tuple[list[TestResult], list[str]]:
    """Test results in the order of the file, and the collection errors."""
    results: dict[str, TestResult] = {}
    errors: list[str] = []
    for case in root.iter("testcase"):
        classname, name = case.get("classname", ""), case.get("name", "")
        if not classname:  # pytest reports a module that it could not collect as a case without class
            errors += [f"{name}: {_first_line(error)}" for error in case.iter("error")]
            continue
        test = _read_case(f"{classname}::{name}", case)
        earlier = results.get(test.test_id)
        # A test that fails and whose teardown errs too is reported twice: the worse news stands.
        if earlier is None or earlier.status in {"passed", "skipped"}:
            results[test.test_id] = test
    return list(results.values()), errors


def _read_case(test_id: str, case: ElementTree.Element) -> TestResult:
    tags: list[tuple[str, Status]] = [("failure", "failed"), ("error", "error"), ("skipped", "skipped")]
    for tag, status in tags:
        element = case.find(tag)
        if element is not None:
            return TestResult(
                test_id=test_id,
                status=status,
                cause=_cause(element),
                message=(element.get("message") or "").strip().split("\n")[0][:_MESSAGE],
            )
    return TestResult(test_id=test_id, status="passed")


def _cause(element: ElementTree.Element) -> str:
    """The class of the exception, for counting failures by cause.

    pytest has no field for it: the message starts with `Class: text`, except that a plain assert shows
    `assert ...` and a fixture's error `failed on setup with "Class: text"`.
    """
    message = (element.get("message") or "").strip()
    for prefix in ('failed on setup with "', 'failed on teardown with "'):
        message = message.removeprefix(prefix)
    if element.tag == "skipped":
        return "skipped"
    if message.startswith("assert"):
        return "AssertionError"
    if message.startswith("Failed: Timeout"):
        return "TestTimeout"
    head = message.split(":")[0].split("\n")[0].strip().rsplit(".", 1)[-1]
    return head if head.isidentifier() else "unknown"


def _first_line(element: ElementTree.Element) -> str:
    """The line of a collection error that says what went wrong: pytest puts it last, marked with E."""
    lines = [line for line in (element.text or "").splitlines() if line.startswith("E ")]
    return (lines[-1][2:].strip() if lines else element.get("message") or "collection error")[:_MESSAGE]
