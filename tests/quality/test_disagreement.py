from __future__ import annotations

from pathlib import Path

import pytest

from study.quality.disagreement import causes, disagreement

JAVA = """
@RequestMapping("x")
class A {
    void m() {
        try { f(() -> { if (a) { } }); } catch (E e) { } catch (F f) { }
    }
    int x = a ? 1 : 2;
}
interface I { void none(); }
"""
PYTHON = """
def f():
    if a:
        pass
    elif b:
        pass
    try:
        x = [y for y in z]
    except E:
        assert x
    def g():
        for a in b:
            pass
if a:
    pass
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "A.java").write_text(JAVA)
    (tmp_path / "b.py").write_text(PYTHON)
    (tmp_path / "c.go").write_text("package main\n")
    (tmp_path / "old.py").write_text("print 'Python 2'\n")
    return tmp_path


def test_by_how_much_tools_disagree(folder: Path) -> None:
    frame = disagreement([folder])
    assert {Path(path).name for path in frame["path"]} == {"A.java", "b.py", "old.py"}
    python = frame[frame["path"].str.endswith("b.py")].set_index(["metric", "tool"])
    # ours: f, if, g, for, if; lizard: f, if, elif, for of the comprehension, except and g, for
    assert python["sonarqube"]["cyclomatic", "lizard"] == 5
    assert python["value"]["cyclomatic", "lizard"] == 7
    # radon counts assert too, and not g
    assert python["value"]["cyclomatic", "radon"] == 6
    assert (python["difference"] == python["value"] - python["sonarqube"]).all()
    java = frame[frame["language"] == "java"]
    assert set(java["tool"]) == {"lizard"}, "the others do not read Java"
    old = frame[frame["path"].str.endswith("old.py") & (frame["tool"] == "radon")]
    assert old["value"].isna().all(), "radon cannot read Python 2"


def test_causes_add_up(folder: Path) -> None:
    differences = disagreement([folder]).query("metric == 'cyclomatic'").set_index(["path", "tool"])
    amounts = causes([folder]).groupby(["path", "tool"])["amount"].sum()
    known = differences["difference"].dropna()
    assert len(known) == 4
    assert (amounts.loc[known.index] == known).all()


def test_causes(folder: Path) -> None:
    frame = causes([folder])
    found = {
        (tool, cause): (count, amount)
        for path, _, tool, cause, count, amount in frame.itertuples(index=False)
        if path.endswith("b.py") and count
    }
    assert found == {
        ("lizard", "assert"): (1, 0),
        ("lizard", "comprehension_for"): (1, 1),
        ("lizard", "elif"): (1, 1),
        ("lizard", "except"): (1, 1),
        ("lizard", "outside_functions"): (1, -1),
        ("radon", "assert"): (1, 1),
        ("radon", "comprehension_for"): (1, 1),
        ("radon", "elif"): (1, 1),
        ("radon", "except"): (1, 1),
        ("radon", "outside_functions"): (1, -1),
        ("radon", "unseen_functions"): (1, -2),
    }
    java = frame[frame["language"] == "java"].set_index("cause")
    assert (java["count"]["catch"], java["amount"]["catch"]) == (2, 2)
    assert (java["count"]["lambda"], java["amount"]["lambda"]) == (1, -1)
    assert (java["count"]["method_without_body"], java["amount"]["method_without_body"]) == (1, 0)
    assert java["amount"]["outside_functions"] == -1
    assert java["amount"]["unexplained"] == 0


def test_classes_that_lizard_does_not_see(tmp_path: Path) -> None:
    head = '@Entity\n@Table(name = "x")\npublic class A {\n    int x;\n'
    (tmp_path / "A.java").write_text(head + "    void m() {\n        if (a) { }\n    }\n}\n")
    frame = causes([tmp_path]).set_index("cause")
    assert (frame["count"]["unseen_functions"], frame["amount"]["unseen_functions"]) == (1, -2)
    assert frame["amount"]["unexplained"] == 0
