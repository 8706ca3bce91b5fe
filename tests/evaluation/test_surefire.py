from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

from study.evaluation.surefire import read_reports, write_without_output

REPORT = """\
<testsuite name="shop.CartTest" tests="6" errors="1" skipped="1" failures="1">
  <properties><property name="user.home" value="/somewhere/else"/></properties>
  <testcase name="adds" classname="shop.CartTest" time="0.1"/>
  <testcase name="p(int)[1]" classname="shop.CartTest"/>
  <testcase name="p(int)[2]" classname="shop.CartTest"/>
  <testcase name="sums" classname="shop.CartTest">
    <failure message="expected: &lt;1&gt; but was: &lt;2&gt;&#10;at x"
      type="org.opentest4j.AssertionFailedError">trace</failure>
    <system-out>much</system-out>
  </testcase>
  <testcase name="breaks" classname="shop.CartTest">
    <error message="boom" type="java.lang.IllegalStateException: boom">trace</error>
  </testcase>
  <testcase name="later" classname="shop.CartTest"><skipped message="not yet"/></testcase>
  <testcase name="inner" classname="shop.CartTest$Nested"/>
</testsuite>
"""


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / f"TEST-{name}.xml"
    path.write_text(text)
    return path


def test_every_case_has_a_status_and_a_cause(tmp_path: Path) -> None:
    read = read_reports([write(tmp_path, "shop.CartTest", REPORT)])
    assert [(test.test_id, test.status, test.cause, test.message) for test in read.tests] == [
        ("shop.CartTest#adds", "passed", "", ""),
        ("shop.CartTest#p(int)[1]", "passed", "", ""),
        ("shop.CartTest#p(int)[2]", "passed", "", ""),
        ("shop.CartTest#sums", "failed", "AssertionFailedError", "expected: <1> but was: <2>"),
        ("shop.CartTest#breaks", "error", "IllegalStateException", "boom"),
        ("shop.CartTest#later", "skipped", "skipped", "not yet"),
        ("shop.CartTest$Nested#inner", "passed", "", ""),
    ]
    assert read.reported == {"shop.CartTest"}
    assert read.broken_classes == []


def test_a_class_that_fails_before_its_tests_is_no_test(tmp_path: Path) -> None:
    text = (
        '<testsuite><testcase name="{name}" classname="shop.DbTest">'
        '<error message="no db" type="java.lang.IllegalStateException"/></testcase></testsuite>'
    )
    for name in ("", "shop.DbTest", "initializationError"):
        read = read_reports([write(tmp_path, "shop.DbTest", text.format(name=name))])
        assert read.tests == []
        assert read.broken_classes == ["shop.DbTest: IllegalStateException: no db"]


def test_the_worse_of_two_results_stands(tmp_path: Path) -> None:
    case = '<testcase name="a" classname="T">{inner}</testcase>'
    failure = case.format(inner='<failure type="X" message="m"/>')
    for cases in (case.format(inner="") + failure, failure + case.format(inner="")):
        read = read_reports([write(tmp_path, "T", f"<testsuite>{cases}</testsuite>")])
        assert [(test.test_id, test.status) for test in read.tests] == [("T#a", "failed")]


def test_a_report_that_is_cut_off_or_a_link_is_named(tmp_path: Path) -> None:
    broken = write(tmp_path, "A", REPORT[:300])
    (tmp_path / "TEST-B.xml").symlink_to(write(tmp_path, "real", REPORT))
    read = read_reports([broken, tmp_path / "TEST-B.xml"])
    assert read.tests == []
    assert [line.split(":")[0] for line in read.broken_classes] == ["TEST-A.xml", "TEST-B.xml"]


def test_what_is_kept_has_no_output_and_nothing_of_the_machine(tmp_path: Path) -> None:
    write_without_output([write(tmp_path, "shop.CartTest", REPORT)], tmp_path / "kept.xml")
    text = (tmp_path / "kept.xml").read_text()
    assert "somewhere" not in text and "much" not in text
    assert len(list(ElementTree.fromstring(text).iter("testcase"))) == 7
