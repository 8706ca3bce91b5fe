"""Read the XML reports that Maven's surefire leaves, one file for each test class."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

from study.records.stages import Status, TestResult

_MAX_BYTES = 50_000_000
_MESSAGE = 300
_TAGS: tuple[tuple[str, Status], ...] = (("failure", "failed"), ("error", "error"), ("skipped", "skipped"))


@dataclass(frozen=True)
class ReadReports:
    """What the reports of one suite say."""

    tests: list[TestResult] = field(default_factory=list)
    broken_classes: list[str] = field(default_factory=list)
    """`class: reason` of classes that failed outside their tests, and of reports that say nothing."""
    reported: set[str] = field(default_factory=set)
    """Full names of the top-level classes that have a report."""


def read_reports(files: Iterable[Path]) -> ReadReports:
    """Turn surefire's `TEST-*.xml` into results named `package.Class#method`.

    A parametrised test has one result for each set of arguments, named as JUnit names it:
    `package.Class#method(int)[1]`. Of several results under one name the worst stands.
    """
    found: dict[str, TestResult] = {}
    read = ReadReports()
    for file in sorted(files):
        try:
            if file.is_symlink() or file.stat().st_size > _MAX_BYTES:
                raise ValueError("is a link or too large")
            cases = list(ElementTree.parse(file).getroot().iter("testcase"))
        except (ElementTree.ParseError, OSError, ValueError) as error:
            read.broken_classes.append(f"{file.name}: cannot be read: {error}")
            continue
        for case in cases:
            _read_case(case, found, read)
    read.tests.extend(found.values())
    return read


def _read_case(case: ElementTree.Element, found: dict[str, TestResult], read: ReadReports) -> None:
    owner, name = case.get("classname") or "", case.get("name") or ""
    read.reported.add(owner.split("$")[0])
    # JUnit reports what fails in a class and in none of its tests under no name, the class's or this one
    if name in {"", owner, owner.rsplit(".", 1)[-1], "initializationError"}:
        test = _result("", case)
        if test.status != "passed":
            read.broken_classes.append(f"{owner}: {test.cause}: {test.message}".rstrip(": "))
        return
    test = _result(f"{owner}#{name}", case)
    earlier = found.get(test.test_id)
    if earlier is None or earlier.status in {"passed", "skipped"}:
        found[test.test_id] = test


def _result(test_id: str, case: ElementTree.Element) -> TestResult:
    for tag, status in _TAGS:
        element = case.find(tag)
        if element is not None:
            return TestResult(
                test_id=test_id, status=status, cause=_cause(element), message=_first_line(element)
            )
    return TestResult(test_id=test_id, status="passed")


def _cause(element: ElementTree.Element) -> str:
    """The class of the exception, without its package."""
    if element.tag == "skipped":
        return "skipped"
    return (element.get("type") or "unknown").split(":")[0].rsplit(".", 1)[-1].rsplit("$", 1)[-1]


def _first_line(element: ElementTree.Element) -> str:
    return (element.get("message") or "").strip().split("\n")[0][:_MESSAGE]


def write_without_output(files: Iterable[Path], target: Path) -> None:
    """Keep all reports in one JUnit file, without what the tests printed and the machine's properties."""
    suites = ElementTree.Element("testsuites")
    for file in sorted(files):
        try:
            if file.is_symlink() or file.stat().st_size > _MAX_BYTES:
                continue
            suite = ElementTree.parse(file).getroot()
        except (ElementTree.ParseError, OSError):
            continue
        for parent in [suite, *suite.iter("testcase")]:
            for child in list(parent):
                if child.tag in {"properties", "system-out", "system-err"}:
                    parent.remove(child)
        suites.append(suite)
    target.parent.mkdir(parents=True, exist_ok=True)
    ElementTree.ElementTree(suites).write(target, encoding="utf-8", xml_declaration=True)
